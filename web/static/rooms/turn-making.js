// The draft turn, checked by the engine: a game's positions, the current tool, the draft call, and what the rules say
// of it. Answers are cached.

/** @import { Call, Engine, GameText, Legality, Making, Pair, Position, Tool } from '../rules/engine.js' */
/** @import { RoomState, State } from './state.js' */

import { same } from '../board/piece.js';
import { drafted, gameOf } from './state.js';
import { phrased, sentence } from '../board/words.js';

export class TurnMaking {
  /** @type {Position[]} by ply, as far as they were requested */
  #positions = [];
  /** @type {RoomState | null} the room's state at the last request */
  #told = null;
  /** @type {GameText[]} by ply: the engine holds a game by its object */
  #games = [];
  /** @type {Map<string, Legality & Making>} by ply and call, since the last change of the room */
  #checks = new Map();
  #engine;
  #state;

  /**
   * @param {Engine} engine
   * @param {() => State} state the page's current state
   */
  constructor(engine, state) {
    this.#engine = engine;
    this.#state = state;
  }

  /** Forgets the answers for plies above this one, which were taken back. @param {number} ply */
  forget(ply) {
    this.#positions.length = Math.min(this.#positions.length, ply + 1);
  }

  /** Takes the room's current position, which need not be computed again. @param {Position} position */
  know(position) {
    const { latest } = this.#state();
    if (latest !== null) this.#positions[latest.turns.length] = position;
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

  /** The tool that turns usually use. @returns {Tool} */
  get usual() {
    return this.shown.tools[0];
  }

  /** The current tool. @returns {Tool} */
  get tool() {
    return this.shown.tools.find(({ name }) => name === this.#state().tool) ?? this.usual;
  }

  /**
   * What the rules say of a seat's calls after some plies, complete or not.
   * @param {number} ply
   * @param {number} seat
   * @param {Call[]} calls
   */
  checkAt(ply, seat, calls) {
    const game = this.#game(ply);
    const key = `${ply} ${seat} ${calls.map(({ tool, cells }) => `${tool}: ${cells.join(' ')}`).join('; ')}`;
    const known = this.#checks.get(key);
    if (known) return known;
    const check = this.#engine.check(game, seat, calls);
    this.#checks.set(key, check);
    return check;
  }

  /** The seat to move; with simultaneous turns, this page's seat. @returns {number} */
  get mover() {
    const { you } = this.#state();
    const { awaiting } = this.shown;
    return awaiting.find((seat) => you.includes(seat)) ?? awaiting[0];
  }

  /** What the rules say of a call of the seat to move. @param {Call} call */
  check(call) {
    return this.checkAt(this.#state().shown, this.mover, [call]);
  }

  /** What the rules say of the usual tool on these cells. @param {Pair[]} cells */
  usually(cells) {
    return this.check({ tool: this.usual.name, cells });
  }

  /** The draft call, which may have no cells yet. @returns {Call} */
  call() {
    return drafted(this.#state(), this.usual.name) ?? { tool: this.tool.name, cells: [] };
  }

  /**
   * The draft call with the cell pointed at as its target, if a piece is chosen and can move there.
   * @param {Pair | null} pointed
   * @returns {Call}
   */
  looked(pointed) {
    const call = this.call();
    const [piece] = call.cells;
    if (this.usual.input !== 'piece' || call.tool !== this.usual.name || !piece || !pointed) return call;
    return this.usually([piece]).next.some((open) => same(open, pointed)) ? { ...call, cells: [piece, pointed] } : call;
  }

  /** Whether a tool can be used now. @param {Tool} tool */
  possible({ name }) {
    const { legal, next } = this.check({ tool: name, cells: [] });
    return legal || next.length > 0;
  }

  /**
   * The draft's cells without one, and without those that cannot be placed without it.
   * @param {Pair} cell
   * @returns {Pair[]}
   */
  without(cell) {
    const others = this.#state().draft.cells.filter((placed) => !same(placed, cell));
    /** @type {Pair[]} */
    const kept = [];
    for (const next of others) if (this.usually(kept).next.some((open) => same(open, next))) kept.push(next);
    return kept;
  }

  /** Why a cell cannot be the next of the usual tool; empty if it can. @param {Pair} cell */
  refusal(cell) {
    const { cells } = this.#state().draft;
    return this.usually(cells).next.some((open) => same(open, cell)) ? '' : sentence(phrased(this.usually([...cells, cell]).why_not));
  }
}
