// Actions as rooms and records write them, read back. The layout is that of sdk/ABI.md; what an action means, only the engine says.

/** @import { Action, Pair } from './engine.js' */

/** The version of the contract: the first byte of every action. */
const VERSION = 1;
/** The kind of a game's own action. */
const OWN_KIND = 1;

/**
 * What the bytes of an action of any game say: its kind and the cells that it names; null when they are none.
 * @param {string} hex
 * @returns {{kind: number, cells: Pair[]} | null}
 */
export function readAction(hex) {
  if (!/^([0-9a-f]{2}){3,}$/.test(hex)) return null;
  const bytes = Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
  const [version, kind, count] = bytes;
  if (version !== VERSION || bytes.length !== 3 + 2 * count) return null;
  const cells = Array.from({ length: count }, (_, at) => /** @type {Pair} */ ([bytes[3 + 2 * at], bytes[4 + 2 * at]]));
  return { kind, cells };
}

/**
 * The bytes of a game's own action that names these cells; the inverse of `readAction`.
 * @param {readonly Pair[]} cells
 * @returns {string}
 */
export function writeAction(cells) {
  return [VERSION, OWN_KIND, cells.length, ...cells.flat()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The action of Conquerors in these bytes, or null when they are none.
 * @param {string} hex
 * @returns {Action | null}
 */
export function decodeAction(hex) {
  const { kind, cells } = readAction(hex) ?? { kind: -1, cells: [] };
  const count = cells.length;
  if (kind === 1) return { kind: 'place', cells };
  if (kind === 2 && count === 1) return { kind: 'bomb', centre: cells[0] };
  if (kind === 3 && count === 0) return { kind: 'skip' };
  if (kind === 0 && count === 0) return { kind: 'pass' };
  return null;
}

/**
 * The cells that an action names.
 * @param {Action | null} action
 * @returns {Pair[]}
 */
export function cellsOf(action) {
  if (action?.kind === 'place') return action.cells;
  return action?.kind === 'bomb' ? [action.centre] : [];
}
