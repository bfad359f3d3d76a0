// A world of Life2 in this page: a typed interface to the WebAssembly module that steps it by the rules' own code.

/** @import { Phrase } from '../page/messages.js' */

import { fetched } from '../net/fetched.js';

/** @typedef {[x: number, y: number]} Spot column and row, from 0 */

/**
 * A kingdom.
 * @typedef {object} Kingdom
 * @property {number} slot from 1
 * @property {number} account the number of the account that holds it
 * @property {Spot} base its top left cell
 * @property {number} coins in the base
 * @property {number} cells the number of living cells
 * @property {number} ground the number of cells of its ground
 * @property {number | null} grace generations until it falls; null while it has a living cell
 */

/**
 * The end of an account's latest kingdom.
 * @typedef {object} Fall
 * @property {number} generation in which it fell
 * @property {'siege' | 'grace' | 'operator'} cause
 * @property {number | null} by the account whose cell took the last coin of the base
 */

/**
 * The state of a world.
 * @typedef {object} Look
 * @property {number} side the number of rows, and of columns
 * @property {number} generation
 * @property {Kingdom[]} slots
 * @property {{quadrant: number, generations: number}} wipe the next wipe
 * @property {number | null} balance of the account in the request
 * @property {number | null} slot the slot of that account
 * @property {Fall | null} fallen what became of its latest kingdom, if it has none now
 */

/** @typedef {'faucet' | {join: Spot} | {place: Spot[]}} Asked a call */

/** @typedef {[x: number, y: number, owner: number]} Ghost a cell that would live, and its owner; 0 is nobody */

/**
 * @typedef {{why: Phrase[], frames: Ghost[][]}} Tried why a call is refused, or the living cells around it in each
 *   of some generations
 */

/** The bits of a cell's byte with the owner's slot. */
export const OWNER = 15;
export const ALIVE = 16;
export const WALL = 32;
export const INSIDE = 64;

/** The number of rows, and of columns, of a base. */
export const BASE_SIDE = 8;

/** The module cannot follow the world, and needs a snapshot. */
export class Lost extends Error {}

export class WorldEngine {
  /**
   * @type {{memory: WebAssembly.Memory, arena_alloc(bytes: number): number, arena_world(address: number, bytes: number): bigint, arena_free(address: number, bytes: number): void, arena_world_cells(): bigint}}
   */
  #exports;

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#exports = /** @type {any} */ (instance.exports);
  }

  /** Begins a world that is in this page alone. @returns {number} its generation */
  begin() {
    return this.#ask({ op: 'begin' });
  }

  /**
   * Calls such a world.
   * @param {number} account
   * @param {Asked} call
   * @returns {{why: Phrase[], answer: number}} why the call is refused, or the rules' answer
   */
  call(account, call) {
    return this.#ask({ op: 'call', account, call });
  }

  /** Takes a snapshot. @param {unknown} event the one that opens a log @returns {number} its generation */
  open(event) {
    return this.#ask({ op: 'open', event });
  }

  /**
   * Follows a line of the log, after stepping to its generation.
   * @param {unknown} event
   * @returns {number} that generation
   */
  follow(event) {
    return this.#ask({ op: 'follow', event });
  }

  /** Steps one generation. @returns {number} generations so far */
  step() {
    return this.#ask({ op: 'step' });
  }

  /** @param {number | null} account @returns {Look} */
  look(account) {
    return this.#ask({ op: 'look', account });
  }

  /** @param {number} account @param {Asked} call @param {number} generations @returns {Tried} */
  try(account, call, generations) {
    return this.#ask({ op: 'try', account, call, generations });
  }

  /** One byte per cell, row by row; valid until the next call. @returns {Uint8Array} */
  cells() {
    const cells = BigInt.asUintN(64, this.#exports.arena_world_cells());
    return new Uint8Array(this.#exports.memory.buffer, Number(cells >> 32n), Number(cells & 0xffffffffn));
  }

  /** @param {object} request @returns {any} */
  #ask(request) {
    const { memory, arena_alloc: alloc, arena_world: call, arena_free: free } = this.#exports;
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const address = alloc(bytes.length) >>> 0;
    if (address === 0) throw new Lost('this world is larger than a page can hold');
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const answered = BigInt.asUintN(64, call(address, bytes.length));
    const [at, length] = [Number(answered >> 32n), Number(answered & 0xffffffffn)];
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
    free(at, length);
    if (answer.error) throw new Lost(answer.error.message);
    return answer.ok;
  }
}

/** @param {string | URL} url @returns {Promise<WorldEngine>} */
export async function loadWorldEngine(url) {
  const { instance } = await WebAssembly.instantiateStreaming(fetched(url), {});
  return new WorldEngine(instance);
}
