// Pictures of any game: what changes between two, in words, and how seats are told apart.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changes, frameAt } from '../../static/grid.js';
import * as say from '../../static/grid-words.js';
import { choice } from '../../static/piece.js';
import { SEATS_MAX, lookOf, ownerOf, seatLabel, seatOf } from '../../static/seats.js';
import { pointsOf, sharesOf } from '../../static/shares.js';

const NAMES = { players: ['Ann', 'hard'], seats: [] };
const SEATS = Array.from({ length: SEATS_MAX }, (_, seat) => seat);

test('what a turn changes leads from one picture to the other', () => {
  const [before, after] = ['.aab.#c..', 'a.abb..c.'];
  const { births, deaths } = changes(before, after, 3);
  const cells = [...before];
  for (const { row, col, owner } of deaths) {
    assert.equal(cells[3 * row + col], owner);
    cells[3 * row + col] = '.';
  }
  for (const { row, col, owner } of births) {
    assert.equal(cells[3 * row + col], '.');
    cells[3 * row + col] = owner;
  }
  assert.equal(cells.join(''), after);
  assert.deepEqual(changes(before, before, 3), { births: [], deaths: [] });
  // Another owner is a death and a birth.
  assert.deepEqual(changes('a', 'b', 1), { births: [{ row: 0, col: 0, owner: 'b' }], deaths: [{ row: 0, col: 0, owner: 'a' }] });
});

test('a frame of a film is the last whole one and all changes since', () => {
  /** @type {any} */
  const frames = ['ab..', [[0, '.'], [3, 'a']], [[3, 'b']], '....', [[1, '#']]];
  assert.deepEqual(frames.map((_, turn) => frameAt(frames, turn)), ['ab..', '.b.a', '.b.b', '....', '.#..']);
});

test('no two of sixteen seats look alike, and no owner is two seats', () => {
  assert.equal(new Set(SEATS.map((seat) => `${lookOf(seat).shape} ${lookOf(seat).hollow}`)).size, SEATS_MAX, 'by shape alone');
  assert.deepEqual(SEATS.map((seat) => seatOf(ownerOf(seat))), SEATS);
  assert.equal(new Set(SEATS.map((seat) => seatLabel(seat, []))).size, SEATS_MAX);
  assert.deepEqual([seatOf('#'), seatOf('.'), seatOf('q')], [-1, -1, -1]);
  assert.deepEqual([seatLabel(0, ['blue', 'red']), seatLabel(2, [])], ['blue', 'C']);
});

test('every seat stands out from the ground by 3 to 1, in the light and in the dark', () => {
  const style = readFileSync(new URL('../../static/style.css', import.meta.url), 'utf8');
  const schemes = style.split('@media (prefers-color-scheme: dark)').slice(0, 2);
  assert.equal(schemes.length, 2);
  for (const scheme of schemes) {
    const value = (/** @type {string} */ name) => {
      const [, hex] = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(scheme) ?? [];
      assert.ok(hex, name);
      return luminance(hex);
    };
    for (const name of [...SEATS.slice(0, 8).map((seat) => lookOf(seat).colour), 'neutral-edge']) {
      const [low, high] = [value(name), value('zone-neutral')].sort((one, other) => one - other);
      const contrast = (high + 0.05) / (low + 0.05);
      assert.ok(contrast >= 3, `${name}: ${contrast.toFixed(2)}`);
    }
  }
});

