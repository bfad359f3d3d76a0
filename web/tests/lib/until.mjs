// All waiting of these tests: bounded, with the name of what is waited for and what was seen last.
// `unit/waits.test.mjs` allows no other.

import { inspect } from 'node:util';

/**
 * The time between the first two looks, and between later ones, in milliseconds: each costs a page some milliseconds of
 * processor time.
 */
const LOOK_MS = 10;
const LATER_MS = 120;
/**
 * The time limit of whatever takes a moment, in milliseconds: longer than it takes on a busy machine. What holds sooner
 * is not waited for.
 */
export const LIMIT_MS = 120_000;
/** The length of what an error repeats of what was seen, in characters. */
const SEEN_MAX = 1_000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What was seen, for an error. @param {unknown} seen */
const words = (seen) => (typeof seen === 'string' ? JSON.stringify(seen) : inspect(seen, { breakLength: Infinity })).slice(0, SEEN_MAX);

/**
 * Looks again and again until this is what is waited for; returns it.
 * @template T
 * @param {string} what is waited for, for an error
 * @param {() => T | Promise<T>} look
 * @param {((seen: T) => unknown) | RegExp | string | number | boolean} [is] whether this is it, what it matches, or
 *   what it equals; by default anything truthy is
 * @param {{limitMs?: number, everyMs?: number}} [options] the time limit, and the time between two looks if it shall
 *   not grow
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, look, is = Boolean, { limitMs = LIMIT_MS, everyMs } = {}) {
  const found = (/** @type {any} */ seen) => (typeof is === 'function' ? is(seen) : is instanceof RegExp ? is.test(seen) : seen === is);
  const wanted = typeof is === 'function' ? '' : ` (${is instanceof RegExp ? is : JSON.stringify(is)})`;
  const end = Date.now() + limitMs;
  for (let ms = LOOK_MS; ; ms = Math.min(1.5 * ms, LATER_MS)) {
    const seen = await within(`a look at: ${what}`, Promise.resolve(look()), limitMs);
    if (found(seen)) return /** @type {any} */ (seen);
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain for: ${what}${wanted}; seen last: ${words(seen)}`);
    await pause(everyMs ?? ms);
  }
}

/**
 * Adds a time limit to a promise.
 * @template T
 * @param {string} what is waited for, for an error
 * @param {Promise<T>} promise
 * @param {number} [limitMs]
 * @returns {Promise<T>}
 */
export function within(what, promise, limitMs = LIMIT_MS) {
  /** @type {NodeJS.Timeout} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${limitMs} ms in vain for: ${what}`)), limitMs);
  });
  return Promise.race([promise, /** @type {Promise<T>} */ (late)]).finally(() => clearTimeout(timer));
}

/**
 * A drawn moment, to interrupt something anywhere. Nothing may depend on how much happens until then.
 * @param {import('./random.mjs').Random} random
 * @param {number} msMax
 */
export const aMoment = (random, msMax) => pause(random.below(msMax));

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
