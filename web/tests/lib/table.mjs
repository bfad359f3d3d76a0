// A live room of Conquerors as used by a person: cells are chosen from those that the page marks, which must agree with
// the engine.

import assert from 'node:assert/strict';
import { ask } from './browser.mjs';
import { COLS, ROWS, chooseAction, chooseCells, chooseCentre, look, startEngine } from './moves.mjs';
import { RoomPage } from './room_page.mjs';
import { until } from './until.mjs';

/** The number of games opened to find one that lasts; against easy about one in six ends before the bombs. */
const GAMES_MAX = 10;

export class Table extends RoomPage {
  #engine = startEngine();

  /**
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   */
  constructor(page, random) {
    super(page, random, { rows: ROWS, cols: COLS });
  }

  /**
   * Opens a game from the form and sits down.
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{opponent?: string, seat?: number, guided?: boolean}} [wish]
   */
  static async open(page, random, { opponent = 'easy', seat = 0, guided = false } = {}) {
    await page.goto('/play');
    // The label is clicked, because it covers the radio button.
    await page.locator(`#play [name=opponent][value="${opponent}"]`).check({ force: true });
    await page.locator(`#play [name=seat][value="${seat}"]`).check({ force: true });
    await page.locator('#play [name=guided]').setChecked(guided, { force: true });
    await page.locator('#play [type=submit], #play button:not([type=button])').first().click();
    await page.waitForURL(/\/rooms\/[0-9a-f]{32}(\?guided=on)?$/);
    const table = new Table(page, random);
    await table.reach('yours');
    return table;
  }

  /**
   * Opens games until, in one of them, this person has to move in a suitable position, and shows that game. The earlier
   * plies are sent without the page, which takes no time; some games end too early.
   * @param {import('playwright-core').Page} page
   * @param {import('./random.mjs').Random} random
   * @param {{opponent?: string, seat?: number, guided?: boolean}} wish
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

  /** Plays without the page; returns whether it reached such a position. @param {(position: any) => boolean} is */
  async #sendUntil(is) {
    const path = `/api/v1${await this.path()}`;
    const seat = (await this.state()).awaiting[0];
    await this.page.goto('about:blank');
    const mayMove = async () => {
      const state = async () => (await ask(this.page, path)).json();
      return until('this turn or the end', state, ({ outcome, awaiting }) => outcome || awaiting.includes(seat));
    };
    for (let state = await mayMove(); !state.outcome; state = await mayMove()) {
      const position = look(this.#engine, state);
      if (is(position)) return true;
      const action = this.encode(chooseAction(position, this.random));
      const answer = await this.page.request.post(`${path}/turns`, { data: { ply: state.ply, client_seq: 1, action } });
      assert.equal(answer.status(), 200, await answer.text());
    }
    return false;
  }

  /** The position in which this person has to move. */
  async position() {
    const position = look(this.#engine, await this.state());
    await this.marks(position.check('place').next, 'at first');
    return position;
  }

  /** Cells for the turn, all allowed by the page, one after the other. @param {any} position */
  choose(position) {
    return chooseCells(position, this.random);
  }

  /**
   * Places these cells by `touch`; checks after each that the page marks what the engine allows next.
   * @param {any} position
   * @param {[number, number][]} cells
   * @param {(cell: [number, number]) => Promise<void>} touch
   */
  async place(position, cells, touch) {
    const placed = [];
    for (const cell of cells) {
      await touch(cell);
      placed.push(cell);
      await this.marks(position.check('place', placed).next, `after ${placed.join(' ')}`);
    }
  }

  /** @param {any} position a legal centre of the bomb */
  centre(position) {
    return chooseCentre(position);
  }

  /** @param {object} call @returns {string} as the room has it */
  encode(call) {
    return this.#engine.compose('conquerors@2', [call]);
  }

  /** Plays a turn of placements with the mouse. */
  async turnByMouse() {
    const position = await this.position();
    await this.place(position, this.choose(position), this.click);
    return this.end(() => this.page.locator('#send').click());
  }

  /** Plays a turn of placements without a mouse. */
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
