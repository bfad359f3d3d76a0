// The server is killed at random points while clients upload bots and play rooms, each keeping a list of what was
// acknowledged. Law: whatever was acknowledged is there afterwards, exactly once; and what was not can be sent again.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Api, Unanswered } from './lib/api.mjs';
import { variant } from './lib/guests.mjs';
import { startEngine } from './lib/moves.mjs';
import { Ledger } from './lib/player.mjs';
import { Random } from './lib/random.mjs';
import { explainFailures } from './lib/failures.mjs';
import { checkRecord } from './lib/records.mjs';
import { RoomSocket } from './lib/room_socket.mjs';
import { Server, ServerEnded } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { aMoment, lifeLimit, until } from './lib/until.mjs';

const KILLS = setting.NIGHT ? 30 : 6;
/** A kill comes at most after so many acknowledgements since the start before it, or since the restart's checks. */
const ACKNOWLEDGED_MAX = 50;
/**
 * One in so many kills is followed by one that hits the server before it listens, at most so many milliseconds after it
 * was started.
 */
const EARLY_EVERY = 3;
const EARLY_MS_MAX = 200;
/** After the last kill clients bring at least so many games to their end, so that their records can be looked at. */
const FINISHED_MIN = 4;
/** Versions that must be acknowledged. */
const VERSIONS_MIN = 5;

const UPLOADERS = 2;
/** Versions of one bot: the server takes 20 a day. */
const VERSIONS_PER_BOT = 15;
const PLAYERS = 6;

lifeLimit(600);

const random = Random.forThisRun();
const engine = startEngine();
/** @type {Server} */
let server;
/** What clients wait for after a request without an answer. @type {Promise<void>} */
let up = Promise.resolve();
let done = false;
/** Requests that were cut off, and sent again. */
let unanswered = 0;
/** Turns, rooms and versions that were acknowledged. */
let acknowledgements = 0;
/** @type {{api: Api, bot: string, acknowledged: Map<number, string>}[]} by bot */
const uploads = [];
/** @type {{ledger: Ledger, api: Api}[]} */
const rooms = [];

before(async () => {
  console.log(`ARENA_TEST_SEED=${random.seed}`);
  server = await Server.start(['conquerors'], { restarts: true });
});

explainFailures(() => server);

after(async () => {
  done = true;
  await server?.close();
});

test(`${KILLS} times SIGKILL: everything acknowledged is there, nothing twice`, async (t) => {
  const clients = [];
  for (let number = 0; number < UPLOADERS; number++) clients.push(uploader(number, await Api.claim(server.url, `Uploader ${number}`)));
  for (let number = 0; number < PLAYERS; number++) {
    clients.push(player(number, await Api.claim(server.url, `Player ${number}`), random.fork()));
  }
  const working = Promise.all(clients);
  const killing = kills();
  // A client that fails ends the test at once.
  await Promise.race([killing, working.then(() => killing)]);
  const finished = () => rooms.filter(({ ledger }) => ledger.over);
  const versions = () => uploads.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const enough = (/** @type {{games: number, judged: number}} */ { games, judged }) => games >= FINISHED_MIN && judged >= VERSIONS_MIN;
  const reached = () => ({ games: finished().length, judged: versions() });
  await Promise.race([working, until('games are over and versions are judged', reached, enough, { limitMs: 240_000 })]);
  done = true;
  await working;
  await checkAll();
  for (const { ledger, api } of finished()) await checkRecord(server, api, (await api.get(`rooms/${ledger.room}`)).body);
  const plies = rooms.reduce((sum, { ledger }) => sum + ledger.acknowledged.size, 0);
  t.diagnostic(`${versions()} versions and ${plies} plies acknowledged in ${rooms.length} rooms, ${finished().length} of them over`);
  t.diagnostic(`${unanswered} requests and sockets cut off`);
  assert.ok(plies >= KILLS && unanswered >= KILLS, 'the clients were not idle');
});

test('a list of acknowledgements notices what is lost, twice, or not ours', () => {
  const ledger = new Ledger('a room', 0);
  ledger.sent.set(0, 'aa').set(2, 'bb').set(4, 'cc');
  ledger.acknowledged.set(0, 'aa').set(2, 'bb');
  const state = (/** @type {string[]} */ ...actions) => {
    return { room: 'a room', ply: actions.length, turns: actions.map((action, ply) => [{ seat: ply % 2, action }]), outcome: null };
  };
  for (const good of [state('aa', 'xx', 'bb'), state('aa', 'xx', 'bb', 'yy', 'cc')]) {
    ledger.check(good);
    assert.deepEqual([ledger.lost(good), ledger.twice(good)], [0, 0]);
  }
  const bad = [
    { what: 'lost', state: state('aa', 'xx'), counts: [1, 0] },
    { what: 'changed', state: state('aa', 'xx', 'zz'), counts: [1, 1] },
    { what: 'applied twice', state: state('aa', 'xx', 'bb', 'yy', 'bb'), counts: [0, 1] },
  ];
  for (const { what, state, counts } of bad) {
    assert.throws(() => ledger.check(state), assert.AssertionError, what);
    assert.deepEqual([ledger.lost(state), ledger.twice(state)], counts, what);
  }
});

/** Kills the server, starts it again, and looks whether all is there, as often as is asked. */
async function kills() {
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = acknowledgements + 1 + random.below(ACKNOWLEDGED_MAX);
    await until(`${enough} acknowledgements`, () => acknowledgements, (count) => count >= enough);
    /** @type {() => void} */
    let open = () => {};
    up = new Promise((resolve) => (open = resolve));
    await server.kill();
    if (kill % EARLY_EVERY === 1) await killEarly();
    await server.start();
    await checkAll();
    open();
  }
}

