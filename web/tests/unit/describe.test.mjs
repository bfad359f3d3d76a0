// Positions, turns and endings in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as say from '../../static/describe.js';

const RULES = { rows: 26, cols: 28, home_cols: 8, rounds: 12, placements: 4, bomb_from_round: 7, bomb_cooldown: 3 };
const NAMES = ['Ann', 'hard'];

const position = (more = {}) => ({
  board: ['bb.b', '....', '.r..'].join('/'),
  round: 3,
  to_move: 'red',
  reach: ['home', 'neutral'],
  cooldown: { blue: 0, red: 2 },
  counts: { blue: 3, red: 1 },
  scores: { blue: 4, red: 1 },
  ...more,
});

test('a position in words', () => {
  assert.deepEqual(say.describePosition(position(), RULES), [
    'Round 3 of 12. Red moves. Open: home and neutral.',
    'Blue: 3 cells, score 4. In row 0: 0-1, 3.',
    'Red: 1 cell, score 1. In row 2: 1.',
  ]);
  const over = say.describePosition(position({ board: '..', to_move: null, reach: [], round: 13, counts: { blue: 0, red: 0 }, scores: { blue: 0, red: 0 } }), RULES);
  assert.deepEqual(over, ['Round 12 of 12. The game is over.', 'Blue: 0 cells, score 0.', 'Red: 0 cells, score 0.']);
});

test('a bomb waits for its round, then for its cooldown', () => {
  const bomb = (round, colour) => say.describeBomb(position({ round }), colour, RULES);
  assert.deepEqual([bomb(6, 'red'), bomb(7, 'red'), bomb(7, 'blue')], ['from round 7', 'ready in 2', 'ready']);
});

test('turns in words', () => {
  assert.equal(say.describeTurn({ words: 'places 1,2, 3,4 and 5,6' }, 'blue'), 'Blue places 1,2, 3,4 and 5,6.');
});

test('a cell in words', () => {
  const scene = { board: 'b.r/...', placeable: '.x./...', placed: [[0, 0]] };
  const cells = [[0, 0], [0, 1], [0, 2], [1, 0]];
  assert.deepEqual(cells.map((cell) => say.describeCell(cell, scene)), ['0,0: blue, placed as number 1', '0,1: empty, open', '0,2: red', '1,0: empty']);
});

test('a preview in words', () => {
  const cell = (colour) => ({ row: 0, col: 0, colour });
  const preview = { cleared: [], births: [cell('blue'), cell('blue'), cell('red')], deaths: [], scores: { blue: 5, red: 2 } };
  assert.equal(say.describePreview(preview), 'Born: 2 blue and 1 red; no deaths; score 5 to 2.');
  const bomb = { ...preview, cleared: [cell('red')], births: [], deaths: [cell('red')] };
  assert.equal(say.describePreview(bomb), 'The bomb clears 1 red; no births; dying: 1 red; score 5 to 2.');
});

test('endings in words', () => {
  const end = (winner, reason, tally) => say.describeOutcome({ winner, reason, tally }, NAMES);
  assert.equal(end(0, 'majority', [40, 31]), 'Ann (blue) wins, 40 to 31.');
  assert.equal(end(1, 'majority', [30, 31]), 'hard (red) wins, 31 to 30.');
  assert.equal(end(1, 'extinction', [0, 31]), 'hard (red) wins: Ann (blue) has no living cell left.');
  assert.equal(end(0, 'forfeit', [3, 31]), 'Ann (blue) wins by forfeit.');
  assert.equal(end(null, 'mutual_extinction', [0, 0]), 'A draw: no cell of either colour is left.');
  assert.equal(end(null, 'majority', [8, 8]), 'A draw: 8 to 8.');
});

test('forfeits in words', () => {
  const forfeit = (code, turn, detail = '') => say.describeForfeit({ seat: 1, turn, code, detail }, NAMES);
  assert.equal(forfeit('fuel_exhausted', 4), 'hard (red) ran out of fuel in turn 5.');
  assert.equal(forfeit('trap', null, 'unreachable'), 'hard (red) crashed before the first turn: unreachable.');
  assert.equal(forfeit('resigned', 0, 'resigned'), 'hard (red) gave up in turn 1.');
  assert.equal(forfeit('a_new_code', 0), 'hard (red) a new code in turn 1.');
});

test('a game begins with an empty board or from an opening', () => {
  assert.equal(say.describeStart({ board: '../..', to_move: 'blue' }), 'The empty board; blue begins.');
  assert.equal(say.describeStart({ board: 'b./.r', to_move: 'blue' }), 'The opening; blue begins.');
});
