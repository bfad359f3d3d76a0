// A world of Life2 in this page: a typed face of the WebAssembly module that steps it by the rules' own code.

/** @typedef {[x: number, y: number]} Spot column and row, from 0 */

/**
 * A kingdom.
 * @typedef {object} Kingdom
 * @property {number} slot from 1
 * @property {number} account the number of who has it
 * @property {Spot} base its top left cell
 * @property {number} coins in the base
 * @property {number} cells that live
 * @property {number} ground cells of it
 * @property {number | null} grace generations until it goes; null while it has a living cell, or never had one
 */

/**
 * How a world stands.
 * @typedef {object} Look
 * @property {number} side rows, and columns
 * @property {number} generation
 * @property {Kingdom[]} slots
 * @property {{quadrant: number, generations: number}} wipe the next one
 * @property {number | null} balance of the account that was asked for
 * @property {number | null} slot of that account
 */

/** @typedef {'faucet' | {join: Spot} | {place: Spot[]}} Asked a call */

/** @typedef {[x: number, y: number, owner: number]} Ghost a cell that would live, and whose; 0 is nobody's */

/** @typedef {{why: string | null, frames: Ghost[][]}} Tried why a call is refused; what lives around it in each of some generations */

/** What a cell's byte says: the owner's slot in the low bits. */
export const OWNER = 15;
export const ALIVE = 16;
export const WALL = 32;
export const INSIDE = 64;

/** The module cannot follow the world: it needs a snapshot. */
export class Lost extends Error {}

export class WorldEngine {
  /** @type {{memory: WebAssembly.Memory, arena_alloc(bytes: number): number, arena_world(address: number, bytes: number): bigint, arena_free(address: number, bytes: number): void, arena_world_cells(): bigint}} */
  #exports;

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#exports = /** @type {any} */ (instance.exports);
  }

  /** Takes a snapshot. @param {unknown} event that opens a log @returns {number} its generation */
  open(event) {
    return this.#ask({ op: 'open', event });
  }

  /** Follows a line of the log, first to its generation. @param {unknown} event @returns {number} that generation */
  follow(event) {
    return this.#ask({ op: 'follow', event });
  }

  /** Goes on by a generation. @returns {number} generations so far */
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

  /** A byte for each cell, row by row, until the next call. @returns {Uint8Array} */
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
  const { instance } = await WebAssembly.instantiateStreaming(fetch(url), {});
  return new WorldEngine(instance);
}
