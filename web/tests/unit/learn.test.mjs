// The coach's comments, and the goals of lessons.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofChange, ofDraft, ofEnd } from '../../static/rooms/coach.js';
import { reached } from '../../static/rooms/lesson.js';

const ZONES = [
  { name: 'Blue’s home', cols: 2, seat: 0 },
  { name: 'Neutral', cols: 2, seat: null },
  { name: 'Red’s home', cols: 2, seat: 1 },
];
const TOOLS = ['place', 'bomb'].map((name) => ({ name, code: `conquerors-${name}`, input: 'cells', least: 1, most: 4, spread: 0 }));

/** A position of two rows of six cells. @param {string} cells @param {object} [more] @returns {any} */
const position = (cells, more = {}) => ({ rows: 2, cols: 6, cells, zones: ZONES, tools: TOOLS, open: [['open-home', {}]], limits: [[null, null], [null, null]], tally: [0, 0], outcome: null, ...more });

test('the coach names who will die, and the last cell at home', () => {
  const now = position('a.....' + '......');
  const deaths = [{ row: 0, col: 0, owner: 'a' }, { row: 1, col: 3, owner: 'a' }];
  const said = ofDraft(now, { cells: [[1, 3]], after: '......' + '......', deaths }, 0);
  assert.deepEqual(said, [
    '1,3 will die: it has fewer than two neighbours, or more than three.',
    'Your last cell at home will die: everything but your home will be closed to you.',
  ]);
  assert.deepEqual(ofDraft(now, { cells: [[1, 3]], after: 'a..a..' + '......', deaths: [] }, 0), []);
  assert.deepEqual(ofDraft(now, { cells: [], after: null, deaths: [] }, 0), [], 'nothing is placed yet');
});

test('the coach says what has opened, what has closed and what is ready', () => {
  const before = position('aaa...' + '......', { limits: [[null, ['ready-in', { ends: 1 }]], [null, null]] });
  const now = position('aaa...' + '......', { open: [['open-home', {}], ['open-neutral', {}]], limits: [[null, ['ready', {}]], [null, ['ready', {}]]] });
  assert.deepEqual(ofChange(before, now, 0), [
    'Now open to you: neutral.',
    'Your anchor is at risk: cells at home keep the rest open, and few are left.',
    'Ready now: bomb. It takes a whole turn.',
  ]);
  const gone = position('..a...' + '......');
  assert.deepEqual(ofChange(now, gone, 0), [
    'Closed again: neutral. A link of your chain has died.',
    'You have no cells left at home: only your home is open.',
  ]);
  assert.deepEqual(ofChange(gone, gone, 0), []);
});

test('the coach explains how a game ended', () => {
  const end = position('a...a.' + '......', { tally: [3, 0] });
  assert.match(ofEnd(end, 'majority')[0], /count twice: 2 and 0 cells make 3 and 0 points/);
  assert.match(ofEnd(position('a.....' + '......', { zones: [], tally: [1, 0] }), 'extinction')[0], /no living cell/);
  assert.deepEqual(ofEnd(end, 'forfeit'), []);
});

test('a goal is reached by what it names', () => {
  const before = position('a.....' + '......', { tally: [1, 2] });
  const ended = (/** @type {any} */ after, /** @type {any[]} */ cells = [[0, 1]], tool = 'place') => ({ before, after, tool, cells });
  const lives = ended(position('aa....' + '......', { tally: [3, 2] }));
  const dies = ended(position('a.....' + '......', { tally: [1, 2] }));
  for (const [goal, yes, no] of /** @type {[string, any, any][]} */ ([
    ['alive', lives, dies],
    ['more', lives, dies],
    ['leads', lives, dies],
    ['zone:0', lives, ended(position('..a...' + '......'))],
    ['zone:2', ended(position('....a.' + '......')), lives],
    ['tool:bomb', ended(before, [[0, 1]], 'bomb'), lives],
    ['grows', ended(position('aaa...' + '......')), lives],
    ['wins', ended(position('a.....' + '......', { outcome: { winner: 0 } })), lives],
  ])) {
    assert.equal(reached(goal, yes), true, goal);
    assert.equal(reached(goal, no), false, goal);
  }
  assert.equal(reached('nothing', lives), false);
});
