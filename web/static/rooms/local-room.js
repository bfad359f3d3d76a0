// A room without a server: the game and the opponent are in this page. It sends the same messages as a room on the
// server, so the page needs no special case.

/** @import { Answer, Engine, Forfeit, GameText, Pair } from '../rules/engine.js' */
/** @import { Command } from '../net/transport.js' */
/** @import { Message } from './state.js' */

import { reasonOf } from '../board/words.js';
import { fileUrl } from '../files.js';
import { EngineError } from '../rules/engine.js';
import { moduleUrl } from '../page/page.js';
import { scriptPageNoWorker } from '../text/en/script-page.js';
import { scriptRoomsCannotContinue, scriptRoomsTurnTooLong } from '../text/en/script-rooms.js';

/**
 * The time limit of an opponent's turn in this page, in milliseconds. In the arena, fuel ends a turn in a fraction of
 * it.
 */
const SILENCE_MS_MAX = 20_000;

/**
 * A practice game.
 * @typedef {object} LocalGame
 * @property {string} ruleset
 * @property {string} options
 * @property {string} seed of the game, in hex
 * @property {string | null} from the initial position as an observation, in hex; null for the start
 * @property {Answer[][]} turns played before the page takes over
 * @property {Forfeit[]} forfeits in these turns, or before them
 * @property {number[]} you the visitor's seats
 * @property {string[]} names by seat
 * @property {(string | null)[]} pages by seat
 * @property {string} opponent id of the player in all other seats; empty if there is none
 */

/** @param {number} bytes @returns {string} random bytes in hex */
const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * @template {{seat: number, turn?: number | null}} T
 * @param {T[]} list
 * @returns {T[]} by turn, and in a turn by seat
 */
const inOrder = (list) => list.sort((one, other) => (one.turn ?? -1) - (other.turn ?? -1) || one.seat - other.seat);

export class LocalRoom {
  #engine;
  #game;
  #hear;
  #connected;
  #events = 0;
  /** @type {Answer[][]} */
  #turns;
  /** @type {Forfeit[]} */
  #forfeits;
  #trouble = '';
  /** Why the rules refused an opponent's answer, by seat, in the page's words. @type {Record<number, string>} */
  #reasons = {};
  /** Answers to the current turn while others have yet to answer, in games with simultaneous turns. @type {Answer[]} */
  #answers = [];
  /** Whether the visitor is editing the board instead of playing. */
  #laying = false;
  /**
   * @type {{from: string | null, base: Answer[][], turns: Answer[][], forfeits: Forfeit[]}[]} states before each edit
   *   of the board, the latest last
   */
  #before = [];
  #from;
  /** The turns that cannot be taken back. */
  #base;
  /** By seat. */
  #seatSeeds;
  /** @type {Worker | null} null until the opponent first thinks, and after it was stopped */
  #worker = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /**
   * @param {object} parts
   * @param {Engine} parts.engine
   * @param {LocalGame} parts.game
   * @param {(message: Message) => void} parts.hear receives each message
   * @param {(open: boolean) => void} parts.connected told that the room is connected
   */
  constructor({ engine, game, hear, connected }) {
    this.#engine = engine;
    this.#game = game;
    this.#turns = [...game.turns];
    this.#base = game.turns;
    this.#forfeits = game.forfeits;
    this.#from = game.from;
    this.#seatSeeds = game.names.map(() => randomHex(32));
    this.#hear = hear;
    this.#connected = connected;
  }

  connect() {
    const { you, names, pages } = this.#game;
    this.#connected(true);
    this.#hear({ type: 'hello', you, names, pages });
    this.#tell();
  }

  /** Does nothing: this connection cannot be lost. */
  wake() {}

  /** @param {Command} command */
  send(command) {
    const awaited = this.#awaited(this.#position().awaiting);
    const own = awaited.find((seat) => this.#game.you.includes(seat));
    if (own === undefined) return;
    if (command.type === 'turn') this.#play(own, command.action);
    else this.#give(own, 'resigned');
  }

  /** Those of these seats that have not answered. @param {readonly number[]} awaiting */
  #awaited(awaiting) {
    return awaiting.filter((seat) => this.#answers.every((answer) => answer.seat !== seat));
  }

  /** Whether there is anything to take back. */
  get canTakeBack() {
    return this.#before.length > 0 || this.#ownTurns || this.#isOwn(this.#newForfeits);
  }

  /** Forfeits since the game began here. */
  get #newForfeits() {
    return this.#forfeits.filter(({ turn }) => turn !== null && turn >= this.#base.length);
  }

