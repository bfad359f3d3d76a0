// How a page follows a world: lines in their generations, missed lines, disagreements, and names.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LoneWorld } from '../../static/worlds/alone.js';
import { Lost } from '../../static/worlds/engine.js';
import { Feed, GENERATION_MS, NAMES_MS } from '../../static/worlds/feed.js';
import { ServedWorld, worldEngine } from '../lib/world_log.mjs';

/** A WebSocket without a network. */
class Socket extends EventTarget {
  static OPEN = 1;
  /** @type {Socket[]} */
  static all = [];
  readyState = 0;
  /** @type {any[]} */
  said = [];

  constructor() {
    super();
    Socket.all.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.said.push(JSON.parse(text));
  }

  close() {}
}

/** A world that only counts generations; a line that is `wrong` does not follow from it. */
class Engine {
  generation = 0;
  /** @type {any[]} */
  followed = [];

  /** @param {{generation: number}} opened */
  open(opened) {
    this.followed = [];
    return (this.generation = opened.generation);
  }

  step() {
    return ++this.generation;
  }

  /** @param {any} line */
  follow(line) {
    if (line.wrong) throw new Lost('the world has another digest');
    this.followed.push([this.generation, line.number]);
    return this.generation;
  }
}

/** Lets pending requests proceed. */
const settled = () => new Promise((done) => setImmediate(done));

/**
 * A page with a server that is at a generation, has a line for each number from 100 on, and records its requests.
 * @param {(here: {feed: Feed, engine: Engine, server: {generation: number, next: number, asked: string[], broken: boolean}, heard: any[], says(message: object): void, said(): string[], at(now: number): boolean}) => Promise<void>} act
 * @param {{engine?: any, snapshot?: () => object}} [real] a world's engine, and the server's snapshots of its world
 */
async function followed(act, { engine = new Engine(), snapshot } = {}) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  Socket.all = [];
  const server = { generation: 50, next: 100, asked: /** @type {string[]} */ ([]), broken: false };
  const answer = (/** @type {object} */ body) => ({ ok: true, json: async () => body });
  Object.assign(globalThis, {
    WebSocket: Socket,
    location: { protocol: 'http:', host: 'here', search: '' },
    document: new EventTarget(),
    addEventListener() {},
    fetch: async (/** @type {string} */ path) => {
      server.asked.push(path);
      if (server.broken) throw new Error('no network');
      const after = /after=(\d+)$/.exec(path);
      if (!after) return answer(snapshot?.() ?? { next: server.next, slots: [], opened: { generation: server.generation } });
      const lines = [];
      for (let number = Number(after[1]); number < server.next; number++) lines.push({ number, generation: server.generation });
      return answer({ messages: [{ type: 'world', generation: server.generation, next: server.next, lines }] });
    },
  });
  const heard = /** @type {any[]} */ ([]);
  const ears = { reply: (/** @type {any} */ reply) => heard.push(reply), hello() {}, connected() {}, slots() {} };
  const feed = new Feed('meadow', engine, ears);
  try {
    await feed.open();
    const [socket] = Socket.all;
    socket.readyState = 1;
    socket.dispatchEvent(new Event('open'));
    const says = (/** @type {object} */ message) => socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
    await act({ feed, engine, server, heard, says, said: () => socket.said.map(({ type }) => type), at: (now) => feed.advance(now) });
  } finally {
    mock.timers.reset();
  }
}

/** News with lines; the last one has the number before `next`. */
const news = (/** @type {number} */ generation, /** @type {number} */ next, /** @type {any[]} */ lines = []) => ({ type: 'world', generation, next, lines });

