// Pictures of boards: the cells of a film's frames, and the differences between pictures. Pure functions.

/** @import { Film, Frame } from '../rules/engine.js' */

/** @typedef {{row: number, col: number, owner: string}} OwnedCell the owner as a character of a picture's text */

/**
 * The changes that a turn makes on the board: the cells that it clears itself, and the births and deaths of its
 * generation. In a game without stages these cannot be told apart; then `cleared` is null, and `births` and `deaths`
 * hold all changes.
 * @typedef {{cleared: OwnedCell[] | null, births: OwnedCell[], deaths: OwnedCell[]}} Changes
 */

/**
 * The cells of a film's frame.
 * @param {readonly Frame[]} frames
 * @param {number} turn
 * @returns {string}
 */
export function frameAt(frames, turn) {
  let whole = turn;
  while (typeof frames[whole] !== 'string') whole -= 1;
  return frames.slice(whole + 1, turn + 1).reduce(applied, String(frames[whole]));
}

/**
 * The board as a turn, counted from 0, left it before its generation; null in games without such stages.
 * @param {Film} film
 * @param {number} turn
 * @returns {string | null}
 */
export const stageAt = ({ frames, stages }, turn) => (stages.length > turn ? applied(frameAt(frames, turn), stages[turn]) : null);

/** @param {string} cells @param {Frame} frame @returns {string} */
function applied(cells, frame) {
  if (typeof frame === 'string') return frame;
  const next = [...cells];
  for (const [place, owner] of frame) next[Number(place)] = owner;
  return next.join('');
}

/**
 * The differences between two pictures. A cell that changes its owner dies and is born.
 * @param {string} before
 * @param {string} after
 * @param {number} cols
 * @returns {{births: OwnedCell[], deaths: OwnedCell[]}}
 */
export function changes(before, after, cols) {
  /** @type {OwnedCell[]} */
  const births = [];
  /** @type {OwnedCell[]} */
  const deaths = [];
  eachCell(after, cols, (cell, at) => before[at] !== cell.owner && births.push(cell));
  eachCell(before, cols, (cell, at) => after[at] !== cell.owner && deaths.push(cell));
  return { births, deaths };
}

/**
 * The changes that a turn makes.
 * @param {string} now the cells before the turn
 * @param {string | null} before the cells before its generation
 * @param {string} after the cells after it
 * @param {number} cols
 * @returns {Changes}
 */
export function turnChanges(now, before, after, cols) {
  if (before === null) return { cleared: null, ...changes(now, after, cols) };
  const { births: put, deaths: cleared } = changes(now, before, cols);
  // A piece that moved was not cleared.
  const moved = (/** @type {OwnedCell} */ { owner }) => put.some((cell) => cell.owner === owner);
  return { cleared: cleared.filter((cell) => !moved(cell)), ...changes(before, after, cols) };
}

/**
 * @param {string} cells
 * @param {number} cols
 * @param {(cell: OwnedCell, at: number) => void} act
 */
export function eachCell(cells, cols, act) {
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] !== '.') act({ row: Math.floor(at / cols), col: at % cols, owner: cells[at] }, at);
  }
}
