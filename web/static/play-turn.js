// A turn as both pages show it: what is placed or bombed, and then the generation.

/** @import { Call, Position, Preview } from './engine.js' */
/** @import { Board } from './board.js' */
/** @import { Scene } from './paint.js' */

import { wait } from './board.js';

const PLACED_MS = 240;
const GENERATION_MS = 300;

/**
 * The marks of a turn: which cells it named.
 * @param {Call | null} call
 * @returns {Pick<Scene, 'last' | 'lastBomb'>}
 */
export function marksOf(call) {
  return call?.tool === 'bomb' ? { lastBomb: call.cells[0] } : { last: call?.cells ?? [] };
}

/**
 * The board as a turn leaves it, before its generation.
 * @param {Preview} preview of the turn
 * @param {Call} call
 * @returns {Scene}
 */
export function placedScene(preview, { tool, cells }) {
  return { board: preview.before, ...(tool === 'bomb' ? { bomb: cells[0] } : { placed: cells }) };
}

/**
 * Shows a turn, for about half a second.
 * @param {Board} board
 * @param {object} turn
 * @param {Preview} turn.preview
 * @param {Call} turn.call
 * @param {Position} turn.after
 * @param {AbortSignal} [signal]
 */
export async function playTurn(board, { preview, call, after }, signal) {
  board.show(placedScene(preview, call));
  await wait(PLACED_MS, signal);
  if (signal?.aborted) return;
  await board.evolve({ board: after.board, ...marksOf(call) }, preview, GENERATION_MS, signal);
}
