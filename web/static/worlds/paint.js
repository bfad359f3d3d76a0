// Paints a world: the ground, cells and bases in the camera's view, and a small map of the whole torus. It makes no
// decisions.
//
// Every kingdom's mark has its own shape; it is on its base, and on its cells if they are large enough. Its ground has
// an edge and a texture (`ground.js`), so hue alone never identifies a kingdom. The ninth, for which no colour is left,
// has the text's colour.

/** @import { Camera, Point, Size } from './camera.js' */
/** @import { Ghost, Look, Spot } from './engine.js' */

import { drawMarks, lookOf, ownerOf } from '../board/seats.js';
import { pointOf } from './camera.js';
import { ALIVE, BASE_SIDE, INSIDE, OWNER, WALL } from './engine.js';
import { DARK, EDGE, SHADES, shade } from './ground.js';

/** The minimum cell size for lines and marks, in CSS pixels. */
const LINES_FROM = 8;
const MARKS_FROM = 12;
/** The number of quadrants in a row. */
export const QUADRANTS = 4;
/**
 * The share of a kingdom's colour in its ground, the dark cells of its texture, the ground's edge, its base, and its
 * wall.
 */
const GROUND = 0.22;
const DARKER = 0.36;
const EDGED = 0.65;
const BASE = 0.5;
const WALLED = 0.75;
/** The width of the ground's edge in views with lines, in CSS pixels. */
const EDGE_PX = 2;

/**
 * The state to paint.
 * @typedef {object} Scene
 * @property {Uint8Array} cells one byte per cell, as in the engine
 * @property {boolean} changed whether the cells may differ from those painted before
 * @property {Look} look
 * @property {Camera} camera
 * @property {readonly Spot[]} draft the cells of the draft call
 * @property {readonly Spot[]} stamp the cells that would be added at the pointer
 * @property {boolean} allowed whether they may be added
 * @property {readonly Ghost[]} ghosts what the draft leads to
 * @property {Spot | null} base the place of a planned base
 * @property {Spot | null} cursor
 */

/** The colour of a kingdom. @param {number} slot from 1 */
export const colourOf = (slot) => (slot > 8 ? 'ink' : lookOf(slot - 1).colour);