test('a page steps a generation at a time, two when it is late, and all when it is very late', () =>
  followed(async ({ feed, engine, says, at }) => {
    let now = 10_000;
    const frame = () => (at((now += GENERATION_MS)), feed.generation);
    says(news(53, 101, [{ number: 100, generation: 52 }]));
    assert.deepEqual([frame(), frame(), frame(), frame()], [51, 52, 53, 53]);
    assert.deepEqual(engine.followed, [[52, 100]], 'a line is followed in its generation');
    assert.equal(at(now + 10), false, 'nothing has changed');
    says(news(63, 101));
    assert.deepEqual([frame(), frame()], [55, 57], 'two at a time');
    says(news(163, 101));
    assert.equal(frame(), 163, 'at once');
  }));

test('lines that were missed are asked for, and come once', () =>
  followed(async ({ engine, server, says, at }) => {
    [server.generation, server.next] = [51, 104];
    says(news(51, 104, [{ number: 103, generation: 51 }]));
    // Lines that arrive during the fetch are in the answer.
    says(news(51, 104, [{ number: 103, generation: 51 }]));
    await settled();
    assert.deepEqual(server.asked.slice(1), ['/api/v1/worlds/meadow/events?after=100']);
    at(10_000);
    says(news(51, 104, [{ number: 103, generation: 51 }]));
    at(20_000);
    assert.deepEqual(engine.followed.map(([, number]) => number), [100, 101, 102, 103]);
  }));

test('a page that fell behind, or is of another world, takes a snapshot', () =>
  followed(async ({ feed, server, says, at }) => {
    const again = async (/** @type {string} */ why) => {
      const before = feed.snapshots;
      await settled();
      assert.equal(feed.snapshots, before + 1, why);
      assert.equal(feed.generation, server.generation, why);
    };
    server.generation = 60;
    says({ type: 'world', generation: 60, next: 900, behind: true });
    await again('more lines than are kept');
    [server.generation, server.next] = [70, 101];
    says(news(61, 101, [{ number: 100, generation: 60, wrong: true }]));
    at(10_000);
    await again('a digest that differs');
    says(news(71, 99));
    await again('numbers that went back');
    server.generation = 5_000;
    says(news(5_000, 101));
    assert.equal(at(20_000), false);
    await again('further than a page steps in one go');
    says(news(100, 101));
    await again('a world that went back');
  }));

/** False messages of a server, or messages garbled on the way. */
const DISAGREEMENTS = [
  { what: 'a digest that is another', garbled: (/** @type {any} */ line) => (line.event === 'checked' ? { ...line, digest: 'f'.repeat(64) } : line) },
  { what: 'a cell that is placed elsewhere', garbled: (/** @type {any} */ line) => (line.call?.place ? { ...line, call: { place: [[25, 25], ...line.call.place.slice(1)] } } : line) },
  { what: 'a call that the rules refuse here', garbled: (/** @type {any} */ line) => (line.call?.place ? { ...line, call: { place: [[0, 0]] } } : line) },
];

for (const { what, garbled } of DISAGREEMENTS) {
  test(`a page that disagrees with its server takes a snapshot, and goes on with the same world: ${what}`, () => {
    const world = new ServedWorld({ kingdoms: [{ slot: 1, account: 7, base: [20, 20], alive: [[24, 24], [24, 23], [24, 22]] }], wallets: { 7: 100 } });
    const engine = worldEngine();
    return followed(async ({ feed, says, at }) => {
      let now = 10_000;
      /**
       * Lets a second pass, after which both have the same digest.
       * @param {(line: any) => any} heard what comes of a line on its way
       */
      const second = (heard = (line) => line) => {
        world.step(10);
        world.check();
        const { lines, ...rest } = world.news();
        says({ ...rest, lines: lines.map(heard) });
        for (let frame = 0; frame < 10; frame++) at((now += GENERATION_MS));
      };
      second();
      assert.deepEqual([feed.generation, feed.snapshots], [10, 1], 'they agree');
      world.call(7, { place: [[22, 22], [23, 22], [22, 23]] });
      second(garbled);
      await settled();
      assert.deepEqual([feed.generation, feed.snapshots], [20, 2]);
      assert.deepEqual(engine.cells(), world.cells());
      world.call(7, { place: [[25, 21]] });
      second();
      await settled();
      assert.deepEqual([feed.generation, feed.snapshots], [30, 2], 'and agree again');
      assert.deepEqual(engine.cells(), world.cells());
      assert.deepEqual(engine.look(7), world.look(7));
    }, { engine, snapshot: () => world.snapshot() });
  });
}

