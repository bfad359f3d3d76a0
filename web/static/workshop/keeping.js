// Keeps what is written as a draft, and says what became of it.

/** @import { Drafts, Fate } from './drafts.js' */
/** @import { Writing } from './writing.js' */

import { byId, write } from '../page/page.js';
import * as workshop from '../text/en/script-workshop.js';

/** How long after a change a text is kept at the latest, in milliseconds. */
const REST_MS = 400;

/** @type {Record<Fate, string>} */
const WORDS = {
  kept: workshop.scriptWorkshopKept(),
  replaced: workshop.scriptWorkshopReplaced(),
  full: workshop.scriptWorkshopFull(),
  denied: workshop.scriptWorkshopDenied(),
};

export class Keeping {
  #drafts;
  #writing;
  /** Whether what is written is nowhere else. */
  #isUnkept = false;
  /** Whether another tab has written since this one. */
  #isElsewhere = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;

  /** @param {Drafts} drafts @param {Writing} writing @param {() => Promise<string>} template */
  constructor(drafts, writing, template) {
    this.#drafts = drafts;
    this.#writing = writing;
    const take = (/** @type {string | null} */ text) => (this.take(text), writing.focus());
    byId('earlier').addEventListener('click', () => take(this.#isElsewhere ? drafts.load() : drafts.before()));
    byId('afresh').addEventListener('click', () => {
      // What is said of that comes first.
      this.#keep();
      template().then(take, (error) => write('draft-words', workshop.scriptWorkshopNoTemplate({ why: error.message })));
    });
    addEventListener('storage', ({ key, newValue }) => {
      if (key !== drafts.key || newValue === null) return;
      this.#isElsewhere = true;
      write('draft-words', workshop.scriptWorkshopElsewhere());
      this.#offer();
    });
    addEventListener('pagehide', () => this.#keep());
    addEventListener('beforeunload', (event) => {
      this.#keep();
      if (this.#isUnkept) event.preventDefault();
    });
    this.#offer();
  }

  /** What is written has changed. */
  changed() {
    this.#isUnkept = true;
    this.#resting ??= setTimeout(() => this.#keep(), REST_MS);
  }

  #keep() {
    this.#rested();
    if (this.#isUnkept) this.#told(this.#drafts.save(this.#writing.text));
  }

  /** Writes another text in place of the one that is there, which stays beside it. @param {string | null} text */
  take(text) {
    const old = this.#writing.text;
    if (text === null || text === old) return;
    const fate = this.#drafts.exchange(text, old);
    // Without room for the old text it stays.
    if (fate === 'full') return write('draft-words', workshop.scriptWorkshopNoRoom());
    this.#writing.text = text;
    this.#told(fate);
  }

  /** @param {Fate} fate */
  #told(fate) {
    this.#rested();
    this.#isUnkept = fate === 'full' || fate === 'denied';
    this.#isElsewhere = false;
    write('draft-words', WORDS[fate]);
    this.#offer();
  }

  #rested() {
    clearTimeout(this.#resting);
    this.#resting = undefined;
  }

  #offer() {
    byId('earlier').hidden = !this.#isElsewhere && this.#drafts.before() === null;
  }
}
