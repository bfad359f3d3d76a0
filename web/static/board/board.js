// A canvas that shows a board: a whole number of columns and rows fills its box, apart from the numbered edge. It keeps
// the last scene and repaints it when its size, the pixel density or the colour scheme changes.

/** @import { Pair, Zone } from '../rules/engine.js' */
/** @import { Scene } from './paint.js' */

import { gutterOf, paint } from './paint.js';

/** @typedef {{rows: number, cols: number, zones: readonly Zone[]}} Size of a board, with its zones */

const still = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Lines on larger cells are as wide as on cells of this size, in CSS pixels. */
const STROKE_CELL_MAX = 36;

/**
 * Resolves after a time, or at once when it is aborted.
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
   * @param {Size} size
   */
  constructor(canvas, size) {
    /** @readonly */
    this.canvas = canvas;
    /** @readonly */
    this.size = size;
    canvas.style.aspectRatio = `${size.cols} / ${size.rows}`;
    this.#ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    new ResizeObserver(() => this.#fit()).observe(canvas);
    dark.addEventListener('change', () => (this.#colours.clear(), this.#paint()));
    // The numbers use the page's font, which may load after the board.
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => this.#paint());
    this.#fit();
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    this.#paint();
  }

  /**
   * Shows a scene in which a generation's births grow and its deaths shrink; without animation if the reader prefers
   * reduced motion.
   * @param {Scene} scene after the generation
   * @param {Pick<NonNullable<Scene['effect']>, 'births' | 'deaths'>} changes
   * @param {number} ms
   * @param {AbortSignal} [signal]
   */
  async evolve(scene, changes, ms, signal) {
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      // A later scene, or the end of this one, stops the animation.
      if (this.#scene?.effect === undefined || this.#scene.effect.births !== changes.births) return;
      const done = Math.min(1, Math.max(0, (now - start) / ms));
      this.show(done < 1 ? { ...scene, effect: { ...changes, done } } : scene);
      if (done < 1) requestAnimationFrame(step);
    };
    this.show(still.matches ? scene : { ...scene, effect: { ...changes, done: 0 } });
    requestAnimationFrame(step);
    // A hidden page gets no animation frames, but the timer goes on.
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
    const gutter = gutterOf(width);
    const row = Math.floor(((clientY - top - gutter) / (height - gutter)) * this.size.rows);
    const col = Math.floor(((clientX - left - gutter) / (width - gutter)) * this.size.cols);
    const onBoard = row >= 0 && row < this.size.rows && col >= 0 && col < this.size.cols;
    return onBoard ? [row, col] : null;
  }

  #fit() {
    const { canvas } = this;
    const density = devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    const [wide, high] = [Math.round(width * density), Math.round(height * density)];
    if (wide === 0 || high === 0 || (canvas.width === wide && canvas.height === high)) return;
    // This clears the canvas.
    [canvas.width, canvas.height] = [wide, high];
    this.#paint();
  }

  #paint() {
    if (this.#scene === null) return;
    const { rows, cols, zones } = this.size;
    const density = devicePixelRatio || 1;
    const gutter = Math.round(gutterOf(this.canvas.width / density) * density);
    const [width, height] = [this.canvas.width - gutter, this.canvas.height - gutter];
    paint(
      {
        ink: this.#ink,
        x: (col) => Math.round((col * width) / cols),
        y: (row) => Math.round((row * height) / rows),
        cell: width / cols,
        stroke: Math.min(width / cols, STROKE_CELL_MAX * density),
        rows,
        cols,
        block: Number(this.canvas.dataset.block ?? 1),
        gutter,
        zones,
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
