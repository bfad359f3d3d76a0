// Reproducible randomness: the gate's seed is always the same, and ARENA_TEST_SEED sets another, as each night does.

/** The seed of the gate. */
const SEED = 1;

/** A generator of 32-bit words. Source: splitmix32, public domain. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** The gate's, or the given one. */
  static forThisRun() {
    return new Random(Number(process.env.ARENA_TEST_SEED ?? SEED));
  }

  /** @returns {number} in [0, 1) */
  next() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return ((word ^ (word >>> 15)) >>> 0) / 2 ** 32;
  }

  /** @param {number} count @returns {number} a whole number in [0, count) */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** @template T @param {T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** A separate generator, so that one client's random numbers do not depend on the others. */
  fork() {
    return new Random(this.below(2 ** 32));
  }
}
