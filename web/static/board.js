// A canvas that is a board: exactly so many columns and rows over its whole box. It keeps the last scene and paints it anew when its
// size, the screen's density or the colour scheme change.

/** @import { ColouredCell, Pair, Rules } from './engine.js' */
/** @import { Scene } from './paint.js' */

import { paint } from './paint.js';

const still = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Resolves after so long, or at once when it is called off.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

export class Board {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Map<string, string>} colours read from the style sheet */
  #colours = new Map();
  #ink;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Rules} rules
   */
  constructor(canvas, rules) {
    /** @readonly */
    this.canvas = canvas;
    /** @readonly */
    this.rules = rules;
    this.#ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    new ResizeObserver(() => this.#fit()).observe(canvas);
    dark.addEventListener('change', () => (this.#colours.clear(), this.#paint()));
    this.#fit();
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    this.#paint();
  }

  /**
   * Shows a scene and lets a generation's births grow and its deaths shrink; at once where motion is not wanted.
   * @param {Scene} scene after the generation
   * @param {{births: ColouredCell[], deaths: ColouredCell[]}} changes
   * @param {number} ms
   * @param {AbortSignal} [signal]
   */
  async evolve(scene, changes, ms, signal) {
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      // A later scene, or the end of this one, ends the movement.
      if (this.#scene?.effect === undefined || this.#scene.effect.births !== changes.births) return;
      const done = Math.min(1, Math.max(0, (now - start) / ms));
      this.show(done < 1 ? { ...scene, effect: { ...changes, done } } : scene);
      if (done < 1) requestAnimationFrame(step);
    };
    this.show(still.matches ? scene : { ...scene, effect: { ...changes, done: 0 } });
    requestAnimationFrame(step);
    // Frames stop in a page that is not looked at; the time goes on.
    await wait(ms, signal);
    if (!signal?.aborted) this.show(scene);
  }

  /**
   * The cell under a point of the window.
   * @param {{clientX: number, clientY: number}} point
   * @returns {Pair | null}
   */
  cellAt({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const row = Math.floor(((clientY - top) / height) * this.rules.rows);
    const col = Math.floor(((clientX - left) / width) * this.rules.cols);
    const onBoard = row >= 0 && row < this.rules.rows && col >= 0 && col < this.rules.cols;
    return onBoard ? [row, col] : null;
  }

  #fit() {
    const { canvas } = this;
    const density = devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    const [wide, high] = [Math.round(width * density), Math.round(height * density)];
    if (wide === 0 || high === 0) return;
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    this.#paint();
  }

  #paint() {
    if (this.#scene === null) return;
    const { rows, cols, home_cols: homeCols } = this.rules;
    const { width, height } = this.canvas;
    paint(
      {
        ink: this.#ink,
        x: (col) => Math.round((col * width) / cols),
        y: (row) => Math.round((row * height) / rows),
        cell: width / cols,
        rows,
        cols,
        homeCols,
        colour: (name) => this.#colour(name),
      },
      this.#scene,
    );
  }

  /** @param {string} name @returns {string} */
  #colour(name) {
    const known = this.#colours.get(name);
    if (known !== undefined) return known;
    const colour = getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim();
    this.#colours.set(name, colour);
    return colour;
  }
}
