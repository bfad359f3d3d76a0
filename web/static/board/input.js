// Translates taps, pointer movements and keys on a board into meanings. It does not check whether they are possible.

/** @import { Pair } from '../rules/engine.js' */
/** @import { Board } from './board.js' */

/** The farthest a finger may move during a tap, in CSS pixels. */
const SLIP_MAX = 12;
/**
 * The longest a finger's tap may last, in milliseconds: a longer press begins something else. Source: TR-001, section
 * 5.
 */
const TAP_MS_MAX = 700;

/** @type {ReadonlyMap<string, string>} */
const KEYS = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Home', 'row-start'],
  ['End', 'row-end'],
  ['Enter', 'act'],
  [' ', 'act'],
  ['Backspace', 'undo'],
  ['u', 'undo'],
  ['Escape', 'leave'],
  ['e', 'send'],
]);

/** @type {ReadonlyMap<string, Pair>} */
const STEPS = new Map([
  ['up', [-1, 0]],
  ['down', [1, 0]],
  ['left', [0, -1]],
  ['right', [0, 1]],
  ['row-start', [0, -Infinity]],
  ['row-end', [0, Infinity]],
]);

/**
 * The meaning of a key on the board, or null.
 * @param {Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>} event
 * @param {ReadonlyMap<string, string>} more the meanings of letters in this game
 * @returns {string | null}
 */
export function keyMeaning({ key, ctrlKey, metaKey, altKey }, more) {
  if (altKey) return null;
  if (ctrlKey || metaKey) return key === 'Enter' ? 'send' : null;
  const name = key.length === 1 ? key.toLowerCase() : key;
  return KEYS.get(name) ?? more.get(name) ?? null;
}

/**
 * The cell that a step leads to; steps stop at the edge.
 * @param {Pair} cell
 * @param {string} meaning
 * @param {{rows: number, cols: number}} size
 * @returns {Pair | null} null if `meaning` is not a step
 */
export function stepped([row, col], meaning, { rows, cols }) {
  const step = STEPS.get(meaning);
  if (step === undefined) return null;
  const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
  return [within(row + step[0], rows), within(col + step[1], cols)];
}

/**
 * @param {Board} board
 * @param {ReadonlyMap<string, string>} keys the meanings of letters in this game
 * @param {object} on
 * @param {(cell: Pair) => void} on.tap
 * @param {(cell: Pair | null) => void} on.hover the cell under the mouse; null once it has left the board
 * @param {(meaning: string) => void} on.key
 * @param {() => void} on.focus the board gained or lost the focus
 */
export function listen(board, keys, on) {
  const { canvas } = board;
  /** @type {{id: number, x: number, y: number, at: number} | null} */
  let down = null;
  canvas.addEventListener('pointerdown', (event) => {
    // A second finger turns a tap into a gesture.
    down = event.isPrimary && event.button === 0 ? { id: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
  });
  canvas.addEventListener('pointerup', (event) => {
    const from = down;
    down = null;
    if (from === null || from.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIP_MAX) return;
    if (event.pointerType !== 'mouse' && event.timeStamp - from.at > TAP_MS_MAX) return;
    const cell = board.cellAt({ clientX: from.x, clientY: from.y });
    if (cell) on.tap(cell);
  });
  canvas.addEventListener('pointercancel', () => (down = null));
  canvas.addEventListener('pointermove', (event) => on.hover(event.pointerType === 'mouse' ? board.cellAt(event) : null));
  canvas.addEventListener('pointerleave', () => on.hover(null));
  canvas.addEventListener('focus', on.focus);
  canvas.addEventListener('blur', on.focus);
  canvas.addEventListener('keydown', (event) => {
    const meaning = keyMeaning(event, keys);
    if (meaning === null) return;
    event.preventDefault();
    // Of keys held down, only those that move the cursor repeat.
    if (!event.repeat || STEPS.has(meaning)) on.key(meaning);
  });
}