/** @param {string} text such as `#1c5fc4` @returns {[number, number, number]} */
function rgb(text) {
  const value = parseInt(text.trim().slice(1, 7), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export class WorldPainter {
  #canvas;
  #ink;
  #small;
  #whole = document.createElement('canvas');
  /** @type {ImageData | null} */
  #image = null;
  /** The colour of each shade. */
  #palette = new Uint32Array(SHADES);
  #shades = new Uint16Array();
  /** Whether cells are large enough for edges to be lines. */
  #near = false;
  /** Whether the palette has changed since the last picture. */
  #mixed = true;
  /** @type {Map<string, string>} */
  #colours = new Map();

  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} small */
  constructor(canvas, small) {
    this.#canvas = canvas;
    this.#small = small;
    this.#ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#mix());
    this.#mix();
  }

  /** @returns {Size} of the view, in CSS pixels */
  get size() {
    return { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
  }

  #mix() {
    const style = getComputedStyle(document.documentElement);
    this.#colours = new Map();
    const value = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    for (const name of [
      'paper',
      'ink',
      'soft',
      'grid-line',
      'border-zone',
      'placed',
      'cursor-legal',
      'cursor-illegal',
      'halo',
      'neutral',
      'neutral-edge',
    ])
      this.#colours.set(name, value(name));
    const paper = rgb(value('zone-neutral'));
    for (let shade = 0; shade < SHADES; shade++) {
      const slot = shade & OWNER;
      const own = slot === 0 ? rgb(value('border-zone')) : rgb(value(colourOf(slot)));
      if (slot > 0) this.#colours.set(colourOf(slot), value(colourOf(slot)));
      const ground = shade & EDGE && !this.#near ? EDGED : shade & DARK ? DARKER : GROUND;
      const part = shade & ALIVE ? 1 : slot === 0 ? (shade & WALL ? 0.5 : 0) : shade & WALL ? WALLED : shade & INSIDE ? BASE : ground;
      const [red, green, blue] = paper.map((under, at) => Math.round(under + (own[at] - under) * part));
      this.#palette[shade] = (255 << 24) | (blue << 16) | (green << 8) | red;
    }
    this.#mixed = true;
  }

  /** @param {string} name */
  #colour = (name) => this.#colours.get(name) ?? '#888888';

  /** @param {Scene} scene */
  paint(scene) {
    const isNear = scene.camera.scale >= LINES_FROM;
    if (isNear !== this.#near) {
      this.#near = isNear;
      this.#mix();
    }
    if (scene.changed || this.#mixed) this.#paintWhole(scene);
    this.#paintView(scene);
    this.#paintSmall(scene);
  }

  /** Paints the whole torus, one pixel per cell. @param {Scene} scene */
  #paintWhole({ cells, look: { side } }) {
    if (this.#image === null || this.#image.width !== side) {
      [this.#whole.width, this.#whole.height] = [side, side];
      this.#image = new ImageData(side, side);
      this.#shades = new Uint16Array(cells.length);
    }
    this.#mixed = false;
    shade(cells, side, this.#shades);
    const pixels = new Uint32Array(this.#image.data.buffer);
    for (let at = 0; at < pixels.length; at++) pixels[at] = this.#palette[this.#shades[at]];
    /** @type {CanvasRenderingContext2D} */ (this.#whole.getContext('2d')).putImageData(this.#image, 0, 0);
  }

  /** @param {Scene} scene */
  #paintView(scene) {
    const {
      camera: { x, y, scale },
      look: { side, wipe },
    } = scene;
    const [ink, size, density] = [this.#ink, this.size, globalThis.devicePixelRatio ?? 1];
    const [width, height] = [Math.round(size.width * density), Math.round(size.height * density)];
    if (this.#canvas.width !== width || this.#canvas.height !== height) [this.#canvas.width, this.#canvas.height] = [width, height];
    ink.setTransform(density, 0, 0, density, 0, 0);
    ink.imageSmoothingEnabled = scale < 1;
    const [left, top] = [x - size.width / 2 / scale, y - size.height / 2 / scale];
    const wide = side * scale;
    const quadrant = wide / QUADRANTS;
    for (let row = Math.floor(top / side); (row * side - top) * scale < size.height; row++) {
      for (let col = Math.floor(left / side); (col * side - left) * scale < size.width; col++) {
        const [dx, dy] = [(col * side - left) * scale, (row * side - top) * scale];
        ink.drawImage(this.#whole, dx, dy, wide, wide);
        ink.strokeStyle = this.#colour('border-zone');
        ink.lineWidth = 1;
        for (let at = 0; at < QUADRANTS; at++) {
          ink.strokeRect(dx + at * quadrant, dy, 0, wide);
          ink.strokeRect(dx, dy + at * quadrant, wide, 0);
        }
        this.#wipe(ink, wipe.quadrant, { x: dx, y: dy }, quadrant);
      }
    }
    if (this.#near) {
      this.#lines(left, top, scale, size);
      this.#edges(scene, left, top, size);
    }
    if (scale >= MARKS_FROM) this.#marks(scene, left, top, size);
    this.#overlay(scene, size);
  }

  /**
   * Marks the quadrant that is wiped next.
   * @param {CanvasRenderingContext2D} ink
   * @param {number} quadrant
   * @param {Point} world its top left
   * @param {number} wide how wide a quadrant is
   */
  #wipe(ink, quadrant, { x, y }, wide) {
    ink.setLineDash([6, 4]);
    ink.lineWidth = 2;
    ink.strokeStyle = this.#colour('cursor-illegal');
    ink.strokeRect(x + (quadrant % QUADRANTS) * wide + 2, y + Math.floor(quadrant / QUADRANTS) * wide + 2, wide - 4, wide - 4);
    ink.setLineDash([]);
  }

  /** @param {number} left @param {number} top @param {number} scale @param {Size} size */
  #lines(left, top, scale, { width, height }) {
    const ink = this.#ink;
    ink.fillStyle = this.#colour('grid-line');
    for (let x = (Math.ceil(left) - left) * scale; x < width; x += scale) ink.fillRect(x, 0, 1, height);
    for (let y = (Math.ceil(top) - top) * scale; y < height; y += scale) ink.fillRect(0, y, width, 1);
  }

  /**
   * Draws a line inside each kingdom's ground along its edge.
   * @param {Scene} scene
   * @param {number} left
   * @param {number} top
   * @param {Size} size
   */
  #edges({ cells, camera: { scale }, look: { side } }, left, top, { width, height }) {
    const ink = this.#ink;
    const ownerAt = (/** @type {number} */ x, /** @type {number} */ y) => cells[(y & (side - 1)) * side + (x & (side - 1))] & OWNER;
    for (let row = Math.floor(top); (row - top) * scale < height; row++) {
      for (let col = Math.floor(left); (col - left) * scale < width; col++) {
        const owner = ownerAt(col, row);
        if (owner === 0) continue;
        const [x, y] = [(col - left) * scale, (row - top) * scale];
        ink.fillStyle = this.#colour(colourOf(owner));
        if (ownerAt(col - 1, row) !== owner) ink.fillRect(x, y, EDGE_PX, scale);
        if (ownerAt(col + 1, row) !== owner) ink.fillRect(x + scale - EDGE_PX, y, EDGE_PX, scale);
        if (ownerAt(col, row - 1) !== owner) ink.fillRect(x, y, scale, EDGE_PX);
        if (ownerAt(col, row + 1) !== owner) ink.fillRect(x, y + scale - EDGE_PX, scale, EDGE_PX);
      }
    }
  }

  /**
   * Draws marks on living cells, in the background's colour on the kingdom's own.
   * @param {Scene} scene
   * @param {number} left
   * @param {number} top
   * @param {Size} size
   */
  #marks({ cells, camera: { scale }, look: { side } }, left, top, { width, height }) {
    /** @type {Map<number, {cx: number, cy: number}[]>} */
    const centres = new Map();
    for (let row = Math.floor(top); (row - top) * scale < height; row++) {
      for (let col = Math.floor(left); (col - left) * scale < width; col++) {
        const byte = cells[(((row % side) + side) % side) * side + (((col % side) + side) % side)];
        if ((byte & ALIVE) === 0 || (byte & OWNER) === 0) continue;
        const owner = byte & OWNER;
        const known = centres.get(owner);
        const centre = { cx: (col - left + 0.5) * scale, cy: (row - top + 0.5) * scale };
        if (known) known.push(centre);
        else centres.set(owner, [centre]);
      }
    }
    for (const [owner, of] of centres) drawMarks(this.#ink, ownerOf(owner - 1), of, scale * 0.28, () => this.#colour('paper'));
  }

  /**
   * Draws a base's wall and mark, if it is in view.
   * @param {number} slot
   * @param {Point} at its top left
   * @param {number} scale
   * @param {Size} size
   */
  #base(slot, { x, y }, scale, { width, height }) {
    const wide = BASE_SIDE * scale;
    // On the background's colour, to be visible on any ground.
    const reach = Math.max(6, Math.min(14, wide / 4));
    const room = 3 * reach;
    if (x + wide + room < 0 || y + wide + room < 0 || x - room > width || y - room > height) return;
    const ink = this.#ink;
    ink.lineWidth = 2;
    ink.strokeStyle = this.#colour(colourOf(slot));
    ink.strokeRect(x, y, wide, wide);
    const [cx, cy] = scale >= LINES_FROM ? [x - reach - 4, y + reach] : [x + wide / 2, y + wide / 2];
    ink.fillStyle = this.#colour('paper');
    ink.beginPath();
    ink.arc(cx, cy, reach * 1.5, 0, 2 * Math.PI);
    ink.fill();
    drawMarks(ink, ownerOf(slot - 1), [{ cx, cy }], reach, () => this.#colour(colourOf(slot)));
  }

  /** @param {Scene} scene @param {Size} size */
  #overlay({ look, camera, draft, stamp, allowed, ghosts, base, cursor }, size) {
    const { side, slots } = look;
    const { scale } = camera;
    const ink = this.#ink;
    const at = (/** @type {Spot} */ spot) => pointOf(camera, spot, size, side);
    for (const { slot, base } of slots) {
      const nearest = at(base);
      // If more than one copy of the torus is in view, so are copies of the bases.
      for (const down of [-side, 0, side]) {
        for (const right of [-side, 0, side]) this.#base(slot, { x: nearest.x + right * scale, y: nearest.y + down * scale }, scale, size);
      }
    }
    const cell = (/** @type {Spot} */ spot, /** @type {number} */ inset) => {
      const { x, y } = at(spot);
      const wide = Math.max(1, scale - 2 * inset);
      return /** @type {const} */ ([x + inset, y + inset, wide, wide]);
    };
    ink.globalAlpha = 0.5;
    for (const [x, y, owner] of ghosts) {
      ink.fillStyle = this.#colour(owner === 0 ? 'soft' : colourOf(owner));
      ink.fillRect(...cell([x, y], scale * 0.2));
    }
    ink.globalAlpha = 1;
    ink.fillStyle = this.#colour('placed');
    for (const spot of draft) ink.fillRect(...cell(spot, scale * 0.1));
    ink.lineWidth = 2;
    ink.strokeStyle = this.#colour(allowed ? 'cursor-legal' : 'cursor-illegal');
    // Cells that may not be placed are dashed.
    if (!allowed) ink.setLineDash([3, 2]);
    for (const spot of stamp) ink.strokeRect(...cell(spot, 1));
    ink.setLineDash([]);
    if (base) {
      const { x, y } = at(base);
      ink.strokeRect(x, y, BASE_SIDE * scale, BASE_SIDE * scale);
      ink.setLineDash([3, 3]);
      ink.strokeRect(x + scale, y + scale, (BASE_SIDE - 2) * scale, (BASE_SIDE - 2) * scale);
      ink.setLineDash([]);
    }
    if (cursor) {
      ink.strokeStyle = this.#colour('halo');
      ink.lineWidth = 4;
      ink.strokeRect(...cell(cursor, 0));
      ink.strokeStyle = this.#colour(allowed ? 'cursor-legal' : 'cursor-illegal');
      ink.lineWidth = 2;
      ink.strokeRect(...cell(cursor, 0));
    }
  }

  /** Paints the small map: the whole world with its bases, the next wipe and the view. @param {Scene} scene */
  #paintSmall({ camera, look: { side, slots, wipe } }) {
    const [canvas, size] = [this.#small, this.size];
    const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const part = canvas.width / side;
    ink.imageSmoothingEnabled = true;
    ink.drawImage(this.#whole, 0, 0, canvas.width, canvas.height);
    this.#wipe(ink, wipe.quadrant, { x: 0, y: 0 }, canvas.width / QUADRANTS);
    for (const {
      slot,
      base: [x, y],
    } of slots) {
      const at = { cx: (x + BASE_SIDE / 2) * part, cy: (y + BASE_SIDE / 2) * part };
      ink.fillStyle = this.#colour('paper');
      ink.beginPath();
      ink.arc(at.cx, at.cy, 8, 0, 2 * Math.PI);
      ink.fill();
      drawMarks(ink, ownerOf(slot - 1), [at], 5, () => this.#colour(colourOf(slot)));
    }
    const [wide, high] = [Math.min(side, size.width / camera.scale), Math.min(side, size.height / camera.scale)];
    ink.strokeStyle = this.#colour('ink');
    ink.lineWidth = 2;
    // The view may extend over the map's edges.
    for (const right of [-side, 0, side]) {
      for (const down of [-side, 0, side])
        ink.strokeRect((camera.x - wide / 2 + right) * part, (camera.y - high / 2 + down) * part, wide * part, high * part);
    }
  }
}

/** Paints a kingdom's mark on a small canvas. @param {HTMLCanvasElement} canvas @param {number} slot */
export function paintMark(canvas, slot) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ink.clearRect(0, 0, canvas.width, canvas.height);
  const colour = () =>
    getComputedStyle(canvas)
      .getPropertyValue(`--${colourOf(slot)}`)
      .trim();
  drawMarks(ink, ownerOf(slot - 1), [{ cx: canvas.width / 2, cy: canvas.height / 2 }], canvas.width / 3, colour);
}
