// A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
//
// What is outside of functions runs once, at the start. Variables there last from turn to turn, and nothing survives the
// game. bot.d.ts says what `o` has, and what there is besides.

/** Look for a place only while more fuel than this is left. A turn has some fifty million, and `best` uses the rest. */
const FUEL_LEFT = 20_000_000;

/** A block at home, the still life of four cells, wherever there is room for it. */
function conquerors(o) {
  for (const [row, col] of o.rng.shuffle(o.legal())) {
    if (fuel() < FUEL_LEFT) break;
    const block = place([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]);
    if (o.check(block) === null) return block;
  }
  return best(o);
}

/** Any move of any piece. */
function warOfLife(o) {
  const moves = o.legal();
  return moves[o.rng.below(moves.length)];
}

/** Any of the cells on which this seat can act. */
function gameOfGameOfLife(o) {
  const cells = o.legal();
  if (cells.length === 0) return pass();
  const [row, col] = cells[o.rng.below(cells.length)];
  return cell(row, col);
}

/** A glider somewhere inside the base, as far as there is room and a coin. */
function life2(o) {
  const [row, col] = o.bases[o.seat].map((edge) => edge + 1 + o.rng.below(4));
  const placed = [];
  for (const [down, right] of [[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]]) {
    const cell = [row + down, col + right];
    if (o.check(place([...placed, cell])) === null) placed.push(cell);
  }
  return placed.length > 0 ? place(placed) : pass();
}

const GAMES = { conquerors, "war-of-life": warOfLife, "game-of-game-of-life": gameOfGameOfLife, life2 };

/** Called in each of the bot's turns; what it returns is the bot's answer. */
function turn(o) {
  return GAMES[o.game](o);
}
