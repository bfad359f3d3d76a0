// The turn in the making, asked of the engine: the positions of a game, the tool in hand, the call that is being made, and what the rules say
// to it. Asked twice it answers the same without the engine.

/** @import { Call, Engine, GameText, Legality, Making, Pair, Position, Tool } from './engine.js' */
/** @import { RoomState, State } from './room-state.js' */

import { same } from './piece.js';
import { drafted, gameOf } from './room-state.js';
import { sentence } from './words.js';

export class TurnMaking {
  /** @type {Position[]} by ply, as far as they were asked for */
  #positions = [];
  /** @type {RoomState | null} what the room said last when it was asked about */
  #told = null;
  /** @type {GameText[]} by ply: the engine holds a game by its object */
  #games = [];
  /** @type {Map<string, Legality & Making>} by ply and call, as far as nothing was played since */
  #checks = new Map();
  #engine;
  #state;

  /**
   * @param {Engine} engine
   * @param {() => State} state of the room now
   */
  constructor(engine, state) {
    this.#engine = engine;
    this.#state = state;
  }

  /** Forgets what was asked of plies above this one: they were taken back. @param {number} ply */
  forget(ply) {
    this.#positions.length = Math.min(this.#positions.length, ply + 1);
  }

  /** The game up to a ply. @param {number} ply @returns {GameText} */
  #game(ply) {
    const { latest } = this.#state();
    if (latest === null) throw new Error('nothing is known of the room yet');
    if (latest !== this.#told) {
      this.#told = latest;
      this.#games = [];
      this.#checks.clear();
    }
    return (this.#games[ply] ??= gameOf(latest, ply));
  }

  /** @param {number} ply @returns {Position} */
  position(ply) {
    return (this.#positions[ply] ??= this.#engine.position(this.#game(ply)));
  }

  /** The position on the board. */
  get shown() {
    return this.position(this.#state().shown);
  }

  /** The tool that turns are usually made with. @returns {Tool} */
  get usual() {
    return this.shown.tools[0];
  }

  /** The tool in hand. @returns {Tool} */
  get tool() {
    return this.shown.tools.find(({ name }) => name === this.#state().tool) ?? this.usual;
  }

  /** What the rules say to calls of a seat after so many plies, or to the beginning of one. @param {number} ply @param {number} seat @param {Call[]} calls */
  checkAt(ply, seat, calls) {
    const game = this.#game(ply);
    const key = `${ply} ${seat} ${calls.map(({ tool, cells }) => `${tool}: ${cells.join(' ')}`).join('; ')}`;
    const known = this.#checks.get(key);
    if (known) return known;
    const check = this.#engine.check(game, seat, calls);
    this.#checks.set(key, check);
    return check;
  }

  /** Who is to move now: this page's seat, where all play at once. @returns {number} */
  get mover() {
    const { you } = this.#state();
    const { awaiting } = this.shown;
    return awaiting.find((seat) => you.includes(seat)) ?? awaiting[0];
  }

  /** The same of who is to move now. @param {Call} call */
  check(call) {
    return this.checkAt(this.#state().shown, this.mover, [call]);
  }

  /** What the rules say to the usual tool on these cells. @param {Pair[]} cells */
  usually(cells) {
    return this.check({ tool: this.usual.name, cells });
  }

  /** The call in the making, which may have no cell yet. @returns {Call} */
  call() {
    return drafted(this.#state(), this.usual.name) ?? { tool: this.tool.name, cells: [] };
  }

  /** The same with the target that is pointed at, where a piece is chosen and may go there. @param {Pair | null} pointed @returns {Call} */
  looked(pointed) {
    const call = this.call();
    const [piece] = call.cells;
    if (this.usual.input !== 'piece' || call.tool !== this.usual.name || !piece || !pointed) return call;
    return this.usually([piece]).next.some((open) => same(open, pointed)) ? { ...call, cells: [piece, pointed] } : call;
  }

  /** Whether something can be done with a tool now. @param {Tool} tool */
  possible({ name }) {
    const { legal, next } = this.check({ tool: name, cells: [] });
    return legal || next.length > 0;
  }

  /** The cells of the draft but one, and but those that cannot be placed without it. @param {Pair} cell @returns {Pair[]} */
  without(cell) {
    const others = this.#state().draft.cells.filter((placed) => !same(placed, cell));
    /** @type {Pair[]} */
    const kept = [];
    for (const next of others) if (this.usually(kept).next.some((open) => same(open, next))) kept.push(next);
    return kept;
  }

  /** Why a cell cannot be the next of the usual tool; empty when it can. @param {Pair} cell */
  refusal(cell) {
    const { cells } = this.#state().draft;
    return this.usually(cells).next.some((open) => same(open, cell)) ? '' : sentence(this.usually([...cells, cell]).why_not);
  }
}
