// The layers for bots in C, Zig, AssemblyScript and WebAssembly text against the vectors of sdk/ABI.md and the golden generations: each has a
// probe, a module with the contract's exports that answers questions instead of playing. ARENA_PROBES is their folder,
// and `cargo xtask test` says which languages are missing there.
//
// A question: 32 bytes of seed; the stream, 8 bytes; then 32-bit numbers, what (0 words, 1 numbers below n, 2 the
// shuffled numbers from 0, 3 the next generation), how many words are wanted, and n; then a board, a byte a cell.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WORDS = 0;
const BELOW = 1;
const SHUFFLE = 2;
const GENERATION = 3;
const QUESTION_BYTES = 52 + 728;

const abi = readFileSync(new URL('../ABI.md', import.meta.url), 'utf8');
const golden = readFileSync(new URL('../rules/tests/golden/conquerors/evolve.jsonl', import.meta.url), 'utf8');
const folder = process.env.ARENA_PROBES;
const probes = readdirSync(folder).filter((name) => name.endsWith('.wasm'));

/** The blocks of ABI.md of this name: their lines, as pairs of key and value. */
function vectors(name) {
  const blocks = abi.split('```vector ' + name + '\n').slice(1);
  assert.ok(blocks.length > 0, `ABI.md has no vector ${name}`);
  const pair = (line) => line.split('=').map((part) => part.trim());
  return blocks.map((block) => block.split('\n```')[0].split('\n').map(pair));
}

const seedOf = (pairs) => pairs.find(([key]) => key === 'seed')[1].split(' ').map((byte) => parseInt(byte, 16));
const streamOf = (pairs) => BigInt(pairs.find(([key]) => key === 'stream')[1]);
const decimal = (text) => text.split(' ').map(Number);

/** A probe, as a function from question to words. */
function open(file) {
  const module = new WebAssembly.Module(readFileSync(join(folder, file)));
  const { exports } = new WebAssembly.Instance(module, { arena: { log: () => {} } });
  return ({ seed = new Array(32).fill(0), stream = 0n, what, count, n = 0, board = [] }) => {
    const at = exports.arena_observation(QUESTION_BYTES) >>> 0;
    const view = new DataView(exports.memory.buffer);
    seed.forEach((byte, i) => view.setUint8(at + i, byte));
    view.setBigUint64(at + 32, stream, true);
    [what, count, n].forEach((number, i) => view.setUint32(at + 40 + 4 * i, number, true));
    board.forEach((cell, i) => view.setUint8(at + 52 + i, cell));
    const answer = BigInt.asUintN(64, (exports.probe ?? exports.arena_turn)(QUESTION_BYTES));
    const [address, length] = [Number(answer & 0xffffffffn), Number(answer >> 32n)];
    assert.equal(length, 4 * count);
    const after = new DataView(exports.memory.buffer);
    return Array.from({ length: count }, (_, i) => after.getUint32(address + 4 * i, true));
  };
}

test('there is a probe', () => assert.ok(probes.length > 0));

for (const file of probes) {
  const ask = open(file);
  const language = file.replace('.wasm', '');

  test(`${language}: words of the generator`, () => {
    for (const pairs of vectors('chacha8')) {
      const streams = pairs.filter(([key]) => key.startsWith('stream '));
      assert.ok(streams.length > 0);
      for (const [key, value] of streams) {
        const words = value.split(' ').map((word) => parseInt(word, 16));
        const stream = BigInt(key.split(' ')[1]);
        assert.deepEqual(ask({ seed: seedOf(pairs), stream, what: WORDS, count: words.length }), words);
      }
    }
  });

  test(`${language}: numbers below n`, () => {
    for (const pairs of vectors('below')) {
      for (const [key, value] of pairs.filter(([key]) => key.startsWith('below '))) {
        const numbers = decimal(value);
        const n = Number(key.split(' ')[1]);
        const asked = { seed: seedOf(pairs), stream: streamOf(pairs), what: BELOW, count: numbers.length, n };
        assert.deepEqual(ask(asked), numbers);
      }
    }
  });

  test(`${language}: shuffling`, () => {
    for (const pairs of vectors('shuffle')) {
      const items = decimal(pairs.find(([key]) => key === 'shuffle')[1]);
      const asked = { seed: seedOf(pairs), stream: streamOf(pairs), what: SHUFFLE, count: items.length };
      assert.deepEqual(ask(asked), items);
    }
  });

  test(`${language}: the next generation of golden boards`, () => {
    const cells = (text) => [...text.replaceAll('/', '')].map((cell) => '.br'.indexOf(cell));
    const cases = golden.trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(cases.length > 100);
    for (const { kind, board, next } of cases) {
      assert.deepEqual(ask({ what: GENERATION, count: 728, board: cells(board) }), cells(next), kind);
    }
  });
}
