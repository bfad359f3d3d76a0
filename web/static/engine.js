// The rules in the page: a typed face of the WebAssembly module that `web/engine` is built into.
//
// Nothing here knows a rule. Every method is one call of the module, and what it gives is what the referee's own code says.
// The page's Content-Security-Policy needs 'wasm-unsafe-eval' among its script sources, and no more than that.

/** @typedef {'blue' | 'red'} Colour */
/** @typedef {'home' | 'neutral' | 'enemy'} Zone */
/** @typedef {[row: number, column: number]} Pair rows from the top, columns from the left, from 0 */
/** @template T @typedef {{blue: T, red: T}} Colours */
/** @typedef {{legal: boolean, why_not: string | null}} Verdict whether something may be done, or the rule's sentence why not */

/** @typedef {{tool: string, cells: Pair[]}} Call something done, and the cells that it is done to */

/** @typedef {{calls: Call[], words: string}} Described an action: its calls, mostly one, and what is said of who plays it */

/**
 * Sizes of the game.
 * @typedef {object} Rules
 * @property {number} rows
 * @property {number} cols
 * @property {number} home_cols columns of each home
 * @property {number} rounds
 * @property {number} placements cells of a turn
 * @property {number} bomb_from_round
 * @property {number} bomb_cooldown
 */

/**
 * How a game ended.
 * @typedef {object} Outcome
 * @property {number | null} winner the winning seat, from 0; null is a draw
 * @property {'extinction' | 'mutual_extinction' | 'majority' | 'forfeit'} reason
 * @property {number[]} tally weighted scores by seat
 */

/**
 * A position. Give it back to the engine as it is.
 * @typedef {object} Position
 * @property {number} ply turns played so far; those of an opening are not played but given
 * @property {string} options the rules in force; an opening is not among them
 * @property {string} board 26 rows of 28 characters '.', 'b', 'r' from the top, joined by '/'
 * @property {Colour | null} to_move null when the game is over
 * @property {number} round from 1
 * @property {Colours<number>} cooldown turn ends until each bomb is ready
 * @property {Colours<boolean>} skip_used
 * @property {Zone[]} reach zones open to the mover
 * @property {string} placeable cells the mover may place first: 'x' in a text like the board's
 * @property {Verdict} bomb
 * @property {Verdict} skip
 * @property {Verdict} pass
 * @property {Colours<number>} counts living cells
 * @property {Colours<number>} scores living cells, those in the opponent's home twice
 * @property {Outcome | null} outcome
 */

/**
 * A turn in the making.
 * @typedef {object} Draft
 * @property {({cell: Pair} & Verdict)[]} cells each cell that was asked about, in order
 * @property {string} board with the cells that could be placed
 * @property {Zone[]} reach zones open for the next cell
 * @property {string} placeable cells legal for the next
 * @property {number} placements_left
 * @property {Verdict} turn whether what was placed is a whole turn
 */

/** @typedef {{row: number, col: number, colour: Colour}} ColouredCell */

/**
 * What a turn, or the beginning of one, would lead to.
 * @typedef {object} Preview
 * @property {Verdict} turn whether this is a whole turn
 * @property {string} before the board with the cells placed or bombed
 * @property {string} board the board after the generation
 * @property {ColouredCell[]} cleared by a bomb
 * @property {ColouredCell[]} births by the generation
 * @property {ColouredCell[]} deaths by the generation
 * @property {Colours<number>} counts after the generation
 * @property {Colours<number>} scores after the generation
 */

/**
 * A recorded game.
 * @typedef {object} Replay
 * @property {boolean} verified whether the rules agree with every turn, every digest and the outcome
 * @property {string | null} why_not where they do not; then there are no positions
 * @property {{semantics: string, build: string, ruleset: string, options: string, seed: string, entrants: string[]}} header
 * @property {Position[]} positions before each turn, and the last
 * @property {(Described & {colour: Colour, fuel: number | null, digest: string})[]} turns
 * @property {{seat: number, turn: number | null, code: string, detail: string}[]} forfeits
 * @property {Outcome} outcome
 * @property {string} digest
 */

/**
 * A recorded game as questions and answers; bytes are hex.
 * @typedef {object} Questions
 * @property {string} ruleset
 * @property {string[]} entrants ids by seat
 * @property {number} observation_len bytes of every observation
 * @property {number} memory_bytes what a bot's memory may have
 * @property {{seat: number, observation: string, answer: string, broke: boolean}[]} questions in the order of the turns; a seat
 *   that was broke was answered for by the rules
 * @property {{seat: number, turn: number | null, code: string, detail: string}[]} forfeits
 */

/** @typedef {{seat: number, action: string, fuel?: number | null}} Answer what one seat did in a turn; the action's bytes are hex */

/**
 * The board of any game.
 * @typedef {object} Picture
 * @property {number} rows
 * @property {number} cols
 * @property {string} cells a character a cell, row by row: '.' dead, 'a' for the first seat and so on, '#' nobody's
 * @property {number[]} tally what the ruleset ranks seats by
 */

