// The text about an edition that is recomputed in a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, said } from '../../static/recompute-edition.js';

const NONE = { identical: 0, elsewhere: 0, differs: null };
const finding = (/** @type {any} */ kind, message = '') => ({ kind, message, checked: 0, turns: 0 });

test('findings are counted, and the first difference stands', () => {
  let tally = counted(NONE, 'cup.0', finding('identical'));
  tally = counted(tally, 'cup.1', finding('not_checkable'));
  tally = counted(tally, 'cup.2', finding('failed'));
  assert.deepEqual(tally, { identical: 1, elsewhere: 2, differs: null });
  tally = counted(tally, 'cup.3', finding('differs', 'Answer 3 differs.'));
  tally = counted(tally, 'cup.4', finding('differs', 'Answer 1 differs.'));
  assert.deepEqual(tally.differs, { id: 'cup.3', message: 'Answer 3 differs.' });
});

test('what was not looked at is not said to be the same', () => {
  const some = { identical: 3, elsewhere: 1, differs: null };
  assert.match(said(some, 10, true), /^4 of 10 games … 3 have the same actions and result; fuel is counted by arena verify\. 1 are not checkable/);
  assert.match(said(some, 10, false), /^Stopped after 4 of 10/);
  assert.match(said(NONE, 1, true), /^0 of 1 game … /);
  assert.match(said({ ...NONE, identical: 1 }, 1, false), /^✓ The game was played again\. 1 have/);
  assert.match(said({ ...NONE, identical: 10 }, 10, false), /^✓ All 10 games were played again\. 10 have the same/);
  const rest = said({ identical: 9, elsewhere: 1, differs: null }, 10, false);
  assert.match(rest, /^Done: 10 games\. 9 have the same .* 1 are not checkable here/);
  assert.doesNotMatch(rest, /✓|All/);
  assert.match(said({ ...some, differs: { id: 'cup.7', message: 'So.' } }, 10, false), /^✗ Game cup\.7 is different\. So\. 3 others/);
});
