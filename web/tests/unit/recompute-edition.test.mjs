// The text about an edition that is recomputed in a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said } from '../../static/recompute-edition.js';

const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, game) => game);
/** @param {number} games @param {number} all @param {number} identical @param {number} [notChecked] @returns {any} */
const tally = (games, all, identical, notChecked = 0) => ({ games: numbers(games), all, identical: numbers(identical), notChecked: numbers(notChecked), differs: null });

test('what was not looked at is not said to be the same', () => {
  assert.match(said(tally(10, 10, 3, 1), true), /^4 of 10 games … 3 are identical, .* 1 are not checked here, which is no verdict/);
  assert.match(said(tally(10, 10, 3, 1), false), /^Stopped after 4 of 10/);
  assert.match(said(tally(1, 1, 0), true), /^0 of 1 game … /);
  assert.match(said(tally(1, 1, 1), false), /^✓ The game was played again\. 1 are/);
  assert.match(said(tally(10, 10, 10), false), /^✓ All 10 games were played again\. 10 are identical, .* byte for byte\.$/);
  const rest = said(tally(10, 10, 9, 1), false);
  assert.match(rest, /^Done: 10 games\. 9 are identical.* 1 are not checked/);
  assert.doesNotMatch(rest, /✓|All/);
  assert.match(said(tally(20, 840, 20), false), /^A sample of 20 of 840 games was played again\./);
  const differs = { game: 7, finding: { kind: 'differs', turn: 3, seat: 1, what: 'fuel', expected: '12', found: '13' } };
  const different = said({ ...tally(10, 10, 3), differs }, false);
  assert.match(different, /^✗ Game 7 is different\. Turn 3, seat 2: the fuel is `13` in the record, and `12` when it is played again\. 3 are/);
  assert.doesNotMatch(different, /byte for byte/);
});
