// The parent of the worker that plays games again: what is silent for too long ends without a verdict.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recomputing } from '../../static/replays/recomputing.js';
import { doneOf, drawn, playAgain } from '../../static/replays/verification.js';

const [A, B] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
const MODULES = /** @type {any} */ ({ engine: {}, meter: {} });

/** Workers that do what `play` says when they get a record. @param {(record: string, tell: (data: unknown) => void) => void} play */
function workers(play) {
  const started = /** @type {{ended: boolean, sent: string[]}[]} */ ([]);
  const start = () => {
    const kept = { ended: false, sent: /** @type {string[]} */ ([]) };
    started.push(kept);
    const worker = /** @type {any} */ ({ terminate: () => (kept.ended = true) });
    worker.postMessage = (/** @type {any} */ { record, bots }) => {
      if (record === undefined) return;
      kept.sent.push(...bots.keys());
      queueMicrotask(() => play(record, (data) => kept.ended || worker.onmessage({ data })));
    };
    return worker;
  };
  return { start, started };
}

const identical = { kind: 'identical', turns: 1, left: [] };
const bots = (/** @type {string[]} */ ...ids) => new Map(ids.map((id) => [id, new Uint8Array()]));

test('a bot is sent once, and a game after the other is played', async () => {
  const { start, started } = workers((_, tell) => tell({ finding: identical }));
  const one = new Recomputing(start, MODULES);
  for (let game = 0; game < 3; game++) assert.deepEqual(await one.run('record', bots(A, B)), identical);
  assert.deepEqual(started, [{ ended: false, sent: [A, B] }]);
  one.end();
  assert.ok(started[0].ended);
});

test('a bot that is silent for too long has no verdict, is not tried again, and costs others nothing', async () => {
  const { start, started } = workers((record, tell) => (record === 'looping' ? tell({ turns: 3, asked: A }) : tell({ finding: identical })));
  const silent = new Set();
  const one = new Recomputing(start, MODULES, silent, 5);
  assert.deepEqual(await one.run('looping', bots(A, B)), { kind: 'not_checked', why: 'deadline', detail: A });
  assert.deepEqual([...silent], [A]);
  assert.ok(started[0].ended, 'its worker is ended');
  assert.deepEqual(await one.run('short', bots(A)), { kind: 'not_checked', why: 'deadline', detail: A });
  assert.deepEqual(await one.run('short', bots(B)), identical);
  assert.deepEqual(started[1].sent, [B], 'another worker has it sent again');
  one.end();
});

test('a worker that fails is no verdict, and one that is ended says nothing', async () => {
  const failing = new Recomputing(workers((_, tell) => tell({ failed: 'why' })).start, MODULES);
  assert.deepEqual(await failing.run('record', bots(A)), { kind: 'not_checked', why: 'worker', detail: 'why' });
  const ended = new Recomputing(workers(() => {}).start, MODULES);
  const playing = ended.run('record', bots(A));
  ended.end();
  assert.equal(await playing, null);
});

const claims = { games: /** @type {[number, number, number][]} */ ([0, 1, 2, 3].map((game) => [game, game, game + 1])), void: 0, wide: false, unfinished: false };
const files = new Map([['journal', new TextEncoder().encode('0123')]]);
const NONE = { games: [0, 1, 2, 3], all: 4, identical: [], notChecked: [], differs: null };

test('games are played again from where it was, until one differs', async () => {
  /** @type {string[]} */
  const played = [];
  const differs = { kind: 'differs', refused: 'why' };
  const { start } = workers((record, tell) => {
    played.push(record);
    tell({ finding: record === '2' ? differs : identical });
  });
  const tally = { ...NONE, identical: [0] };
  const found = await playAgain({ files, claims, tally, modules: MODULES, start, workers: 1, tell: () => {} });
  assert.deepEqual(played, ['1', '2']);
  assert.deepEqual([found.identical, found.differs], [[0, 1], { game: 2, finding: differs }]);
  assert.equal(doneOf(found), 3);
});

test('a sample has so many different games, in order', () => {
  const games = Array.from({ length: 50 }, (_, game) => game * 2);
  for (const size of [1, 20, 50, 99]) {
    const sample = drawn(games, size);
    assert.equal(sample.length, Math.min(size, 50));
    assert.deepEqual(sample, [...new Set(sample)].sort((a, b) => a - b));
    assert.ok(sample.every((game) => games.includes(game)));
  }
});
