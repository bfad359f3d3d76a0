// A room without a server: the game is in this page, and so is who plays against the visitor. It says to the page what a room on the
// server would say, so that the page is the same.

/** @import { Answer, Engine, Forfeit, GameText, Pair } from './engine.js' */
/** @import { Command } from './transport.js' */

import { moduleUrl } from './page.js';
import { say } from './say.js';

/** How long a turn may take here. In the arena fuel ends it within a fraction of that. */
const SILENCE_MS_MAX = 20_000;

/**
 * What is played.
 * @typedef {object} LocalGame
 * @property {string} ruleset
 * @property {string} options
 * @property {string} seed of the game, in hex
 * @property {string | null} from the position that it begins with, as a seat is shown it, in hex; null for the start
 * @property {Answer[][]} turns that were played before the page takes over
 * @property {number[]} you the visitor's seats
 * @property {string[]} names by seat
 * @property {(string | null)[]} pages by seat
 * @property {string} opponent id of who has the other seat; empty where nobody has
 */

/** @param {number} bytes @returns {string} that many random ones in hex */
const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export class LocalRoom {
  #engine;
  #game;
  #hear;
  #connected;
  #events = 0;
  /** @type {Answer[][]} */
  #turns;
  /** @type {Forfeit[]} */
  #forfeits = [];
  #trouble = '';
  /** Answers to the turn that others have yet to answer, where all play at once. @type {Answer[]} */
  #answers = [];
  /** Whether the visitor lays cells now instead of playing. */
  #laying = false;
  /** @type {{from: string | null, base: Answer[][], turns: Answer[][]}[]} boards that were changed by hand, the last one last */
  #before = [];
  #from;
  /** Turns that cannot be taken back. */
  #base;
  #seatSeed = randomHex(32);
  /** @type {Worker | null} while somebody thinks or may again */
  #worker = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /**
   * @param {object} parts
   * @param {Engine} parts.engine
   * @param {LocalGame} parts.game
   * @param {(message: any) => void} parts.hear takes each message
   * @param {(open: boolean) => void} parts.connected learns that there is a room
   */
  constructor({ engine, game, hear, connected }) {
    this.#engine = engine;
    this.#game = game;
    this.#turns = [...game.turns];
    this.#base = game.turns;
    this.#from = game.from;
    this.#hear = hear;
    this.#connected = connected;
  }

  connect() {
    const { you, names, pages } = this.#game;
    this.#connected(true);
    this.#hear({ type: 'hello', you, names, pages });
    this.#tell();
  }

  /** There is nothing that could have been lost. */
  wake() {}

  /** @param {Command} command */
  send(command) {
    const awaited = this.#awaited(this.#position().awaiting);
    const own = awaited.find((seat) => this.#game.you.includes(seat)) ?? awaited[0];
    if (command.type === 'turn') this.#play(own, command.action);
    else this.#give(own, 'resigned', '');
  }

  /** The seats of these that have not answered. @param {readonly number[]} awaiting */
  #awaited(awaiting) {
    return awaiting.filter((seat) => this.#answers.every((answer) => answer.seat !== seat));
  }

  /** Whether there is a turn of the visitor's to be taken back. */
  get canTakeBack() {
    return this.#before.length > 0 || this.#ownTurns;
  }

  get #ownTurns() {
    return this.#turns.slice(this.#base.length).some((turn) => this.#isOwn(turn));
  }

  /** Whether the visitor answered in a turn. @param {readonly Answer[]} turn */
  #isOwn(turn) {
    return turn.some(({ seat }) => this.#game.you.includes(seat));
  }

  /** Takes the visitor's last turn back, and what came after it; or what was laid by hand last. */
  takeBack() {
    if (!this.canTakeBack) return;
    this.#still();
    this.#forfeits = [];
    if (!this.#ownTurns) {
      const before = this.#before.pop();
      if (before) [this.#from, this.#base, this.#turns] = [before.from, before.base, before.turns];
      return this.#tell();
    }
    // The page has the turns as they were, and compares.
    this.#turns = [...this.#turns];
    let taken;
    do taken = this.#turns.pop();
    while (taken && !this.#isOwn(taken));
    this.#tell();
  }

  /** Takes all turns back. */
  restart() {
    this.#still();
    this.#forfeits = [];
    this.#before = [];
    this.#from = this.#game.from;
    this.#base = this.#game.turns;
    this.#turns = [...this.#base];
    this.#tell();
  }

  /** Begins or ends to lay cells by hand. @param {boolean} laying */
  lay(laying) {
    this.#laying = laying;
    this.#still();
    this.#tell();
  }

  /**
   * Gives a cell to the next seat, or to nobody after the last. A position has a byte for each cell at its end, 0 for none, in all
   * games that are played here.
   * @param {Pair} cell
   */
  take([row, col]) {
    if (!this.#laying) return false;
    const { rows, cols, seat_names: seats, awaiting, outcome } = this.#position();
    // The position of a game that is over is none to go on from.
    if (outcome !== null) return true;
    const shown = this.#engine.observe(this.#text(), awaiting[0] ?? 0, this.#seatSeed).observation;
    const at = shown.length - 2 * (rows * cols - (row * cols + col));
    const next = (parseInt(shown.slice(at, at + 2), 16) + 1) % (seats.length + 1);
    this.#before.push({ from: this.#from, base: this.#base, turns: this.#turns });
    this.#from = `${shown.slice(0, at)}${next.toString(16).padStart(2, '0')}${shown.slice(at + 2)}`;
    this.#base = [];
    this.#turns = [];
    this.#forfeits = [];
    this.#tell();
    return true;
  }

  /** @returns {GameText} */
  #text() {
    const { ruleset, options, seed } = this.#game;
    return { ruleset, options, seed, from: this.#from, turns: this.#turns, forfeits: this.#forfeits };
  }

  #position() {
    return this.#engine.position(this.#text());
  }

  /** @param {number} seat @param {string} action in hex, which the rules allow */
  #play(seat, action) {
    const answers = [...this.#answers, { seat, action }].sort((one, other) => one.seat - other.seat);
    const complete = this.#position().awaiting.length === answers.length;
    this.#answers = complete ? [] : answers;
    if (complete) this.#turns = [...this.#turns, answers];
    this.#tell();
  }

  /** @param {number} seat @param {string} code @param {string} detail */
  #give(seat, code, detail) {
    this.#forfeits = [{ seat, turn: this.#turns.length, code, detail }];
    this.#tell();
  }

  #tell() {
    const { awaiting: all, outcome, digest } = this.#position();
    const awaiting = this.#awaited(all);
    this.#events += 1;
    const trouble = this.#trouble === '' ? null : this.#trouble;
    this.#hear({ type: 'state', events: this.#events, ply: this.#turns.length, ...this.#text(), awaiting, outcome, digest, trouble });
    const asks = outcome === null && trouble === null && !this.#laying && !this.#game.you.includes(awaiting[0]);
    if (asks) this.#think(awaiting[0]);
  }

  /** Ends what the opponent thinks about. */
  #still() {
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = null;
    this.#trouble = '';
    this.#answers = [];
  }

  /** @param {number} seat */
  #think(seat) {
    const worker = (this.#worker ??= new Worker(new URL('opponent-worker.js', import.meta.url), { type: 'module' }));
    const stuck = (/** @type {string} */ why) => {
      this.#still();
      this.#trouble = say('{0} cannot continue in this page: {1}.', this.#game.names[seat], why);
      this.#tell();
    };
    this.#watchdog = setTimeout(() => stuck(say('a turn took more than {0} s; in the arena fuel would have ended it', SILENCE_MS_MAX / 1000)), SILENCE_MS_MAX);
    worker.onerror = () => stuck(say('a worker could not be started'));
    worker.onmessage = ({ data }) => {
      clearTimeout(this.#watchdog);
      if (data.failed) return stuck(data.failed);
      try {
        this.#engine.position({ ...this.#text(), turns: [...this.#turns, [...this.#answers, { seat, action: data.action }].sort((one, other) => one.seat - other.seat)] });
      } catch (error) {
        return this.#give(seat, 'illegal_move', error instanceof Error ? error.message : String(error));
      }
      this.#play(seat, data.action);
    };
    const { opponent: entrant } = this.#game;
    worker.postMessage({ engine: moduleUrl('opponents'), entrant, seat, seatSeed: this.#seatSeed, game: this.#text() });
  }
}
