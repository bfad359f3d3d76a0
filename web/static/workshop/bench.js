// Plays the bot that is written in the workshop: a text becomes a module as on a site, passes the same check and the
// same meter, and plays against a built-in opponent by the rules and the judge of the arena.
//
// This code runs in a worker (workshop-worker.js), because it cannot stop what takes long.

/** @import { Opening } from '../rules/engine.js' */
/** @import { Left } from '../rules/recompute.js' */

import { Engine } from '../rules/engine.js';
import { Guests } from '../rules/guests.js';
import { Texts } from '../rules/texts.js';

/**
 * A bot as it is written.
 * @typedef {object} Written
 * @property {string} language
 * @property {string} text
 * @property {{memory_bytes: number, module_bytes: number}} budgets
 */

/**
 * A game to play.
 * @typedef {object} Match
 * @property {string} ruleset
 * @property {string} options
 * @property {string} seed in hex
 * @property {number} seat of the bot
 * @property {string} opponent its id
 * @property {Uint8Array} [bytes] of the opponent's module, if it is a bot
 * @property {Opening | null} from the first turns of another game
 */

/** A game that was played: its record, what the bot has left behind, its half points, and whether it failed. */
/** @typedef {{record: string, left: Left, halves: number, failed: boolean}} Played */

/** @typedef {ReturnType<Texts['pairs']>} Said what pairs of games say of who is stronger */

/** @typedef {{id: string, module: WebAssembly.Module, startFuel: number}} Ready a bot to be seated */

/**
 * How many pairs of games there are, by their half points. Games of a pair follow each other; one alone is none.
 * @param {readonly number[]} games their half points
 * @returns {number[]}
 */
export function pairsOf(games) {
  const counts = [0, 0, 0, 0, 0];
  for (let second = 1; second < games.length; second += 2) counts[games[second - 1] + games[second]] += 1;
  return counts;
}

export class Bench {
  #guests = new Guests();
  #engine;
  #texts;

  /** @param {WebAssembly.Module} engine with the opponents @param {WebAssembly.Module} texts */
  constructor(engine, texts) {
    const instance = new WebAssembly.Instance(engine, this.#guests.imports);
    this.#guests.serve(/** @type {any} */ (instance.exports).memory);
    this.#engine = new Engine(instance);
    this.#texts = new Texts(new WebAssembly.Instance(texts));
  }

  /**
   * @param {Written} written
   * @returns {Promise<Ready>}
   * @throws {import('../rules/texts.js').Flawed} if the text has an error
   * @throws {import('../rules/meter.js').Refused} if its module may not play
   */
  async ready({ language, text, budgets }) {
    const { id, module } = this.#texts.made(language, text);
    return this.#compiled(id, module, budgets);
  }

  /**
   * @param {string} id
   * @param {Uint8Array} bytes
   * @param {Written['budgets']} budgets
   * @returns {Promise<Ready>}
   */
  async #compiled(id, bytes, budgets) {
    const { module, startFuel } = this.#texts.metered(bytes, budgets);
    return { id, module: await WebAssembly.compile(module), startFuel };
  }

  /** The opponent of a game; null if it is built in. @param {Match} match @param {Written['budgets']} budgets */
  async other({ opponent, bytes }, budgets) {
    return bytes === undefined ? null : this.#compiled(opponent, bytes, budgets);
  }

  /**
   * @param {Ready} bot
   * @param {Ready | null} other its opponent, if that is a bot, too
   * @param {Match} match
   * @param {(turn: number) => void} tell called before each of its turns, from 1
   * @returns {Promise<Played>}
   */
  async play({ id, module, startFuel }, other, { ruleset, options, seed, seat, opponent, from }, tell) {
    let turn = 0;
    this.#guests.clear();
    this.#guests.onTurn = (asked) => asked === seat && tell((turn += 1));
    this.#guests.seat(seat, module);
    if (other) this.#guests.seat(1 - seat, other.module);
    const entrants = seat === 0 ? [id, opponent] : [opponent, id];
    const startFuels = { ...(other && { [opponent]: other.startFuel }), [id]: startFuel };
    const record = await this.#engine.play({ ruleset, options, seed, entrants, from }, startFuels);
    const { outcome, forfeits } = JSON.parse(record);
    const { winner } = outcome;
    const failed = forfeits.some((/** @type {{seat: number}} */ forfeit) => forfeit.seat === seat);
    const [left] = this.#guests.left.filter((left) => left.seat === seat);
    return { record, left, halves: winner === seat ? 2 : winner === null ? 1 : 0, failed };
  }

  /** What games say of who is stronger. @param {readonly number[]} games their half points @returns {Said} */
  said(games) {
    return this.#texts.pairs(pairsOf(games));
  }
}
