// A live room's page as a person uses it: where to click is worked out from the canvas' box and the mask that the page shows,
// and that mask has to be the engine's.

import assert from 'node:assert/strict';
import { COLS, OPTIONS, ROWS, chooseAction, chooseCells, chooseCentre, startEngine } from './moves.mjs';
import { until } from './until.mjs';

/** A bot's answer, and the page showing it. */
const TURN_LIMIT_MS = 20_000;

/** Games that are opened for one that lasts; against easy about one in six is over before the bombs. */
const GAMES_MAX = 10;

export class Table {
  #engine = startEngine();

  /**
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   */
  constructor(page, random) {
    this.page = page;
    this.random = random;
    this.main = page.locator('main#room');
    this.board = page.locator('canvas#board');
  }

  /**
   * Opens a game from the form and sits down.
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{opponent?: string, colour?: string, guided?: boolean}} [wish]
   */
  static async open(page, random, { opponent = 'easy', colour = 'blue', guided = false } = {}) {
    await page.goto('/play');
    // By the label where the radio itself is covered by it.
    await page.locator(`#play [name=opponent][value="${opponent}"]`).check({ force: true });
    await page.locator(`#play [name=colour][value="${colour}"]`).check({ force: true });
    await page.locator('#play [name=guided]').setChecked(guided, { force: true });
    await page.locator('#play [type=submit], #play button:not([type=button])').first().click();
    await page.waitForURL(/\/rooms\/[0-9a-f]{32}(\?guided=on)?$/);
    const table = new Table(page, random);
    await table.reach('yours');
    return table;
  }

  /**
   * Opens games until one has come so far that this person is to move in a position like this, and shows that one. The
   * plies before are sent without the page, in no time; some games are over too early.
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{opponent?: string, colour?: string, guided?: boolean}} wish
   * @param {(position: any) => boolean} is
   */
  static async openAt(page, random, wish, is) {
    for (let game = 0; game < GAMES_MAX; game++) {
      const table = await Table.open(page, random, wish);
      const address = page.url();
      if (!(await table.#sendUntil(is))) continue;
      await page.goto(address);
      await table.reach('yours');
      return table;
    }
    throw new Error(`none of ${GAMES_MAX} games came so far`);
  }

  /** Plays without the page; says whether it came so far. @param {(position: any) => boolean} is */
  async #sendUntil(is) {
    const path = `/api/v1${await this.path()}`;
    const seat = (await this.state()).awaiting[0];
    await this.page.goto('about:blank');
    for (;;) {
      const state = await until('this turn or the end', async () => {
        const state = await (await this.page.request.get(path)).json();
        return (state.outcome || state.awaiting.includes(seat)) && state;
      });
      const position = this.#engine.state(OPTIONS, state.plays.map((/** @type {any} */ play) => play.action));
      if (state.outcome || is(position)) return !state.outcome;
      const action = this.#engine.encodeAction(chooseAction(this.#engine, position, this.random));
      const answer = await this.page.request.post(`${path}/turns`, { data: { ply: state.ply, client_seq: 1, action } });
      assert.equal(answer.status(), 200, await answer.text());
    }
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
  async when(what, is) {
    /** @type {any} */
    let last = null;
    try {
      return await until(what, async () => is((last = await this.shown())) && last, { limitMs: TURN_LIMIT_MS });
    } catch (error) {
      throw new Error(`${error}; the page shows ${JSON.stringify(last)}`, { cause: error });
    }
  }

  /** The room as the API tells it to this person. */
  async state() {
    const response = await this.page.request.get(`/api/v1${await this.path()}`);
    assert.equal(response.status(), 200);
    return response.json();
  }

  /** The position in which this person is to move. */
  async position() {
    const { plays, options } = await this.state();
    assert.equal(options, OPTIONS);
    const position = this.#engine.state(options, plays.map((/** @type {any} */ play) => play.action));
    const mask = await this.board.getAttribute('data-placeable');
    assert.equal(mask, position.placeable, 'the page marks the cells that the engine allows');
    return position;
  }

  /** Cells for the turn: some that the page allows, one after the other. @param {any} position */
  choose(position) {
    return chooseCells(this.#engine, position, this.random);
  }

  /**
   * Places these cells with a hand; after each the page marks what the engine allows next.
   * @param {any} position
   * @param {[number, number][]} cells
   * @param {(cell: [number, number]) => Promise<void>} touch
   */
  async place(position, cells, touch) {
    const placed = [];
    for (const cell of cells) {
      await touch(cell);
      placed.push(cell);
      await this.marks(this.#engine.checkDraft(position, placed).placeable, `after ${placed.join(' ')}`);
    }
  }

  /** @param {string} mask @param {string} when */
  async marks(mask, when) {
    await until(`the page marks what the engine allows ${when}`, async () => (await this.board.getAttribute('data-placeable')) === mask);
  }

  /** @param {any} position a legal centre of the bomb */
  centre(position) {
    return chooseCentre(this.#engine, position);
  }

  /** @param {object} action @returns {string} as the room has it */
  encode(action) {
    return this.#engine.encodeAction(action);
  }

  /** Where a cell is, from the canvas' corner. @param {[number, number]} cell */
  async point([row, col]) {
    const box = await this.board.boundingBox();
    assert.ok(box, 'the board is on the page');
    return { x: ((col + 0.5) * box.width) / COLS, y: ((row + 0.5) * box.height) / ROWS };
  }

  /** @param {[number, number]} cell */
  click = async (cell) => this.board.click({ position: await this.point(cell) });

  /** @param {[number, number]} cell */
  tap = async (cell) => this.board.tap({ position: await this.point(cell) });

  /** Walks the cursor to a cell. @param {[number, number]} cell */
  walk = async ([row, col]) => {
    await this.board.focus();
    const [fromRow, fromCol] = String((await this.board.getAttribute('data-cursor')) || '0,0').split(',').map(Number);
    await this.#press(row > fromRow ? 'ArrowDown' : 'ArrowUp', Math.abs(row - fromRow));
    await this.#press(col > fromCol ? 'ArrowRight' : 'ArrowLeft', Math.abs(col - fromCol));
    await until(`the cursor is at ${row},${col}`, async () => (await this.board.getAttribute('data-cursor')) === `${row},${col}`);
  };

  /** Walks to a cell and presses Enter. @param {[number, number]} cell */
  key = async (cell) => {
    await this.walk(cell);
    await this.page.keyboard.press('Enter');
  };

  /** @param {string} key @param {number} times */
  async #press(key, times) {
    for (let time = 0; time < times; time++) await this.page.keyboard.press(key);
  }

  /**
   * Does what ends the turn, and waits until it is this person's again, or the end.
   * @param {() => Promise<unknown>} end
   */
  async end(end) {
    const { ply } = await this.shown();
    await end();
    return this.when(`the turn after ply ${ply}`, (shown) => {
      return (shown.phase === 'yours' && shown.ply > ply) || shown.phase === 'over';
    });
  }

  /** A whole turn of placing, by mouse. */
  async turnByMouse() {
    const position = await this.position();
    await this.place(position, this.choose(position), this.click);
    return this.end(() => this.page.locator('#send').click());
  }

  /** A whole turn of placing, without a mouse. */
  async turnByKeys() {
    const position = await this.position();
    await this.place(position, this.choose(position), this.key);
    return this.end(() => this.page.keyboard.press('e'));
  }

  /**
   * Plays on to the end.
   * @param {(position: any) => Promise<{phase: string}>} turn
   */
  async finish(turn) {
    while ((await this.reach('yours', 'over')).phase === 'yours') await turn(await this.position());
  }
}