/** Relative luminance. Source: WCAG 2.2. @param {string} hex */
function luminance(hex) {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('shares are parts of the whole', () => {
  assert.deepEqual(sharesOf([[1, 3], [0, 0], [2, 0]]), [[0.25, 0.75], [0, 0], [1, 0]]);
  const shares = Array.from({ length: 1000 }, (_, turn) => [turn / 999, 1 - turn / 999]);
  for (const pointsMax of [2, 7, 130, 999, 1000, 5000]) {
    const points = pointsOf(shares, pointsMax);
    assert.equal(points.length, Math.min(1000, pointsMax));
    assert.deepEqual([points[0].at, points[points.length - 1].at], [0, 1]);
    for (const { shares: [one, other] } of points) assert.ok(Math.abs(one + other - 1) < 1e-9);
  }
  assert.deepEqual(pointsOf(shares, 1000).map((point) => point.shares), shares);
  assert.deepEqual(pointsOf([[0.5, 0.5]], 10), [{ at: 0, shares: [0.5, 0.5] }]);
});

test('turns in words', () => {
  const played = (/** @type {number} */ seat, /** @type {string} */ words, /** @type {any[]} */ ...cells) => ({ seat, words, calls: [{ tool: 'any', cells }] });
  const move = played(0, 'moves 3,4 to 4,5', [3, 4], [4, 5]);
  assert.equal(say.describePlays([move], ['blue', 'red']), 'Blue moves 3,4 to 4,5.');
  assert.deepEqual(say.cellsOf(move), [[3, 4], [4, 5]]);
  const [claim, pass] = [played(1, 'plays 5,6', [5, 6]), played(2, 'passes')];
  assert.equal(say.describePlays([claim, pass], []), 'B plays 5,6; C passes.');
  assert.equal(say.describePlays([claim, claim, claim, claim, pass], []), '4 of 5 seats named a cell, 1 passed.');
  assert.equal(say.describeChanges({ births: [{ owner: 'a' }], deaths: [] }), 'New cells: 1; gone: none.');
});

test('endings in words', () => {
  const end = (/** @type {number | null} */ winner, /** @type {string} */ reason, /** @type {number[]} */ tally, names = NAMES) =>
    say.describeGridOutcome({ winner, reason, tally }, names);
  assert.equal(end(1, 'extinction', [0, 9]), 'hard (B) wins, 9 to 0: nobody else has a living cell.');
  assert.equal(end(null, 'exhausted', [4, 4]), 'A draw, 4 to 4: the last move has been made.');
  const three = { players: ['x', 'y', 'z'], seats: [] };
  assert.equal(end(2, 'majority', [1, 2, 7], three), 'z (C) wins with 7 of 10 cells: the last turn is over.');
  assert.equal(end(null, 'a_new_reason', [1, 2, 2], three), 'A draw: a new reason.');
  const forfeit = { seat: 2, turn: 4, code: 'trap', detail: 'unreachable' };
  assert.equal(say.describeGridForfeit(forfeit, three), 'z (C) crashed in turn 5: unreachable.');
});

test('a picture in words names every living cell', () => {
  const picture = { rows: 2, cols: 4, cells: 'aa.a#b..' };
  assert.deepEqual(say.countCells(picture.cells, 2), { bySeat: [3, 1], neutral: 1 });
  assert.deepEqual(say.describePicture(picture, NAMES), [
    'Ann (A): 3 cells. In row 0: 0-1, 3.', 'hard (B): 1 cell. In row 1: 1.', 'Nobody’s: 1 cell. In row 1: 0.',
  ]);
  assert.deepEqual(say.describePicture({ rows: 1, cols: 1, cells: '.' }, NAMES), ['Ann (A): no cell.', 'hard (B): no cell.']);
});

test('a move is chosen in three steps, and each can be taken back', () => {
  /** @type {any} */
  const open = { pieces: [[0, 0], [2, 2]], targets: [[0, 1], [1, 0]] };
  const cases = /** @type {[any, any, string][]} */ ([
    [[], [0, 0], 'choose'], [[], [0, 1], 'none'], [[[0, 0]], [0, 1], 'aim'], [[[0, 0]], [1, 2], 'none'],
    [[[0, 0]], [0, 0], 'drop'], [[[0, 0]], [2, 2], 'choose'], [[[0, 0], [0, 1]], [0, 1], 'send'],
    [[[0, 0], [0, 1]], [1, 0], 'aim'], [[[0, 0], [0, 1]], [0, 0], 'drop'], [[[0, 0], [0, 1]], [3, 3], 'none'],
  ]);
  for (const [drafted, cell, expected] of cases) assert.equal(choice({ ...open, targets: drafted.length > 0 ? open.targets : [] }, drafted, cell), expected, `${drafted} ${cell}`);
});
