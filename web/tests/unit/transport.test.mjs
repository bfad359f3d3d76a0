// The transport: a command is repeated until it is answered, and connections are restored.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { pollsOnly } from '../../static/net/polls-only.js';
import { sequence } from '../../static/rooms/state.js';
import { Transport, backOff, pathsOf, socketUrl, tryAfter, wakeWithPage } from '../../static/net/transport.js';

/** A WebSocket without a network. */
class Socket extends EventTarget {
  static OPEN = 1;
  /** @type {Socket[]} */
  static all = [];
  readyState = 0;
  said = [];

  constructor(url) {
    super();
    this.url = url;
    Socket.all.push(this);
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  hears(message) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  close() {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

/** Lets time pass; timers started by timers run at the right time only if it passes in steps. @param {number} ms */
function pass(ms) {
  for (let gone = 0; gone < ms; gone += 500) mock.timers.tick(Math.min(500, ms - gone));
}

/** @param {(wire: {transport: Transport, heard: any[], states: boolean[], last: () => Socket}) => void} act */
function wired(act) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  globalThis.WebSocket = /** @type {any} */ (Socket);
  Socket.all = [];
  const [heard, states] = [[], []];
  const transport = new Transport({ url: 'ws://here', hear: (message) => heard.push(message), connected: (open) => states.push(open) });
  transport.connect();
  try {
    act({ transport, heard, states, last: () => Socket.all.at(-1) });
  } finally {
    mock.timers.reset();
  }
}

const TURN = { type: 'turn', ply: 2, client_seq: 41, action: '010300' };
const APPLIED = { type: 'applied', what: 'turn', ply: 2, client_seq: 41 };

test('a command is said once, and not again when it was answered', () =>
  wired(({ transport, heard, last }) => {
    last().open();
    transport.send(TURN);
    last().hears(APPLIED);
    last().close();
    mock.timers.tick(1_000);
    last().open();
    assert.deepEqual(Socket.all.map(({ said }) => said), [[TURN], []]);
    assert.equal(heard.length, 1);
  }));

test('an unanswered command is said again with the same number', () =>
  wired(({ transport, states, last }) => {
    last().open();
    transport.send(TURN);
    last().hears({ ...APPLIED, ply: 1, client_seq: 40 });
    last().close();
    mock.timers.tick(1_000);
    last().open();
    assert.deepEqual(Socket.all.map(({ said }) => said), [[TURN], [TURN]]);
    assert.deepEqual(states, [true, false, true]);
  }));

test('what is sent without a connection is said when there is one', () =>
  wired(({ transport, last }) => {
    transport.send({ type: 'resign', ply: 3 });
    assert.deepEqual(last().said, []);
    last().open();
    assert.deepEqual(last().said, [{ type: 'resign', ply: 3 }]);
    last().hears({ type: 'rejected', what: 'resign', ply: 3, client_seq: null, code: 'not_your_turn', message: '' });
    last().close();
    mock.timers.tick(1_000);
    last().open();
    assert.deepEqual(last().said, []);
  }));

test('asked too often, it says its command again later', () =>
  wired(({ transport, last }) => {
    last().open();
    transport.send(TURN);
    last().hears({ type: 'error', code: 'rate_limited', message: '' });
    mock.timers.tick(5_000);
    assert.deepEqual(last().said, [TURN, TURN]);
  }));

test('a command without an answer for eight seconds is said on a new connection, with the same number', () =>
  wired(({ transport, states, last }) => {
    last().open();
    transport.send(TURN);
    last().close = () => {};
    pass(7_999);
    last().hears({ type: 'beat' });
    assert.equal(Socket.all.length, 1);
    pass(1_000);
    assert.equal(Socket.all.length, 2, 'although the dead one never says that it is closed');
    last().open();
    assert.deepEqual(Socket.all.map(({ said }) => said), [[TURN], [TURN]]);
    last().hears(APPLIED);
    pass(20_000);
    assert.equal(Socket.all.length, 2, 'answered');
    assert.deepEqual(states, [true, false, true]);
  }));

test('what a connection says after it was left is no news', () =>
  wired(({ transport, heard, states }) => {
    const [dead] = Socket.all;
    dead.close = () => {};
    dead.open();
    transport.send(TURN);
    pass(9_000);
    Socket.all[1].open();
    dead.hears(APPLIED);
    dead.dispatchEvent(new Event('close'));
    assert.deepEqual([heard, states], [[], [true, false, true]]);
    pass(9_000);
    assert.equal(Socket.all.length, 3, 'the command is still open');
  }));

test('beats keep a connection and are told to nobody; forty seconds of silence end it', () =>
  wired(({ heard, last }) => {
    last().open();
    for (let beats = 0; beats < 12; beats++) {
      pass(10_000);
      last().hears({ type: 'beat' });
    }
    assert.deepEqual([Socket.all.length, heard], [1, []]);
    pass(39_000);
    assert.equal(Socket.all.length, 1);
    pass(2_000);
    assert.equal(Socket.all.length, 2);
  }));

test('a connection that never opens is given up', () =>
  wired(() => {
    pass(41_000);
    assert.equal(Socket.all.length, 2);
  }));

test('a page that comes back leaves a silent connection at once, and no other', () =>
  wired(({ transport, last, states }) => {
    last().open();
    pass(15_000);
    transport.wake();
    assert.equal(Socket.all.length, 1);
    pass(1_000);
    transport.wake();
    assert.equal(Socket.all.length, 2);
    assert.deepEqual(states, [true, false]);
    transport.wake();
    pass(5_000);
    assert.equal(Socket.all.length, 2, 'one new connection');
    transport.close();
    transport.wake();
    pass(60_000);
    assert.equal(Socket.all.length, 2, 'closed for good');
  }));

test('a page that comes back from sleep leaves its silent socket, and keeps one that beats again', () =>
  wired(({ transport, last, states }) => {
    const [listens, page] = [globalThis.addEventListener, globalThis.document];
    const [world, shown] = [new EventTarget(), Object.assign(new EventTarget(), { hidden: false })];
    Object.assign(globalThis, { addEventListener: world.addEventListener.bind(world), document: shown });
    const turns = (/** @type {boolean} */ hidden) => {
      shown.hidden = hidden;
      shown.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      wakeWithPage(transport);
      last().open();
      turns(true);
      // A machine that sleeps runs no timers: its clock is all that goes on.
      mock.timers.setTime(Date.now() + 30_000);
      turns(true);
      assert.equal(Socket.all.length, 1, 'nobody looks');
      turns(false);
      assert.equal(Socket.all.length, 2, 'nothing was heard for long');
      last().open();
      assert.deepEqual(states, [true, false, true]);
      for (let returns = 0; returns < 5; returns++) {
        turns(true);
        pass(10_000);
        last().hears({ type: 'beat' });
        pass(10_000);
        last().hears({ type: 'beat' });
        turns(false);
        world.dispatchEvent(new Event('online'));
      }
      assert.deepEqual([Socket.all.length, states], [2, [true, false, true]], 'it beats');
    } finally {
      Object.assign(globalThis, { addEventListener: listens, document: page });
    }
  }));

test('from a room that is gone it stays away', () =>
  wired(({ last }) => {
    last().open();
    last().hears({ type: 'error', code: 'gone', message: '' });
    pass(60_000);
    assert.equal(Socket.all.length, 1);
  }));

test('it waits longer after every failure, ten seconds at most', () => {
  const waits = Array.from({ length: 12 }, (_, failures) => backOff(failures));
  assert.deepEqual(waits.slice(0, 5), [500, 1_000, 2_000, 4_000, 8_000]);
  assert.ok(waits.slice(5).every((wait) => wait === 10_000));
});

test('numbers of commands differ and are whole in JSON', () => {
  for (const random of [0, 0.5, 1 - Number.EPSILON]) {
    const next = sequence(random);
    const numbers = Array.from({ length: 8_192 }, next);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(numbers.every((number) => Number.isSafeInteger(number) && number >= 0));
  }
  assert.notEqual(sequence(0.1)(), sequence(0.2)());
});

test('the socket is where the page is', () => {
  assert.equal(socketUrl('/a', { protocol: 'https:', host: 'arena.example' }), 'wss://arena.example/a');
  assert.equal(socketUrl('/a', { protocol: 'http:', host: 'localhost:8080' }), 'ws://localhost:8080/a');
});

test('a resignation is not answered by what else is answered', () =>
  wired(({ transport, last }) => {
    last().open();
    const resign = { type: 'resign', ply: 3 };
    transport.send(/** @type {any} */ (resign));
    transport.tell({ type: 'chat', text: 'well played' });
    last().hears({ type: 'applied', what: 'chat', ply: 0, client_seq: null });
    last().close();
    mock.timers.tick(1_000);
    last().open();
    assert.deepEqual(last().said, [resign], 'the chat was heard, the resignation was not');
  }));

test('who says something once learns what came of it: done, refused, or lost with its connection', async () => {
  /** @type {Promise<string>[]} */
  const came = [];
  wired(({ transport, last }) => {
    const say = (text) => came.push(transport.tell({ type: 'chat', text }));
    say('nobody is there');
    last().open();
    say('one');
    say('two');
    came.push(transport.tell({ type: 'report', number: 1 }));
    say('three');
    last().hears({ type: 'applied', what: 'chat', ply: 0, client_seq: null });
    last().hears({ type: 'rejected', what: 'chat', ply: 0, client_seq: null, code: 'chat_too_fast', message: '' });
    last().hears({ type: 'applied', what: 'report', ply: 0, client_seq: null });
    last().close();
  });
  assert.deepEqual(await Promise.all(came), ['lost', 'applied', 'rejected', 'applied', 'lost']);
});

test('a tab remembers that it has no sockets', () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const tab = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) };
  const asked = ['', '?net=poll', '?room=abc', '?net=socket', ''].map((search) => pollsOnly({ search }, tab));
  assert.deepEqual(asked, [false, true, true, false, false]);
  assert.equal(pollsOnly({ search: '?net=poll' }, null), true, 'a browser that keeps nothing is believed each time');
  assert.deepEqual(pathsOf('/api/v1/rooms/1', { protocol: 'http:', host: 'h', search: '?net=poll' }), {
    url: 'ws://h/api/v1/rooms/1/socket',
    poll: { events: '/api/v1/rooms/1/events', commands: '/api/v1/rooms/1/commands', forced: true },
  });
});

