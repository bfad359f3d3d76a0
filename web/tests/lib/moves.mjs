// Moves for clients that play: chosen by the page's own engine, so that they are legal, and sturdy enough that games last.

import { readFileSync } from 'node:fs';
import * as setting from './setting.mjs';

// As a module by its text, because its folder has no package.json that calls .js files modules.
const text = encodeURIComponent(setting.source('web/static/engine.js'));
const { Engine } = await import(`data:text/javascript,${text}`);

export const RULESET = 'conquerors@2';
export const OPTIONS = 'chain_needs_home,weighted_majority';
export const ROWS = 26;
export const COLS = 28;

/** @returns {any} the rules */
export function startEngine() {
  return new Engine(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(setting.engineModule)), {}));
}

/** @param {string} mask a text like the board's @returns {[number, number][]} its marked cells */
export function marked(mask) {
  return mask.split('/').flatMap((row, at) => [...row].flatMap((cell, col) => (cell === 'x' ? [[at, col]] : [])));
}

/**
 * Cells for a turn, in an order that is legal: a block of four apart from all else where there is room, since a block
 * outlives generations, and otherwise whatever is legal.
 * @param {any} engine
 * @param {any} position
 * @param {import('./random.mjs').Random} random
 * @returns {[number, number][]}
 */
export function chooseCells(engine, position, random) {
  const board = position.board.split('/');
  const open = new Set(marked(position.placeable).map(String));
  const blocks = [];
  for (let row = 0; row + 1 < ROWS; row++) {
    for (let col = 0; col + 1 < COLS; col++) {
      const cells = [[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]];
      if (cells.every((cell) => open.has(String(cell))) && alone(board, row, col)) blocks.push(cells);
    }
  }
  if (blocks.length > 0) return /** @type {any} */ (random.pick(blocks));
  const chosen = [];
  for (;;) {
    const draft = engine.checkDraft(position, chosen);
    const next = marked(draft.placeable);
    if (draft.placements_left === 0 || next.length === 0) return /** @type {any} */ (chosen);
    chosen.push(random.pick(next));
  }
}

/** Whether a block at this corner has no living cell within two cells around. */
function alone(/** @type {string[]} */ board, /** @type {number} */ top, /** @type {number} */ left) {
  for (let row = Math.max(0, top - 2); row < Math.min(ROWS, top + 4); row++) {
    for (let col = Math.max(0, left - 2); col < Math.min(COLS, left + 4); col++) {
      if (board[row][col] !== '.') return false;
    }
  }
  return true;
}

/**
 * A legal turn of the mover, as a call.
 * @param {any} engine
 * @param {any} position
 * @param {import('./random.mjs').Random} random
 */
export function chooseAction(engine, position, random) {
  if (position.pass.legal) return { tool: 'pass', cells: [] };
  const cells = chooseCells(engine, position, random);
  if (cells.length > 0) return { tool: 'place', cells };
  if (position.skip.legal) return { tool: 'skip', cells: [] };
  return { tool: 'bomb', cells: [chooseCentre(engine, position)] };
}

/**
 * A legal centre for the bomb: of all, one that clears most of the opponent's beyond the mover's own.
 * @param {any} engine
 * @param {any} position
 * @returns {[number, number]}
 */
export function chooseCentre(engine, position) {
  let best = null;
  let most = -Infinity;
  for (let row = 0; row < ROWS; row++) {
    for (let col = 0; col < COLS; col++) {
      const { turn, cleared } = engine.preview(position, { tool: 'bomb', cells: [[row, col]] });
      if (!turn.legal) continue;
      const own = cleared.filter((/** @type {any} */ cell) => cell.colour === position.to_move).length;
      const gain = cleared.length - 2 * own;
      if (gain > most) [best, most] = [[row, col], gain];
    }
  }
  if (!best) throw new Error('the bomb is legal nowhere');
  return /** @type {any} */ (best);
}
