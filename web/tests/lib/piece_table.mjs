// A live room of a game in which one moves a piece, as a person uses it. Which pieces can move and where to, the page marks; those
// marks have to be the engine's.

import assert from 'node:assert/strict';
import { startEngine } from './moves.mjs';
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

  /** A legal move: the piece and where it goes. @returns {Promise<[Pair, Pair]>} */
  async choose() {
    const pieces = await this.#next([]);
    await this.marks('pieces', pieces.map(String));
    const piece = this.random.pick(pieces);
    return [piece, this.random.pick(await this.#next([piece]))];
  }

  /** Where a piece may go, by the rules. @param {Pair} piece */
  async targets(piece) {
    return (await this.#next([piece])).map(String);
  }

  /** The cells that can come next in a move. @param {Pair[]} cells those before it @returns {Promise<Pair[]>} */
  async #next(cells) {
    const { ruleset, options, awaiting, turns } = await this.state();
    const call = { tool: 'move', cells };
    return this.#engine.gridCheck({ ruleset, options, turns }, awaiting[0], [call]).next;
  }

  /**
   * The page marks exactly these cells.
   * @param {'pieces' | 'targets'} what
   * @param {string[]} cells
   */
  async marks(what, cells) {
    const sorted = [...cells].sort().join(' ');
    await until(`the page marks ${what} ${sorted}`, async () => {
      const marked = String(await this.board.getAttribute(`data-${what}`));
      return marked.split(' ').sort().join(' ') === sorted;
    });
  }

  /**
   * Chooses a piece and where it goes; the page marks what the rules allow and says what the move leads to.
   * @param {(cell: Pair) => Promise<void>} touch
   * @returns {Promise<Pair>} where it goes
   */
  async draft(touch) {
    const [piece, target] = await this.choose();
    await touch(piece);
    await this.marks('targets', await this.targets(piece));
    await touch(target);
    await until('the page says what comes of it', async () => (await this.page.locator('#preview').innerText()).includes('Then:'));
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
    const { turns, ruleset, options } = await this.state();
    const { tally } = this.#engine.gridPosition({ ruleset, options, turns: turns.slice(0, ply + 1) });
    assert.ok(preview.endsWith(`Then: blue ${tally[0]}, red ${tally[1]}.`), `${preview}, but it was ${tally}`);
    return shown;
  }
}
