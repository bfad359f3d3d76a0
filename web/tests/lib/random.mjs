// Reproducible randomness: the seed is printed, and ARENA_TEST_SEED sets it.

/** A generator of 32-bit words. Source: splitmix32, public domain. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** A new seed in each run, or the given one. */
  static forThisRun() {
    const asked = process.env.ARENA_TEST_SEED;
    return new Random(asked === undefined ? Date.now() : Number(asked));
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
