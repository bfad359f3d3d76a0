// The animation of a turn: what is shown first, and what moves. The board only records calls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gutterOf, numberedEvery } from '../../static/board/paint.js';
import { playTurn } from '../../static/board/play-turn.js';

const TOOLS = /** @type {any} */ ([
  { name: 'place', input: 'cells', most: 4, least: 4, spread: 0 },
  { name: 'bomb', input: 'cell', most: 1, least: 1, spread: 1 },
]);

/** The board's calls for a turn. @param {any} turn */
async function shown(turn) {
  /** @type {{scene: any, births: string[], deaths: string[], ms: number}[]} */
  const steps = [];
  const cells = (/** @type {any[]} */ list) => list.map(({ row, col, owner }) => `${row},${col}${owner}`);
  const board = /** @type {any} */ ({
    size: { cols: 3 },
    evolve: (/** @type {any} */ scene, /** @type {any} */ { births, deaths }, /** @type {number} */ ms) =>
      void steps.push({ scene, births: cells(births), deaths: cells(deaths), ms }),
  });
  await playTurn(board, turn, TOOLS, 600);
  return steps;
}

test('the cells that a bomb clears shrink under its mark, before the generation', async () => {
  const [bomb, generation, ...more] = await shown({ now: 'ab.b..', stage: '......', after: '..a...', calls: [{ tool: 'bomb', cells: [[0, 1]] }] });
  assert.deepEqual(more, []);
  assert.deepEqual(bomb.deaths, ['0,0a', '0,1b', '1,0b']);
  assert.deepEqual([bomb.births, bomb.ms, bomb.scene.cells], [[], 200, '......']);
  assert.deepEqual(bomb.scene.aim, { cell: [0, 1], spread: 1 });
  assert.deepEqual([generation.births, generation.deaths, generation.ms], [['0,2a'], [], 400]);
});

test('placed cells grow, and then the generation', async () => {
  const [placed, generation] = await shown({ now: 'b.....', stage: 'baa...', after: '.aa...', calls: [{ tool: 'place', cells: [[0, 1], [0, 2]] }] });
  assert.deepEqual([placed.births, placed.deaths], [['0,1a', '0,2a'], []]);
  assert.deepEqual(placed.scene.placed, [[0, 1], [0, 2]]);
  assert.deepEqual([generation.births, generation.deaths], [[], ['0,0b']]);
});

test('numbers of rows and columns have room at the edge of every board that is played on', () => {
  // The largest board on the narrowest phone, Conquerors there and on a desktop, the smallest board on a large screen.
  for (const [board, cols, every] of [[320, 64, 5], [390, 64, 5], [390, 28, 2], [760, 28, 1], [1400, 8, 1]]) {
    const cell = (board - gutterOf(board)) / cols;
    assert.equal(numberedEvery(cell), every, `${cols} columns on ${board} px`);
    assert.ok(every * cell >= 18, 'two digits beside each other');
  }
  assert.equal(gutterOf(100), 0, 'a picture of a board has no edge');
});
