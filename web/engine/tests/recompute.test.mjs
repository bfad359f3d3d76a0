// Bots that are checked, metered, called and judged by the built modules, in this engine: each call ends as it does in
// the arena, with the same words, since records have them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Engine } from '../../static/rules/engine.js';
import { Guests, ended } from '../../static/rules/guests.js';
import { claimsOf, ownOf } from '../../static/rules/ledger.js';
import { Meter, Refused } from '../../static/rules/meter.js';
import { Recomputer } from '../../static/rules/recompute.js';
import { DEEPER, GROW_THEN, LOOP, NO_INTEGER, ONE_BYTE_AT_0, TRAP, bot } from '../../tests/lib/tiny_bots.mjs';

const compiled = (module) => new WebAssembly.Module(readFileSync(new URL(`../built/${module}.wasm`, import.meta.url)));
const [OPPONENTS, METER, LEDGER] = ['arena_opponents', 'arena_meter', 'arena_ledger'].map(compiled);
const meter = new Meter(new WebAssembly.Instance(METER));
const BUDGETS = { memory_bytes: 4 << 20, module_bytes: 1 << 20 };
const CONQUERORS = 'conquerors@2';

/** What the judge says of one turn of a bot: its action in hex, or why it fails. */
async function turn(module) {
  const guests = new Guests();
  const instance = new WebAssembly.Instance(OPPONENTS, guests.imports);
  guests.serve(instance.exports.memory);
  const engine = new Engine(instance);
  const metered = meter.metered(module, BUDGETS);
  guests.seat(0, new WebAssembly.Module(metered.module));
  try {
    const at = await engine.begin(CONQUERORS, 0, metered.startFuel, 2);
    assert.equal(at, 1024);
    return { action: await engine.turn(CONQUERORS, 0, at, '0102'), left: guests.left };
  } catch (error) {
    assert.equal(error.code, 'bot_failed');
    return { failed: error.cause, left: guests.left, untold: guests.untold };
  }
}

const DIVIDE = [0x41, 1, 0x41, 0, 0x6d, 0x1a, 0x42, 0]; // 1 / 0
const OVERFLOW = [0x41, 0x80, 0x80, 0x80, 0x80, 0x78, 0x41, 0x7f, 0x6d, 0x1a, 0x42, 0]; // -2^31 / -1
const BEYOND = [0x41, 0x7f, 0x28, 0, 0, 0x1a, 0x42, 0]; // a load at the last address
const NOT_ALL = [0x42, 0xff, 0xff, 0xff, 0xff, 0x1f]; // i64.const 1 << 32 | 0xffffffff
const TOO_LONG = [0x42, 0x80, 0x80, 0x80, 0x80, 0x90, 0x80, 0x04]; // i64.const 4097 << 32

test('a bot answers, and what it leaves is told', async () => {
  assert.deepEqual(await turn(bot(ONE_BYTE_AT_0, [0x2a])), {
    action: '2a',
    left: [{ seat: 0, lines: [], dropped: 0, turns: [0], memory: 65_536 }],
  });
  // Two growths by 63 pages: the second is beyond the maximum, and fails without a word.
  const { action, left } = await turn(bot([...GROW_THEN, ...GROW_THEN, ...ONE_BYTE_AT_0], [0x2a]));
  assert.deepEqual([action, left[0].memory], ['2a', 64 * 65_536]);
});

test('a length near 4 GiB is refused, wherever a module has one', () => {
  const module = bot(ONE_BYTE_AT_0, [1, 2, 3, 4, 5]);
  for (const at of module.keys()) {
    const long = new Uint8Array([...module.subarray(0, at), 0xff, 0xff, 0xff, 0xff, 0x0f, ...module.subarray(at + 1)]);
    assert.throws(() => meter.metered(long, BUDGETS), Refused, `at ${at}`);
  }
});

for (const [what, code, words] of [
  ['a trap', TRAP, 'an unreachable instruction was reached (a panic or an assertion, most likely)'],
  ['a loop without an end', LOOP, 'the fuel was used up before the bot answered'],
  ['a recursion without an end', DEEPER, 'the calls were nested too deeply for the stack'],
  ['a division by zero', DIVIDE, 'an integer was divided by zero'],
  ['an overflow', OVERFLOW, 'an integer division, or a conversion to an integer, overflowed'],
  ['an access beyond the memory', BEYOND, 'memory was accessed out of bounds'],
  ['an answer beyond the memory', NOT_ALL, 'arena_turn returned 1 byte at address 4294967295, not all of it in memory'],
  ['an answer that is too long', TOO_LONG, 'arena_turn returned an action of 4097 bytes; 4096 are allowed'],
]) {
  test(`${what} ends as in the arena`, async () => assert.equal((await turn(bot(code, [1]))).failed, words));
}