  get #ownTurns() {
    return this.#turns.slice(this.#base.length).some((turn) => this.#isOwn(turn));
  }

  /** Whether one of these seats is the visitor's. @param {readonly {seat: number}[]} turn */
  #isOwn(turn) {
    return turn.some(({ seat }) => this.#game.you.includes(seat));
  }

  /** Takes back the visitor's last turn and everything after it, or the last edit of the board, or giving up. */
  takeBack() {
    if (!this.canTakeBack) return;
    this.#still();
    if (!this.#ownTurns) {
      const before = this.#before.pop();
      if (before) [this.#from, this.#base, this.#turns, this.#forfeits] = [before.from, before.base, before.turns, before.forfeits];
      // Who gave up before a first turn of their own.
      else [this.#turns, this.#forfeits] = [[...this.#base], this.#forfeits.filter((one) => !this.#newForfeits.includes(one))];
      return this.#tell();
    }
    // The page keeps the previous array, and compares.
    this.#turns = [...this.#turns];
    let taken;
    do taken = this.#turns.pop();
    while (taken && !this.#isOwn(taken));
    this.#forfeits = this.#forfeits.filter(({ turn }) => turn === null || turn < this.#turns.length);
    this.#tell();
  }

  /** Takes all turns back. */
  restart() {
    this.#still();
    this.#forfeits = this.#game.forfeits;
    this.#before = [];
    this.#from = this.#game.from;
    this.#base = this.#game.turns;
    this.#turns = [...this.#base];
    this.#tell();
  }

  /** Starts or stops editing the board. @param {boolean} laying */
  lay(laying) {
    this.#laying = laying;
    this.#still();
    this.#tell();
  }

  /**
   * Gives a cell to the next seat, or to nobody after the last. In all games that are practised here, a position ends
   * with one byte per cell, 0 for none.
   * @param {Pair} cell
   */
  take([row, col]) {
    if (!this.#laying) return false;
    const { rows, cols, tally, awaiting, outcome } = this.#position();
    // A finished game has no position to play on from.
    if (outcome !== null) return true;
    const seat = awaiting[0] ?? 0;
    const shown = this.#engine.observe(this.#text(), seat, this.#seatSeeds[seat]).observation;
    const at = shown.length - 2 * (rows * cols - (row * cols + col));
    const owner = parseInt(shown.slice(at, at + 2), 16);
    // A living cell of nobody has a greater number than all seats.
    const next = owner < tally.length ? owner + 1 : 0;
    this.#before.push({ from: this.#from, base: this.#base, turns: this.#turns, forfeits: this.#forfeits });
    this.#from = `${shown.slice(0, at)}${next.toString(16).padStart(2, '0')}${shown.slice(at + 2)}`;
    this.#base = [];
    this.#turns = [];
    this.#forfeits = [];
    this.#tell();
    return true;
  }

  /** The game so far. @returns {GameText & {forfeits: Forfeit[]}} */
  #text() {
    const { ruleset, options, seed } = this.#game;
    return { ruleset, options, seed, from: this.#from, turns: this.#turns, forfeits: this.#forfeits };
  }

  #position() {
    return this.#engine.position(this.#text());
  }

  /** @param {number} seat @param {string} action in hex, which the rules allow */
  #play(seat, action) {
    this.#answers = inOrder([...this.#answers, { seat, action }]);
    this.#settle();
  }

  /** @param {number} seat @param {string} code */
  #give(seat, code) {
    this.#forfeits = inOrder([...this.#forfeits, { seat, turn: this.#turns.length, code, detail: '' }]);
    this.#settle();
  }

  /** Ends the turn once all have answered. */
  #settle() {
    const { awaiting, outcome } = this.#position();
    if (outcome === null && this.#awaited(awaiting).length === 0) {
      this.#turns = [...this.#turns, this.#answers];
      this.#answers = [];
    }
    this.#tell();
  }

  /**
   * Throws what the rules say against an answer. Those who have yet to answer are taken to name the same: whether an
   * answer is allowed in a turn of all seats at once does not depend on the seat.
   * @param {number} seat
   * @param {string} action
   */
  #judge(seat, action) {
    const others = this.#awaited(this.#position().awaiting).filter((one) => one !== seat);
    const turn = inOrder([...this.#answers, { seat, action }, ...others.map((one) => ({ seat: one, action }))]);
    this.#engine.position({ ...this.#text(), turns: [...this.#turns, turn] });
  }

  #tell() {
    const { awaiting: all, outcome, digest } = this.#position();
    const awaiting = this.#awaited(all);
    this.#events += 1;
    const trouble = this.#trouble === '' ? null : this.#trouble;
    const [ply, reasons] = [this.#turns.length, this.#reasons];
    this.#hear({ type: 'state', events: this.#events, ply, ...this.#text(), awaiting, outcome, digest, trouble, reasons });
    // Where all seats answer at once, the visitor comes first.
    const asks = outcome === null && trouble === null && !this.#laying && !this.#isOwn(awaiting.map((seat) => ({ seat })));
    if (asks) this.#think(awaiting[0]);
  }

  /** Stops the opponent's thinking. */
  #still() {
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = null;
    this.#trouble = '';
    this.#answers = [];
  }

  /** @param {number} seat */
  #think(seat) {
    const worker = (this.#worker ??= new Worker(fileUrl('opponent-worker.js'), { type: 'module' }));
    const stuck = (/** @type {string} */ why) => {
      this.#still();
      this.#trouble = scriptRoomsCannotContinue({ player: this.#game.names[seat], why });
      this.#tell();
    };
    this.#watchdog = setTimeout(() => stuck(scriptRoomsTurnTooLong({ seconds: SILENCE_MS_MAX / 1000 })), SILENCE_MS_MAX);
    worker.onerror = () => stuck(scriptPageNoWorker());
    worker.onmessage = ({ data }) => {
      clearTimeout(this.#watchdog);
      if (data.failed) return stuck(data.failed);
      try {
        this.#judge(seat, data.action);
      } catch (error) {
        this.#reasons[seat] = error instanceof EngineError ? reasonOf(error) : String(error);
        return this.#give(seat, 'illegal_move');
      }
      this.#play(seat, data.action);
    };
    const { opponent: entrant } = this.#game;
    worker.postMessage({ engine: moduleUrl('opponents'), entrant, seat, seatSeed: this.#seatSeeds[seat], game: this.#text() });
  }
}
