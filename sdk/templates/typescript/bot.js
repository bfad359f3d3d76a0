// A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
//
// What is outside of functions runs once, at the start. Variables there last from turn to turn, and nothing survives the
// game. Types are in comments, so the arena plays this file as it is; `npm run check` has TypeScript check them.
// bot.d.ts has all of what a bot sees, and what there is besides.

/** Look for a place only while more fuel than this is left. A turn has some fifty million, and `best` uses the rest. */
const FUEL_LEFT = 20_000_000;

/**
 * A block at home, the still life of four cells, wherever there is room for it.
 * @param {Conquerors} o
 * @returns {Action}
 */
function conquerors(o) {
  for (const [row, col] of o.rng.shuffle(o.legal())) {
    if (fuel() < FUEL_LEFT) break;
    const block = place([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]);
    if (o.check(block) === null) return block;
  }
  return best(o);
}

/**
 * Any move of any piece.
 * @param {WarOfLife} o
 * @returns {Action}
 */
function warOfLife(o) {
  const moves = o.legal();
  return moves[o.rng.below(moves.length)];
}

/**
 * Any of the cells on which this seat can act.
 * @param {GameOfGameOfLife} o
 * @returns {Action}
 */
function gameOfGameOfLife(o) {
  const cells = o.legal();
  if (cells.length === 0) return pass();
  const [row, col] = cells[o.rng.below(cells.length)];
  return cell(row, col);
}

/** The cells of a glider. @type {Cell[]} */
const GLIDER = [[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]];

/**
 * A glider somewhere inside the base, as far as there is room and a coin.
 * @param {Life2} o
 * @returns {Action}
 */
function life2(o) {
  const base = o.bases[o.seat];
  if (base === null) return pass();
  const [row, col] = base.map((edge) => edge + 1 + o.rng.below(4));
  /** @type {Cell[]} */
  const placed = [];
  for (const [down, right] of GLIDER) {
    /** @type {Cell} */
    const next = [row + down, col + right];
    if (o.check(place([...placed, next])) === null) placed.push(next);
  }
  return placed.length > 0 ? place(placed) : pass();
}

/**
 * Called in each of the bot's turns; what it returns is the bot's answer.
 * @param {Conquerors | WarOfLife | GameOfGameOfLife | Life2} o
 * @returns {Action}
 */
function turn(o) {
  switch (o.game) {
    case "conquerors":
      return conquerors(o);
    case "war-of-life":
      return warOfLife(o);
    case "game-of-game-of-life":
      return gameOfGameOfLife(o);
    case "life2":
      return life2(o);
  }
}
