// A practice game of Conquerors, which is unknown to the server.

import { COLS, ROWS } from './moves.mjs';
import { RoomPage } from './room_page.mjs';
import { until } from './until.mjs';

/** A practice game as played by a person: with the cells that the page offers. */
export class Practice extends RoomPage {
  /** @param {import('playwright-core').Page} page @param {import('./random.mjs').Random} random */
  constructor(page, random) {
    super(page, random, { rows: ROWS, cols: COLS });
  }

  /** The board in words. */
  async words() {
    const words = this.page.locator('#words');
    if ((await words.getAttribute('open')) === null) await words.locator('summary').click();
    // The page writes them when it hears that they were opened.
    return until('the words', () => this.page.locator('#description').innerText());
  }

  /** Places a block of four that survives, if the page offers all of its cells, and ends the turn. */
  async turn() {
    const next = async () => String(await this.board.getAttribute('data-next')).split(' ').filter(Boolean);
    const offered = await until('cells to be placed', next, ({ length }) => length > 0);
    const open = new Set(offered);
    const around = (/** @type {number} */ row, /** @type {number} */ col) =>
      [-1, 0, 1, 2].flatMap((down) => [-1, 0, 1, 2].map((right) => `${row + down},${col + right}`));
    const corners = offered.map((cell) => cell.split(',').map(Number)).filter(([row, col]) => around(row, col).every((cell) => open.has(cell)));
    const [row, col] = this.random.pick(corners);
    for (const cell of /** @type {[number, number][]} */ ([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]])) {
      const before = await this.board.getAttribute('data-next');
      await this.click(cell);
      await until('the page has taken the cell', () => this.board.getAttribute('data-next'), (now) => now !== before);
    }
    return this.end(() => this.page.locator('#send').click());
  }
}
