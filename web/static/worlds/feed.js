// Follows a world on the server with a world in this page: a snapshot, then numbered lines with calls and digests. A
// page that fell behind, or whose world differs from the server's, fetches a new snapshot.

/** @import { Phrase } from '../page/messages.js' */
/** @import { WorldEngine } from './engine.js' */
/** @import { WorldCommand, WorldLine, WorldMessage, WorldState } from '../../types/wire.d.ts' */

import { Transport, pathsOf, wakeWithPage } from '../net/transport.js';
import { Lost } from './engine.js';

/** The duration of a generation, in milliseconds. */
export const GENERATION_MS = 100;
/** From this many generations behind the server, two are stepped at a time; from `VERY_LATE`, all at once. */
const LATE = 6;
const VERY_LATE = 30;
/** The maximum number of generations stepped in one go; beyond it a snapshot is faster. */
const STEPS_MAX = 1_200;
/** The wait before a snapshot is requested again, in milliseconds. */
const AGAIN_MS = 2_000;
/**
 * The minimum interval between requests for names, in milliseconds: an answer has two kilobytes, and every viewer asks.
 */
export const NAMES_MS = 15_000;

/**
 * Why a call did nothing: the site has a sentence, a world in the page alone has what its rules tell.
 * @typedef {Pick<Extract<WorldMessage, {type: 'rejected'}>, 'type' | 'what' | 'code'> & {message?: string, why?: Phrase[]}} Refused
 */

/**
 * What became of a call, as far as a page shows it.
 * @typedef {Pick<Extract<WorldMessage, {type: 'answer'}>, 'type' | 'what' | 'answer'>
 *   | Refused | Extract<WorldMessage, {type: 'error'}>} Reply
 */

/**
 * The holders of slots, as far as they have names here.
 * @typedef {(Pick<import('../../types/wire.d.ts').WorldHolder, 'account' | 'name' | 'bot'> | null)[]} Holders
 */

/**
 * @typedef {{reply(reply: Reply): void, hello(account: number | null): void, connected(open: boolean): void, slots(slots: Holders): void}} Ears
 */

export class Feed {
  /** The generation of the world in this page. */
  generation = 0;
  /** The number of snapshots taken. */
  snapshots = 0;
  /** The number of the next line. */
  #next = 0;
  /** The server's latest known generation. */
  #told = 0;
  /** @type {WorldLine[]} lines that have not been followed yet */
  #lines = [];
  #ready = false;
  #fetching = false;
  #steppedAt = 0;
  /** Whether names are missing, and when they may be requested. */
  #unnamed = false;
  #namesFrom = 0;
  #name;
  #engine;
  #ears;
  #transport;

  /**
   * @param {string} name of the world
   * @param {WorldEngine} engine
   * @param {Ears} ears
   */
  constructor(name, engine, ears) {
    this.#name = name;
    this.#engine = engine;
    this.#ears = ears;
    /** @type {Transport<WorldMessage>} */
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
    wakeWithPage(this.#transport);
  }

  /** Sends a call to the world, once. @param {WorldCommand} call */
  call(call) {
    this.#transport.tell(call);
  }

  /** Fetches a snapshot from the server. */
  async #fetch() {
    if (this.#fetching) return;
    this.#fetching = true;
    this.#ready = false;
    for (;;) {
      try {
        const answer = await fetch(`/api/v1/worlds/${this.#name}`);
        if (!answer.ok) throw new Error(String(answer.status));
        /** @type {WorldState} */
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

  /** @param {WorldMessage} message */
  #hear(message) {
    if (message.type === 'world') this.#take(message);
    else if (message.type === 'hello') this.#ears.hello(message.account);
    // A refused request for names is repeated after the pause.
    else if (message.type === 'rejected' && message.what === 'get_slots_info') this.#unnamed = true;
    else if (message.type !== 'beat') this.#ears.reply(message);
  }

  /** @param {Extract<WorldMessage, {type: 'world'}>} message */
  #take({ generation, next, lines, behind }) {
    lines ??= [];
    // Lines that arrive during the fetch are in the snapshot, or are fetched after it.
    if (!this.#ready) return;
    const first = next - lines.length;
    if (behind || generation < this.generation - STEPS_MAX || next < this.#next) return void this.#fetch();
    if (first > this.#next) return void this.#fill();
    this.#lines.push(...lines.slice(this.#next - first));
    // Lines contain no names.
    if (lines.some(({ call, event }) => Object(call).join || event === 'seated')) this.#unnamed = true;
    this.#next = next;
    this.#told = Math.max(this.#told, generation);
  }

  /** Requests the missing lines. */
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

  /**
   * Steps the world in this page towards the server's generation.
   * @param {number} now in milliseconds
   * @returns {boolean} whether it did
   */
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

  /** Follows the lines of this generation. @returns {boolean} whether something was */
  #follow() {
    let followed = false;
    while (this.#lines.length > 0 && this.#lines[0].generation <= this.generation) {
      this.generation = this.#engine.follow(this.#lines.shift());
      followed = true;
    }
    return followed;
  }
}
