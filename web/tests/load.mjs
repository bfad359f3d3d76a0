// A load on one server over this machine's loopback, bounded: rooms against hard, each with a player and spectators.
// Reports what was lost, applied twice or late, and what a ply costs. Ends with 1 if anything was lost, twice or late.

import { Api } from './lib/api.mjs';
import { startEngine } from './lib/moves.mjs';
import { Ledger } from './lib/player.mjs';
import { Random } from './lib/random.mjs';
import { RoomSocket } from './lib/room_socket.mjs';
import { Server } from './lib/server.mjs';
import { lifeLimit, pause, until } from './lib/until.mjs';

const ROOMS = 100;
const SPECTATORS_PER_ROOM = 5;
/** A person takes a while for a turn: between none and so much. */
const THINK_MS_MAX = 2_000;
const SECONDS_MAX = 120;
/** The first edition of the standing tournament is not part of what is measured. */
const QUIET_LIMIT_MS = 40_000;
/** Requests to compare with that are under way at once. */
const ASKED_AT_ONCE = 10;
/** A file of the program itself: answering for it needs no store. */
const FILE = '/static/any/favicon.svg';

lifeLimit(SECONDS_MAX);

const random = Random.forThisRun();
const engine = startEngine();
const server = await Server.start();
/** From a command to each watcher, in ms. @type {number[]} */
const views = [];
/** From a command's acknowledgement to each watcher, in ms: below 0 where a watcher was told first. @type {number[]} */
const delays = [];
/** From a command to its acknowledgement, in ms. @type {number[]} */
const answers = [];

/** A spectator: what it saw, in order. */
class Spectator {
  /** @type {Map<number, number>} when it first saw that so many plies are played */
  seen = new Map();
  late = 0;
  #events = 0;

