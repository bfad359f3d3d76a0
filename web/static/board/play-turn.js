// Animates a turn in rooms and replays: first its own effect on the board, such as a bomb's, then the generation.

/** @import { Call, Tool } from '../rules/engine.js' */
/** @import { Board } from './board.js' */
/** @import { Scene, Square } from './paint.js' */

import { changes } from './picture.js';

/**
 * The squares that calls name.
 * @param {readonly Call[]} calls
 * @param {readonly Tool[]} tools
 * @returns {Square[]}
 */
export const marksOf = (calls, tools) =>
  calls.flatMap(({ tool, cells }) => cells.map((cell) => ({ cell, spread: tools.find(({ name }) => name === tool)?.spread ?? 0 })));

/**
 * The marks on the board for a call that is about to be made, or was just made.
 * @param {Call} call
 * @param {readonly Tool[]} tools
 * @returns {Pick<Scene, 'placed' | 'chosen' | 'aim' | 'last'>}
 */
export function markedScene({ tool: name, cells }, tools) {
  const tool = tools.find((tool) => tool.name === name);
  if (!tool || cells.length === 0) return {};
  if (tool.spread > 0) return { aim: { cell: cells[0], spread: tool.spread } };
  if (tool.input === 'piece') return { chosen: cells[0], last: cells.slice(1).map((cell) => ({ cell, spread: 0 })) };
  return { placed: tool.input === 'cells' ? cells : [], last: tool.input === 'cells' ? [] : cells.map((cell) => ({ cell, spread: 0 })) };
}

/**
 * A turn to animate.
 * @typedef {object} Turn
 * @property {string} now the cells before it
 * @property {string | null} stage the cells as the turn left them before its generation; null in games without stages
 * @property {string} after the cells after the generation
 * @property {readonly Call[]} calls
 */

/**
 * Animates a turn: its own effect for a third of the time, then the generation.
 * @param {Board} board
 * @param {Turn} turn
 * @param {readonly Tool[]} tools
 * @param {number} ms
 * @param {AbortSignal} [signal]
 */
export async function playTurn(board, { now, stage, after, calls }, tools, ms, signal) {
  if (calls.length === 1) {
    const made = stage ?? now;
    await board.evolve({ cells: made, ...markedScene(calls[0], tools) }, changes(now, made, board.size.cols), ms / 3, signal);
    if (signal?.aborted) return;
  }
  await board.evolve({ cells: after, last: marksOf(calls, tools) }, changes(stage ?? now, after, board.size.cols), (2 * ms) / 3, signal);
}
