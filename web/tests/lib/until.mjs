// Waiting: always for a condition, always with a limit.

/** How often a condition is looked at. */
const LOOK_MS = 25;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What `ask` gives as soon as it gives something true.
 * @template T
 * @param {string} what is waited for, as it should stand in an error
 * @param {() => T | Promise<T>} ask
 * @param {{limitMs?: number, everyMs?: number}} [options]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, { limitMs = 10_000, everyMs = LOOK_MS } = {}) {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}

/**
 * A promise with a limit.
 * @template T
 * @param {string} what
 * @param {number} limitMs
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export function within(what, limitMs, promise) {
  /** @type {NodeJS.Timeout} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs);
  });
  return Promise.race([promise, /** @type {Promise<T>} */ (late)]).finally(() => clearTimeout(timer));
}

/**
 * Ends this process with a failure when it lives too long, whatever it waits for. What it started is ended
 * by the handlers of `exit`.
 * @param {number} seconds
 */
export function lifeLimit(seconds) {
  setTimeout(() => {
    process.stderr.write(`error: not done after ${seconds} s, the limit of the whole run\n`);
    process.exit(1);
  }, seconds * 1000).unref();
}
