function turn(o) {
  return place(o.legal().slice(0, 4);
}
