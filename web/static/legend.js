// The table of seats beside a board of any game: each with its mark, its name, its cells and its share.

import { byId } from './page.js';
import { countCells } from './grid-words.js';
import { NEUTRAL, drawMark, lookOf, ownerOf, seatLabel } from './seats.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** How wide a mark in the table is, in CSS pixels. */
const MARK_PX = 18;

export class Legend {
  #table = byId('legend');
  /** @type {HTMLElement[]} */
  #rows = [...this.#table.querySelectorAll('tr[data-seat]')].map((row) => /** @type {HTMLElement} */ (row));

  /** @param {readonly string[]} seats names that the game gives */
  constructor(seats) {
    this.#rows.forEach((row, seat) => {
      part(row, 'label').textContent = seatLabel(seat, seats);
      part(row, 'bar').style.background = `var(--${lookOf(seat).colour})`;
    });
    this.#paint();
    dark.addEventListener('change', () => this.#paint());
  }

  /** The names of the players, as the page has them. @returns {string[]} */
  players() {
    return this.#rows.map((row) => part(row, 'player').textContent?.trim() ?? '');
  }

  /**
   * @param {{cells: string, tally: number[]}} picture
   * @param {{movers?: readonly number[], out?: ReadonlySet<number>}} [more] whose turn it is, and who can play no longer
   */
  show({ cells, tally }, { movers = [], out = new Set() } = {}) {
    const { bySeat, neutral } = countCells(cells, this.#rows.length);
    const sum = tally.reduce((total, share) => total + share, 0);
    this.#rows.forEach((row, seat) => {
      text(part(row, 'cells'), String(bySeat[seat]));
      const share = sum === 0 ? 0 : tally[seat] / sum;
      text(part(row, 'share'), out.has(seat) ? 'out' : `${Math.round(100 * share)} %`);
      part(row, 'bar').style.width = `${100 * share}%`;
      row.toggleAttribute('data-gone', bySeat[seat] === 0);
      row.toggleAttribute('data-moves', movers.includes(seat));
    });
    const row = this.#table.querySelector('tr[data-neutral]');
    if (row instanceof HTMLElement) {
      text(part(row, 'cells'), String(neutral));
      // A game either has such cells or has none: once there were some, the line stays.
      if (neutral > 0) row.hidden = false;
    }
  }

  #paint() {
    const style = getComputedStyle(this.#table);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    for (const canvas of this.#table.querySelectorAll('canvas')) {
      const seat = canvas.closest('tr')?.getAttribute('data-seat') ?? null;
      const density = devicePixelRatio || 1;
      [canvas.width, canvas.height] = [MARK_PX * density, MARK_PX * density];
      const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      ink.scale(density, density);
      const half = MARK_PX / 2;
      drawMark(ink, seat === null ? NEUTRAL : ownerOf(Number(seat)), { cx: half, cy: half, reach: half * 0.72 }, colour);
    }
  }
}

/** @param {HTMLElement} row @param {string} name @returns {HTMLElement} */
function part(row, name) {
  const found = row.querySelector(`[data-part="${name}"]`);
  if (!(found instanceof HTMLElement)) throw new Error(`the legend has no ${name}`);
  return found;
}

/** @param {HTMLElement} element @param {string} said */
function text(element, said) {
  if (element.textContent !== said) element.textContent = said;
}
