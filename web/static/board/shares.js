// A chart of every seat's share over a game, on a small canvas: stacked bands whose heights are the shares. Bands lie
// in the order of the legend and carry their seat's letter where they are high enough; those of seats with outlined
// marks are hatched.

import { lookOf } from './seats.js';
import { seatLabel } from './words.js';

/** The minimum height of a band for a letter, in CSS pixels. */
const LETTER_PX = 13;
/** The approximate distance between letters, in CSS pixels. */
const LETTER_EVERY_PX = 90;
const HATCH_PX = 5;
/** The minimum distance between the points of a band, in CSS pixels: faster changes are noise. */
const POINT_PX = 3;

/** @typedef {{xs: number[], floor: number[], top: number[]}} Band in CSS pixels, by point */

/**
 * The shares of each seat by turn: from 0 to 1, with the sum 1 unless no seat has anything.
 * @param {readonly (readonly number[])[]} tallies by turn and seat
 * @returns {number[][]}
 */
export function sharesOf(tallies) {
  return tallies.map((tally) => {
    const sum = tally.reduce((total, cells) => total + cells, 0);
    return tally.map((cells) => (sum === 0 ? 0 : cells / sum));
  });
}

/**
 * The shares at fewer points, each the mean of the turns around it.
 * @param {readonly (readonly number[])[]} shares by turn and seat
 * @param {number} pointsMax
 * @returns {{at: number, shares: number[]}[]} `at` from 0, the first turn, to 1, the last
 */
export function pointsOf(shares, pointsMax) {
  const count = Math.min(shares.length, Math.max(2, pointsMax));
  return Array.from({ length: count }, (_, point) => {
    const [from, to] = [point, point + 1].map((at) => Math.round((at * shares.length) / count));
    const turns = shares.slice(from, to);
    const mean = (/** @type {number} */ seat) => turns.reduce((sum, turn) => sum + turn[seat], 0) / turns.length;
    return { at: count === 1 ? 0 : point / (count - 1), shares: turns[0].map((_, seat) => mean(seat)) };
  });
}

export class SharesChart {
  /** @type {HTMLCanvasElement | null} the bands, which are the same for all turns */
  #bands = null;
  #turn = 0;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {readonly (readonly number[])[]} tallies by turn and seat
   * @param {readonly string[]} seats the game's names
   */
  constructor(canvas, tallies, seats) {
    this.canvas = canvas;
    this.seats = seats;
    this.shares = sharesOf(tallies);
    const anew = () => ((this.#bands = null), this.show(this.#turn));
    new ResizeObserver(anew).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', anew);
  }

  /** @param {number} turn marked by a vertical line */
  show(turn) {
    this.#turn = turn;
    const density = devicePixelRatio || 1;
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    this.#bands ??= this.#paintBands(width, height, density);
    [this.canvas.width, this.canvas.height] = [this.#bands.width, this.#bands.height];
    const ink = context(this.canvas);
    ink.drawImage(this.#bands, 0, 0);
    ink.scale(density, density);
    const at = x(turn / Math.max(1, this.shares.length - 1), width);
    ink.fillStyle = this.#colour('paper');
    ink.fillRect(at - 2, 0, 4, height);
    ink.fillStyle = this.#colour('ink');
    ink.fillRect(at - 1, 0, 2, height);
  }

  /** @param {string} name */
  #colour(name) {
    return getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim();
  }

  /** @param {number} width @param {number} height @param {number} density @returns {HTMLCanvasElement} */
  #paintBands(width, height, density) {
    const bands = document.createElement('canvas');
    [bands.width, bands.height] = [Math.round(width * density), Math.round(height * density)];
    const ink = context(bands);
    ink.scale(density, density);
    ink.fillStyle = this.#colour('line');
    ink.fillRect(0, 0, width, height);
    const points = pointsOf(this.shares, Math.floor(width / POINT_PX));
    const xs = points.map(({ at }) => x(at, width));
    let floor = points.map(() => 0);
    for (let seat = 0; seat < points[0].shares.length; seat++) {
      const top = points.map(({ shares }, point) => floor[point] + shares[seat] * height);
      this.#paintBand(ink, seat, { xs, floor, top }, width, height);
      floor = top;
    }
    return bands;
  }

  /**
   * @param {CanvasRenderingContext2D} ink
   * @param {number} seat
   * @param {Band} band
   * @param {number} width
   * @param {number} height
   */
  #paintBand(ink, seat, band, width, height) {
    const { colour, hollow } = lookOf(seat);
    const { xs, floor, top } = band;
    ink.beginPath();
    xs.forEach((x, point) => ink.lineTo(x, top[point]));
    for (let point = xs.length - 1; point >= 0; point--) ink.lineTo(xs[point], floor[point]);
    ink.closePath();
    ink.fillStyle = this.#colour(colour);
    ink.fill();
    ink.save();
    ink.clip();
    ink.strokeStyle = this.#colour('paper');
    if (hollow) hatch(ink, width, height);
    // A line between neighbouring bands, drawn inside the band.
    ink.lineWidth = 1.5;
    ink.stroke();
    ink.restore();
    this.#letters(ink, seat, band, width);
  }

  /** @param {CanvasRenderingContext2D} ink @param {number} seat @param {Band} band @param {number} width */
  #letters(ink, seat, { xs, floor, top }, width) {
    const label = seatLabel(seat, this.seats).charAt(0).toUpperCase();
    ink.font = `700 ${LETTER_PX - 2}px ${this.#colour('font')}`;
    ink.textAlign = 'center';
    ink.textBaseline = 'middle';
    const count = Math.max(1, Math.round(width / LETTER_EVERY_PX));
    for (let number = 0; number < count; number++) {
      const point = Math.round(((number + 0.5) / count) * (xs.length - 1));
      if (top[point] - floor[point] < LETTER_PX) continue;
      const [x, y] = [xs[point], (top[point] + floor[point]) / 2];
      ink.lineWidth = 3;
      ink.strokeStyle = this.#colour('paper');
      ink.strokeText(label, x, y);
      ink.fillStyle = this.#colour('ink');
      ink.fillText(label, x, y);
    }
  }
}

/**
 * The x coordinate of a moment of the game, 0 its beginning and 1 its end.
 * @param {number} part
 * @param {number} width
 */
const x = (part, width) => 2 + part * (width - 4);

/** @param {CanvasRenderingContext2D} ink @param {number} width @param {number} height */
function hatch(ink, width, height) {
  const lines = new Path2D();
  for (let at = -height; at < width; at += HATCH_PX) {
    lines.moveTo(at, height);
    lines.lineTo(at + height, 0);
  }
  ink.lineWidth = 1.5;
  ink.stroke(lines);
}

/** @param {HTMLCanvasElement} canvas */
const context = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
