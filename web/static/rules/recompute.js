// Plays recorded games again with the bots' own bytes, and compares the records: every action, the fuel of every call,
// every forfeit and digest. The rules and the judge are the arena's own code; only the engine that runs bots is this
// one. Where it fails, as where its own stack ends, there is no verdict.
//
// This code runs in a worker (recompute-worker.js), because it cannot stop a bot that never answers.

/** @import { Phrase } from '../page/messages.js' */
/** @import { Header } from './header.js' */
/** @import { Parting } from './engine.js' */

import { Engine, EngineError } from './engine.js';
import { Guests } from './guests.js';
import { hasTurns, hashOf, headerOf } from './header.js';
import { Meter, Refused } from './meter.js';

/**
 * Why there is no verdict: the engine failed that runs bots, the bytes of a player are not here, a bot was silent for
 * too long, the worker failed, the record is of another release, or none of a game that is known here.
 * @typedef {'engine' | 'missing' | 'deadline' | 'worker' | 'release' | 'record'} WhyNot
 */

/**
 * What a bot has left behind: its log, the lines dropped, how many lines there were when each of its turns began, and
 * its memory in bytes.
 * @typedef {{seat: number, lines: string[], dropped: number, turns: number[], memory: number}} Left
 */

/**
 * The result: the same record, in which this engine may not have told a trap from others that it calls the same
 * (`untold`); the first difference, or phrases where the rules alone do not agree with the record, or why a bot is
 * none; or no verdict.
 * @typedef {{kind: 'identical', turns: number, untold: boolean, left: Left[]}
 *   | ({kind: 'differs', phrases?: undefined, refused?: undefined, left: Left[]} & Parting)
 *   | {kind: 'differs', phrases: Phrase[], refused?: undefined}
 *   | {kind: 'differs', refused: string, phrases?: undefined}
 *   | {kind: 'not_checked', why: WhyNot, detail: string}} Finding
 */

/**
 * What is found of a game that is not compared: the rules agree with a record, and no bot was asked; or a game without
 * a record came to its end.
 * @typedef {{kind: 'by_rules' | 'ended'}} Apart
 */

/** @typedef {{module: WebAssembly.Module, startFuel: number}} Bot ready to be seated */

/** @param {WhyNot} why @param {unknown} detail @returns {Finding} */
const notChecked = (why, detail) => ({ kind: 'not_checked', why, detail: detail instanceof Error ? detail.message : String(detail) });

/**
 * @template [Found=never]
 * @param {() => Promise<Finding | Found> | Finding | Found} judge
 * @returns {Promise<Finding | Found>}
 */
async function judged(judge) {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.code === 'differs' ? { kind: 'differs', phrases: error.phrases } : notChecked('record', error);
  }
}

/** Plays games again, one after the other. */
export class Recomputer {
  #guests = new Guests();
  #engine;
  #meter;
  /** Bots that were compiled, by id and limits. @type {Map<string, Bot>} */
  #bots = new Map();

  /** @param {WebAssembly.Module} engine with the opponents @param {WebAssembly.Module} meter */
  constructor(engine, meter) {
    const instance = new WebAssembly.Instance(engine, this.#guests.imports);
    this.#guests.serve(/** @type {any} */ (instance.exports).memory);
    this.#engine = new Engine(instance);
    this.#meter = new Meter(new WebAssembly.Instance(meter));
  }

  /**
   * @param {string} record its text, with its newline; of a void game the header alone, in an object
   * @param {Map<string, Uint8Array>} modules the bots' bytes by id
   * @param {(turns: number, asked: string) => void} tell called before each turn of a bot, and before one is compiled,
   *   with its id
   * @returns {Promise<Finding | Apart>}
   */
  async run(record, modules, tell) {
    const header = headerOf(record);
    if (header === null) return notChecked('record', '');
    /** @type {Record<string, number>} */
    const startFuel = {};
    let turns = 0;
    this.#guests.clear();
    this.#guests.onTurn = (seat) => tell((turns += 1), header.entrants[seat]);
    for (const [seat, id] of header.entrants.entries()) {
      if (hashOf(id) === null) continue;
      const bytes = modules.get(id);
      if (bytes === undefined) return notChecked('missing', id);
      tell(turns, id);
      try {
        const bot = await this.#ready(id, bytes, header);
        startFuel[id] = bot.startFuel;
        this.#guests.seat(seat, bot.module);
      } catch (error) {
        return error instanceof Refused ? { kind: 'differs', refused: error.message } : notChecked('engine', error);
      }
    }
    return judged(async () => {
      const found = await (hasTurns(record) ? this.#engine.rerun(record, startFuel) : this.#engine.ended(header, startFuel));
      if (found.kind === 'not_checked') return notChecked(found.why, found.detail);
      const { left, untold } = this.#guests;
      if (found.kind !== 'identical' && !hasRoom(header)) return notChecked('engine', 'memory');
      if (found.kind === 'ended') return found;
      if (found.kind === 'differs') return { ...found, left };
      return { kind: 'identical', turns, untold, left };
    });
  }

  /** Replays a record by the rules alone. @param {string} record its text @returns {Promise<Finding | Apart>} */
  agreed(record) {
    return judged(() => {
      const found = this.#engine.agreed(record);
      return found.kind === 'not_checked' ? notChecked(found.why, found.detail) : found;
    });
  }

  /** @param {string} id @param {Uint8Array} bytes @param {Header} header @returns {Promise<Bot>} */
  async #ready(id, bytes, { budgets }) {
    const key = `${id} ${budgets.memory_bytes} ${budgets.module_bytes}`;
    const known = this.#bots.get(key);
    if (known) return known;
    const { module, startFuel } = this.#meter.metered(bytes, budgets);
    const bot = { module: await WebAssembly.compile(module), startFuel };
    this.#bots.set(key, bot);
    return bot;
  }
}

/**
 * Whether there is room for as much memory as each bot may have. Nothing tells a bot whose memory could not grow for
 * want of room from one that may not have more, so a difference then is none.
 * @param {Header} header
 */
function hasRoom({ entrants, budgets }) {
  const pages = budgets.memory_bytes >> 16;
  try {
    return entrants.map(() => new WebAssembly.Memory({ initial: pages, maximum: pages })).length > 0;
  } catch {
    return false;
  }
}
