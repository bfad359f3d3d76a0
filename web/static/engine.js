// The rules in the page: a typed face of the WebAssembly module that `web/engine` is built into.
//
// Nothing here knows a rule. Every method is one call of the module, and what it gives is what the referee's own code says.
// The page's Content-Security-Policy needs 'wasm-unsafe-eval' among its script sources, and no more than that.

/** @typedef {[row: number, column: number]} Pair rows from the top, columns from the left, from 0 */

/** @typedef {{legal: boolean, why_not: string | null}} Legality whether something may be done, or the rule's sentence why not */

/** @typedef {{tool: string, cells: Pair[]}} Call something done, and the cells that it is done to */

/** @typedef {{calls: Call[], words: string}} Described an action: its calls, mostly one, and what is said of who plays it */

/** @typedef {{seat: number, turn: number | null, code: string, detail: string}} Forfeit who could not go on, and why */

/** @typedef {{seat: number, action: string, fuel?: number | null}} Answer what one seat did in a turn; the action's bytes are hex */

/** @typedef {{winner: number | null, reason: string, tally: number[]}} Outcome how a game ended; no winner is a draw */

/**
 * Something that a seat can do.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} purpose a short phrase
 * @property {'nothing' | 'cell' | 'piece' | 'cells'} input no cell, one, a piece and where it goes, or some in order
 * @property {number} least the fewest cells
 * @property {number} most the most cells
 * @property {number} spread how many cells around each of them it acts on, too
 */

/** @typedef {{name: string, cols: number, seat: number | null}} Zone a strip of the board, and whose it is */

/**
 * What is the same in all positions of a game.
 * @typedef {object} Game
 * @property {string} title
 * @property {string[]} seat_names none where seats are numbered
 * @property {Tool[]} tools the usual first
 * @property {Zone[]} zones from the left; none where all of the board is one ground
 * @property {number} rows
 * @property {number} cols
 */

/**
 * The board of a game.
 * @typedef {object} Picture
 * @property {number} rows
 * @property {number} cols
 * @property {string} cells a character a cell, row by row: '.' dead, 'a' for the first seat and so on, '#' nobody's
 * @property {number[]} tally what the ruleset ranks seats by
 */

/**
 * What is said of a position besides its picture.
 * @typedef {object} Notes
 * @property {string} clock how far the game is; empty where the number of turns says it
 * @property {number[]} awaiting the seats that must answer
 * @property {string[]} open zones open to the first of them
 * @property {string[][]} limits what limits each tool of each seat, such as `ready in 2`; no seats where nothing does
 */

/** @typedef {Game & Picture & Notes & {outcome: Outcome | null, digest: string}} Position */

/**
 * A game in progress.
 * @typedef {object} GameText
 * @property {string} ruleset
 * @property {string} options in canonical text
 * @property {string} [seed] the game's, in hex; needed only where the start depends on it
 * @property {string | null} [from] the position that it begins with, as a seat is shown it, in hex; by default the start
 * @property {Answer[][]} turns what was played, turn by turn
 * @property {Forfeit[]} [forfeits] who could not go on
 */

/**
 * A turn in the making.
 * @typedef {object} Making
 * @property {Pair[]} next cells that can come next
 * @property {string[]} open zones open for the next cell
 * @property {string | null} action its bytes in hex; null while it is no action
 * @property {Picture | null} before the board as it leaves it, before the generation that follows; null in games without such stages,
 *   and where it is refused
 * @property {Picture | null} after the board after all; null where it is refused, and for a whole turn while others have yet to answer
 */

/**
 * A recorded game.
 * @typedef {object} Replay
 * @property {boolean} verified whether the rules agree with every turn, every digest and the outcome
 * @property {string | null} why_not where they do not; then there is no film
 * @property {{ruleset: string, options: string, seed: string, entrants: string[]}} header
 * @property {Film | null} film
 * @property {{plays: (Described & {seat: number, fuel: number | null})[], digest: string}[]} turns
 * @property {Forfeit[]} forfeits
 * @property {Outcome} outcome
 * @property {string} digest
 */

/** @typedef {string | [place: number, owner: string][]} Frame cells as in a picture, or those that changed, by their places row by row */

