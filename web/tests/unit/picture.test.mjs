// Pictures of any game: the changes between two, and the marks of seats.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changes, frameAt, stageAt, turnChanges } from '../../static/board/picture.js';
import { choice } from '../../static/board/piece.js';
import { SEATS_MAX, lookOf, ownerOf, seatOf } from '../../static/board/seats.js';
import { pointsOf, sharesOf } from '../../static/board/shares.js';
import { seatLabel } from '../../static/board/words.js';

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
  // A change of owner is a death and a birth.
  assert.deepEqual(changes('a', 'b', 1), { births: [{ row: 0, col: 0, owner: 'b' }], deaths: [{ row: 0, col: 0, owner: 'a' }] });
});

test('a frame of a film is the last whole one and all changes since', () => {
  /** @type {any} */
  const frames = ['ab..', [[0, '.'], [3, 'a']], [[3, 'b']], '....', [[1, '#']]];
  assert.deepEqual(frames.map((_, turn) => frameAt(frames, turn)), ['ab..', '.b.a', '.b.b', '....', '.#..']);
});

test('a stage is what changed since the frame before its turn', () => {
  /** @type {any} */
  const film = { frames: ['ab..', [[0, '.'], [3, 'a']], '....'], stages: ['abb.', [[0, 'a']]] };
  assert.deepEqual([0, 1, 2].map((turn) => stageAt(film, turn)), ['abb.', 'ab.a', null]);
});

test('what a turn clears is not what its generation kills, and a piece that moves is not cleared', () => {
  const cell = (/** @type {number} */ col, /** @type {string} */ owner) => ({ row: 0, col, owner });
  assert.deepEqual(turnChanges('ab.', '.b.', '..a', 3), { cleared: [cell(0, 'a')], births: [cell(2, 'a')], deaths: [cell(1, 'b')] });
  assert.deepEqual(turnChanges('ab.', '.ba', '.ba', 3), { cleared: [], births: [], deaths: [] });
  assert.deepEqual(turnChanges('ab.', null, '.b.', 3), { cleared: null, births: [], deaths: [cell(0, 'a')] });
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
      const grounds = ['zone-neutral', ...(name === 'seat-0' || name === 'seat-1' ? ['zone-0', 'zone-1'] : [])];
      for (const ground of grounds) {
        const [low, high] = [value(name), value(ground)].sort((one, other) => one - other);
        const contrast = (high + 0.05) / (low + 0.05);
        assert.ok(contrast >= 3, `${name} on ${ground}: ${contrast.toFixed(2)}`);
      }
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