/**
 * A game in progress.
 * @typedef {object} GridGame
 * @property {string} ruleset
 * @property {string} options in canonical text
 * @property {string} [seed] the game's, in hex; needed only where the start depends on it
 * @property {Answer[][]} turns what was played, turn by turn
 * @property {{seat: number, turn: number | null, code: string, detail: string}[]} [forfeits] who could not go on
 */

/**
 * Something that a seat can do.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} purpose a short phrase
 * @property {'nothing' | 'cell' | 'piece' | 'cells'} input no cell, one, a piece and where it goes, or some in order
 * @property {number} least the fewest cells
 * @property {number} most the most cells
 */

/**
 * A position of any game.
 * @typedef {Picture & {title: string, seat_names: string[], awaiting: number[], outcome: GridOutcome | null, digest: string, tools: Tool[]}} GridPosition
 */

/**
 * A turn in the making, of any game.
 * @typedef {object} Making
 * @property {Pair[]} next cells that can come next
 * @property {string | null} action its bytes in hex; null while it is no action
 * @property {Picture | null} after the board after it; null unless it is legal, and where others have yet to answer
 */

/** @typedef {{winner: number | null, reason: string, tally: number[]}} GridOutcome how any game ended */

/**
 * A recorded game of any ruleset.
 * @typedef {object} GridReplay
 * @property {boolean} verified whether the rules agree with every turn, every digest and the outcome
 * @property {string | null} why_not where they do not; then there is no film
 * @property {{ruleset: string, options: string, seed: string, entrants: string[]}} header
 * @property {Film | null} film
 * @property {{plays: (Described & {seat: number, fuel: number | null})[], digest: string}[]} turns
 * @property {{seat: number, turn: number | null, code: string, detail: string}[]} forfeits
 * @property {GridOutcome} outcome
 * @property {string} digest
 */

/**
 * All pictures of a game: before each turn, and the last.
 * @typedef {object} Film
 * @property {string} title
 * @property {string[]} seat_names
 * @property {number} rows
 * @property {number} cols
 * @property {(string | [place: number, owner: string][])[]} frames cells as in a picture, or those that are not as in the frame before,
 *   by their places row by row; `frameAt` in grid.js has them all
 * @property {number[][]} tallies by frame and seat
 */

/** What the engine says instead of an answer. */
export class EngineError extends Error {
  /**
   * @param {string} code `bad_request`, `too_long`, `unknown_game`, `not_a_position`, `game_over`, `illegal_move` or `not_a_record`
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

  /** @param {WebAssembly.Instance} instance of the module that web/engine is built into */
  constructor(instance) {
    this.#exports = /** @type {any} */ (instance.exports);
  }

  /** @returns {Rules} */
  rules() {
    return this.#ask({ op: 'rules' });
  }

  /**
   * The first position under these options.
   * @param {string} options in canonical text, such as `chain_needs_home,weighted_majority`
   * @param {string} [seed] the game's, in hex; needed only with an opening among the options
   * @returns {Position}
   */
  newGame(options, seed) {
    return this.#ask({ op: 'new_game', options, seed });
  }

  /**
   * The position after these actions.
   * @param {string} options
   * @param {string[]} actions their bytes in hex
   * @param {string} [seed] the game's, in hex; needed only with an opening among the options
   * @returns {Position}
   */
  state(options, actions, seed) {
    return this.#ask({ op: 'state', options, seed, actions });
  }

  /**
   * Which of these cells could be placed in this order, and where the next could go. To learn why a cell cannot be the next,
   * ask with that cell at the end: one that is refused changes nothing.
   * @param {Position} position
   * @param {Pair[]} cells
   * @returns {Draft}
   */
  checkDraft(position, cells) {
    return this.#ask({ op: 'check_draft', position, cells });
  }

  /**
   * What a turn would lead to. Of a placement its beginning will do.
   * @param {Position} position
   * @param {Call} call
   * @returns {Preview}
   */
  preview(position, call) {
    return this.#ask({ op: 'preview', position, calls: [call] });
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
   * What the players of a game were asked, to ask them again.
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
   * @param {string} record the text of a record of any game, with its newline
   * @returns {GridReplay}
   */
  gridReplay(record) {
    return this.#ask({ op: 'grid_replay', record });
  }

  /**
   * @param {GridGame} game
   * @returns {GridPosition}
   */
  gridPosition(game) {
    return this.#ask({ op: 'grid_position', game });
  }

  /**
   * What the rules say to a turn in the making: whether it is a whole one, what can come next, and what it leads to.
   * @param {GridGame} game
   * @param {number} seat
   * @param {Call[]} calls
   * @returns {Verdict & Making}
   */
  gridCheck(game, seat, calls) {
    return this.#ask({ op: 'grid_check', game, seat, calls });
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
