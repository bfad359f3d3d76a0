// Has recorded games played again by a worker, which is ended if nothing is heard from it in time.

/** @import { Apart, Finding } from '../rules/recompute.js' */

/** How long a call of a bot may take, in milliseconds. In the arena, fuel ends it in a fraction of that. */
export const SILENCE_MS_MAX = 20_000;

/**
 * The modules of the rules and of the meter.
 * @typedef {{engine: WebAssembly.Module, meter: WebAssembly.Module}} Modules
 */

/** What is used of a worker. */
/** @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>} Working */

/** Bots that were silent for too long. They are not tried again. @typedef {Set<string>} Silent */

/** Plays games again, one after the other, in a worker of its own. */
export class Recomputing {
  #start;
  #modules;
  #silent;
  #silenceMax;
  /** @type {Working | null} */
  #worker = null;
  /** The bots whose bytes the worker has. @type {Set<string>} */
  #sent = new Set();
  /** Ends the game that is played. */
  #stop = () => {};

  /**
   * @param {() => Working} start starts a worker that runs `recompute-worker.js`
   * @param {Modules} modules
   * @param {Silent} [silent] shared by all that play the games of a tournament
   * @param {number} [silenceMax] milliseconds
   */
  constructor(start, modules, silent = new Set(), silenceMax = SILENCE_MS_MAX) {
    this.#start = start;
    this.#modules = modules;
    this.#silent = silent;
    this.#silenceMax = silenceMax;
  }

  /**
   * @param {string} record its text, with its newline
   * @param {Map<string, Uint8Array> | null} bots the bytes of its bots, by id; null to ask the rules alone
   * @param {(turns: number) => void} [tell] called before each turn of a bot
   * @returns {Promise<Finding | Apart | null>} null if it was ended
   */
  run(record, bots, tell = () => {}) {
    const silent = [...(bots?.keys() ?? [])].find((id) => this.#silent.has(id));
    if (silent !== undefined) return Promise.resolve({ kind: 'not_checked', why: 'deadline', detail: silent });
    if (this.#worker === null) {
      this.#sent.clear();
      this.#worker = this.#start();
      this.#worker.postMessage(this.#modules);
    }
    const worker = this.#worker;
    const news = bots && new Map([...bots].filter(([id]) => !this.#sent.has(id)));
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let watchdog;
      let asked = '';
      const end = (/** @type {Finding | Apart | null} */ found) => {
        clearTimeout(watchdog);
        resolve(found);
      };
      const lost = (/** @type {Finding | null} */ found) => {
        end(found);
        this.end();
      };
      const watch = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => {
          if (asked !== '') this.#silent.add(asked);
          lost({ kind: 'not_checked', why: 'deadline', detail: asked });
        }, this.#silenceMax);
      };
      this.#stop = () => end(null);
      worker.onerror = () => lost({ kind: 'not_checked', why: 'worker', detail: '' });
      worker.onmessage = ({ data }) => {
        watch();
        if (data.finding) end(data.finding);
        else if (data.failed !== undefined) lost({ kind: 'not_checked', why: 'worker', detail: data.failed });
        else {
          asked = data.asked;
          tell(data.turns);
        }
      };
      watch();
      worker.postMessage({ record, bots: news });
      for (const id of news?.keys() ?? []) this.#sent.add(id);
    });
  }

  /** Ends the worker, and the game that it plays. */
  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#stop();
    this.#stop = () => {};
  }
}
