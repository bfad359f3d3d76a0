// A world in this page alone, for the lesson: it steps by itself, and the rules answer the visitor's calls. The page
// uses it like a feed.

/** @import { Asked, Spot, WorldEngine } from './engine.js' */
/** @import { Ears } from './feed.js' */
/** @import { WorldCommand } from '../../types/wire.d.ts' */

import { GENERATION_MS } from './feed.js';
import { scriptPageYou } from '../text/en/script-page.js';

/** The visitor's account; there is no other. */
const YOU = 1;

/** A page's call as the rules take it. @param {WorldCommand} call @returns {Asked} */
export function asked(call) {
  if (call.type === 'join_game') return { join: [call.base_x, call.base_y] };
  return call.type === 'place_cells' ? { place: /** @type {Spot[]} */ (call.cells) } : 'faucet';
}

export class LoneWorld {
  generation = 0;
  kind = 'alone';
  #steppedAt = 0;
  /** Whether a call has changed the world since the last look. */
  #called = false;
  #engine;
  #ears;

  /** @param {WorldEngine} engine @param {Ears} ears */
  constructor(engine, ears) {
    this.#engine = engine;
    this.#ears = ears;
  }

  async open() {
    this.generation = this.#engine.begin();
    this.#ears.slots([{ account: YOU, name: scriptPageYou(), bot: null }]);
    this.#ears.hello(YOU);
  }

  /** @param {WorldCommand} call */
  call(call) {
    const { why, answer } = this.#engine.call(YOU, asked(call));
    this.#called = true;
    const what = call.type;
    this.#ears.reply(why.length === 0 ? { type: 'answer', what, answer } : { type: 'rejected', what, code: 'refused', why });
  }

  /** Steps the world when it is time. @param {number} now in milliseconds @returns {boolean} whether it has changed */
  advance(now) {
    const isDue = now - this.#steppedAt >= GENERATION_MS;
    if (isDue) {
      this.generation = this.#engine.step();
      // Half a generation is caught up with, so that the pace is kept, but not the time for which a page was hidden.
      this.#steppedAt = Math.max(this.#steppedAt + GENERATION_MS, now - GENERATION_MS / 2);
    }
    const changed = isDue || this.#called;
    this.#called = false;
    return changed;
  }
}
