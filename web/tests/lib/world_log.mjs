// A world for pages that run in Node alone: the module steps it, while snapshots and digests are computed a second time
// here, as arena/world/FORMAT.md describes them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ALIVE, OWNER, WorldEngine } from '../../static/worlds/engine.js';
import * as setting from './setting.mjs';

/** @import { Asked, Spot } from '../../static/worlds/engine.js' */

/** Slots of a world, and bits of a cell's owner. */
const SLOTS = 9;
const OWNER_BITS = 4;
/** The price of joining, and the coins from the faucet. */
const BASE_COST = 100;
const FAUCET = 1_000;
/** The number of rows, and of columns, of a base. */
const BASE_SIDE = 8;
/** The shortest and the longest run of equal bytes that is packed. Its count is written plus `EQUAL_FROM`. */
const EQUAL_MIN = 3;
const EQUAL_MAX = 130;
const EQUAL_FROM = 125;
/** The maximum length of an unpacked run, in bytes. */
const PLAIN_MAX = 128;

/** The module that steps worlds in pages. */
const module = new WebAssembly.Module(readFileSync(setting.worldModule));

/** A separate world. */
export const worldEngine = () => new WorldEngine(new WebAssembly.Instance(module, {}));

/**
 * A kingdom that exists from the start.
 * @typedef {object} Held
 * @property {number} slot from 1
 * @property {number} account
 * @property {Spot} base its top left cell
 * @property {number} [coins] in its base
 * @property {number | null} [idleSince] the generation after which it had no living cell
 * @property {Spot[]} [ground] its ground besides the inside of its base
 * @property {Spot[]} [alive] its living cells, which are also its ground
 */

/**
 * The start of a world.
 * @typedef {object} Setup
 * @property {number} [side] the number of rows, and of columns
 * @property {{wipe: number, grace: number}} [rates] in generations
 * @property {Held[]} [kingdoms] by slot
 * @property {Record<number, number>} [wallets] coins by account
 */

/** @param {Uint8Array} bytes @returns {string} in hex, runs of equal bytes as their length */
export function packed(bytes) {
  /** @type {number[]} */
  const out = [];
  /** @type {number[]} */
  let plain = [];
  const flush = () => {
    for (let at = 0; at < plain.length; at += PLAIN_MAX) {
      const part = plain.slice(at, at + PLAIN_MAX);
      out.push(part.length - 1, ...part);
    }
    plain = [];
  };
  for (let at = 0; at < bytes.length; ) {
    let equal = 1;
    while (equal < EQUAL_MAX && bytes[at + equal] === bytes[at]) equal += 1;
    if (equal >= EQUAL_MIN) {
      flush();
      out.push(equal + EQUAL_FROM, bytes[at]);
    } else {
      equal = 1;
      plain.push(bytes[at]);
    }
    at += equal;
  }
  flush();
  return Buffer.from(out).toString('hex');
}

/** @param {Uint8Array} bytes */
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The bytes of a number, little-endian. @param {number | bigint} number @param {number} length */
function little(number, length) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes.subarray(0, length);
}

/** The generation that stands for never. */
const NEVER = 2n ** 64n - 1n;

/**
 * @param {object} world
 * @param {number} world.side
 * @param {{wipe: number, grace: number}} world.rates
 * @param {number} world.generation
 * @param {readonly (Held & {coins: number, lives: boolean, idleSince: number | null})[]} world.kingdoms by slot
 * @param {ReadonlyMap<number, number>} world.wallets
 * @param {Uint8Array} world.cells as in the engine; only each byte's owner and life count
 */
function stateOf({ side, rates, generation, kingdoms, wallets, cells }) {
  const parts = [little(side, 2), little(rates.wipe, 4), little(rates.grace, 4), little(generation, 8)];
  for (let slot = 1; slot <= SLOTS; slot++) {
    const kingdom = kingdoms.find((kingdom) => kingdom.slot === slot);
    parts.push(little(kingdom ? 1 : 0, 1));
    if (!kingdom) continue;
    const { account, base: [x, y], coins, lives, idleSince } = kingdom;
    parts.push(little(account, 8), little(x, 2), little(y, 2), little(coins, 8), little(lives ? 1 : 0, 1), little(idleSince ?? NEVER, 8));
  }
  parts.push(little(wallets.size, 4));
  for (const [account, coins] of [...wallets].sort(([one], [other]) => one - other)) parts.push(little(account, 8), little(coins, 8));
  const plane = (/** @type {(byte: number) => boolean} */ isSet) => {
    const bits = new Uint8Array(cells.length / 8);
    cells.forEach((byte, at) => isSet(byte) && (bits[at >> 3] |= 1 << (at & 7)));
    return bits;
  };
  parts.push(plane((byte) => (byte & ALIVE) !== 0));
  for (let bit = 0; bit < OWNER_BITS; bit++) parts.push(plane((byte) => ((byte >> bit) & 1) === 1));
  return Buffer.concat(parts);
}

/** The world as served by a site, for a page in this process. */
export class ServedWorld {
  /** The number of the next line. */
  next = 100;
  /** @type {any[]} lines since the last news */
  #lines = [];
  #engine = worldEngine();
  /** @type {Set<number>} accounts with a wallet */
  #accounts;
  #rates;

