// Drafts of bots, in this browser alone. Each is one text for a game and a language, and beside it the last texts that
// it replaced: other tabs', and an author's before the template or an earlier text was taken.

/** Before the keys in the browser's storage. */
const PREFIX = 'arena.workshop ';
/** After the key of the texts that a draft replaced, newest first. */
const BEFORE = ' before';
/** So many of them are kept: a store has room for the longest texts of all games and languages. */
const BEFORE_MAX = 3;

/**
 * What became of a text: it is kept; it is kept, and so is the one of another tab that it replaced; the store is full;
 * or the browser keeps nothing.
 * @typedef {'kept' | 'replaced' | 'full' | 'denied'} Fate
 */

export class Drafts {
  #storage;
  #key;
  #tab;
  /** The text that this tab has seen last in the store. @type {string | null} */
  #seen = null;

  /**
   * @param {Pick<Storage, 'getItem' | 'setItem'> | null} storage null if the browser denies it
   * @param {string} name of the draft
   * @param {string} tab a name that no other tab has
   */
  constructor(storage, name, tab) {
    this.#storage = storage;
    this.#key = PREFIX + name;
    this.#tab = tab;
  }

  /** The key of the draft, for events of the storage. */
  get key() {
    return this.#key;
  }

  /** The draft; null if there is none. @returns {string | null} */
  load() {
    this.#seen = this.#draft()?.text ?? null;
    return this.#seen;
  }

  /** The newest text that the draft replaced; null if there is none. @returns {string | null} */
  before() {
    return this.#earlier()[0] ?? null;
  }

  /**
   * Keeps a text. The newest one is the draft; what another tab wrote since this one looked is kept beside it.
   * @param {string} text
   * @returns {Fate}
   */
  save(text) {
    if (this.#storage === null) return 'denied';
    const there = this.#draft();
    const isOthers = there !== null && there.tab !== this.#tab && there.text !== this.#seen && there.text !== text;
    if (isOthers && !this.#write(this.#key + BEFORE, [there.text, ...this.#earlier()].slice(0, BEFORE_MAX))) return 'full';
    if (!this.#write(this.#key, { text, tab: this.#tab })) return 'full';
    this.#seen = text;
    return isOthers ? 'replaced' : 'kept';
  }

  /**
   * Keeps another text in place of one that stays beside it.
   * @param {string} text
   * @param {string} old
   * @returns {Fate}
   */
  exchange(text, old) {
    if (this.#storage === null) return 'denied';
    const others = this.#earlier().filter((one) => one !== text && one !== old);
    if (!this.#write(this.#key + BEFORE, [old, ...others].slice(0, BEFORE_MAX))) return 'full';
    return this.save(text);
  }

  /** @returns {{text: string, tab?: unknown} | null} */
  #draft() {
    const there = this.#read(this.#key);
    return typeof there?.text === 'string' ? there : null;
  }

  /** @returns {string[]} */
  #earlier() {
    const texts = this.#read(this.#key + BEFORE);
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
  }

  /** What is there may be another release's, or anybody's. @param {string} key @returns {any} */
  #read(key) {
    try {
      return JSON.parse(this.#storage?.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {unknown} value @returns {boolean} whether there was room */
  #write(key, value) {
    try {
      this.#storage?.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
