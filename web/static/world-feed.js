// What is said of a world, and a world in this page that follows it: a snapshot, then calls and digests, each line with a number. A page
// that fell behind, or whose world is another one than the server's, fetches a snapshot.

/** @import { WorldEngine } from './world-engine.js' */

import { Transport, pathsOf } from './transport.js';
import { Lost } from './world-engine.js';

/** How long a generation is shown, in milliseconds. */
export const GENERATION_MS = 100;
/** Generations behind the server from which two are taken at a time, and from which all are at once. */
const LATE = 6;
const VERY_LATE = 30;
/** Generations that are stepped in one go at most; beyond them a snapshot is sooner there. */
const STEPS_MAX = 1_200;
/** The pause before a snapshot is asked for again, in milliseconds. */
const AGAIN_MS = 2_000;
/** The pause between two questions for names, in milliseconds: an answer has two kilobytes, and everybody who watches asks. */
export const NAMES_MS = 15_000;

/** @typedef {{type: string, what?: string, answer?: any, code?: string, message?: string}} Reply */

export class Feed {
  /** Generations of the world in this page. */
  generation = 0;
  /** How often the world was taken from a snapshot. */
  snapshots = 0;
  /** The number of the line that is expected next. */
  #next = 0;
  /** Generations that the server has told of. */
  #told = 0;
  /** @type {any[]} lines that were not followed yet */
  #lines = [];
  #ready = false;
  #fetching = false;
  #steppedAt = 0;
  /** Whether names are to be asked for, and from when on they may be. */
  #unnamed = false;
  #namesFrom = 0;
  #name;
  #engine;
  #ears;
  #transport;

  /**
   * @param {string} name of the world
   * @param {WorldEngine} engine
   * @param {{reply(reply: Reply): void, hello(account: number | null): void, connected(open: boolean): void, slots(slots: any[]): void}} ears
   */
  constructor(name, engine, ears) {
    this.#name = name;
    this.#engine = engine;
    this.#ears = ears;
    this.#transport = new Transport({
      ...pathsOf(`/api/v1/worlds/${name}`, location),
      hear: (message) => this.#hear(message),
      connected: (open) => ears.connected(open),
    });
  }

  get kind() {
    return this.#transport.kind;
  }

  async open() {
    await this.#fetch();
    this.#transport.connect();
    addEventListener('online', () => this.#transport.wake());
    document.addEventListener('visibilitychange', () => document.hidden || this.#transport.wake());
  }

  /** Says something to the world, once. @param {object} call */
  call(call) {
    this.#transport.tell(/** @type {any} */ (call));
  }

  /** Takes the world as the server has it. */
  async #fetch() {
    if (this.#fetching) return;
    this.#fetching = true;
    this.#ready = false;
    for (;;) {
      try {
        const answer = await fetch(`/api/v1/worlds/${this.#name}`);
        if (!answer.ok) throw new Error(String(answer.status));
        const { next, slots, opened } = await answer.json();
        this.generation = this.#engine.open(opened);
        this.#lines = [];
        [this.#next, this.#told] = [next, this.generation];
        this.#ears.slots(slots);
        break;
      } catch {
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
    this.snapshots += 1;
    [this.#ready, this.#fetching] = [true, false];
  }

  /** @param {any} message */
  #hear(message) {
    if (message.type === 'world') this.#take(message);
    else if (message.type === 'hello') this.#ears.hello(message.account);
    // Nobody has asked for it: it is asked for again after the pause.
    else if (message.type === 'rejected' && message.what === 'get_slots_info') this.#unnamed = true;
    else if (message.type !== 'beat') this.#ears.reply(message);
  }

  /** @param {{generation: number, next: number, lines?: any[], behind?: boolean}} message */
  #take({ generation, next, lines = [], behind = false }) {
    // What is said while a snapshot is on its way is in it, or missing after it.
    if (!this.#ready) return;
    const first = next - lines.length;
    if (behind || generation < this.generation - STEPS_MAX || next < this.#next) return void this.#fetch();
    if (first > this.#next) return void this.#fill();
    this.#lines.push(...lines.slice(this.#next - first));
    // Names are in no line.
    if (lines.some(({ call, event }) => call?.join || event === 'seated')) this.#unnamed = true;
    this.#next = next;
    this.#told = Math.max(this.#told, generation);
  }

  /** Asks for the lines that were missed. */
  async #fill() {
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      const { messages } = await (await fetch(`/api/v1/worlds/${this.#name}/events?after=${this.#next}`)).json();
      this.#fetching = false;
      for (const message of messages) this.#hear(message);
    } catch {
      this.#fetching = false;
    }
  }

  /** Lets the world in this page go on, up to where the server is. @param {number} now in milliseconds @returns {boolean} whether it did */
  advance(now) {
    if (!this.#ready) return false;
    if (this.#unnamed && now >= this.#namesFrom) {
      [this.#unnamed, this.#namesFrom] = [false, now + NAMES_MS];
      this.call({ type: 'get_slots_info' });
    }
    const before = this.generation;
    const late = this.#told - before;
    if (late > STEPS_MAX) {
      this.#fetch();
      return false;
    }
    try {
      const steps = late > VERY_LATE ? late : now - this.#steppedAt < GENERATION_MS ? 0 : late > LATE ? 2 : 1;
      if (steps > 0) this.#steppedAt = now - this.#steppedAt > 2 * GENERATION_MS ? now : this.#steppedAt + GENERATION_MS;
      let changed = this.#follow();
      for (let step = 0; step < steps && this.generation < this.#told; step++) {
        this.generation = this.#engine.step();
        this.#follow();
        changed = true;
      }
      return changed;
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.#fetch();
      return false;
    }
  }

  /** What was called in this generation. @returns {boolean} whether something was */
  #follow() {
    let followed = false;
    while (this.#lines.length > 0 && this.#lines[0].generation <= this.generation) {
      this.generation = this.#engine.follow(this.#lines.shift());
      followed = true;
    }
    return followed;
  }
}
