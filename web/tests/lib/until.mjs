// Waits for conditions, always with a time limit.

/** The polling interval, in milliseconds. */
const LOOK_MS = 25;
/** The usual time limit, in milliseconds: longer than anything takes on a busy machine. What holds sooner is not waited for. */
const LIMIT_MS = 60_000;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The first truthy value returned by `ask`.
 * @template T
 * @param {string} what the condition, worded for an error
 * @param {() => T | Promise<T>} ask
 * @param {{limitMs?: number, everyMs?: number}} [options]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, { limitMs = LIMIT_MS, everyMs = LOOK_MS } = {}) {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}

/**
 * Keeps calls apart: each returned promise resolves at least so many milliseconds after the one before.
 * @param {number} ms
 * @returns {() => Promise<void>}
 */
export function keptApart(ms) {
  let next = 0;
  return async () => {
    const now = Date.now();
    const at = Math.max(now, next);
    next = at + ms;
    if (at > now) await pause(at - now);
  };
}

/**
 * Adds a time limit to a promise.
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
 * Ends this process with a failure when it runs for too long. The handlers of `exit` stop its children.
 * @param {number} seconds
 */
export function lifeLimit(seconds) {
  setTimeout(() => {
    process.stderr.write(`error: not done after ${seconds} s, the limit of the whole run\n`);
    process.exit(1);
  }, seconds * 1000).unref();
}
