// Simulated time, networks and a room, in which two pages' real transports play without a machine's clock or network.
// The room answers as `arena/rooms` and `arena/server` do: a command that is already in the log is acknowledged, not
// applied again.

const [realImmediate, realDate] = [setImmediate, Date];

/** How long the room holds a request for news, and the interval of its heartbeats on a socket, in milliseconds. */
const [HELD_MS, BEAT_MS] = [25_000, 10_000];

/** Simulated time, which passes from event to event. */
export class Clock {
  now = 0;
  #count = 0;
  /** @type {Map<number, {at: number, run: () => void}>} */
  #waiting = new Map();
  #real = { setTimeout, clearTimeout, Date, random: Math.random };

  /** @param {number} ms @param {() => void} run */
  in(ms, run) {
    this.#waiting.set(++this.#count, { at: this.now + Math.max(0, ms), run });
    return this.#count;
  }

  /**
   * Installs this time, and a source of randomness, as the global ones.
   * @param {import('./random.mjs').Random} random
   */
  rule(random) {
    const now = () => this.now;
    Object.assign(globalThis, {
      setTimeout: (/** @type {() => void} */ run, /** @type {number} */ ms) => this.in(ms ?? 0, run),
      clearTimeout: (/** @type {number} */ timer) => void this.#waiting.delete(timer),
      Date: class extends realDate {
        static now = now;
      },
    });
    Math.random = () => random.next();
  }

  end() {
    const { random, ...rest } = this.#real;
    Object.assign(globalThis, rest);
    Math.random = random;
  }

  /**
   * Runs events until a condition holds or the time is up; returns whether it holds.
   * @param {() => boolean} is
   * @param {number} ms
   */
  async until(is, ms) {
    const end = this.now + ms;
    while (!is()) {
      let next = null;
      for (const [timer, { at }] of this.#waiting) if (next === null || at < next.at) next = { timer, at };
      if (next === null || next.at > end) return false;
      const run = this.#waiting.get(next.timer)?.run;
      this.#waiting.delete(next.timer);
      this.now = next.at;
      run?.();
      // Promises settled by the event continue.
      await new Promise((done) => realImmediate(done));
    }
    return true;
  }
}

/**
 * A room with two alternating seats.
 * @typedef {{ply: number, seat: number, type: 'turn' | 'resign', client_seq: number | null, action: string}} Entry
 */
export class Room {
  /** @type {Entry[]} the log of events */
  log = [];
  version = 1;
  /** @type {Set<() => void>} called on changes */
  watchers = new Set();

  /** @param {number} plies of the whole game */
  constructor(plies) {
    this.plies = plies;
  }

  get turns() {
    return this.log.filter(({ type }) => type === 'turn');
  }

  get isOver() {
    return this.turns.length >= this.plies || this.log.some(({ type }) => type === 'resign');
  }

  /**
   * Applies a command, as `Room::propose` and `Room::resign` do.
   * @param {number} seat
   * @param {any} said
   * @returns {any} the answer
   */
  hear(seat, said) {
    const { type, ply, client_seq = null, action = '' } = said;
    const answer = (/** @type {string} */ code) => ({ type: code ? 'rejected' : 'applied', what: type, ply, client_seq, code, message: code });
    const mine = this.log.filter((entry) => entry.seat === seat && entry.type === type && entry.ply === ply && entry.client_seq === client_seq);
    if (mine.length > 0) return answer(mine.some((entry) => entry.action === action) ? '' : 'stale_sequence');
    const current = this.turns.length;
    if (this.isOver) return answer('game_over');
    if (ply !== current) return answer('stale_ply');
    if (type === 'turn' && current % 2 !== seat) return answer('not_your_turn');
    this.log.push({ ply, seat, type, client_seq, action });
    this.version += 1;
    for (const tell of [...this.watchers]) tell();
    return answer('');
  }

  /** The state for a seat that knows a number of turns. @param {number} known */
  state(known) {
    const turns = this.turns.map(({ seat, action }) => [{ seat, action }]);
    const first = Math.min(known, turns.length);
    const awaiting = this.isOver ? [] : [turns.length % 2];
    const outcome = this.isOver ? { type: 'done' } : null;
    return { type: 'state', ruleset: 'made-up@1', options: '', events: this.log.length, ply: turns.length, first, turns: turns.slice(first), awaiting, forfeits: [], outcome, digest: '', trouble: null };
  }
}

/**
 * A network's current state.
 * @typedef {{sockets: 'pass' | 'refused' | 'hang' | 'silent', requests: 'pass' | 'refused' | 'hang', lost: number, twice: number, slow: number}} Weather
 */

/** @type {Weather} */
export const FAIR = { sockets: 'pass', requests: 'pass', lost: 0, twice: 0, slow: 50 };

/** A seat's connection to the room, which behaves like its weather. */
export class Wire {
  /** @type {Weather} */
  weather = FAIR;
  /** @type {Set<any>} sockets that are open or opening */
  sockets = new Set();
  /** Counts of what the network did. */
  counts = { lost: 0, twice: 0, refused: 0, broken: 0 };
  isUp = true;

  /** @param {Clock} clock @param {import('./random.mjs').Random} random @param {Room} room @param {number} seat */
  constructor(clock, random, room, seat) {
    Object.assign(this, { clock, random, room, seat });
    /** @type {Clock} */ this.clock;
    /** @type {import('./random.mjs').Random} */ this.random;
    /** @type {Room} */ this.room;
    /** @type {number} */ this.seat;
  }

  delay() {
    return 1 + this.random.below(this.weather.slow);
  }

  /** @param {number} share */
  happens(share) {
    return share > 0 && this.random.next() < share;
  }

