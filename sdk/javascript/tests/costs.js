// What each of these takes of a turn's fuel, besides asking for it: `arena/interpreter/tests/it/slow/scripts.rs` keeps the table of it.

function turn(o) {
  const tried = candidates(o).slice(0, 50);
  const shape = [[12, 3], [12, 4], [13, 3], [13, 4]];
  const block = place(shape);
  const twice = (n) => 2 * n;
  let asked = 0;
  const cost = (name, times, deed) => {
    const before = fuel();
    deed();
    const taken = before - fuel();
    if (name) log(`${name}: ${Math.round((taken - asked) / times)}`);
    else asked = taken;
  };
  cost("", 1, () => {});
  cost("a round of a loop that adds", 1_000, () => { let s = 0; for (let i = 0; i < 1_000; i++) s += i; });
  cost("a round of a loop that calls a function", 1_000, () => { for (let i = 0; i < 1_000; i++) twice(i); });
  cost("sorting 100 numbers by a function", 1, () => { Array.from({ length: 100 }, (_, i) => (i * 37) % 101).sort((a, b) => a - b); });
  cost("`o.board.get(row, col)`", 1, () => { o.board.get(12, 3); });
  cost("`o.board.generation()`", 1, () => { o.board.generation(); });
  cost("`o.board.generation(10)`", 1, () => { o.board.generation(10); });
  cost("`o.legal()`", 1, () => { o.legal(); });
  cost("`place` of four cells", 1, () => { place(shape); });
  cost("`o.check(action)`", 1, () => { o.check(block); });
  cost("`o.apply(action)`", 1, () => { o.apply(block); });
  cost("`candidates(o)`", 1, () => { candidates(o); });
  cost("the best of 50 candidates, by `worths`", 1, () => { const all = worths(o, tried); return tried[all.indexOf(Math.max(...all))]; });
  cost("`best(o)` on 1,000,000", 1, () => { best(o, { fuel: 1_000_000 }); });
  return skip();
}
