// Two pages play over random networks that lose, repeat, delay and break messages, and that pass sockets, requests,
// both or neither. The transports and the pages' knowledge of the room are real; the network and the room are
// simulated. Whatever happens, each turn is in the log once, and both see the game to its end. `cargo xtask schedules`
// tries 10,000.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INITIAL, phaseOf, reduce, sequence } from '../../static/rooms/state.js';
import { complete } from '../../static/rooms/server-room.js';
import { Transport, pathsOf } from '../../static/net/transport.js';
import { Random } from '../lib/random.mjs';
import { Clock, FAIR, Room, Wire, sockets } from '../lib/simulated.mjs';

/** @param {string} name @param {number} otherwise the value without that environment variable */
const setting = (name, otherwise) => Number(process.env[name] ?? otherwise);

/**
 * How long the weather is bad, and how long a game may take after that, in milliseconds: the sum of a page's longest
 * waits.
 */
const [BAD_MS, FAIR_MS] = [180_000, 600_000];

/** The final weather: one working way is enough. @type {import('../lib/simulated.mjs').Weather[]} */
const LASTING = [
  FAIR,
  { ...FAIR, requests: 'refused' },
  { ...FAIR, requests: 'hang' },
  { ...FAIR, sockets: 'refused' },
  { ...FAIR, sockets: 'hang' },
  { ...FAIR, sockets: 'silent' },
];

/** A page and its player. */
class Page {
  state = { ...INITIAL, ready: true };
  /** @type {Map<number | null, {ply: number, applied: boolean}>} the commands sent, by number: null is a resignation */
  said = new Map();
  /** The ways of talking to the room, in order. @type {string[]} */
  ways = [];
  #thinks = false;
  #next;

  /** @param {Clock} clock @param {Random} random @param {string} name @param {boolean} resigns whether they may */
  constructor(clock, random, name, resigns) {
    Object.assign(this, { clock, random, resigns });
    this.#next = sequence(random.next());
    const all = async () => (await fetch(`http://${name}/state`)).json();
    const states = complete(all, (state) => this.#dispatch(/** @type {any} */ (state)));
    const paths = pathsOf('/room', { protocol: 'http:', host: name, search: '' });
    const poll = { ...paths.poll, events: `http://${name}${paths.poll.events}`, commands: `http://${name}${paths.poll.commands}` };
    this.transport = new Transport({
      url: paths.url,
      poll,
      known: () => ({ turns: states.known() }),
      hear: (message) => this.#hear(message, states),
      connected: (open) => {
        if (open && this.ways.at(-1) !== this.transport.kind) this.ways.push(this.transport.kind);
        this.#dispatch({ type: 'connection', open });
      },
    });
  }

  /** @param {any} message @param {{hear: (state: any) => void}} states */
  #hear(message, states) {
    if (message.type === 'beat') return;
    if (message.type === 'state') return states.hear(message);
    if (message.type === 'applied' && ['turn', 'resign'].includes(message.what)) {
      const said = this.said.get(message.client_seq);
      assert.equal(said?.ply, message.ply, 'an answer to what was said');
      /** @type {any} */ (said).applied = true;
    }
    this.#dispatch(message);
  }

  /** @param {any} event */
  #dispatch(event) {
    const before = this.state.latest?.turns ?? [];
    this.state = reduce(this.state, event);
    while (phaseOf(this.state) === 'animating') this.state = reduce(this.state, { type: 'shown' });
    const after = this.state.latest?.turns ?? [];
    assert.deepEqual(after.slice(0, before.length), before, 'what was seen stays');
    this.#think();
  }

  #think() {
    const phase = phaseOf(this.state);
    if (this.#thinks || (phase !== 'yours' && !(phase === 'waiting' && this.resigns))) return;
    this.#thinks = true;
    this.clock.in(200 + this.random.below(4_000), () => {
      this.#thinks = false;
      this.#act();
      this.#think();
    });
  }

  /** Sends as `LiveRoom.send` does. */
  #act() {
    const phase = phaseOf(this.state);
    const ply = this.state.latest?.ply ?? 0;
    const gives = this.resigns && this.random.below(30) === 0;
    if (gives && ['yours', 'waiting'].includes(phase)) {
      if (phase === 'yours') this.#dispatch({ type: 'sent', client_seq: null });
      this.said.set(null, { ply, applied: false });
      return this.transport.send({ type: 'resign', ply });
    }
    if (phase !== 'yours') return;
    const client_seq = this.#next();
    this.#dispatch({ type: 'sent', client_seq });
    this.said.set(client_seq, { ply, applied: false });
    this.transport.send({ type: 'turn', ply, client_seq, action: `${client_seq}` });
  }
}

/**
 * Plays a game through a schedule; returns counts of what was done to it.
 * @param {number} number
 * @param {number} seed
 */
