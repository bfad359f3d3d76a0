// A live room's page for any game, as used by a person: clicks are placed by the canvas' box.

import assert from 'node:assert/strict';
import { ask } from './browser.mjs';
import { until } from './until.mjs';

/** The width of a board's edge, in CSS pixels. */
const GUTTER = 18;

export class RoomPage {
  /**
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{rows: number, cols: number}} size of the board
   */
  constructor(page, random, size) {
    this.page = page;
    this.random = random;
    this.size = size;
    this.main = page.locator('main#room');
    this.board = page.locator('canvas#board');
  }

  /** The room's address. */
  async path() {
    return `/rooms/${await this.main.getAttribute('data-room')}`;
  }

  /** @returns {Promise<{phase: string, ply: number, connection: string}>} */
  async shown() {
    const [phase, ply, connection] = await this.main.evaluate((main) => [main.dataset.phase, main.dataset.ply, main.dataset.connection]);
    return { phase: String(phase), ply: Number(ply), connection: String(connection) };
  }

  /**
   * Waits for one of these phases.
   * @param {...string} phases
   */
  async reach(...phases) {
    return this.when(`phase ${phases.join(' or ')}`, ({ phase }) => phases.includes(phase));
  }

  /**
   * @param {string} what
   * @param {(shown: {phase: string, ply: number, connection: string}) => boolean} is
   */
  when(what, is) {
    return until(what, () => this.shown(), is);
  }

  /** The room as the API shows it to this person. */
  async state() {
    const response = await ask(this.page, `/api/v1${await this.path()}`);
    assert.equal(response.status(), 200);
    return response.json();
  }

  /**
   * Checks that the page marks exactly these cells as the possible next ones.
   * @param {[number, number][]} cells
   * @param {string} when
   */
  async marks(cells, when) {
    const wanted = cells.map(String).join(' ');
    await until(`the page marks what the engine allows ${when}`, () => this.board.getAttribute('data-next'), wanted);
  }

  /** A button of a tool. @param {string} tool */
  tool(tool) {
    return this.page.locator(`[data-tool="${tool}"]`);
  }

  /**
   * The position of a cell relative to the canvas' corner: the numbers of rows and columns are on its edge.
   * @param {[number, number]} cell
   */
  async point([row, col]) {
    const box = await this.board.boundingBox();
    assert.ok(box, 'the board is on the page');
    const along = (/** @type {number} */ at, /** @type {number} */ span, /** @type {number} */ count) => GUTTER + ((at + 0.5) * (span - GUTTER)) / count;
    return { x: along(col, box.width, this.size.cols), y: along(row, box.height, this.size.rows) };
  }

  /** @param {[number, number]} cell */
  click = async (cell) => this.board.click({ position: await this.point(cell) });

  /** @param {[number, number]} cell */
  tap = async (cell) => this.board.tap({ position: await this.point(cell) });

  /** Moves the cursor to a cell. @param {[number, number]} cell */
  walk = async ([row, col]) => {
    await this.board.focus();
    const [fromRow, fromCol] = String((await this.board.getAttribute('data-cursor')) || '0,0').split(',').map(Number);
    await this.#press(row > fromRow ? 'ArrowDown' : 'ArrowUp', Math.abs(row - fromRow));
    await this.#press(col > fromCol ? 'ArrowRight' : 'ArrowLeft', Math.abs(col - fromCol));
    await until(`the cursor is at ${row},${col}`, () => this.board.getAttribute('data-cursor'), `${row},${col}`);
  };

  /** Moves the cursor to a cell and presses Enter. @param {[number, number]} cell */
  key = async (cell) => {
    await this.walk(cell);
    await this.page.keyboard.press('Enter');
  };

  /** @param {string} key @param {number} times */
  async #press(key, times) {
    for (let time = 0; time < times; time++) await this.page.keyboard.press(key);
  }

  /**
   * Ends the turn with `end`, and waits until it is this person's turn again, or the game is over.
   * @param {() => Promise<unknown>} end
   */
  async end(end) {
    const { ply } = await this.shown();
    await end();
    return this.when(`the turn after ply ${ply}`, (shown) => {
      return (shown.phase === 'yours' && shown.ply > ply) || shown.phase === 'over';
    });
  }
}
