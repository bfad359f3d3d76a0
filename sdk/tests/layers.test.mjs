// Compares the layers for bots in C, Zig, AssemblyScript and WebAssembly text with the vectors of sdk/ABI.md and the golden generations.
// Each layer has a probe, a bot that answers questions. ARENA_PROBES is the folder of the probes; `cargo xtask test` says which
// languages are missing there.
//
// A question is written to the address that `question` returns: a seed of 32 bytes, the stream in 8 bytes, then 32-bit numbers: the
// question's number, how many words are wanted, and n. `probe` returns the words. The questions are:
//
//   0 words of the generator; 1 numbers below n; 2 the shuffled numbers from 0
//   3 the next generation of the board that follows, a byte a cell
//   4 the head of a Life2 view, with seat n's row of the table, and the row and column of its base in the view
//   5 the cells of the view with a rim of one cell around them: the owner, plus 256 where the cell lives
//   6 whether each of those may be placed
//   7 whether each of the following steps could be done: five numbers each, 0 and the row and column of a cell to place, or 1
//     and a row, a column, rows and columns to look at
//   8 row and column of each seat's last action in Game of Game of Life, 2^32 - 1 where it has none
//   9 the fuel that is left, its low half first
//
// Questions from 4 to 8 are asked in the bot's turn, and the turn's action is part of the answer.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WORDS = 0;
const BELOW = 1;
const SHUFFLE = 2;
const GENERATION = 3;
const VIEW = 4;
const CELLS = 5;
const MAY_PLACE = 6;
const STEPS = 7;
const LAST_MOVES = 8;
const FUEL_LEFT = 9;

/** The length of an observation of Life2, and where its cells begin. */
const OBSERVATION_BYTES = 4324;
const CELLS_AT = 228;

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

const hex = (text) => text.split(' ').map((byte) => parseInt(byte, 16));
const seedOf = (pairs) => hex(pairs.find(([key]) => key === 'seed')[1]);
const streamOf = (pairs) => BigInt(pairs.find(([key]) => key === 'stream')[1]);
const decimal = (text) => text.split(' ').map(Number);

/** A probe, as a function from question to words, and with an observation to words and the bytes of an action. */
function open(file) {
  const module = new WebAssembly.Module(readFileSync(join(folder, file)));
  const { exports } = new WebAssembly.Instance(module, { arena: { log: () => {}, fuel: () => 0x1234567_89abcdefn } });
  const memory = () => new DataView(exports.memory.buffer);
  /** The address and the length that a result has in its halves. */
  const halves = (result) => [0n, 32n].map((half) => Number((BigInt.asUintN(64, result) >> half) & 0xffffffffn));
  /** Words that it left at an address. */
  const words = (address, count) => Array.from({ length: count }, (_, i) => memory().getUint32(address + 4 * i, true));
  const ask = ({ seed = new Array(32).fill(0), stream = 0n, what, count, n = 0, board = [], steps = [] }) => {
    const at = exports.question() >>> 0;
    seed.forEach((byte, i) => memory().setUint8(at + i, byte));
    memory().setBigUint64(at + 32, stream, true);
    [what, count, n].forEach((number, i) => memory().setUint32(at + 40 + 4 * i, number, true));
    board.forEach((cell, i) => memory().setUint8(at + 52 + i, cell));
    steps.flat().forEach((number, i) => memory().setInt32(at + 52 + 4 * i, number, true));
    const [address, length] = halves(exports.probe());
    assert.equal(length, 4 * count);
    return words(address, count);
  };
  const seen = exports.arena_observation(OBSERVATION_BYTES) >>> 0;
  const turn = (observation, asked) => {
    ask(asked); // for the question to be there
    new Uint8Array(exports.memory.buffer).set(observation, seen);
    const [address, length] = halves(exports.arena_turn(OBSERVATION_BYTES));
    const action = [...new Uint8Array(exports.memory.buffer, address, length)];
    return { words: words(halves(exports.probe())[0], asked.count), action };
  };
  return { ask, turn };
}

/** An observation of Life2, zero but for the bytes at these offsets. */
function observation(parts) {
  const bytes = new Uint8Array(OBSERVATION_BYTES);
  for (const [at, part] of parts) bytes.set(part, at);
  return bytes;
}

/** The observations of Life2 in ABI.md. */
const written = vectors('life2-observation').map((pairs) =>
  observation(pairs.filter(([key]) => key.startsWith('bytes ')).map(([key, value]) => [Number(key.split(' ')[1]), hex(value)])),
);

/** What the tables of ABI.md call the parts of an observation, and a seat's row. */
function table(bytes, seat) {
  const view = new DataView(bytes.buffer);
  const [two, four] = [(at) => view.getUint16(at, true), (at) => view.getUint32(at, true)];
  const [top, left, rows, cols] = [6, 8, 10, 12].map(two);
  const at = 48 + 20 * seat;
  const [row, col] = [two(at), two(at + 2)];
  const within = (base, corner) => (base + 512 - corner) % 512;
  const counts = [4, 8, 12, 16].map((offset) => four(at + offset));
  return [bytes[3], two(4), top, left, rows, cols, row, col, ...counts, within(row, top), within(col, left)];
}