async function play(number, seed) {
  const random = new Random((seed * 0x9e3779b1) ^ (number * 0x85ebca6b));
  const clock = new Clock();
  const room = new Room(6 + random.below(12));
  const wires = [0, 1].map((seat) => new Wire(clock, random.fork(), room, seat));
  const of = (/** @type {string} */ url) => wires[new URL(url).hostname === 'ann' ? 0 : 1];
  const ways = { WebSocket: globalThis.WebSocket, fetch: globalThis.fetch };
  clock.rule(random.fork());
  Object.assign(globalThis, { WebSocket: sockets(of), fetch: (/** @type {string} */ url, /** @type {any} */ how) => of(url).request(url, how) });
  let isBad = true;
  const changes = (/** @type {Wire} */ wire) => {
    if (!isBad) return;
    const share = () => wire.random.pick([0, 0.1, 0.4]);
    wire.weather = {
      sockets: wire.random.pick(['pass', 'pass', 'refused', 'hang', 'silent']),
      requests: wire.random.pick(['pass', 'pass', 'pass', 'refused', 'hang']),
      lost: share(),
      twice: share(),
      slow: wire.random.pick([20, 300, 3_000]),
    };
    if (wire.random.below(3) > 0) wire.breaks();
    clock.in(500 + wire.random.below(20_000), () => changes(wire));
  };
  // The server stops now and then, and restarts with its log.
  const stops = () => {
    if (!isBad) return;
    for (const wire of wires) {
      wire.isUp = false;
      wire.breaks();
    }
    clock.in(random.below(6_000), () => {
      for (const wire of wires) wire.isUp = true;
    });
    clock.in(5_000 + random.below(60_000), stops);
  };
  /** @type {Page[]} */
  let pages = [];
  try {
    const resigns = random.below(4) === 0;
    pages = ['ann', 'bob'].map((name) => new Page(clock, random.fork(), name, resigns));
    for (const wire of wires) clock.in(wire.random.below(10_000), () => changes(wire));
    clock.in(random.below(60_000), stops);
    // A page is shown again.
    const wakes = () => {
      if (!isBad) return;
      pages[random.below(2)].transport.wake();
      clock.in(1_000 + random.below(30_000), wakes);
    };
    clock.in(random.below(30_000), wakes);
    for (const { transport } of pages) transport.connect();
    const isOver = () => pages.every(({ state }) => state.latest?.outcome != null);
    await clock.until(isOver, BAD_MS);
    isBad = false;
    for (const wire of wires) [wire.weather, wire.isUp] = [wire.random.pick(LASTING), true];
    assert.ok(await clock.until(isOver, FAIR_MS), `both see the end; the log has ${JSON.stringify(room.log)}`);
    // Messages still under way arrive.
    await clock.until(() => false, 60_000);
  } finally {
    for (const { transport } of pages) transport.close();
    clock.end();
    Object.assign(globalThis, ways);
  }
  const turns = room.turns;
  assert.deepEqual(turns.map(({ ply }) => ply), turns.map((_, ply) => ply), 'each ply once');
  for (const { ply, seat, client_seq } of room.log) assert.equal(pages[seat].said.get(client_seq)?.ply, ply, 'nothing but what was said');
  for (const [seat, { said, state }] of pages.entries()) {
    for (const [client_seq, { ply, applied }] of said) {
      const count = room.log.filter((entry) => entry.seat === seat && entry.ply === ply && entry.client_seq === client_seq).length;
      assert.ok(count <= 1 && (!applied || count === 1), `ply ${ply}, number ${client_seq}: ${count} times, acknowledged: ${applied}`);
    }
    assert.deepEqual(state.latest?.turns.map(([{ action }]) => action), turns.map(({ action }) => action), 'both see the same');
  }
  const add = (/** @type {(wire: Wire) => number} */ of) => wires.reduce((sum, wire) => sum + of(wire), 0);
  return {
    turns: turns.length,
    switches: pages.reduce((sum, page) => sum + Math.max(0, page.ways.length - 1), 0),
    back: pages.filter(({ ways }) => ways.includes('poll') && ways.at(-1) === 'socket').length,
    lost: add(({ counts }) => counts.lost),
    twice: add(({ counts }) => counts.twice),
    broken: add(({ counts }) => counts.broken),
    refused: add(({ counts }) => counts.refused),
  };
}

test('whatever two networks do, each turn is in the log once and both pages see the end, by sockets and by requests', async () => {
  const [count, seed] = [setting('ARENA_SCHEDULES', 150), setting('ARENA_SCHEDULE_SEED', 1)];
  /** @type {Record<string, number>} */
  const sums = {};
  for (let number = 0; number < count; number++) {
    try {
      for (const [name, value] of Object.entries(await play(number, seed))) sums[name] = (sums[name] ?? 0) + value;
    } catch (error) {
      throw new Error(`schedule ${number} of seed ${seed}: ${error}`, { cause: error });
    }
  }
  console.log(`${count} schedules: ${JSON.stringify(sums)}`);
  for (const [name, value] of Object.entries(sums)) assert.ok(value > 0, `${name} happens`);
});
