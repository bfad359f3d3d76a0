// The players and how they stand: on either side of the score in games with two named seats, else in a table. The
// template has the parts; a part is written wherever it occurs.

/** @import { Game, Notes } from '../rules/engine.js' */

import { blockOfBoard, byId, write } from '../page/page.js';
import { NEUTRAL, drawMarks, lookOf, ownerOf } from './seats.js';
import { capital, countCells, phrased, seatLabel, toolName } from './words.js';
import { scriptBoardOut } from '../text/en/script-board.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The width of a mark, in CSS pixels. */
const MARK_PX = 18;

export class Scoreboard {
  #board = byId('scoreboard');
  #tools;
  #seats;

  /** @param {Pick<Game, 'seat_names' | 'tools'>} game */
  constructor({ seat_names: names, tools }) {
    this.#tools = tools;
    this.#seats = this.#parts('player').length;
    for (let seat = 0; seat < this.#seats; seat++) {
      for (const label of this.#parts('label', seat)) label.textContent = capital(seatLabel(seat, names));
      for (const part of ['bar', 'score']) {
        for (const element of this.#parts(part, seat)) element.style.setProperty('--seat', `var(--${lookOf(seat).colour})`);
      }
    }
    this.#paint();
    dark.addEventListener('change', () => this.#paint());
  }

  /** The names of the players, as they are in the page. @returns {string[]} */
  players() {
    return this.#parts('player').map((element) => element.textContent?.trim() ?? '');
  }

  /**
   * @param {{cells: string, tally: readonly number[]}} picture
   * @param {Pick<Notes, 'clock' | 'awaiting' | 'limits'>} notes
   * @param {ReadonlySet<number>} [out] seats that can no longer play
   * @param {readonly number[]} [moving] seats to mark as awaited; by default the awaited seat, if it is the only one
   */
  show({ cells, tally }, { clock, awaiting, limits }, out = new Set(), moving = awaiting.length === 1 ? awaiting : []) {
    const { bySeat, neutral } = countCells(cells, this.#seats);
    // Squares of a board whose squares stand for many cells are not counted.
    const own = blockOfBoard() > 1 ? tally : bySeat;
    const sum = tally.reduce((total, share) => total + share, 0);
    write('clock', clock === null ? '' : phrased([clock]));
    for (let seat = 0; seat < this.#seats; seat++) {
      const share = sum === 0 ? 0 : tally[seat] / sum;
      this.#write('cells', seat, String(own[seat]));
      this.#write('score', seat, String(tally[seat]));
      this.#write('share', seat, out.has(seat) ? scriptBoardOut() : `${Math.round(100 * share)} %`);
      this.#write('limits', seat, this.#limits(limits[seat] ?? []));
      for (const bar of this.#parts('bar', seat)) {
        bar.style.width = `${100 * share}%`;
        bar.style.flexGrow = String(sum === 0 ? 1 : share);
      }
      for (const row of this.#board.querySelectorAll(`[data-seat="${seat}"]`)) {
        row.toggleAttribute('data-gone', own[seat] === 0);
        row.toggleAttribute('data-moves', moving.includes(seat));
      }
    }
    const row = this.#board.querySelector('[data-neutral]');
    // Some games have neutral cells, others none; once there were any, the row stays.
    if (row instanceof HTMLElement && neutral > 0) row.hidden = false;
    for (const count of row?.querySelectorAll('[data-part="cells"]') ?? []) text(count, String(neutral));
  }

  /** @param {Notes['limits'][number]} limits by tool */
  #limits(limits) {
    const of = (/** @type {typeof limits[number]} */ limit, /** @type {number} */ at) =>
      limit === null ? [] : [`${toolName(this.#tools[at])} ${phrased([limit])}`];
    return limits.flatMap(of).join(', ');
  }

  /** @param {string} name @param {number | null} [seat] @returns {HTMLElement[]} */
  #parts(name, seat = null) {
    const where = seat === null ? '[data-seat]' : `[data-seat="${seat}"]`;
    return [...this.#board.querySelectorAll(`${where} [data-part="${name}"], ${where}[data-part="${name}"]`)].map(
      (element) => /** @type {HTMLElement} */ (element),
    );
  }

  /** @param {string} name @param {number} seat @param {string} said */
  #write(name, seat, said) {
    for (const element of this.#parts(name, seat)) text(element, said);
  }

  #paint() {
    const style = getComputedStyle(this.#board);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    for (const canvas of this.#board.querySelectorAll('canvas')) {
      const seat = canvas.closest('[data-seat]')?.getAttribute('data-seat') ?? null;
      const density = devicePixelRatio || 1;
      [canvas.width, canvas.height] = [MARK_PX * density, MARK_PX * density];
      const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      ink.scale(density, density);
      const half = MARK_PX / 2;
      drawMarks(ink, seat === null ? NEUTRAL : ownerOf(Number(seat)), [{ cx: half, cy: half }], half * 0.72, colour);
    }
  }
}

/** @param {Element} element @param {string} said */
function text(element, said) {
  if (element.textContent !== said) element.textContent = said;
}