/** Kills a server that has not come up yet; now and then it has, which is as good. */
async function killEarly() {
  const starting = server.spawn().catch((error) => assert.ok(error instanceof ServerEnded, String(error)));
  await aMoment(random, EARLY_MS_MAX);
  await server.kill();
  await starting;
}

/** Asks the server for everything that was acknowledged. */
async function checkAll() {
  for (const { api, bot, acknowledged } of uploads) {
    if (acknowledged.size === 0) continue;
    const versions = await allVersions(api, bot);
    const entrants = versions.map(({ entrant }) => entrant);
    assert.equal(new Set(entrants).size, entrants.length, `${bot}: no bytes are there twice`);
    const numbers = versions.map(({ number }) => number);
    assert.equal(new Set(numbers).size, numbers.length, `${bot}: no number is there twice`);
    for (const [number, entrant] of acknowledged) {
      const found = versions.find((version) => version.number === number);
      assert.deepEqual([found?.entrant, found?.state], [entrant, 'accepted'], `${bot} ${number} was acknowledged`);
    }
  }
  for (const { ledger, api } of rooms) ledger.check((await api.get(`rooms/${ledger.room}`)).body);
}

/** @param {Api} api @param {string} bot @returns {Promise<any[]>} newest first; few enough for one answer */
async function allVersions(api, bot) {
  return (await api.get(`bots/${bot}/versions`)).body;
}

/**
 * Asks until there is an answer, across restarts. For requests that may be repeated.
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T | null>} null when all is done
 */
async function answered(ask) {
  while (!done) {
    await up;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      unanswered += 1;
    }
  }
  return null;
}

/** Uploads one variant after the other; the same bytes again until there is a verdict. */
async function uploader(/** @type {number} */ client, /** @type {Api} */ api) {
  const module = setting.botBytes('gardener');
  for (let bot = 0; !done; bot++) {
    const mine = { api, bot: `sprout-${client}-${bot}`, acknowledged: new Map() };
    uploads.push(mine);
    for (let version = 0; !done && version < VERSIONS_PER_BOT; version++) {
      const bytes = variant(module, (client * 1000 + bot) * 1000 + version);
      await answered(() => upload(mine, bytes));
    }
  }
}

/** @param {typeof uploads[0]} mine @param {Uint8Array} bytes */
async function upload({ api, bot, acknowledged }, bytes) {
  const { status, body } = await api.upload(bot, bytes, [200, 201, 202]);
  const version = status === 202 ? await verdict(api, bot, body.number) : body;
  assert.equal(version.state, 'accepted');
  assert.equal(version.entrant, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  acknowledged.set(version.number, version.entrant);
  acknowledgements += 1;
}

/** @param {Api} api @param {string} bot @param {number} number */
function verdict(api, bot, number) {
  const version = async () => (await api.get(`bots/${bot}/versions/${number}`)).body;
  return until(`a verdict on ${bot} ${number}`, version, ({ state }) => state !== 'pending', { everyMs: 100 });
}

/** Plays one room after the other: every other player by WebSocket, the rest by requests. */
async function player(/** @type {number} */ client, /** @type {Api} */ api, /** @type {Random} */ own) {
  while (!done) {
    const seat = own.below(2);
    const opened = await answered(() => api.post('rooms', { opponent: 'easy', seat }, [201]));
    if (!opened) return;
    const ledger = new Ledger(opened.body.room, seat);
    rooms.push({ ledger, api });
    acknowledgements += 1;
    const play = client % 2 === 0 ? playBySocket : playByRequests;
    await answered(() => play(api, ledger, own));
  }
}

/** @param {Api} api @param {Ledger} ledger @param {Random} own */
async function playBySocket(api, ledger, own) {
  const socket = await RoomSocket.open(server.url, ledger.room, api.token);
  try {
    while (!done) {
      const state = await socket.stateWhere('this turn or the end', ({ awaiting, outcome }) => outcome || awaiting.includes(ledger.seat));
      if (state.outcome) return ended(ledger, state);
      const action = ledger.actionFor(engine, state, own);
      const answer = await socket.turn(state.ply, 7 * state.ply, action);
      assert.equal(answer.type, 'applied', JSON.stringify(answer));
      ledger.acknowledged.set(state.ply, action);
      acknowledgements += 1;
      await socket.stateWhere('the ply after', ({ ply, outcome }) => outcome || ply > state.ply);
    }
  } finally {
    socket.close();
  }
}

/** @param {Api} api @param {Ledger} ledger @param {Random} own */
async function playByRequests(api, ledger, own) {
  while (!done) {
    const room = async () => (await api.get(`rooms/${ledger.room}`)).body;
    const mayMove = (/** @type {any} */ { outcome, awaiting }) => done || outcome || awaiting.includes(ledger.seat);
    const state = await until('this turn or the end', room, mayMove, { everyMs: 40 });
    if (state.outcome) return ended(ledger, state);
    if (done) return;
    const action = ledger.actionFor(engine, state, own);
    const command = { ply: state.ply, client_seq: 7 * state.ply, action };
    const { body } = await api.post(`rooms/${ledger.room}/turns`, command, [200]);
    assert.equal(body.turns[state.ply]?.[0]?.action, action, 'the answer has the turn in it');
    ledger.acknowledged.set(state.ply, action);
    acknowledgements += 1;
  }
}

/** @param {Ledger} ledger @param {any} state */
function ended(ledger, state) {
  ledger.over = true;
  ledger.check(state);
}
