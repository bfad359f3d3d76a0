// Recomputing a game in a page, with bots made of a few bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hexOf } from '../../static/rules/hex.js';
import { recompute } from '../../static/rules/recompute.js';
import { GROW_THEN, ONE_BYTE_AT_0, TRAP, bot } from '../lib/tiny_bots.mjs';

const ID = `sha256:${'a'.repeat(64)}`;

/** @param {Partial<import('../../static/rules/engine.js').Questions>} [changes] */
function questions(changes = {}) {
  const question = { seat: 0, observation: '0102', answer: '2a', broke: false };
  const other = { seat: 1, observation: '0304', answer: '07', broke: false };
  return {
    ruleset: 'conquerors@2',
    entrants: [ID, 'baseline:easy@1'],
    observation_len: 2,
    memory_bytes: 4 << 20,
    questions: [question, other, question],
    forfeits: [],
    ...changes,
  };
}

/** @param {Uint8Array} [module] @param {Partial<import('../../static/rules/engine.js').Questions>} [changes] */
async function finding(module, changes) {
  /** @type {number[]} */
  const told = [];
  const modules = new Map(module ? [[ID, module]] : []);
  const builtIn = (/** @type {string} */ id) => (id === 'baseline:easy@1' ? '07' : null);
  const found = await recompute(questions(changes), modules, builtIn, (checked) => told.push(checked));
  assert.deepEqual(told, Array.from({ length: found.checked }, (_, turn) => turn + 1));
  return found;
}

test('bytes and hex are inverse', () => {
  assert.equal(hexOf(bytesOf('00ff2a')), '00ff2a');
  assert.deepEqual(bytesOf(''), new Uint8Array());
});

test('the same answers are identical', async () => {
  const { kind, checked, turns, message } = await finding(bot(ONE_BYTE_AT_0, [0x2a]));
  assert.deepEqual({ kind, checked, turns }, { kind: 'identical', checked: 3, turns: 3 });
  assert.match(message, /; fuel is counted by arena verify\.$/);
});

test('another answer of a bot or of a built-in opponent is a difference, at its turn', async () => {
  const bots = await finding(bot(ONE_BYTE_AT_0, [0x2b]));
  assert.deepEqual([bots.kind, bots.checked], ['differs', 0]);
  assert.match(bots.message, /Answer 1 differs: the record says `2a`, this page finds `2b`/);
  const wrong = { seat: 1, observation: '', answer: '08', broke: false };
  const baselines = await finding(bot(ONE_BYTE_AT_0, [0x2a]), { questions: [questions().questions[0], wrong] });
  assert.deepEqual([baselines.kind, baselines.checked], ['differs', 1]);
});

test('a seat whose bank was empty is not asked', async () => {
  const { questions: asked } = questions();
  const passes = { seat: 0, observation: '0102', answer: '010000', broke: true };
  const found = await finding(bot(ONE_BYTE_AT_0, [0x2a]), { questions: [...asked, passes] });
  assert.deepEqual([found.kind, found.checked], ['identical', 4]);
  const lies = await finding(bot(ONE_BYTE_AT_0, [0x2a]), { questions: [...asked, { ...passes, broke: false }] });
  assert.deepEqual([lies.kind, lies.checked], ['differs', 3]);
});

test('what fuel, stack or memory decide is not judged here', async () => {
  const endings = [
    [bot(TRAP, [0x2a]), /ended on this page/],
    [bot([0x10, 0x01, ...ONE_BYTE_AT_0], [0x2a]), /not checkable here/],
    [bot([...GROW_THEN, ...GROW_THEN, ...ONE_BYTE_AT_0], [0x2a]), /more memory than the arena gives/],
    [bot([0x42, 0x7f], [0x2a]), /gave no action/],
    [new Uint8Array([1, 2, 3]), /does not start/],
    [undefined, /are not here/],
  ];
  for (const [module, words] of /** @type {[Uint8Array | undefined, RegExp][]} */ (endings)) {
    const { kind, message } = await finding(module);
    assert.equal(kind, 'not_checkable', message);
    assert.match(message, words);
    assert.match(message, /use arena verify/);
  }
});

test('a forfeit is not judged, a person and giving up are what the record says', async () => {
  const forfeit = { seat: 0, turn: 3, code: 'fuel_exhausted', detail: '' };
  const lost = await finding(bot(ONE_BYTE_AT_0, [0x2a]), { forfeits: [forfeit] });
  assert.deepEqual([lost.kind, lost.checked], ['not_checkable', 3]);
  assert.match(lost.message, /fuel_exhausted/);
  const person = await finding(undefined, {
    entrants: ['person:00000000000000a1', 'baseline:easy@1'],
    forfeits: [{ ...forfeit, code: 'resigned' }],
  });
  assert.equal(person.kind, 'identical');
});
