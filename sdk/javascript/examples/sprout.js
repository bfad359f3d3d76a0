// Sprout: tries blocks and then moves single cells, and looks a few generations ahead with boards alone.

const AHEAD = 4;
const FUEL_LEFT = 6_000_000;

// What a board is worth to a seat: the lead over the next generations.
function worth(board, seat, ahead) {
  let sum = 0;
  for (let generation = 0; generation < ahead; generation++) {
    if (generation > 0) board = board.generation();
    const own = board.score(seat);
    if (generation === 0 && own === 0) return -1_000_000;
    sum += own - board.score(1 - seat);
  }
  return sum;
}

// All blocks of two by two legal cells.
function blocks(cells) {
  const open = new Set(cells.map(([row, col]) => 100 * row + col));
  const squares = cells.map(([row, col]) => [[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]);
  return squares.filter((square) => square.every(([row, col]) => open.has(100 * row + col)));
}

function turn(o) {
  const cells = o.legal();
  const ahead = Math.min(AHEAD, 24 - o.ply);
  if (cells.length < 4) return best(o);
  let [found, most] = [cells.slice(0, 4), -Infinity];
  const consider = (tried) => {
    const value = worth(o.apply(place(tried)), o.seat, ahead);
    if (value > most) [found, most] = [tried, value];
  };
  for (const block of o.rng.shuffle(blocks(cells))) {
    if (fuel() < 25_000_000) break;
    consider(block);
  }
  while (fuel() > FUEL_LEFT) {
    const [row, col] = found[o.rng.below(4)];
    const next = [row + o.rng.below(5) - 2, col + o.rng.below(5) - 2];
    const tried = found.with(o.rng.below(4), next);
    if (o.check(place(tried)) === null) consider(tried);
  }
  return place(found);
}
