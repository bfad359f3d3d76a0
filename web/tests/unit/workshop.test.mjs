// The workshop's parts that need no page: games are played in a worker that the page can end, and lines of a log find
// their turns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../static/workshop/drafts.js';
import { pairsOf } from '../../static/workshop/bench.js';
import { failureIn, linesByTurn } from '../../static/workshop/log.js';
import { lostGames } from '../../static/workshop/lost.js';
import { scoreWords } from '../../static/workshop/score.js';
import { Trial } from '../../static/workshop/trial.js';

const MODULES = /** @type {any} */ ({ engine: {}, texts: {} });
const BOT = { language: 'wat', text: '', budgets: { memory_bytes: 1, module_bytes: 1 } };
const GAMES = /** @type {any[]} */ ([{}, {}]);

/** Workers that do what `play` says when they are asked. @param {(tell: (data: unknown) => void) => void} play */
function workers(play) {
  const started = /** @type {{ended: boolean}[]} */ ([]);
  const start = () => {
    const kept = { ended: false };
    started.push(kept);
    const worker = /** @type {any} */ ({ terminate: () => (kept.ended = true) });
    worker.postMessage = (/** @type {any} */ { games }) => games && queueMicrotask(() => play((data) => kept.ended || worker.onmessage({ data })));
    return worker;
  };
  return { start, started };
}

const news = () => ({ turns: /** @type {number[][]} */ ([]), games: /** @type {unknown[]} */ ([]), turn(/** @type {number} */ turn, /** @type {number} */ game) { this.turns.push([game, turn]); }, played(/** @type {unknown} */ game) { this.games.push(game); } });

test('games are told one after the other, and a worker plays for the next run, too', async () => {
  const { start, started } = workers((tell) => [{ game: 0, turn: 1 }, { played: 'one' }, { game: 1, turn: 1 }, { played: 'two' }, { over: true }].forEach(tell));
  const trial = new Trial(start, MODULES);
  for (let run = 0; run < 2; run++) {
    const told = news();
    assert.deepEqual(await trial.run(BOT, GAMES, told), { kind: 'over' });
    assert.deepEqual([told.turns, told.games], [[[0, 1], [1, 1]], ['one', 'two']]);
  }
  assert.deepEqual(started, [{ ended: false }]);
});

test('whatever ends a run is said, and a worker that failed or is silent is ended', async () => {
  const flaw = { text: 'bot.wat', line: 1, column: 2, message: 'no' };
  for (const [said, end, ended] of [
    [{ flaw }, { kind: 'flaw', flaw }, false],
    [{ refused: 'too large' }, { kind: 'refused', why: 'too large' }, false],
    [{ failed: 'why' }, { kind: 'failed', why: 'why' }, true],
    [{ game: 0, turn: 1 }, { kind: 'silent' }, true],
  ]) {
    const { start, started } = workers((tell) => tell(said));
    assert.deepEqual(await new Trial(start, MODULES, 5).run(BOT, GAMES, news()), end);
    assert.equal(started[0].ended, ended, JSON.stringify(said));
  }
});

test('a run that is stopped, or followed by another, ends at once, and its worker with it', async () => {
  const { start, started } = workers(() => {});
  const trial = new Trial(start, MODULES);
  const first = trial.run(BOT, GAMES, news());
  const second = trial.run(BOT, GAMES, news());
  assert.deepEqual(await first, { kind: 'stopped' });
  trial.stop();
  assert.deepEqual(await second, { kind: 'stopped' });
  assert.deepEqual(started, [{ ended: true }, { ended: true }]);
});

test('a line of a log stands at the turn in which it was written', () => {
  const turns = [0, 1, 0, 1, 0].map((seat) => ({ plays: [{ seat }] }));
  const lines = (/** @type {number[]} */ begun) => linesByTurn({ seat: 0, lines: ['a', 'b', 'c'], turns: begun }, { turns, forfeits: [{ seat: 0, turn: 5 }] }).map(({ turn }) => turn);
  assert.deepEqual(lines([1, 1, 2]), [0, 3, 5], 'the start, then turns; one of them says nothing');
  assert.deepEqual(lines([0, 0, 0, 2]), [5, 5, 6], 'the turn in which it failed is not in the record');
  assert.deepEqual(lines([]), [0, 0, 0]);
});

/** A store with room for so many characters. @param {number} [room] */
function store(room = Infinity) {
  const kept = new Map();
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem(/** @type {string} */ key, /** @type {string} */ value) {
      const others = [...kept].filter(([other]) => other !== key);
      if (others.reduce((sum, [, value]) => sum + value.length, value.length) > room) throw new Error('QuotaExceededError');
      kept.set(key, value);
    },
  };
}

test('a draft survives its tab, and each game has its own', () => {
  const storage = store();
  assert.equal(new Drafts(storage, 'conquerors wat', 'a').save('mine'), 'kept');
  assert.equal(new Drafts(storage, 'conquerors wat', 'b').load(), 'mine');
  assert.equal(new Drafts(storage, 'life2 wat', 'b').load(), null);
});

