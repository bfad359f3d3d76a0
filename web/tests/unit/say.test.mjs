// Sentences in English, as in the code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated, retold, say } from '../../static/page/say.js';

test('without a page sentences are English', () => {
  assert.equal(say('{1} of {0}', 'a', '{0}'), '{0} of a');
  assert.equal(say('Play|replay'), 'Play', 'what tells it from another is not said');
  assert.equal(retold('the cell at row 3, column 4 is alive already'), 'the cell at row 3, column 4 is alive already');
});

test('a name that is written from right to left does not turn around what is beside it', () => {
  const [name, other] = ['مريم', 'Ann'];
  assert.equal(say('{0} offers a draw.', name), `\u2068${name}\u2069 offers a draw.`);
  assert.equal(say('{0} offers a draw.', other), 'Ann offers a draw.');
  assert.equal(isolated(isolated(name)), isolated(name), 'once is enough');
  assert.equal(say('{0} is away.', `${isolated(name)} (3)`), `\u2068${name}\u2069 (3) is away.`);
});
