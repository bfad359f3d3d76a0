// Keys on the board and their effects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyMeaning, listen, stepped } from '../../static/board/input.js';
import { toolKeys } from '../../static/rooms/tools.js';

const TOOLS = ['place', 'bomb', 'skip', 'pass', 'undo', 'send'].map((name) => /** @type {any} */ ({ name }));
const KEYS = toolKeys(TOOLS);

const key = (name, more = {}) => keyMeaning({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more }, KEYS);

test('keys mean what the help says', () => {
  const meant = { Enter: 'act', ' ': 'act', Backspace: 'undo', u: 'undo', U: 'undo', b: 'bomb', Escape: 'leave', s: 'skip', e: 'send', E: 'send' };
  for (const [name, meaning] of Object.entries(meant)) assert.equal(key(name), meaning, name);
  assert.equal(key('Enter', { ctrlKey: true }), 'send');
});

test('keys of the browser stay its own', () => {
  assert.deepEqual([key('Tab'), key('F5'), key('u', { ctrlKey: true }), key('s', { metaKey: true }), key('ArrowLeft', { altKey: true })], [null, null, null, null, null]);
});

test('a tool has its first letter, unless that has another meaning', () => {
  assert.deepEqual([...KEYS], [['b', 'bomb'], ['s', 'skip'], ['p', 'pass']]);
  assert.equal(key('x'), null);
});

test('a step stops at the edge', () => {
  const size = { rows: 26, cols: 28 };
  const walk = (cell, ...steps) => steps.reduce((at, step) => stepped(at, key(step), size), cell);
  assert.deepEqual(walk([1, 1], 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft'), [0, 0]);
  assert.deepEqual(walk([24, 26], 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'), [25, 27]);
  assert.deepEqual([walk([3, 9], 'Home'), walk([3, 9], 'End')], [[3, 0], [3, 27]]);
  assert.equal(stepped([0, 0], 'send', size), null);
});

test('a press is a tap if it is short and stays where it began', () => {
  const canvas = new EventTarget();
  /** @type {any[]} */
  const taps = [];
  const board = /** @type {any} */ ({ canvas, cellAt: ({ clientX, clientY }) => [clientY, clientX] });
  listen(board, KEYS, /** @type {any} */ ({ tap: (cell) => taps.push(cell), hover() {}, key() {}, focus() {} }));
  const sends = (type, timeStamp, clientX, more = {}) => {
    const event = new Event(type);
    for (const [name, value] of Object.entries({ pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, clientX, clientY: 5, timeStamp, ...more })) Object.defineProperty(event, name, { value });
    canvas.dispatchEvent(event);
  };
  const press = (lasts, slips = 0, pointerType = 'touch') => {
    sends('pointerdown', 1_000, 40, { pointerType });
    sends('pointerup', 1_000 + lasts, 40 + slips, { pointerType });
    return taps.splice(0);
  };
  assert.deepEqual([press(0), press(700), press(701), press(1_500)], [[[5, 40]], [[5, 40]], [], []]);
  assert.deepEqual([press(100, 12), press(100, 13)], [[[5, 40]], []]);
  assert.deepEqual(press(1_500, 0, 'mouse'), [[5, 40]], 'a mouse scrolls nothing, and its button may be pressed slowly');
  sends('pointerdown', 0, 40);
  sends('pointerdown', 10, 90, { pointerId: 2, isPrimary: false });
  sends('pointerup', 20, 40);
  assert.deepEqual(taps, [], 'two fingers are a gesture');
});
