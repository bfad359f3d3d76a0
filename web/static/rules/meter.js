// The static check and the meter, in a module of their own: what a bot's bytes pass before they run here.

import { fetched } from '../net/fetched.js';

/** The static check refuses a module; its message says why, in English. */
export class Refused extends Error {}

/** A module that counts its own fuel, and the fuel that its start takes before any code runs. */
/** @typedef {{module: Uint8Array<ArrayBuffer>, startFuel: number}} Metered */

/** What an answer begins with that has a module: `web/engine/src/metered.rs` and `texts.rs`. */
export const MADE = 1;
/** Bytes of the start's fuel. */
const FUEL_BYTES = 8;

/**
 * Hands bytes to a function of a module of `web/engine`.
 * @param {any} exports of the module
 * @param {Uint8Array} bytes
 * @param {(address: number, length: number) => bigint} call
 * @returns {{kind: number, answer: Uint8Array<ArrayBuffer>} | null} the first byte of the answer, and the others; null
 *   if the bytes are more than the module takes
 */
export function answered({ memory, arena_alloc, arena_free }, bytes, call) {
  const address = arena_alloc(bytes.length) >>> 0;
  if (address === 0) return null;
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const answer = taken({ memory, arena_free }, call(address, bytes.length));
  return { kind: answer[0], answer: answer.slice(1) };
}

/** The bytes of an answer, which is given back. @param {any} exports of the module @param {bigint} packed */
export function taken({ memory, arena_free }, packed) {
  const [at, length] = [Number(BigInt.asUintN(64, packed) >> 32n), Number(packed & 0xffffffffn)];
  const answer = new Uint8Array(memory.buffer, at, length).slice();
  arena_free(at, length);
  return answer;
}

export class Meter {
  /** @type {any} */
  #exports;

  /** @param {WebAssembly.Instance} instance of `arena_meter.wasm` */
  constructor(instance) {
    this.#exports = instance.exports;
  }

  /**
   * @param {Uint8Array} bot its bytes
   * @param {{memory_bytes: number, module_bytes: number}} budgets of its game
   * @returns {Metered}
   * @throws {Refused} if they are no bot
   */
  metered(bot, { memory_bytes, module_bytes }) {
    const limits = [BigInt(memory_bytes), BigInt(module_bytes)];
    const told = answered(this.#exports, bot, (address, length) => this.#exports.arena_meter(address, length, ...limits));
    if (told === null) throw new Refused(`${bot.length} bytes`);
    const { kind, answer } = told;
    if (kind !== MADE) throw new Refused(JSON.parse(new TextDecoder().decode(answer)).message);
    const startFuel = Number(new DataView(answer.buffer).getBigUint64(0, true));
    return { module: answer.slice(FUEL_BYTES), startFuel };
  }
}

/** Fetches and starts the meter. @param {string | URL} url @returns {Promise<Meter>} */
export async function loadMeter(url) {
  return new Meter((await WebAssembly.instantiateStreaming(fetched(url))).instance);
}