/** Numbers of so many bytes each. */
const little = (size, ...numbers) => numbers.flatMap((n) => Array.from({ length: size }, (_, i) => (n >> (8 * i)) & 255));

/** A number for each cell of a view, with a rim of zeros around them. */
function rimmed(rows) {
  const empty = new Array(rows[0].length + 2).fill(0);
  return [empty, ...rows.map((row) => [0, ...row, 0]), empty].flat();
}

test('there is a probe', () => assert.ok(probes.length > 0));

for (const file of probes) {
  const { ask, turn } = open(file);
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

  test(`${language}: the fuel that is left`, () => {
    assert.deepEqual(ask({ what: FUEL_LEFT, count: 2 }), [0x89abcdef, 0x1234567]);
  });

  test(`${language}: last moves of Game of Game of Life`, () => {
    for (const pairs of vectors('game-of-game-of-life-observation')) {
      const bytes = observation(pairs.filter(([key]) => key.startsWith('bytes ')).map(([key, value]) => [Number(key.split(' ')[1]), hex(value)]));
      const wanted = Array.from(bytes.slice(48, 80), (at) => (at === 255 ? 2 ** 32 - 1 : at));
      assert.ok(wanted.some((at) => at < 24) && wanted.some((at) => at > 24));
      assert.deepEqual(turn(bytes, { what: LAST_MOVES, count: wanted.length }).words, wanted);
    }
  });

  test(`${language}: views of Life2`, () => {
    assert.ok(written.some((bytes) => bytes[10] !== 64 && bytes[12] !== bytes[10]), 'one is not 64 x 64');
    for (const bytes of written) {
      const [rows, cols] = [bytes[10], bytes[12]];
      for (let seat = 0; seat < bytes[3]; seat++) {
        assert.deepEqual(turn(bytes, { what: VIEW, count: 14, n: seat }).words, table(bytes, seat));
      }
      const cell = (byte) => (byte & 15) + 16 * (byte & 16);
      const row = (number) => [...bytes.slice(CELLS_AT + cols * number, CELLS_AT + cols * (number + 1))].map(cell);
      const cells = rimmed(Array.from({ length: rows }, (_, number) => row(number)));
      const asked = turn(bytes, { what: CELLS, count: cells.length });
      assert.deepEqual(asked, { words: cells, action: [1, 0, 0, 0] });
    }
  });

  test(`${language}: which cells of the views of ABI.md may be placed`, () => {
    for (const bytes of written) {
      const [seat, rows, cols] = [bytes[2], bytes[10], bytes[12]];
      // All of the seat's ground there is inside its base, and it has coins.
      const may = Array.from(bytes.slice(CELLS_AT, CELLS_AT + rows * cols), (cell) => Number(cell === 1 + seat));
      const lines = rimmed(Array.from({ length: rows }, (_, row) => may.slice(cols * row, cols * (row + 1))));
      assert.deepEqual(turn(bytes, { what: MAY_PLACE, count: lines.length }).words, lines);
    }
  });

  test(`${language}: actions of Life2`, () => {
    for (const [text, value] of vectors('life2-actions')[0]) {
      const pairs = text.split(' ').filter((word) => word.includes(',')).map((pair) => pair.split(',').map(Number));
      const looks = text.startsWith('look ') ? [[1, ...pairs.splice(0, 2).flat()]] : [];
      // A view of which all is the seat's, with the first cell to place in it; the base is elsewhere.
      const [top, left] = pairs.length > 0 ? [(pairs[0][0] + 509) % 512, (pairs[0][1] + 507) % 512] : [0, 0];
      const seen = observation([
        [0, [1, 4, 0, 9, ...little(2, 0, top, left, 64, 64)]],
        [48, [...little(2, 300, 300), ...little(4, 100, 100)]],
        [CELLS_AT, new Array(64 * 64).fill(1)],
      ]);
      const places = pairs.map(([row, col]) => [0, (row + 512 - top) % 512, (col + 512 - left) % 512, 0, 0]);
      // A look may come before what is placed, and after it.
      for (const steps of [[...looks, ...places], [...places, ...looks]]) {
        const { words, action } = turn(seen, { what: STEPS, count: steps.length, steps });
        assert.deepEqual(words, steps.map(() => 1), text);
        assert.deepEqual(action, hex(value), text);
      }
    }
  });

  test(`${language}: no look beyond the world, none that is too small and none too large`, () => {
    for (const [at, can] of [[-1, 0], [0, 1], [511, 1], [512, 0]]) {
      for (const [side, may] of [[-8, 0], [0, 0], [7, 0], [8, 1], [64, 1], [65, 0]]) {
        for (const look of [[1, at, 9, side, 9], [1, 9, at, 9, side], [1, at, at, side, side]]) {
          const { words, action } = turn(written[0], { what: STEPS, count: 1, steps: [look] });
          assert.deepEqual(words, [can & may], look);
          assert.equal(action.length, can & may ? 12 : 4);
        }
      }
    }
  });
}
