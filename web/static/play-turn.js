// A turn as both pages show it: what is placed or bombed, and then the generation.

/** @import { Action, Position, Preview } from './engine.js' */
/** @import { Board } from './board.js' */
/** @import { Scene } from './paint.js' */

import { wait } from './board.js';
import { cellsOf } from './actions.js';

const PLACED_MS = 240;
const GENERATION_MS = 300;

/**
 * The marks of a turn: which cells it named.
 * @param {Action | null} action
 * @returns {Pick<Scene, 'last' | 'lastBomb'>}
 */
export function marksOf(action) {
  if (action?.kind === 'bomb') return { lastBomb: action.centre };
  return { last: cellsOf(action) };
}

/**
 * The board as a turn leaves it, before its generation.
 * @param {Preview} preview of the turn
 * @param {Action} action
 * @returns {Scene}
 */
export function placedScene(preview, action) {
  return { board: preview.before, placed: action.kind === 'place' ? action.cells : [], bomb: action.kind === 'bomb' ? action.centre : null };
}

/**
 * Shows a turn, for about half a second.
 * @param {Board} board
 * @param {object} turn
 * @param {Preview} turn.preview
 * @param {Action} turn.action
 * @param {Position} turn.after
 * @param {AbortSignal} [signal]
 */
export async function playTurn(board, { preview, action, after }, signal) {
  board.show(placedScene(preview, action));
  await wait(PLACED_MS, signal);
  if (signal?.aborted) return;
  await board.evolve({ board: after.board, ...marksOf(action) }, preview, GENERATION_MS, signal);
}
