// Sergeant, a bot for War of Life: thinks of the enemy's best answer to each of its own best moves.

const TRIED = 12; // own moves that are worth an answer
const FUEL_LEFT = 20_000_000; // what the answers to one move may take
const STEPS = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((col) => [row, col])).filter(([row, col]) => row || col);

// What a board is worth to a seat; to have lost all pieces is the end.
function worth(board, seat) {
  const [own, enemy] = [board.count(seat), board.count(1 - seat)];
  return 10 * (own - enemy) + (enemy === 0 ? 1000 : 0) - (own === 0 ? 2000 : 0);
}

// The board after the best answer of a seat, by what it is worth to the seat.
function answered(board, seat) {
  let most = -Infinity;
  for (const [row, col] of board.cells(seat)) {
    for (const [down, right] of STEPS) {
      const [to, at] = [row + down, col + right];
      if (to < 0 || at < 0 || to >= board.rows || at >= board.cols || board.get(to, at) !== 0) continue;
      const next = board.copy().set(row, col, 0).set(to, at, 1 + seat).generation();
      most = Math.max(most, worth(next, seat));
    }
  }
  return most;
}

function turn(o) {
  const moves = o.rng.shuffle(o.legal()).map((move) => {
    const board = o.apply(move);
    return { move, board, value: worth(board, o.seat) };
  });
  moves.sort((one, other) => other.value - one.value);
  let [best, most] = [moves[0].move, -Infinity];
  for (const { move, board, value } of moves.slice(0, TRIED)) {
    if (fuel() < FUEL_LEFT) break;
    const after = board.count(1 - o.seat) === 0 ? value : -answered(board, 1 - o.seat) + value / 100;
    if (after > most) [best, most] = [move, after];
  }
  return best;
}
