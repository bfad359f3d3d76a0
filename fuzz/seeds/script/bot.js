// Looks at what becomes of blocks of four cells and of bombs, and plays what leads to the best boards.

const TRIED = 200;

function turn(o) {
  const tried = o.rng.shuffle(candidates(o)).slice(0, TRIED);
  const values = worths(o, tried);
  const most = Math.max(...values);
  log("round", o.round, "tried", tried.length, "worth", most);
  return most > -Infinity ? tried[values.indexOf(most)] : best(o);
}
