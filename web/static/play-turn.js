// A turn as rooms and replays show it: what it does to the board itself, such as a bomb, and then the generation; both move.

/** @import { Call, Tool } from './engine.js' */
/** @import { Board } from './board.js' */
/** @import { Scene, Square } from './paint.js' */

import { changes } from './picture.js';

/**
 * The cells that calls named.
 * @param {readonly Call[]} calls
 * @param {readonly Tool[]} tools
 * @returns {Square[]}
 */
export const marksOf = (calls, tools) =>
  calls.flatMap(({ tool, cells }) => cells.map((cell) => ({ cell, spread: tools.find(({ name }) => name === tool)?.spread ?? 0 })));

/**
 * What a call is about to do, or has just done, as the board marks it.
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
 * A turn that was played.
 * @typedef {object} Turn
 * @property {string} now the cells before it
 * @property {string | null} stage the cells as it left them before its generation, where it has stages
 * @property {string} after the cells after all
 * @property {readonly Call[]} calls
 */

/**
 * Shows a turn: for a third of the time what it does, for the rest what comes of it.
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