  /** @param {RoomSocket} socket */
  constructor(socket) {
    this.socket = socket;
    this.#see(socket.state, performance.now());
    socket.on('state', (state, now) => this.#see(state, now));
  }

  /** @param {any} state @param {number} now */
  #see(state, now) {
    if (state.events <= this.#events) this.late += 1;
    const before = Math.max(-1, ...this.seen.keys());
    for (let ply = before + 1; ply <= state.ply; ply++) this.seen.set(ply, now);
    this.#events = state.events;
  }
}

/** One game: gives its counts. @param {Api} api @param {Random} own */
async function game(api, own) {
  const { body } = await api.post('rooms', { opponent: 'hard', seat: own.pick([0, 1]) }, [201]);
  const ledger = new Ledger(body.room, body.you[0]);
  const socket = await RoomSocket.open(server.url, body.room, api.token);
  const watching = Array.from({ length: SPECTATORS_PER_ROOM }, () => RoomSocket.open(server.url, body.room));
  const spectators = (await Promise.all(watching)).map((socket) => new Spectator(socket));
  /** When which ply was sent and acknowledged. @type {Map<number, {sent: number, acknowledged: number}>} */
  const times = new Map();
  for (;;) {
    const state = await socket.stateWhere('a turn or the end', ({ awaiting, outcome }) => outcome || awaiting.includes(ledger.seat));
    if (state.outcome) break;
    await pause(own.below(THINK_MS_MAX));
    const action = ledger.actionFor(engine, state, own);
    const sent = performance.now();
    const answer = await socket.turn(state.ply, state.ply, action);
    if (answer.type !== 'applied') throw new Error(JSON.stringify(answer));
    const acknowledged = performance.now();
    times.set(state.ply, { sent, acknowledged });
    answers.push(acknowledged - sent);
    ledger.acknowledged.set(state.ply, action);
    await socket.stateWhere('the ply after', ({ ply, outcome }) => outcome || ply > state.ply);
  }
  const last = (await api.get(`rooms/${body.room}`)).body;
  const counts = { plies: last.turns.length, lost: ledger.lost(last), twice: ledger.twice(last), late: 0 };
  for (const { socket, seen, late } of spectators) counts.late += late + (await endsAt(socket, last) ? 0 : 1);
  for (const { seen } of spectators) {
    for (const [ply, { sent, acknowledged }] of times) {
      const at = seen.get(ply + 1) ?? Infinity;
      views.push(at - sent);
      delays.push(at - acknowledged);
    }
  }
  for (const { socket: watcher } of spectators) watcher.close();
  socket.close();
  return counts;
}

/** Whether a spectator ends at the room's last state. @param {RoomSocket} socket @param {any} last */
function endsAt(socket, last) {
  return socket.stateWhere('the end', ({ outcome }) => outcome, 5_000).then(({ events }) => events === last.events, () => false);
}

/** Until the background tournament has nothing to play. */
async function quiet() {
  let before = server.cpuMs();
  await until('the server is quiet', async () => {
    await pause(1_000);
    const now = server.cpuMs();
    const used = now.server + now.workers - before.server - before.workers;
    before = now;
    return used < 50;
  }, { limitMs: QUIET_LIMIT_MS });
}

/** Processor time of the server while something is done, and of its workers. @template T @param {() => Promise<T>} work */
async function measured(work) {
  const before = server.cpuMs();
  const start = performance.now();
  const value = await work();
  const seconds = (performance.now() - start) / 1000;
  const after = server.cpuMs();
  return { value, seconds, serverMs: after.server - before.server, workersMs: after.workers - before.workers };
}

/**
 * Asks for a path so many times.
 * @param {number} times
 * @param {string} path
 * @param {number} expected status
 * @param {Record<string, string>} [headers]
 */
async function ask(times, path, expected, headers = {}) {
  let left = times;
  const asking = async () => {
    while (left-- > 0) {
      const answer = await fetch(server.url + path, { headers });
      await answer.arrayBuffer();
      if (answer.status !== expected) throw new Error(`${path} was answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, asking));
}

/** @param {number[]} numbers in any order @param {number} share */
function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** @param {number[]} numbers */
const spread = (numbers) => ['p50', 0.5, 'p99', 0.99, 'max', 1].map((part) => (typeof part === 'string' ? part : quantile(numbers, part).toFixed(1))).join(' ');

console.log(`ARENA_TEST_SEED=${random.seed}`);
console.log(`${ROOMS} rooms against hard, ${ROOMS * SPECTATORS_PER_ROOM} spectators, one server on this machine's loopback`);
await quiet();
const { value: games, seconds, serverMs, workersMs } = await measured(async () => {
  const players = Array.from({ length: ROOMS }, async (_, number) => game(await Api.claim(server.url, `Player ${number}`), random.fork()));
  return Promise.all(players);
});
const sum = (/** @type {'plies' | 'lost' | 'twice' | 'late'} */ what) => games.reduce((total, counts) => total + counts[what], 0);
const plies = sum('plies');
const tag = String((await fetch(server.url + FILE)).headers.get('etag'));
const empty = await measured(() => ask(plies, FILE, 304, { 'if-none-match': tag }));
const health = await measured(() => ask(plies, '/healthz', 200));
const [lost, twice, late] = [sum('lost'), sum('twice'), sum('late')];
const each = (/** @type {number} */ ms) => `${(ms / plies).toFixed(3)} ms`;
console.log(`${plies} plies in ${seconds.toFixed(1)} s, ${(plies / seconds).toFixed(0)} a second`);
console.log(`plies lost            ${lost}`);
console.log(`plies applied twice   ${twice}`);
console.log(`late by sequence      ${late}`);
console.log(`command to acknowledgement, ms   ${spread(answers)}  (${answers.length} commands)`);
console.log(`command to watcher, ms           ${spread(views)}  (${views.length} views)`);
console.log(`acknowledgement to watcher, ms   ${spread(delays)}  (below 0: the watcher was told first)`);
console.log(`server CPU per ply      ${each(serverMs)}, its workers ${each(workersMs)} (with hard's thinking)`);
console.log(`handler without store   ${each(empty.serverMs)} (GET ${FILE}, 304, as many times)`);
console.log(`handler with store      ${each(health.serverMs)} (GET /healthz as many times)`);
await server.close();
process.exit(lost + twice + late === 0 ? 0 : 1);
