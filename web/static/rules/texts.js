// Makes modules of texts that people write: in a module of its own, which meters them, too.

import { MADE, Meter, answered, taken } from './meter.js';

/** Where a text has an error: the text that has it, and its line and column there, from 1. */
/** @typedef {{text: string, line: number, column: number, message: string}} Flaw */

/** A text is no module. */
export class Flawed extends Error {
  /** @param {Flaw} flaw */
  constructor(flaw) {
    super(flaw.message);
    /** @readonly */
    this.flaw = flaw;
  }
}

/** Bytes of an id of a module: `sha256:` and the digits. */
const ID_BYTES = 71;

export class Texts extends Meter {
  /** @type {any} */
  #exports;

  /** @param {WebAssembly.Instance} instance of `arena_texts.wasm`, or of the module for a language */
  constructor(instance) {
    super(instance);
    this.#exports = instance.exports;
  }

  /**
   * @param {string} language its name for the site
   * @param {string} text
   * @returns {{id: string, module: Uint8Array<ArrayBuffer>}} the module and its id, as on a site
   * @throws {Flawed} if the text has an error
   */
  made(language, text) {
    const bytes = new TextEncoder().encode(`${language}\n${text}`);
    const told = answered(this.#exports, bytes, this.#exports.arena_text);
    if (told === null) throw new Flawed({ text: '', line: 1, column: 1, message: `${bytes.length} bytes` });
    const { kind, answer } = told;
    const words = new TextDecoder();
    if (kind !== MADE) throw new Flawed(JSON.parse(words.decode(answer)));
    return { id: words.decode(answer.subarray(0, ID_BYTES)), module: answer.slice(ID_BYTES) };
  }

  /**
   * What pairs of games, with one seed and the seats swapped, say of who is stronger.
   * @param {number[]} counts of pairs, by half points of the first one: 0 to 4
   * @returns {{verdict: 'too_few' | 'level' | 'stronger' | 'weaker', elo: number | null, low: number | null,
   *   high: number | null}} the difference in Elo points with its 95 % interval, which may have no end on a side;
   *   without an estimate all games went one way
   */
  pairs(counts) {
    return JSON.parse(new TextDecoder().decode(taken(this.#exports, this.#exports.arena_pairs(...counts))));
  }
}
