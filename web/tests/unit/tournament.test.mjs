// What the page of a tournament says of its games.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../static/tournament.js';

const state = (/** @type {number} */ played, /** @type {number} */ total) => ({ type: 'state', played, total, revision: 1 });

test('games are counted until all are played, and before the first there is nothing to say', () => {
  assert.equal(sentence(state(0, 0)), null);
  assert.equal(sentence(state(3, 12)), '3 of 12 games are played.');
  assert.equal(sentence(state(12, 12)), 'All 12 games are played.');
});
