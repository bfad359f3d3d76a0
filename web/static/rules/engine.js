// The rules in the page: a typed interface to the WebAssembly module built from `web/engine`.
//
// This file contains no rules. Every method is one call of the module, and its result comes from the referee's own
// code. The page's Content-Security-Policy must allow 'wasm-unsafe-eval' as a script source, and nothing more.

import { fetched } from '../net/fetched.js';
import {
  scriptPageFailureBadRequest,
  scriptPageFailureBotFailed,
  scriptPageFailureDiffers,
  scriptPageFailureIllegalMove,
  scriptPageFailureNotARecord,
  scriptPageFailureTooLong,
  scriptPageFailureUnknownGame,
} from '../text/en/script-page.js';
import { promising } from './stacks.js';

/** @typedef {[row: number, column: number]} Pair rows from the top, columns from the left, from 0 */

/** @import { Phrase } from '../page/messages.js' */

/** @typedef {{legal: boolean, why_not: Phrase[]}} Legality whether an action is legal, or why not */

/** @typedef {{tool: string, cells: Pair[]}} Call a tool, and the cells it is used on */

/** @typedef {{calls: Call[]}} Described an action: its calls, mostly one */

/** @typedef {import('../../types/wire.d.ts').Forfeit} Forfeit the seat that could not go on, and why */

/**
 * @typedef {Omit<import('../../types/wire.d.ts').Play, 'fuel'> & {fuel?: number | null}} Answer the action of one seat
 *   in a turn; its bytes are hex
 */

/** @typedef {import('../../types/wire.d.ts').Outcome} Outcome how a game ended; a draw has no winner */

/**
 * A kind of action available to seats.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} code of its name among the tools of all games
 * @property {'nothing' | 'cell' | 'piece' | 'cells'} input no cell, one cell, a piece and its target, or several cells
 *   in order
 * @property {number} least the minimum number of cells
 * @property {number} most the maximum number of cells
 * @property {number} spread the distance around each cell to which it also acts
 */

/** @typedef {{name: string, cols: number, seat: number | null}} Zone a strip of the board, and the seat that owns it */

/**
 * The properties shared by all positions of a game.
 * @typedef {object} Game
 * @property {string} title
 * @property {string[]} seat_names empty if seats are numbered
 * @property {Tool[]} tools the usual one first
 * @property {Zone[]} zones from the left; empty if the whole board is one zone
 * @property {number} rows
 * @property {number} cols
 */

/**
 * The board of a game.
 * @typedef {object} Picture
 * @property {number} rows
 * @property {number} cols
 * @property {string} cells one character a cell, row by row: '.' dead, 'a' for the first seat and so on, '#' nobody's
 * @property {number[]} tally the numbers by which the ruleset ranks seats
 */

/**
 * Properties of a position besides its picture.
 * @typedef {object} Notes
 * @property {Phrase | null} clock how far the game is; null if the number of turns says it
 * @property {number[]} awaiting the seats that must answer
 * @property {Phrase[]} open zones open to the first of them
 * @property {(Phrase | null)[][]} limits the limit of each tool of each seat, if it has one; empty in games without
 *   limits
 */

/** @typedef {Game & Picture & Notes & {outcome: Outcome | null, digest: string}} Position */

/**
 * A game in progress.
 * @typedef {object} GameText
 * @property {string} ruleset
 * @property {string} options the canonical text
 * @property {string} [seed] of the game, in hex; required only if the start depends on it
 * @property {string | null} [from] the initial position as an observation, in hex; by default the start
 * @property {Answer[][]} turns the answers, by turn
 * @property {Forfeit[]} [forfeits] seats that could not go on
 */

/**
 * A draft turn.
 * @typedef {object} Making
 * @property {Pair[]} next the cells that can be added next
 * @property {Phrase[]} open zones open for the next cell
 * @property {string | null} action its bytes in hex; null while the draft is not a complete action
 * @property {Picture | null} before the board as the turn leaves it, before the generation; null in games without such
 *   stages, and if the turn is refused
 * @property {Picture | null} after the board after the generation; null if the turn is refused, and for a complete turn
 *   while others have yet to answer
 */

/**
 * A recorded game.
 * @typedef {object} Replay
 * @property {boolean} verified whether the rules agree with every turn, every digest and the outcome
 * @property {Phrase[]} why_not the disagreement, if there is one; then there is no film
 * @property {{ruleset: string, options: string, seed: string, entrants: string[]}} header
 * @property {Film | null} film
 * @property {{plays: (Described & {seat: number, fuel: number | null})[], digest: string}[]} turns
 * @property {Forfeit[]} forfeits
 * @property {Outcome} outcome
 * @property {string} digest
 */