test('a snapshot that does not come is asked for again', () =>
  followed(async ({ feed, server, says }) => {
    server.broken = true;
    says({ type: 'world', generation: 60, next: 900, behind: true });
    await settled();
    assert.equal(feed.snapshots, 1);
    [server.broken, server.generation] = [false, 60];
    mock.timers.tick(2_000);
    await settled();
    assert.deepEqual([feed.snapshots, feed.generation], [2, 60]);
  }));

test('a bot that is toggled makes a page ask for names once in fifteen seconds', () =>
  followed(async ({ feed, heard, says, said, at }) => {
    let [next, now] = [100, 10_000];
    const toggle = (/** @type {number} */ times) => {
      for (let time = 0; time < times; time++) {
        says(news(50, ++next, [{ event: 'seated', generation: 50, number: next - 1 }]));
        at((now += 200));
      }
    };
    const asked = () => said().filter((type) => type === 'get_slots_info').length;
    toggle(1);
    assert.equal(asked(), 1, 'the first one at once');
    toggle(301);
    assert.equal(asked(), 1 + Math.floor((301 * 200) / NAMES_MS));
    const before = asked();
    at((now += 2 * NAMES_MS));
    assert.equal(asked(), before + 1, 'what came last is asked for');
    at((now += 2 * NAMES_MS));
    assert.equal(asked(), before + 1, 'and once');
    says({ type: 'rejected', what: 'get_slots_info', code: 'too_many', message: 'later' });
    at((now += 2 * NAMES_MS));
    assert.equal(asked(), before + 2, 'a question that was refused is asked again');
    assert.equal(heard.length, 0, 'and nobody reads of it');
    assert.equal(feed.snapshots, 1);
  }));

test('a world in the page alone answers by the rules, and steps when it is time', async () => {
  const engine = worldEngine();
  /** @type {any[]} */
  const heard = [];
  const hear = (/** @type {string} */ kind) => (/** @type {any} */ what) => void heard.push([kind, what]);
  const world = new LoneWorld(engine, { reply: hear('reply'), hello: hear('hello'), connected: hear('connected'), slots: hear('slots') });
  await world.open();
  assert.deepEqual(heard.splice(0).map(([kind]) => kind), ['slots', 'hello']);
  const says = (/** @type {object} */ call) => {
    world.call(call);
    return heard.splice(0).map(([, reply]) => reply);
  };
  assert.deepEqual(says({ type: 'place_cells', cells: [[1, 1]] }), [{ type: 'rejected', what: 'place_cells', code: 'refused', why: [['not-in-game', {}]] }]);
  assert.deepEqual(says({ type: 'faucet' }), [{ type: 'answer', what: 'faucet', answer: 1_000 }]);
  assert.deepEqual(says({ type: 'join_game', base_x: 60, base_y: 60 }), [{ type: 'answer', what: 'join_game', answer: 1 }]);
  let now = 10_000;
  for (let generation = 1; generation <= 5; generation++) {
    now += GENERATION_MS;
    assert.equal(world.advance(now), true);
    assert.equal(world.generation, generation);
    assert.equal(world.advance(now - 1), false, 'not before');
  }
  says({ type: 'place_cells', cells: [[63, 63], [64, 63], [65, 63]] });
  assert.equal(world.advance(now), true, 'a call is seen at once');
  assert.equal(world.generation, 5);
  world.advance(now + 100 * GENERATION_MS);
  assert.equal(world.generation, 6, 'what passed while the page was hidden is not made up for');
  assert.equal(engine.look(1).slots[0].cells, 3);
});