test('of two tabs the newest text is the draft, and nothing is lost', () => {
  const storage = store();
  const [a, b] = ['a', 'b'].map((tab) => new Drafts(storage, 'x', tab));
  assert.deepEqual([a.load(), b.load()], [null, null]);
  assert.equal(a.save('first of a'), 'kept');
  assert.equal(b.save('first of b'), 'replaced', 'b never saw the text of a');
  assert.deepEqual([b.load(), b.before()], ['first of b', 'first of a']);
  assert.equal(b.save('second of b'), 'kept', 'its own is no other one');
  assert.equal(a.save('second of a'), 'replaced');
  assert.deepEqual([a.load(), a.before()], ['second of a', 'second of b']);
  b.load();
  assert.equal(b.save('third of b'), 'kept', 'b has seen what it goes on from');
  assert.equal(a.exchange('template', 'third of a'), 'replaced');
  assert.deepEqual([a.load(), a.before()], ['template', 'third of b']);
  assert.equal(a.exchange('third of b', 'template'), 'kept');
  assert.equal(a.before(), 'template', 'one and the other change places');
});

test('a text that has no room, or no store, is said to be nowhere, and what was there stays', () => {
  const storage = store(60);
  const drafts = new Drafts(storage, 'x', 'a');
  assert.equal(drafts.save('short'), 'kept');
  assert.equal(drafts.save('long'.repeat(20)), 'full');
  assert.equal(drafts.load(), 'short');
  assert.equal(new Drafts(null, 'x', 'a').save('text'), 'denied');
  assert.equal(new Drafts(null, 'x', 'a').load(), null);
});

test('whatever is in the place of a draft, a text is kept', () => {
  const storage = store();
  const drafts = new Drafts(storage, 'x', 'a');
  for (const odd of ['no JSON', 'null', '5', '"text"', '[]', '{}', '{"text":5}', '[7,null,{}]', '{"length":2}']) {
    storage.kept.set(drafts.key, odd);
    storage.kept.set(`${drafts.key} before`, odd);
    assert.deepEqual([drafts.load(), drafts.before()], [null, null], odd);
    assert.equal(drafts.save('mine'), 'kept', odd);
    assert.equal(drafts.exchange('template', 'mine'), 'kept', odd);
    assert.deepEqual([drafts.load(), drafts.before()], ['template', 'mine'], odd);
  }
});

test('the games that were lost to an opponent are found among those of others, so many at most', async () => {
  const asked = /** @type {string[]} */ ([]);
  const pages = [[['c.9', 'me', 'it', 1], ['c.8', 'it', 'me', 0]], [['c.7', 'me', 'it', 0], ['c.6', 'me', 'it', null]], [['c.5', 'other', 'it', 1], ['c.4', 'me', 'it', 1]], [['c.3', 'me', 'it', 1]]];
  const view = (/** @type {any[]} */ [id, one, other, winner]) => ({ id, entrants: [one, other], winner });
  const was = globalThis.fetch;
  globalThis.fetch = async (/** @type {any} */ address) => {
    const [, id] = /games\/(.*)\/record/.exec(address) ?? [];
    if (id === undefined) asked.push(address);
    const page = pages[asked.length - 1]?.map(view) ?? [];
    return Response.json(id === undefined ? page : { header: { ruleset: 'r', options: '', seed: id } });
  };
  try {
    const found = async (/** @type {object} */ wanted) => {
      asked.length = 0;
      const games = await lostGames({ list: '/l?x', opponent: 'it', max: 2, ...wanted });
      return games.map(({ seed, seat }) => `${seed} ${seat}`);
    };
    assert.deepEqual(await found({}), ['c.9 0', 'c.8 1']);
    assert.deepEqual(asked, ['/l?x']);
    pages.shift();
    assert.deepEqual(await found({ loser: 'me' }), ['c.4 0', 'c.3 0']);
    assert.deepEqual(asked, ['/l?x', '/l?x&after=6', '/l?x&after=4']);
    assert.deepEqual(await found({}), ['c.5 0', 'c.4 0'], 'of any version');
    assert.deepEqual(asked, ['/l?x', '/l?x&after=c.6']);
  } finally {
    globalThis.fetch = was;
  }
});

test('games that follow each other are pairs, and their score has its interval', () => {
  assert.deepEqual(pairsOf([2, 2, 2, 0, 1, 0, 2]), [0, 1, 1, 0, 1]);
  const said = (/** @type {object} */ what) => scoreWords([2, 1, 0], { verdict: 'level', elo: null, low: null, high: null, .../** @type {any} */ (what) });
  assert.equal(said({ verdict: 'too_few' }), '1½ of 3 points. Too few games to tell who is stronger.');
  assert.equal(said({ elo: 12, low: -40, high: 66 }), '1½ of 3 points. No significant difference: +12 Elo (95 %: −40 to +66).');
  assert.equal(said({ verdict: 'stronger', low: 120 }), '1½ of 3 points. Your bot is stronger: more than +120 Elo, every game won.');
  assert.match(scoreWords([0, 1], { verdict: 'too_few', elo: null, low: null, high: null }), /^½ of 2 points/);
});

test('the place where a script failed is the last that its log names', () => {
  const lines = ['bot.js:1:1: no error, but a line', 'more', 'bot.js:3:21: TypeError: what?', '    at turn (bot.js:3:21)'];
  assert.deepEqual(failureIn('bot.js', lines)?.flaw, { text: 'bot.js', line: 3, column: 21, message: 'TypeError: what?' });
  assert.deepEqual(failureIn('bot.js', ['bot.js: there is no function', 'other.js:1:2: no']), { message: 'there is no function', flaw: null });
  assert.equal(failureIn('bot.js', ['a line', 'other.js:1:2: no']), null);
  assert.deepEqual(failureIn('bot.py', ['bot.py:3: TypeError: what?'])?.flaw, { text: 'bot.py', line: 3, column: 1, message: 'TypeError: what?' });
});