  /** Breaks all connections: those that are notified close, the others are dead. */
  breaks() {
    for (const socket of [...this.sockets]) socket.breaks(this.random.below(2) === 0);
  }

  /** The room's greeting on a new connection. */
  hello() {
    return { type: 'hello', you: [this.seat], names: ['Ann', 'Bob'], pages: [null, null] };
  }

  /**
   * A request, as by `fetch`.
   * @param {string} url
   * @param {{method?: string, body?: string, signal?: AbortSignal}} how
   * @returns {Promise<any>}
   */
  request(url, { method, body, signal } = {}) {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error('the network failed'));
      signal?.addEventListener('abort', fail);
      const { requests } = this.weather;
      if (requests === 'hang') return;
      if (requests === 'refused' || !this.isUp) return this.clock.in(this.delay(), fail);
      const arrive = (/** @type {boolean} */ again) => {
        if (!this.isUp) return fail();
        const answered = (/** @type {any} */ told) => {
          if (again) return;
          if (this.happens(this.weather.lost)) {
            this.counts.lost += 1;
            return this.clock.in(this.delay(), fail);
          }
          this.clock.in(this.delay(), () => resolve({ ok: true, status: 200, json: async () => told }));
        };
        if (method === 'POST') answered(this.room.hear(this.seat, JSON.parse(body ?? '')));
        else if (url.includes('/events')) this.#events(new URL(url, 'http://room').searchParams, answered);
        else answered(this.room.state(0));
      };
      if (this.happens(this.weather.lost)) {
        this.counts.lost += 1;
        return this.clock.in(this.delay(), fail);
      }
      this.clock.in(this.delay(), () => arrive(false));
      // Some proxies retry by themselves.
      if (this.happens(this.weather.twice)) {
        this.counts.twice += 1;
        this.clock.in(this.delay() * 20, () => arrive(true));
      }
    });
  }

  /** Waits for news. @param {URLSearchParams} asked @param {(told: any) => void} answered */
  #events(asked, answered) {
    const after = asked.get('after');
    const answer = () => {
      this.room.watchers.delete(look);
      const { version } = this.room;
      const messages = after === null ? [this.hello()] : [];
      if (String(version) !== after) messages.push(/** @type {any} */ (this.room.state(Number(asked.get('turns') ?? 0))));
      answered({ version, watching: 0, here: [], messages });
    };
    const look = () => String(this.room.version) !== after && answer();
    if (String(this.room.version) !== after) return answer();
    this.room.watchers.add(look);
    this.clock.in(HELD_MS, () => this.room.watchers.has(look) && answer());
  }
}

/** The class that replaces `WebSocket` during the simulation. @param {(url: string) => Wire} wireOf */
export const sockets = (wireOf) =>
  class Socket extends EventTarget {
    static OPEN = 1;
    readyState = 0;
    /** Whether the connection is dead in both directions. */
    #dead = false;
    /** When the last message arrives: messages do not overtake each other. */
    #last = [0, 0];
    #known;
    #wire;
    #silent = false;

    /** @param {string} url */
    constructor(url) {
      super();
      this.#wire = wireOf(url);
      this.#known = Number(new URL(url).searchParams.get('turns') ?? 0);
      const { clock, weather, counts } = this.#wire;
      this.#wire.sockets.add(this);
      this.#silent = weather.sockets === 'silent';
      if (weather.sockets === 'hang') return;
      clock.in(this.#wire.delay(), () => {
        if (this.readyState !== 0) return;
        if (weather.sockets === 'refused' || !this.#wire.isUp) {
          counts.refused += 1;
          return this.#closed();
        }
        this.readyState = 1;
        this.dispatchEvent(new Event('open'));
        if (!this.#silent) this.#attend();
      });
    }

    /** The room's side of the socket. */
    #attend() {
      const { room, clock } = this.#wire;
      const tell = () => {
        this.#toPage(room.state(this.#known));
        this.#known = room.turns.length;
      };
      this.#toPage(this.#wire.hello());
      tell();
      room.watchers.add(tell);
      this.leaves = () => room.watchers.delete(tell);
      const beat = () => {
        if (this.#dead || this.readyState !== 1) return;
        this.#toPage({ type: 'beat', watching: 0, here: [] });
        clock.in(BEAT_MS, beat);
      };
      clock.in(BEAT_MS, beat);
    }

    leaves = () => false;

    /** @param {0 | 1} way @param {() => void} arrive */
    #carry(way, arrive) {
      const { clock } = this.#wire;
      const at = Math.max(this.#last[way], clock.now + this.#wire.delay());
      this.#last[way] = at;
      clock.in(at - clock.now, () => !this.#dead && arrive());
    }

    /** @param {object} message */
    #toPage(message) {
      this.#carry(1, () => this.readyState === 1 && this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })));
    }

    /** @param {string} text */
    send(text) {
      if (this.#silent) return;
      const { room, seat, counts, weather } = this.#wire;
      const arrive = () => this.#toPage(room.hear(seat, JSON.parse(text)));
      this.#carry(0, arrive);
      if (this.#wire.happens(weather.twice)) {
        counts.twice += 1;
        this.#carry(0, arrive);
      }
    }

    /** @param {boolean} told whether the page is notified */
    breaks(told) {
      this.#wire.counts.broken += 1;
      this.#dead = true;
      this.leaves();
      if (told) this.#closed();
    }

    #closed() {
      this.readyState = 3;
      this.#wire.sockets.delete(this);
      this.dispatchEvent(new Event('close'));
    }

    close() {
      if (this.readyState === 3) return;
      this.readyState = 2;
      // Messages sent earlier still arrive, unless they were already lost.
      this.#carry(0, () => {
        this.#dead = true;
        this.leaves();
      });
      this.#wire.clock.in(0, () => this.readyState === 2 && this.#closed());
    }
  };
