// Keys on the board and their effects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyMeaning, stepped } from '../../static/board-input.js';
import { toolKeys } from '../../static/tools.js';

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