/**
 * @typedef {string | [place: number, owner: string][]} Frame cells as in a picture, or the changed ones with their
 *   places, counted row by row
 */

/**
 * All pictures of a game: one before each turn, and the last.
 * @typedef {object} Reel
 * @property {Frame[]} frames changes are relative to the previous frame; `frameAt` in `board/picture.js` has all cells
 * @property {Frame[]} stages the board as each turn left it, before its generation; changes are relative to the frame
 *   before the turn. Empty in games without such stages
 * @property {number[][]} tallies by frame and seat
 * @property {Notes[]} notes by frame
 */

/** @typedef {Game & Reel} Film */

/**
 * The first difference between a game that was played again and its record.
 * @typedef {object} Parting
 * @property {number | null} turn from 1; null outside of turns
 * @property {number | null} seat null if it concerns none
 * @property {string} what differs, as a code
 * @property {string} expected its value when played again
 * @property {string} found its value in the record
 */

/** @typedef {{record: string, turns: number}} Opening the first turns of a recorded game */

/** @import { Guests } from './guests.js' */

/** The messages of errors, by code. */
const FAILURES = {
  bad_request: scriptPageFailureBadRequest,
  too_long: scriptPageFailureTooLong,
  unknown_game: scriptPageFailureUnknownGame,
  illegal_move: scriptPageFailureIllegalMove,
  not_a_record: scriptPageFailureNotARecord,
  differs: scriptPageFailureDiffers,
  bot_failed: scriptPageFailureBotFailed,
};

/** An error reported by the engine. Its message is for the visitor. */
export class EngineError extends Error {
  /**
   * @param {keyof typeof FAILURES} code
   * @param {string} detail in English, for the page's developer
   * @param {Phrase[]} [phrases] the rules' reason, if they have one
   */
  constructor(code, detail, phrases = []) {
    super(FAILURES[code](), { cause: detail });
    this.name = 'EngineError';
    /** @readonly */
    this.code = code;
    /** @readonly */
    this.phrases = phrases;
  }
}

export class Engine {
  /**
   * @type {{memory: WebAssembly.Memory, arena_alloc(bytes: number): number, arena_call(address: number, bytes: number): bigint, arena_free(address: number, bytes: number): void}}
   */
  #exports;
  /**
   * @type {{game: GameText, turns: number, number: number} | null} the game that the module holds, identified by its
   *   object
   */
  #held = null;
  /** Settles when no bot is being called. @type {Promise<unknown>} */
  #played = Promise.resolve();

  /** @param {WebAssembly.Instance} instance of the module built from web/engine */
  constructor(instance) {
    this.#exports = /** @type {any} */ (instance.exports);
  }

  /**
   * @param {GameText} game
   * @returns {Position}
   */
  position(game) {
    return this.#ask({ op: 'position', game });
  }

