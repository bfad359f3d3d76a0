// Has the games of a bot played by a worker, which is ended if nothing is heard from it in time.

/** @import { Match, Played, Said, Written } from './bench.js' */
/** @import { Flaw } from '../rules/texts.js' */

/** How long a turn may take, in milliseconds. Fuel ends a bot in a fraction of that, on any machine. */
export const SILENCE_MS_MAX = 20_000;

/**
 * How games ended: all were played; the page stopped them; the text has an error; the check refuses the module; the
 * worker was silent for too long; or it failed.
 * @typedef {{kind: 'over'} | {kind: 'stopped'} | {kind: 'flaw', flaw: Flaw} | {kind: 'refused', why: string}
 *   | {kind: 'silent'} | {kind: 'failed', why: string}} End
 */

/**
 * Progress: the turn of the bot that begins, of which game; and each game that was played, with what all
 * so far say of who is stronger.
 * @typedef {{turn(turn: number, game: number): void, played(game: Played, said: Said): void}} News
 */

/** What is used of a worker. */
/** @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>} Working */

export class Trial {
  #start;
  #modules;
  #silenceMax;
  /** @type {Working | null} */
  #worker = null;
  /** Ends the games that are played. @type {((end: End) => void) | null} */
  #settle = null;

  /**
   * @param {() => Working} start starts a worker that runs `workshop-worker.js`
   * @param {{engine: WebAssembly.Module, texts: WebAssembly.Module}} modules
   * @param {number} [silenceMax] milliseconds
   */
  constructor(start, modules, silenceMax = SILENCE_MS_MAX) {
    this.#start = start;
    this.#modules = modules;
    this.#silenceMax = silenceMax;
  }

  /**
   * Plays games, one after the other, instead of those that are being played.
   * @param {Written} bot
   * @param {Match[]} games
   * @param {News} news
   * @returns {Promise<End>}
   */
  run(bot, games, news) {
    if (this.#settle !== null) this.stop();
    if (this.#worker === null) {
      this.#worker = this.#start();
      this.#worker.postMessage(this.#modules);
    }
    const worker = this.#worker;
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let watchdog;
      const settle = (/** @type {End} */ end) => {
        clearTimeout(watchdog);
        this.#settle = null;
        resolve(end);
      };
      const lost = (/** @type {End} */ end) => {
        settle(end);
        this.stop();
      };
      const watch = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => lost({ kind: 'silent' }), this.#silenceMax);
      };
      this.#settle = settle;
      worker.onerror = () => lost({ kind: 'failed', why: '' });
      worker.onmessage = ({ data }) => {
        watch();
        if (data.turn !== undefined) news.turn(data.turn, data.game);
        else if (data.played) news.played(data.played, data.said);
        else if (data.over) settle({ kind: 'over' });
        else if (data.flaw) settle({ kind: 'flaw', flaw: data.flaw });
        else if (data.refused !== undefined) settle({ kind: 'refused', why: data.refused });
        else lost({ kind: 'failed', why: data.failed });
      };
      watch();
      worker.postMessage({ bot, games });
    });
  }

  /** Ends the worker, and the games that it plays. */
  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#settle?.({ kind: 'stopped' });
  }
}