  /** @param {Setup} [setup] */
  constructor({ side = 64, rates = { wipe: 3_000, grace: 6_000 }, kingdoms = [], wallets = {} } = {}) {
    this.#rates = rates;
    this.#accounts = new Set(Object.keys(wallets).map(Number));
    const cells = new Uint8Array(side * side);
    for (const { slot, base: [x, y], ground = [], alive = [] } of kingdoms) {
      for (const [col, row] of ground) cells[row * side + col] = slot;
      for (let at = 0; at < (BASE_SIDE - 2) ** 2; at++) {
        const [right, down] = [1 + (at % (BASE_SIDE - 2)), 1 + Math.floor(at / (BASE_SIDE - 2))];
        cells[((y + down) % side) * side + ((x + right) % side)] = slot;
      }
      for (const [col, row] of alive) cells[row * side + col] = slot | ALIVE;
    }
    const held = kingdoms.map(({ coins = BASE_COST, alive = [], idleSince = alive.length > 0 ? null : 0, ...kingdom }) => ({ ...kingdom, coins, idleSince, lives: alive.length > 0 }));
    const state = stateOf({ side, rates, generation: 0, kingdoms: held, wallets: new Map(Object.entries(wallets).map(([account, coins]) => [Number(account), coins])), cells });
    this.#engine.open({ event: 'opened', format: 'arena-world/2', build: 'a test', generation: 0, state: packed(state), digest: digestOf(state), grace_from: 0 });
  }

  get generation() {
    return this.look().generation;
  }

  /** @param {number | null} [account] */
  look(account = null) {
    return this.#engine.look(account);
  }

  /** One byte per cell. */
  cells() {
    return this.#engine.cells().slice();
  }

  #state() {
    const { side, generation, slots } = this.look();
    const kingdoms = slots.map(({ grace, cells, ...kingdom }) => ({ ...kingdom, lives: cells > 0, idleSince: grace === null ? null : grace + generation - this.#rates.grace }));
    const wallets = new Map([...this.#accounts].map((account) => [account, Number(this.look(account).balance)]));
    return stateOf({ side, rates: this.#rates, generation, kingdoms, wallets, cells: this.cells() });
  }

  /** The latest falls, as a snapshot has them: by account, and absent if there are none. */
  #fallen() {
    const hex = (/** @type {number} */ account) => account.toString(16).padStart(16, '0');
    const fallen = [...this.#accounts].sort((one, other) => one - other).flatMap((account) => {
      const fell = this.look(account).fallen;
      return fell ? [{ account: hex(account), generation: fell.generation, by: fell.cause !== 'siege' ? fell.cause : { siege: fell.by === null ? null : hex(fell.by) } }] : [];
    });
    return fallen.length > 0 ? { fallen } : {};
  }

  /** The first message to a page. */
  snapshot() {
    const state = this.#state();
    const opened = { event: 'opened', format: 'arena-world/2', build: 'a test', generation: this.generation, state: packed(state), digest: digestOf(state), grace_from: 0, ...this.#fallen() };
    const slots = this.look().slots.map(({ account }) => ({ account, name: `Account ${account}`, bot: null }));
    return { next: this.next, slots, opened };
  }

  /** A copy that proceeds independently, like a page's. */
  copy() {
    const engine = worldEngine();
    engine.open(this.snapshot().opened);
    return engine;
  }

  /** Steps the world. @param {number} [generations] */
  step(generations = 1) {
    for (let step = 0; step < generations; step++) this.#engine.step();
  }

  /**
   * Applies an account's call. A refusal has the phrases of the rules.
   * @param {number} account
   * @param {Asked} call
   * @returns {{answer: number} | {why: import('../../static/page/messages.js').Phrase[]}}
   */
  call(account, call) {
    const { why } = this.#engine.try(account, call, 0);
    if (why.length > 0) return { why };
    const answer = this.#answer(account, call);
    const line = { event: 'called', generation: this.generation, account: account.toString(16).padStart(16, '0'), call, answer };
    this.#engine.follow(line);
    this.#accounts.add(account);
    this.#says(line);
    return { answer };
  }

  /** Frees an account's slot, as the operator does. @param {number} account */
  free(account) {
    const line = { event: 'freed', generation: this.generation, account: account.toString(16).padStart(16, '0') };
    this.#engine.follow(line);
    this.#accounts.add(account);
    this.#says(line);
  }

  /** The rules' answer to a call that they allow. @param {number} account @param {Asked} call @returns {number} */
  #answer(account, call) {
    const { balance, slots } = this.look(account);
    if (call === 'faucet') return (balance ?? 0) + FAUCET;
    if ('place' in call) return call.place.length;
    let slot = 1;
    while (slots.some((kingdom) => kingdom.slot === slot)) slot += 1;
    return slot;
  }

  /** Adds the digest of the world, by which pages can check theirs. */
  check() {
    this.#says({ event: 'checked', generation: this.generation, digest: digestOf(this.#state()), calls: '0'.repeat(64) });
  }

  /** @param {any} line */
  #says(line) {
    this.#lines.push(line);
    this.next += 1;
  }

  /** The news for pages since the last time. */
  news() {
    return { type: 'world', generation: this.generation, next: this.next, lines: this.#lines.splice(0) };
  }
}
