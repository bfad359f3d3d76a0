// Moves for clients that play: chosen with the page's own engine, so that they are legal, and stable enough for games
// to last.

import { readFileSync } from 'node:fs';
import { Engine } from '../../static/rules/engine.js';
import * as setting from './setting.mjs';

export const ROWS = 26;
export const COLS = 28;

/** @param {(bytes: number) => void} [asked] called with the length of each request @returns {any} the rules */
export function startEngine(asked = () => {}) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(setting.engineModule)), {});
  const told = { arena_alloc: (/** @type {number} */ bytes) => (asked(bytes), /** @type {any} */ (exports).arena_alloc(bytes)) };
  return new Engine({ exports: { ...exports, ...told } });
}

/**
 * A room's state, with its position by the rules.
 * @param {any} engine
 * @param {any} state of the room
 */
export function look(engine, { ruleset, options, turns, forfeits }) {
  const game = { ruleset, options, turns, forfeits };
  const position = engine.position(game);
  const check = (/** @type {string} */ tool, /** @type {[number, number][]} */ cells = []) => engine.check(game, position.awaiting[0] ?? 0, [{ tool, cells }]);
  const able = (/** @type {string} */ tool) => {
    const { legal, next } = check(tool);
    return legal || next.length > 0;
  };
  const [code, numbers] = position.clock ?? [];
  return { ...position, game, check, able, round: code === 'round' ? numbers.round : null };
}

/**
 * Cells for a turn, in a legal order: a separate block of four if there is room, since a block survives generations,
 * and otherwise any legal cells.
 * @param {any} position as looked at
 * @param {import('./random.mjs').Random} random
 * @returns {[number, number][]}
 */
export function chooseCells({ cells: board, check }, random) {
  const open = new Set(check('place').next.map(String));
  const blocks = [];
  for (let row = 0; row + 1 < ROWS; row++) {
    for (let col = 0; col + 1 < COLS; col++) {
      const cells = [[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]];
      if (cells.every((cell) => open.has(String(cell))) && alone(board, row, col)) blocks.push(cells);
    }
  }
  if (blocks.length > 0) return /** @type {any} */ (random.pick(blocks));
  /** @type {[number, number][]} */
  const chosen = [];
  for (let { next } = check('place'); next.length > 0; { next } = check('place', chosen)) chosen.push(random.pick(next));
  return chosen;
}

/** Whether there is no living cell within two cells of a block at this corner. */
function alone(/** @type {string} */ board, /** @type {number} */ top, /** @type {number} */ left) {
  for (let row = Math.max(0, top - 2); row < Math.min(ROWS, top + 4); row++) {
    for (let col = Math.max(0, left - 2); col < Math.min(COLS, left + 4); col++) {
      if (board[row * COLS + col] !== '.') return false;
    }
  }
  return true;
}

/**
 * A legal turn of the seat to move, as a call.
 * @param {any} position as looked at
 * @param {import('./random.mjs').Random} random
 */
export function chooseAction(position, random) {
  const cells = chooseCells(position, random);
  if (cells.length > 0) return { tool: 'place', cells };
  if (position.able('skip')) return { tool: 'skip', cells: [] };
  if (position.able('bomb')) return { tool: 'bomb', cells: [chooseCentre(position)] };
  return { tool: 'pass', cells: [] };
}

/**
 * A legal centre for the bomb: the one that clears the most cells of the opponent relative to the mover's own.
 * @param {any} position as looked at
 * @returns {[number, number]}
 */
export function chooseCentre({ cells, check, awaiting }) {
  const own = 'ab'[awaiting[0]];
  const gain = (/** @type {[number, number]} */ [row, col]) => {
    let sum = 0;
    for (let at = 0; at < 9; at++) {
      const [near, across] = [row - 1 + Math.floor(at / 3), col - 1 + (at % 3)];
      const owner = near >= 0 && near < ROWS && across >= 0 && across < COLS ? cells[near * COLS + across] : '.';
      sum += owner === '.' ? 0 : owner === own ? -1 : 1;
    }
    return sum;
  };
  const [best] = [...check('bomb').next].sort((one, other) => gain(other) - gain(one));
  if (!best) throw new Error('the bomb is legal nowhere');
  return best;
}
