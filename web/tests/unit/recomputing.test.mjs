// The parent of the worker that plays games again: what is silent for too long ends without a verdict.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recomputing } from '../../static/replays/recomputing.js';
import { begun, doneOf, drawn, isWhole, missedOf, playAgain, totalOf } from '../../static/replays/verification.js';

const [A, B] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
const MODULES = /** @type {any} */ ({ engine: {}, meter: {} });

/** Workers that do what `play` says when they get a record. @param {(record: string, tell: (data: unknown) => void, isAsked: boolean) => void} play */
function workers(play) {
  const started = /** @type {{ended: boolean, sent: string[]}[]} */ ([]);
  const start = () => {
    const kept = { ended: false, sent: /** @type {string[]} */ ([]) };
    started.push(kept);
    const worker = /** @type {any} */ ({ terminate: () => (kept.ended = true) });
    worker.postMessage = (/** @type {any} */ { record, bots }) => {
      if (record === undefined) return;
      kept.sent.push(...(bots?.keys() ?? []));
      queueMicrotask(() => play(record, (data) => kept.ended || worker.onmessage({ data }), bots !== null));
    };
    return worker;
  };
  return { start, started };
}

const identical = { kind: 'identical', turns: 1, untold: false, left: [] };
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
  const { start, started } = workers((record, tell) =>
    record === 'looping' ? tell({ turns: 3, asked: A }) : tell({ finding: identical }),
  );
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

/** @type {any} */
const claims = {
  games: [0, 1, 2, 3].map((game) => [game, game, game + 1]),
  void: 1,
  void_played: [[9, 'header']],
  wide: false,
  incomplete: null,
};
const files = new Map([['journal', new TextEncoder().encode('0123')]]);

/** Plays games again, in workers that find this. @param {any} tally @param {(record: string, isAsked: boolean) => unknown} find */
async function playedAgain(tally, find) {
  /** @type {string[]} */
  const played = [];
  const { start } = workers((record, tell, isAsked) => {
    played.push(record);
    tell({ finding: find(record, isAsked) });
  });
  const found = await playAgain({ files, claims, tally, modules: MODULES, start, workers: 1, tell: () => {} });
  return { played, found };
}

test('games are played again from where it was, until one differs', async () => {
  const differs = { kind: 'differs', refused: 'why' };
  const tally = { ...begun(claims), identical: [0] };
  const { played, found } = await playedAgain(tally, (record) => (record === '2' ? differs : identical));
  assert.deepEqual(played, ['1', '2']);
  assert.deepEqual([found.identical, found.differs], [[0, 1], { game: 2, finding: differs }]);
  assert.deepEqual(tally.identical, [0], 'what was kept is as it was');
  assert.equal(doneOf(found), 3);
});

test('games that were not drawn are replayed by the rules, and void ones are played', async () => {
  const tally = { ...begun(claims, 1), games: [2] };
  const { played, found } = await playedAgain(tally, (record, isAsked) => {
    if (record === 'header') return { kind: 'ended' };
    return isAsked ? { ...identical, untold: true } : { kind: 'by_rules' };
  });
  assert.deepEqual(played, ['0', '1', '2', '3', 'header']);
  assert.deepEqual([found.byRules, found.identical, found.untold, found.ended], [[0, 1, 3], [2], [2], [9]]);
  assert.deepEqual([doneOf(found), totalOf(found), isWhole(found, claims)], [5, 5, false]);
  assert.deepEqual(missedOf(found), { missed: 3, of: 4, percent: 75 });
});

test('what was checked is whole only if all of it was', () => {
  const all = { ...begun({ games: claims.games, void_played: [] }), identical: [0, 1, 2, 3] };
  const of = { ...claims, void: 0 };
  assert.ok(isWhole(all, of));
  for (const less of [{ identical: [0, 1, 2] }, { identical: [0, 1, 2], notChecked: [3] }, { untold: [1] }])
    assert.ok(!isWhole({ ...all, ...less }, of));
  for (const less of [{ void: 1 }, { incomplete: { code: 'unfinished', why: '', foreign: [] } }])
    assert.ok(!isWhole(all, { ...of, ...less }));
});

test('a sample has so many different games, in order', () => {
  const games = Array.from({ length: 200_000 }, (_, game) => game * 2);
  const known = new Set(games);
  for (const size of [1, 20, 100_000, 200_000, 200_001]) {
    const sample = drawn(games, size);
    assert.equal(sample.length, Math.min(size, games.length));
    assert.deepEqual(
      sample,
      [...new Set(sample)].sort((a, b) => a - b),
    );
    assert.ok(sample.every((game) => known.has(game)));
  }
});