  /**
   * What the rules say of a draft turn: whether it is complete and legal, what can come next, and what it leads to.
   * Calls with the same `game` object take the same time however long the game is, because the module holds it.
   * @param {GameText} game may only ever grow by further turns
   * @param {number} seat
   * @param {Call[]} calls
   * @returns {Legality & Making}
   */
  check(game, seat, calls) {
    const turns = game.turns.length;
    if (this.#held?.game !== game || this.#held.turns !== turns) this.#held = { game, turns, number: this.#ask({ op: 'hold', game }).held };
    return this.#ask({ op: 'check', held: this.#held.number, seat, calls });
  }

  /**
   * The bytes of an action in hex, the form that rooms accept.
   * @param {string} ruleset
   * @param {Call[]} calls
   * @returns {string}
   */
  compose(ruleset, calls) {
    return this.#ask({ op: 'compose', ruleset, calls }).bytes;
  }

  /**
   * Describes actions.
   * @param {string} ruleset
   * @param {string[]} actions their bytes in hex
   * @returns {(Described | null)[]} null for bytes that are not an action
   */
  describe(ruleset, actions) {
    return this.#ask({ op: 'describe', ruleset, actions });
  }

  /**
   * @param {string} record the text of a record, with its newline
   * @returns {Replay}
   */
  replay(record) {
    return this.#ask({ op: 'replay', record });
  }

  /**
   * Plays a recorded game again, with the bots that `guests` has seated. Only the opponents' module has this, `agreed`,
   * `ended`, `begin`, `turn`, `answer` and `observe`. Fails with `differs` if the rules do not agree with the record.
   * @param {string} record its text
   * @param {Record<string, number>} bots the fuel that each one's start takes before any of its code runs, by id
   * @returns {Promise<{kind: 'identical', persons: number} | ({kind: 'differs'} & Parting)
   *   | {kind: 'not_checked', why: 'engine' | 'missing' | 'release', detail: string}>}
   */
  rerun(record, bots) {
    return this.#play({ op: 'rerun', record, bots });
  }

  /**
   * Replays a recorded game by the rules alone. Fails with `differs` if they do not agree with it.
   * @param {string} record its text
   * @returns {{kind: 'by_rules'} | {kind: 'not_checked', why: 'release', detail: string}}
   */
  agreed(record) {
    return this.#ask({ op: 'agreed', record });
  }

  /**
   * Plays a game without a record again, with the bots that `guests` has seated: whether it ends.
   * @param {object} header of its record
   * @param {Record<string, number>} bots as for `rerun`
   * @returns {Promise<{kind: 'ended'} | {kind: 'not_checked', why: 'engine' | 'missing', detail: string}>}
   */
  ended(header, bots) {
    return this.#play({ op: 'ended', header, bots });
  }

  /**
   * Plays a game that does not count, between built-in opponents and bots that `guests` has seated.
   * @param {{ruleset: string, options: string, seed: string, entrants: string[], from?: Opening | null}} terms
   * @param {Record<string, number>} bots the fuel that each one's start takes before any of its code runs, by id
   * @returns {Promise<string>} its record
   */
  async play(terms, bots) {
    return (await this.#play({ op: 'play', terms, bots })).record;
  }

  /**
   * Starts a bot that `guests` has seated, in a game that does not count.
   * @param {string} ruleset
   * @param {number} seat
   * @param {number} startFuel that its start takes before any of its code runs
   * @param {number} observationLen in bytes
   * @returns {Promise<number>} the address of its observations, for `turn`
   */
  async begin(ruleset, seat, startFuel, observationLen) {
    return (await this.#play({ op: 'begin', ruleset, seat, start_fuel: startFuel, observation_len: observationLen })).observation_at;
  }

  /**
   * Asks a bot that `begin` has started.
   * @param {string} ruleset
   * @param {number} seat
   * @param {number} observationAt from `begin`
   * @param {string} observation
   * @returns {Promise<string>} its action
   */
  async turn(ruleset, seat, observationAt, observation) {
    return (await this.#play({ op: 'turn', ruleset, seat, observation_at: observationAt, observation })).action;
  }

  /**
   * A built-in opponent's answer to an observation; null for other players, and for other versions.
   * @param {string} ruleset
   * @param {string} entrant id
   * @param {string} observation
   * @returns {string | null}
   */
  answer(ruleset, entrant, observation) {
    return this.#ask({ op: 'answer', ruleset, entrant, observation }).action;
  }

  /**
   * The observation of a seat.
   * @param {GameText} game
   * @param {number} seat
   * @param {string} seatSeed 32 bytes in hex; in games that do not count, the page draws it
   * @returns {{observation: string, budgets: {memory_bytes: number, module_bytes: number}}} the observation's bytes in
   *   hex, and the limits of a bot
   */
  observe(game, seat, seatSeed) {
    return this.#ask({ op: 'observe', game, seat, seat_seed: seatSeed });
  }

  /** @param {object} request in which no bot is called @returns {any} */
  #ask(request) {
    return this.#answer(this.#exports.arena_call(...this.#given(request)));
  }

  /**
   * With JSPI the module is suspended while a bot is called. It can be so for one request at a time.
   * @param {object} request
   * @returns {Promise<any>}
   */
  #play(request) {
    const answer = this.#played.then(async () => this.#answer(await promising(this.#exports.arena_call)(...this.#given(request))));
    this.#played = answer.catch(() => {});
    return answer;
  }

  /** A buffer with a request. @param {object} request @returns {[address: number, bytes: number]} */
  #given(request) {
    const { memory, arena_alloc } = this.#exports;
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const address = arena_alloc(bytes.length) >>> 0;
    if (address === 0) throw new EngineError('too_long', 'this request is longer than the engine takes');
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  /** What an answer's buffer says, which is given back. @param {bigint} packed @returns {any} */
  #answer(packed) {
    const { memory, arena_free } = this.#exports;
    const [at, length] = [Number(BigInt.asUintN(64, packed) >> 32n), Number(packed & 0xffffffffn)];
    // The call may have grown the memory, which replaces its buffer.
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
    arena_free(at, length);
    if (answer.error) throw new EngineError(answer.error.code, answer.error.message, answer.error.phrases);
    return answer.ok;
  }
}

/**
 * Fetches and starts the engine.
 * @param {string | URL} url of the module, served as application/wasm
 * @param {Guests} [guests] what runs bots; only the opponents' module takes them
 * @returns {Promise<Engine>}
 */
export async function loadEngine(url, guests) {
  const { instance } = await WebAssembly.instantiateStreaming(fetched(url), guests?.imports ?? {});
  guests?.serve(/** @type {any} */ (instance.exports).memory);
  return new Engine(instance);
}
