// A tournament page's text about its games.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Looks, sentence } from '../../static/tournament.js';

const state = (/** @type {number} */ played, /** @type {number} */ total) => ({ type: 'state', played, total, revision: 1 });

test('games are counted until all are played, and before the first there is nothing to say', () => {
  assert.equal(sentence(state(0, 0)), null);
  assert.equal(sentence(state(3, 12)), 'Games played: 3 of 12.');
  assert.equal(sentence(state(12, 12)), 'All games have been played: 12.');
});

test('a page is taken once for a revision, and many revisions in a row are one look', () => {
  const looks = new Looks();
  assert.equal(looks.wait('7', '7', 0, 0), null, 'it is shown');
  assert.equal(looks.wait('8', '7', 0, 0), 0);
  looks.take('8', 0);
  assert.equal(looks.wait('8', '7', 9000, 0), null, 'a page that does not have it is not asked again');
  assert.equal(looks.wait('9', '7', 1000, 0), 4000);
  assert.ok(Number(looks.wait('9', '7', 1000, 0.5)) > 4000, 'not all at once');
  assert.ok(Number(looks.wait('9', '7', 20000, 0.5)) > 0);
});
