// The static check and the meter, in a module of their own: what a bot's bytes pass before they run here.

import { fetched } from '../net/fetched.js';

/** The static check refuses a module; its message says why, in English. */
export class Refused extends Error {}

/** A module that counts its own fuel, and the fuel that its start takes before any code runs. */
/** @typedef {{module: Uint8Array<ArrayBuffer>, startFuel: number}} Metered */

/** What an answer begins with that has a metered module: `web/engine/src/metered.rs`. */
const METERED = 1;
/** Bytes of the start's fuel. */
const FUEL_BYTES = 8;

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
    const { memory, arena_alloc, arena_meter, arena_free } = this.#exports;
    const address = arena_alloc(bot.length) >>> 0;
    if (address === 0) throw new Refused(`${bot.length} bytes`);
    new Uint8Array(memory.buffer, address, bot.length).set(bot);
    const packed = BigInt.asUintN(64, arena_meter(address, bot.length, BigInt(memory_bytes), BigInt(module_bytes)));
    const [at, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    const [kind] = new Uint8Array(memory.buffer, at, 1);
    const answer = new Uint8Array(memory.buffer, at + 1, length - 1).slice();
    arena_free(at, length);
    if (kind !== METERED) throw new Refused(JSON.parse(new TextDecoder().decode(answer)).message);
    const startFuel = Number(new DataView(answer.buffer).getBigUint64(0, true));
    return { module: answer.slice(FUEL_BYTES), startFuel };
  }
}

/** Fetches and starts the meter. @param {string | URL} url @returns {Promise<Meter>} */
export async function loadMeter(url) {
  return new Meter((await WebAssembly.instantiateStreaming(fetched(url))).instance);
}
