// A live room of a game with pieces, as used by a person. The page marks the pieces that can move and their targets;
// these marks must agree with the engine.

import assert from 'node:assert/strict';
import { look, startEngine } from './moves.mjs';
import { RoomPage } from './room_page.mjs';
import { until } from './until.mjs';

/** @typedef {[number, number]} Pair */

export class PieceTable extends RoomPage {
  #engine = startEngine();

  /**
   * Opens a game of War of Life from the form and sits down.
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{opponent?: string, seat?: number}} [wish]
   */
  static async open(page, random, { opponent = 'random', seat = 0 } = {}) {
    await page.goto('/play?game=war-of-life');
    await page.locator(`#play [name=opponent][value="${opponent}"]`).check({ force: true });
    await page.locator(`#play [name=seat][value="${seat}"]`).check({ force: true });
    await page.locator('#play [type=submit], #play button:not([type=button])').first().click();
    await page.waitForURL(/\/rooms\/[0-9a-f]{32}$/);
    const table = new PieceTable(page, random, { rows: 8, cols: 8 });
    await table.reach('yours', 'over');
    return table;
  }

  /** The rules' answer to the start of a move. @param {Pair[]} cells */
  async #check(cells) {
    return look(this.#engine, await this.state()).check('move', cells);
  }

  /** A legal move of a piece that the page marks: the piece and its target. @returns {Promise<[Pair, Pair]>} */
  async choose() {
    const { next: pieces } = await this.#check([]);
    await this.marks(pieces, 'at first');
    const piece = this.random.pick(pieces);
    return [piece, this.random.pick((await this.#check([piece])).next)];
  }

  /**
   * Chooses a piece and its target; checks that the page marks what the rules allow and describes what the move leads
   * to.
   * @param {(cell: Pair) => Promise<void>} touch
   * @returns {Promise<Pair>} where it goes
   */
  async draft(touch) {
    const [piece, target] = await this.choose();
    await touch(piece);
    await this.marks((await this.#check([piece])).next, `after ${piece}`);
    await touch(target);
    await until('the page says what comes of it', () => this.page.locator('#preview').innerText(), /score/);
    return target;
  }

  /**
   * A whole move: the piece, the target, and the target again.
   * @param {(cell: Pair) => Promise<void>} touch
   */
  async move(touch) {
    const target = await this.draft(touch);
    const preview = await this.page.locator('#preview').innerText();
    const { ply } = await this.shown();
    const shown = await this.end(() => touch(target));
    const state = await this.state();
    const { tally } = look(this.#engine, { ...state, turns: state.turns.slice(0, ply + 1), forfeits: [] });
    assert.ok(preview.endsWith(`score ${tally.join(' to ')}.`), `${preview}, but it was ${tally}`);
    return shown;
  }
}
