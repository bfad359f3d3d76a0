// A room without a server: the game is in this page, and so is who plays against the visitor. It says to the page what a room on the
// server would say, so that the page is the same.

/** @import { Answer, Engine, Forfeit, GameText } from './engine.js' */
/** @import { Command } from './transport.js' */

import { OPPONENTS_URL } from './page.js';

/** How long a turn may take here. In the arena fuel ends it within a fraction of that. */
const SILENCE_MS_MAX = 20_000;

/**
 * What is played.
 * @typedef {object} LocalGame
 * @property {string} ruleset
 * @property {string} options
 * @property {string} seed of the game, in hex
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
   * @param {(open: boolean) => void} parts.connected is told that there is a room
   */
  constructor({ engine, game, hear, connected }) {
    this.#engine = engine;
    this.#game = game;
    this.#turns = [...game.turns];
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
    const { awaiting } = this.#position();
    if (command.type === 'turn') this.#play(awaiting[0], command.action);
    else this.#give(awaiting[0], 'resigned', '');
  }

  /** Whether there is a turn of the visitor's to be taken back. */
  get canTakeBack() {
    return this.#turns.slice(this.#game.turns.length).some(([{ seat }]) => this.#game.you.includes(seat));
  }

  /** Takes the visitor's last turn back, and what came after it. */
  takeBack() {
    if (!this.canTakeBack) return;
    this.#still();
    this.#forfeits = [];
    let taken;
    do taken = this.#turns.pop();
    while (taken && !this.#game.you.includes(taken[0].seat));
    this.#tell();
  }

  /** Takes all turns back. */
  restart() {
    this.#still();
    this.#forfeits = [];
    this.#turns = [...this.#game.turns];
    this.#tell();
  }

  /** @returns {GameText} */
  #text() {
    const { ruleset, options, seed } = this.#game;
    return { ruleset, options, seed, turns: this.#turns, forfeits: this.#forfeits };
  }

  #position() {
    return this.#engine.position(this.#text());
  }

  /** @param {number} seat @param {string} action in hex, which the rules allow */
  #play(seat, action) {
    this.#turns = [...this.#turns, [{ seat, action }]];
    this.#tell();
  }

  /** @param {number} seat @param {string} code @param {string} detail */
  #give(seat, code, detail) {
    this.#forfeits = [{ seat, turn: this.#turns.length, code, detail }];
    this.#tell();
  }

  #tell() {
    const { awaiting, outcome, digest } = this.#position();
    this.#events += 1;
    const trouble = this.#trouble === '' ? null : this.#trouble;
    this.#hear({ type: 'state', events: this.#events, ply: this.#turns.length, ...this.#text(), awaiting, outcome, digest, trouble });
    const asks = outcome === null && trouble === null && !this.#game.you.includes(awaiting[0]);
    if (asks) this.#think(awaiting[0]);
  }

  /** Ends what the opponent thinks about. */
  #still() {
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = null;
    this.#trouble = '';
  }

  /** @param {number} seat */
  #think(seat) {
    const worker = (this.#worker ??= new Worker(new URL('opponent-worker.js', import.meta.url), { type: 'module' }));
    const stuck = (/** @type {string} */ why) => {
      this.#still();
      this.#trouble = `${this.#game.names[seat]} does not go on in this page: ${why}.`;
      this.#tell();
    };
    this.#watchdog = setTimeout(() => stuck(`a turn took more than ${SILENCE_MS_MAX / 1000} s; in the arena fuel would have ended it`), SILENCE_MS_MAX);
    worker.onerror = () => stuck('a worker could not be started');
    worker.onmessage = ({ data }) => {
      clearTimeout(this.#watchdog);
      if (data.failed) return stuck(data.failed);
      try {
        this.#engine.position({ ...this.#text(), turns: [...this.#turns, [{ seat, action: data.action }]] });
      } catch (error) {
        return this.#give(seat, 'illegal_move', error instanceof Error ? error.message : String(error));
      }
      this.#play(seat, data.action);
    };
    const { opponent: entrant } = this.#game;
    worker.postMessage({ engine: OPPONENTS_URL, entrant, seat, seatSeed: this.#seatSeed, game: this.#text() });
  }
}