test('a socket is tried again soon, then later and later, a minute at most', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 99].map(tryAfter), [4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

/**
 * A transport with requests beside the socket.
 * @param {(wire: {transport: Transport, states: boolean[], asked: string[], said: any[], heard: string[], settled: () => Promise<void>}) => Promise<void>} act
 * @param {(asked: number) => any} news the answer to the request with this number; `null` is held, an error is thrown,
 *   and a number is a status
 */
async function polled(act, news) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  globalThis.WebSocket = /** @type {any} */ (Socket);
  Socket.all = [];
  /** @type {any[]} */
  const [asked, said, heard, states] = [[], [], [], []];
  globalThis.fetch = /** @type {any} */ (async (url, { method, body, signal }) => {
    if (method === 'POST') {
      said.push(JSON.parse(body));
      throw new Error('the answer is lost');
    }
    asked.push(url);
    const told = news(asked.length);
    if (told instanceof Error) throw told;
    if (typeof told === 'number') return { ok: false, status: told, json: async () => ({}) };
    if (told !== null) return { ok: true, status: 200, json: async () => told };
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  const settled = async () => {
    for (let step = 0; step < 50; step++) await Promise.resolve();
  };
  const poll = { events: '/events', commands: '/commands', forced: false };
  const transport = new Transport({ url: 'ws://here', poll, known: () => ({ turns: 3 }), hear: (message) => heard.push(message.type), connected: (open) => states.push(open) });
  try {
    transport.connect();
    await act({ transport, states, asked, said, heard, settled });
  } finally {
    transport.close();
    mock.timers.reset();
  }
}

const NEWS = { version: 7, watching: 0, here: [], messages: [{ type: 'state' }] };

/** Refuses sockets for a time. @param {number} ms @param {() => Promise<void>} settled */
async function refusing(ms, settled) {
  let refused = 0;
  for (let gone = 0; gone < ms; gone += 100) {
    for (; refused < Socket.all.length; refused++) if (Socket.all[refused].readyState === 0) Socket.all[refused].close();
    mock.timers.tick(100);
    await settled();
  }
}

test('requests stand in where sockets are refused again and again, four seconds after the first', () =>
  polled(async ({ transport, asked, states, settled }) => {
    await refusing(3_900, settled);
    assert.equal(transport.kind, 'socket');
    assert.ok(Socket.all.length > 2, 'it was tried again');
    await refusing(200, settled);
    assert.deepEqual([transport.kind, asked.length, states.at(-1)], ['poll', 2, true]);
    const before = Socket.all.length;
    await refusing(70_000, settled);
    assert.equal(transport.kind, 'poll');
    assert.equal(Socket.all.length, before + 4, 'tried after 4, 8, 16 and 32 seconds more');
  }, (asked) => (asked === 1 ? NEWS : null)));

test('a room that never was or was removed is not asked for again', async () => {
  for (const status of [404, 410]) {
    await polled(async ({ asked, heard, settled }) => {
      await refusing(60_000, settled);
      assert.deepEqual([asked.length, heard], [1, ['error']], `${status}`);
    }, () => status);
  }
});

test('requests stand in where sockets open and close at once', () =>
  polled(async ({ transport, settled }) => {
    for (let gone = 0; gone < 4_500; gone += 100) {
      const last = Socket.all.at(-1);
      if (last?.readyState === 0) {
        last.open();
        last.close();
      }
      mock.timers.tick(100);
      await settled();
    }
    assert.equal(transport.kind, 'poll');
  }, (asked) => (asked === 1 ? NEWS : null)));

test('when a server that was gone answers again, a socket is tried at once', () => {
  let answers = 0;
  return polled(async ({ transport, states, settled }) => {
    await refusing(15_000, settled);
    assert.deepEqual([transport.kind, states.includes(true)], ['poll', false]);
    answers = 1;
    for (let gone = 0; gone < 10_000 && states.at(-1) !== true; gone += 100) await refusing(100, settled);
    const tried = Socket.all.at(-1);
    assert.deepEqual([transport.kind, states.at(-1), tried.readyState], ['poll', true, 0]);
    tried.open();
    tried.hears({ type: 'hello' });
    Socket.all.at(-1).open();
    Socket.all.at(-1).hears({ type: 'hello' });
    assert.deepEqual([transport.kind, states.at(-1)], ['socket', true]);
  }, () => (answers === 0 ? new Error('refused') : answers++ === 1 ? NEWS : null));
});

test('requests stand in for a socket that stays silent; it is tried again, and takes over with the command that nobody has answered', () =>
  polled(async ({ transport, asked, said, heard, settled }) => {
    Socket.all[0].open();
    pass(4_000);
    await settled();
    assert.deepEqual([transport.kind, asked, heard], ['poll', ['/events?turns=3', '/events?after=7&turns=3'], ['state', 'beat']]);
    transport.send(/** @type {any} */ (TURN));
    await settled();
    assert.deepEqual(said, [TURN]);
    assert.equal(await transport.tell({ type: 'chat', text: 'hello' }), 'lost');
    assert.deepEqual(said.splice(1), [{ type: 'chat', text: 'hello' }], 'once');
    pass(4_500);
    assert.equal(Socket.all.length, 2, 'some seconds later it is tried');
    Socket.all[1].close();
    assert.equal(transport.kind, 'poll', 'in vain');
    transport.wake();
    transport.wake();
    assert.equal(Socket.all.length, 3, 'a page that is looked at tries at once, and once');
    Socket.all[2].open();
    Socket.all[2].hears({ type: 'hello' });
    assert.deepEqual([transport.kind, Socket.all.length, Socket.all[3].url], ['socket', 4, 'ws://here?turns=3']);
    Socket.all[3].open();
    assert.deepEqual(Socket.all[3].said, [TURN]);
    Socket.all[3].hears(APPLIED);
    await settled();
    const before = said.length;
    pass(30_000);
    await settled();
    assert.deepEqual([said.length, asked.length, Socket.all.length], [before, 2, 4], 'nothing is asked by requests any more');
  }, (asked) => (asked === 1 ? NEWS : null)));

test('a share that is used up is heard as a socket says it, and any other failure is tried again', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  globalThis.WebSocket = /** @type {any} */ (Socket);
  Socket.all = [];
  const refused = { type: 'rejected', what: 'turn', ply: 2, client_seq: 41, code: 'too_many', message: 'try again in 3 s' };
  const answers = [[503, { type: 'about:blank', code: 'unavailable' }], [429, refused]];
  /** @type {any[]} */
  const [said, heard] = [[], []];
  globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ url, /** @type {any} */ { method, body, signal }) => {
    if (method === 'POST') {
      said.push(JSON.parse(body));
      const [status, answer] = /** @type {any} */ (answers.shift());
      return { ok: false, status, json: async () => answer };
    }
    if (!url.includes('after')) return { ok: true, status: 200, json: async () => ({ version: 7, watching: 0, here: [], messages: [] }) };
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  const settled = async () => {
    for (let step = 0; step < 50; step++) await Promise.resolve();
  };
  const poll = { events: '/events', commands: '/commands', forced: true };
  const transport = new Transport({ url: 'ws://here', poll, hear: (message) => heard.push(message), connected: () => {} });
  try {
    transport.connect();
    await settled();
    transport.send(/** @type {any} */ (TURN));
    await settled();
    assert.deepEqual([said.length, heard.filter(({ type }) => type === 'rejected')], [1, []]);
    pass(5_000);
    await settled();
    assert.deepEqual([said.length, heard.filter(({ type }) => type === 'rejected')], [2, [refused]]);
    pass(30_000);
    await settled();
    assert.equal(said.length, 2, 'it was answered');
  } finally {
    transport.close();
    mock.timers.reset();
  }
});
