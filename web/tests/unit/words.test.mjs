// Positions, turns and endings in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as say from '../../static/board/words.js';

const NAMES = { players: ['Ann', 'hard'], seats: [] };
const COLOURS = ['blue', 'red'];

const cell = (/** @type {string} */ owner) => ({ row: 0, col: 0, owner });

test('turns in words', () => {
  const tools = ['war-of-life-move', 'conquerors-place', 'game-of-game-of-life-cell', 'game-of-game-of-life-pass'].map((code) => ({ code, name: String(code.split('-').at(-1)) }));
  const game = (/** @type {string[]} */ seat_names) => /** @type {any} */ ({ seat_names, tools });
  const played = (/** @type {number} */ seat, /** @type {string} */ tool, /** @type {any[]} */ ...cells) => ({ seat, calls: [{ tool, cells }] });
  const move = played(0, 'move', [3, 4], [4, 5]);
  assert.equal(say.describePlays([move], game(['blue', 'red'])), 'Blue moves 3,4 to 4,5.');
  const block = played(1, 'place', [12, 3], [12, 4], [13, 3]);
  assert.equal(say.describePlays([block], game(['blue', 'red'])), 'Red places 12,3; 12,4 and 13,3.');
  assert.deepEqual(say.cellsOf(move), [[3, 4], [4, 5]]);
  const [claim, pass] = [played(1, 'cell', [5, 6]), played(2, 'pass')];
  assert.equal(say.describePlays([claim, pass], game([])), 'B plays 5,6; C passes.');
  assert.equal(say.describePlays([claim, claim, claim, claim, pass], game([])), '4 of 5 seats named a cell, 1 passed.');
  assert.equal(say.describeChanges({ cleared: null, births: [cell('a')], deaths: [] }, [], [1, 2, 3]), 'New cells: 1; gone: none.');
});

test('endings in words', () => {
  const end = (/** @type {number | null} */ winner, /** @type {string} */ reason, /** @type {number[]} */ tally, names = NAMES) =>
    say.describeOutcome({ winner, reason, tally }, names);
  assert.equal(end(1, 'extinction', [0, 9]), 'hard (B) wins, 9 to 0: nobody else has a living cell.');
  assert.equal(end(0, 'forfeit', [3, 31]), 'Ann (A) wins by forfeit.');
  assert.equal(end(null, 'exhausted', [4, 4]), 'A draw, 4 to 4: the last move has been made.');
  const three = { players: ['x', 'y', 'z'], seats: [] };
  assert.equal(end(2, 'majority', [0, 0, 1], three), 'z (C) wins with the only cell: that was the last turn.');
  assert.equal(end(2, 'majority', [1, 2, 7], three), 'z (C) wins with 7 of 10 cells: that was the last turn.');
  assert.equal(end(null, 'a_new_reason', [1, 2, 2], three), 'A draw: a new reason.');
  const forfeit = { seat: 2, turn: 4, code: 'trap', detail: 'unreachable' };
  assert.equal(say.describeForfeit(forfeit, three), 'z (C) crashed in turn 5: unreachable.');
});

test('what a turn leads to, in words', () => {
  const changes = { cleared: [], births: [cell('a'), cell('a'), cell('b')], deaths: [] };
  assert.equal(say.describeChanges(changes, COLOURS, [5, 2]), 'Born: 2 blue and 1 red; no deaths; score 5 to 2.');
  const bomb = { cleared: [cell('b')], births: [], deaths: [cell('b')] };
  assert.equal(say.describeChanges(bomb, COLOURS, [5, 2]), 'Cleared: 1 red; no births; dying: 1 red; score 5 to 2.');
});

test('forfeits in words', () => {
  const called = { ...NAMES, seats: COLOURS };
  const forfeit = (/** @type {string} */ code, /** @type {number | null} */ turn, detail = '') => say.describeForfeit({ seat: 1, turn, code, detail }, called);
  assert.equal(forfeit('fuel_exhausted', 4), 'hard (red) ran out of fuel in turn 5.');
  assert.equal(forfeit('trap', null, 'unreachable'), 'hard (red) crashed before the first turn: unreachable.');
  assert.equal(forfeit('resigned', 0, 'resigned'), 'hard (red) gave up in turn 1.');
  assert.equal(forfeit('a_new_code', 0), 'hard (red) a new code in turn 1.');
});

test('a position in words names every living cell', () => {
  const picture = { rows: 2, cols: 4, cells: 'aa.a#b..', tally: [3, 2] };
  const silent = { clock: null, awaiting: [0, 1], open: [] };
  assert.deepEqual(say.countCells(picture.cells, 2), { bySeat: [3, 1], neutral: 1 });
  const seats = ['Ann (A): 3 cells. In row 0: 0-1, 3.', 'hard (B): 1 cell, score 2. In row 1: 1.', 'Nobody’s: 1 cell. In row 1: 0.'];
  assert.deepEqual(say.describePosition(picture, silent, NAMES), seats);
  /** @type {any} */
  const told = { clock: ['round', { round: 3, rounds: 12 }], awaiting: [1], open: [['open-home', {}], ['open-neutral', {}]] };
  const [head] = say.describePosition(picture, told, { ...NAMES, seats: COLOURS });
  assert.equal(head, 'Round 3 of 12. Red moves. Open: home and neutral.');
  const over = say.describePosition({ rows: 1, cols: 1, cells: '.', tally: [0, 0] }, { ...silent, awaiting: [] }, NAMES);
  assert.deepEqual(over, ['The game is over.', 'Ann (A): no cell.', 'hard (B): no cell.']);
  // Where a square stands for many cells, all numbers are those of cells.
  const [ann] = say.describePosition({ rows: 2, cols: 3, cells: '...a.a', tally: [90, 5], block: 8 }, silent, NAMES);
  assert.equal(ann, 'Ann (A): 90 cells. In row 8: 0-7, 16-23.');
});

test('a game begins with an empty board or a start', () => {
  assert.equal(say.describeStart('....', { awaiting: [0] }, COLOURS), 'The empty board; blue begins.');
  assert.equal(say.describeStart('a..b', { awaiting: [0] }, COLOURS), 'The start; blue begins.');
  assert.equal(say.describeStart('a..b', { awaiting: [0, 1] }, []), 'The start.');
});

test('what is open is said of the reader or of another', () => {
  assert.equal(say.describeOpen([['open-home', {}], ['open-neutral', {}], ['open-enemy-home', {}]]), 'Open: home, neutral and enemy home (×2).');
  assert.deepEqual([say.describeOpen([['open-home', {}]], 'red'), say.describeOpen([])], ['Open to red: home.', '']);
});
