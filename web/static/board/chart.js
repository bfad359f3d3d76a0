// A line chart of the scores of two seats over a game, on a small canvas. The second seat's line is dashed.

import { lookOf } from './seats.js';

export class ScoreChart {
  #turn = 0;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {readonly (readonly number[])[]} tallies by turn and seat
   */
  constructor(canvas, tallies) {
    this.canvas = canvas;
    this.tallies = tallies;
    const anew = () => this.show(this.#turn);
    new ResizeObserver(anew).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', anew);
  }

  /** @param {number} turn marked by a vertical line */
  show(turn) {
    this.#turn = turn;
    const { canvas, tallies } = this;
    const density = devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
    const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    ink.scale(density, density);
    const style = getComputedStyle(canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const most = Math.max(1, ...tallies.flat());
    const x = (/** @type {number} */ at) => 3 + (at / Math.max(1, tallies.length - 1)) * (width - 6);
    const y = (/** @type {number} */ score) => height - 3 - (score / most) * (height - 6);
    ink.fillStyle = colour('line');
    ink.fillRect(0, height - 2, width, 1);
    ink.fillStyle = colour('soft');
    ink.fillRect(x(turn) - 0.5, 0, 1, height);
    for (const seat of tallies[0].keys()) {
      ink.strokeStyle = colour(lookOf(seat).colour);
      ink.lineWidth = 2;
      ink.setLineDash(seat === 1 ? [5, 3] : []);
      ink.beginPath();
      tallies.forEach((tally, at) => ink.lineTo(x(at), y(tally[seat])));
      ink.stroke();
    }
  }
}
