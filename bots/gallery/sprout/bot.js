// Sprout, a bot for Conway's Conquerors: tries blocks and bombs, and looks a few generations ahead by boards alone.

const AHEAD = 4; // generations; further is worse, because the opponent moves, too
const FUEL_LEFT = 5_000_000; // what is left for the answer

// What a board is worth to a seat: the lead over the next generations.
function worth(board, seat) {
  const enemy = 1 - seat;
  let own = board.score(seat);
  if (own === 0) return -1_000_000;
  let lead = own - board.score(enemy);
  for (let ahead = 1; ahead < AHEAD; ahead++) {
    board = board.generation();
    lead += board.score(seat) - board.score(enemy);
  }
  return lead;
}

function turn(o) {
  const cells = o.legal();
  if (cells.length < 4) return o.skipUsed[o.seat] ? pass() : skip();
  let action = place(cells.slice(0, 4));
  let most = worth(o.apply(action), o.seat);
  const consider = (tried) => {
    if (o.check(tried) !== null) return;
    const value = worth(o.apply(tried), o.seat);
    if (value > most) [action, most] = [tried, value];
  };
  if (o.bombReady) {
    const enemies = o.board.cells(1 - o.seat);
    for (let tries = 0; tries < 30 && enemies.length > 0; tries++) consider(bomb(enemies[o.rng.below(enemies.length)]));
  }
  // Some blocks of two by two at random, then changes of one cell of the best.
  while (fuel() > 30_000_000) {
    const [row, col] = cells[o.rng.below(cells.length)];
    consider(place([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]));
  }
  while (fuel() > FUEL_LEFT && action.kind === "place") {
    const [row, col] = action.cells[o.rng.below(4)];
    const moved = [row + o.rng.below(5) - 2, col + o.rng.below(5) - 2];
    if (moved[0] >= 0 && moved[1] >= 0) consider(place(action.cells.with(o.rng.below(4), moved)));
  }
  return action;
}