/**
 * All pictures of a game: before each turn, and the last.
 * @typedef {object} Reel
 * @property {Frame[]} frames changes are of the frame before; `frameAt` in picture.js has all cells
 * @property {Frame[]} stages the board as each turn left it, before its generation: changes are of the frame before the turn. None in
 *   games without such stages
 * @property {number[][]} tallies by frame and seat
 * @property {Notes[]} notes by frame
 */

/** @typedef {Game & Reel} Film */

/**
 * A recorded game as questions and answers; bytes are hex.
 * @typedef {object} Questions
 * @property {string} ruleset
 * @property {string[]} entrants ids by seat
 * @property {number} observation_len bytes of every observation
 * @property {number} memory_bytes what a bot's memory may have
 * @property {{seat: number, observation: string, answer: string, broke: boolean}[]} questions in the order of the turns; a seat
 *   that was broke was answered for by the rules
 * @property {Forfeit[]} forfeits
 */

/** What the engine says instead of an answer. */
export class EngineError extends Error {
  /**
   * @param {string} code `bad_request`, `too_long`, `unknown_game`, `illegal_move` or `not_a_record`
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    /** @readonly */
    this.code = code;
  }
}

export class Engine {
  /** @type {{memory: WebAssembly.Memory, arena_alloc(bytes: number): number, arena_call(address: number, bytes: number): bigint, arena_free(address: number, bytes: number): void}} */
  #exports;
  /** @type {{game: GameText, turns: number, number: number} | null} the game that the module holds, by the object it came as */
  #held = null;

  /** @param {WebAssembly.Instance} instance of the module that web/engine is built into */
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
   * What the rules say to a turn in the making: whether it is a whole one, what can come next, and what it leads to. Asked again of
   * the same object, it costs the same however long the game is: the module holds it.
   * @param {GameText} game to which turns may be added, and nothing else
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
   * The bytes of an action in hex, as rooms take them.
   * @param {string} ruleset
   * @param {Call[]} calls
   * @returns {string}
   */
  compose(ruleset, calls) {
    return this.#ask({ op: 'compose', ruleset, calls }).bytes;
  }

  /**
   * What actions are.
   * @param {string} ruleset
   * @param {string[]} actions their bytes in hex
   * @returns {(Described | null)[]} null for what is no action
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
   * What the players of a game were asked, to ask them again. By the opponents' module alone, as `answer` and `observe`.
   * @param {string} record the text of a record that the rules agree with
   * @returns {Questions}
   */
  questions(record) {
    return this.#ask({ op: 'questions', record });
  }

  /**
   * What a built-in opponent answers to an observation; null for players that are none, or of another version.
   * @param {string} ruleset
   * @param {string} entrant id
   * @param {string} observation
   * @returns {string | null}
   */
  answer(ruleset, entrant, observation) {
    return this.#ask({ op: 'answer', ruleset, entrant, observation }).action;
  }

  /**
   * What a seat of a game is shown.
   * @param {GameText} game
   * @param {number} seat
   * @param {string} seatSeed 32 bytes in hex; the page's own in games that do not count
   * @returns {{observation: string, memory_bytes: number}} the observation's bytes in hex, and what a bot's memory may have
   */
  observe(game, seat, seatSeed) {
    return this.#ask({ op: 'observe', game, seat, seat_seed: seatSeed });
  }

  /**
   * @param {object} request
   * @returns {any}
   */
  #ask(request) {
    const { memory, arena_alloc, arena_call, arena_free } = this.#exports;
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const address = arena_alloc(bytes.length) >>> 0;
    if (address === 0) throw new EngineError('too_long', 'this request is longer than the engine takes');
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const packed = BigInt.asUintN(64, arena_call(address, bytes.length));
    const [at, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    // The memory may have grown in between: its buffer is only looked at now.
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
    arena_free(at, length);
    if (answer.error) throw new EngineError(answer.error.code, answer.error.message);
    return answer.ok;
  }
}

/**
 * Fetches and starts the engine.
 * @param {string | URL} url of the module, served as application/wasm
 * @returns {Promise<Engine>}
 */
export async function loadEngine(url) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(url), {});
  return new Engine(instance);
}