test('an observation that ends beyond 32 bits has no place, as in the arena', async () => {
  const words = 'arena_observation returned address 4294967295, but 2 bytes from there are not all in memory';
  assert.equal((await turn(bot(ONE_BYTE_AT_0, [1], [0x41, 0x7f]))).failed, words);
});

// In the order of `Trap::ALL`; the messages of V8 in Node 20 and Chromium 156, of SpiderMonkey and of JavaScriptCore.
for (const [message, ...kinds] of [
  ['unreachable', 0],
  ['unreachable executed', 0],
  ["Unreachable code should not be executed (evaluating 'turn(4)')", 0],
  ['memory access out of bounds', 1],
  ['WebAssembly.Instance(): data segment 0 is out of bounds (offset 65535, length 2, memory size 65536)', 1],
  ["Out of bounds memory access (evaluating 'turn(4)')", 1],
  ['table index is out of bounds', 2],
  ['element segment out of bounds', 2],
  ['Out of bounds table access', 2],
  ['Out of bounds call_indirect', 2],
  ['index out of bounds', 1, 2],
  ['null function', 3],
  ['null function or function signature mismatch', 3, 4],
  ['indirect call to null', 3],
  ['call_indirect to a null table entry', 3],
  ['function signature mismatch', 4],
  ['indirect call signature mismatch', 4],
  ['call_indirect to a signature that does not match', 4],
  ['divide result unrepresentable', 5],
  ['integer overflow', 5],
  ['remainder by zero', 6],
  ['divide by zero', 6],
  ['Division by zero', 6],
  ['invalid conversion to integer', 7],
  ['float unrepresentable in integer range', 5, 7],
  ['Out of bounds Trunc operation', 5, 7],
]) {
  test(`an engine says ${message}`, () => {
    const bits = kinds.reduce((bits, kind) => bits | (1 << (kind + 4)), 0);
    assert.deepEqual(ended(new WebAssembly.RuntimeError(message)), [bits, 0n]);
  });
}

test('a trap that may have been another is noted until the next game', async () => {
  assert.equal((await turn(bot(NO_INTEGER, [1]))).untold, true);
  assert.equal((await turn(bot(TRAP, [1]))).untold, false);
  const guests = new Guests();
  guests.untold = true;
  guests.clear();
  assert.equal(guests.untold, false);
});

test('of a folder, only what can be the tournament’s is read, and nothing that is no file', () => {
  const entries = [
    ['manifest.json', 'file'],
    ['results', 'folder'],
    ['notes.txt', 'file'],
    ['film', 'other'],
    ['sub', 'folder'],
  ];
  assert.deepEqual(ownOf(LEDGER, entries), { read: ['manifest.json'], enter: ['results'] });
  assert.equal(ownOf(LEDGER, [...entries, ['journal', 'other']]).wrong.kind, 'damaged');
  assert.equal(ownOf(LEDGER, [['notes.txt', 'file']]).wrong.kind, 'no_tournament');
  assert.equal(claimsOf(LEDGER, new Map([['manifest.json', new Uint8Array(1)]])).wrong.file, 'manifest.json');
  const large = { length: 600 << 20 };
  assert.throws(() => claimsOf(LEDGER, new Map([['journal', large]])), /bytes, which is too large to be read here/);
});

test('what the static check refuses does not run', () => {
  assert.throws(
    () => meter.metered(new Uint8Array([1, 2, 3]), BUDGETS),
    (error) => error instanceof Refused && /not a WebAssembly file/.test(error.message),
  );
  const large = bot(ONE_BYTE_AT_0, [0x2a]);
  assert.throws(() => meter.metered(large, { ...BUDGETS, module_bytes: large.length - 1 }), Refused);
  assert.throws(() => meter.metered(large, { ...BUDGETS, memory_bytes: 0 }), Refused);
});

test('what is no record of this release is no verdict', async () => {
  const recomputer = new Recomputer(OPPONENTS, METER);
  const run = (text) => recomputer.run(text, new Map(), () => {});
  assert.equal((await run('{}')).why, 'record');
  assert.equal((await recomputer.agreed('{}')).why, 'record');
  const line = readFileSync(new URL('../../../arena/record/FORMAT.md', import.meta.url), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('{"format":'));
  assert.deepEqual(await run(`${line}\n`), { kind: 'not_checked', why: 'release', detail: 'example' });
  assert.deepEqual(await recomputer.agreed(`${line}\n`), { kind: 'not_checked', why: 'release', detail: 'example' });
  const bots = line.replace('baseline:easy@1', `sha256:${'a'.repeat(64)}`);
  assert.equal((await run(`${bots}\n`)).why, 'missing');
});
