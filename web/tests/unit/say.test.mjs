// Sentences in English, as in the code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retold, say } from '../../static/say.js';

test('without a page sentences are English', () => {
  assert.equal(say('{1} of {0}', 'a', '{0}'), '{0} of a');
  assert.equal(say('Play|replay'), 'Play', 'what tells it from another is not said');
  assert.equal(retold('the cell at row 3, column 4 is alive already'), 'the cell at row 3, column 4 is alive already');
});
