// Actions read back from bytes: the vectors of the contract with bots.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cellsOf, decodeAction } from '../../static/actions.js';

const contract = readFileSync(new URL('../../../sdk/ABI.md', import.meta.url), 'utf8');

/** The lines of a block of vectors, as name and bytes. */
function vectors(name) {
  const block = contract.match(new RegExp(`\`\`\`vector ${name}\\n([^\`]*)\`\`\``));
  assert.ok(block, name);
  return block[1].trim().split('\n').map((line) => line.split(' =')).map(([what, bytes]) => [what.trim(), bytes.replaceAll(' ', '')]);
}

test('what the contract calls an action is one', () => {
  const read = vectors('actions').map(([what, bytes]) => {
    const action = decodeAction(bytes);
    assert.ok(action, what);
    const cells = cellsOf(action).map((cell) => cell.join(','));
    assert.equal([action.kind, ...cells].join(' '), what);
    return action.kind;
  });
  assert.deepEqual(read.sort(), ['bomb', 'pass', 'place', 'skip']);
});

test('what the contract calls none is none', () => {
  for (const [what, bytes] of vectors('not-actions')) assert.equal(decodeAction(bytes), null, what);
  for (const bytes of ['0103zz', '010300 ', '0103000']) assert.equal(decodeAction(bytes), null, bytes);
});
