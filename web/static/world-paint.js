// Draws a world: grounds, cells and bases, as much of the torus as the camera sees, and the whole of it small beside it. It decides
// nothing.
//
// Every kingdom has a mark of its own shape on its base, and on its cells where they are large enough, so that hue alone never tells
// kingdoms apart. The ninth, for which there is no colour left, is drawn in that of the text.

/** @import { Camera, Size } from './world-camera.js' */
/** @import { Ghost, Look, Spot } from './world-engine.js' */

import { drawMark, lookOf, ownerOf } from './seats.js';
import { pointOf } from './world-camera.js';
import { ALIVE, INSIDE, OWNER, WALL } from './world-engine.js';

/** Cells as wide as this, in CSS pixels, have lines between them, and marks. */
const LINES_FROM = 8;
const MARKS_FROM = 12;
/** Rows and columns of a base. */
export const BASE_SIDE = 8;
/** Quadrants in a row. */
const QUADRANTS = 4;
/** How much of a kingdom's colour its ground has, its base, and its wall. */
const GROUND = 0.28;
const BASE = 0.5;
const WALLED = 0.75;

/**
 * What is drawn.
 * @typedef {object} Scene
 * @property {Uint8Array} cells a byte for each, as the engine has them
 * @property {Look} look
 * @property {Camera} camera
 * @property {readonly Spot[]} draft cells of the call in the making
 * @property {readonly Spot[]} stamp cells that would be added at the pointer
 * @property {boolean} allowed whether they could be
 * @property {readonly Ghost[]} ghosts what the draft comes to
 * @property {Spot | null} base where a base would stand
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
  /** @type {Uint32Array} a colour for each byte of a cell */
  #palette = new Uint32Array(256);
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
    for (const name of ['paper', 'ink', 'soft', 'grid-line', 'border-zone', 'placed', 'cursor-legal', 'cursor-illegal', 'halo', 'neutral', 'neutral-edge']) this.#colours.set(name, value(name));
    const paper = rgb(value('zone-neutral'));
    for (let byte = 0; byte < 256; byte++) {
      const slot = byte & OWNER;
      const own = slot === 0 ? rgb(value('border-zone')) : rgb(value(colourOf(slot)));
      if (slot > 0) this.#colours.set(colourOf(slot), value(colourOf(slot)));
      const part = byte & ALIVE ? 1 : slot === 0 ? (byte & WALL ? 0.5 : 0) : byte & WALL ? WALLED : byte & INSIDE ? BASE : GROUND;
      const [red, green, blue] = paper.map((ground, at) => Math.round(ground + (own[at] - ground) * part));
      this.#palette[byte] = (255 << 24) | (blue << 16) | (green << 8) | red;
    }
  }

  /** @param {string} name */
  #colour = (name) => this.#colours.get(name) ?? '#888888';

  /** @param {Scene} scene */
  paint(scene) {
    const { cells, look: { side } } = scene;
    if (this.#image === null || this.#image.width !== side) {
      [this.#whole.width, this.#whole.height] = [side, side];
      this.#image = new ImageData(side, side);
    }
    const pixels = new Uint32Array(this.#image.data.buffer);
    for (let at = 0; at < cells.length; at++) pixels[at] = this.#palette[cells[at]];
    /** @type {CanvasRenderingContext2D} */ (this.#whole.getContext('2d')).putImageData(this.#image, 0, 0);
    this.#paintView(scene);
    this.#paintSmall(scene);
  }

  /** @param {Scene} scene */
  #paintView(scene) {
    const { camera: { x, y, scale }, look: { side, wipe } } = scene;
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
        // The quadrant that is wiped next.
        ink.setLineDash([6, 4]);
        ink.lineWidth = 2;
        ink.strokeStyle = this.#colour('cursor-illegal');
        ink.strokeRect(dx + (wipe.quadrant % QUADRANTS) * quadrant + 2, dy + Math.floor(wipe.quadrant / QUADRANTS) * quadrant + 2, quadrant - 4, quadrant - 4);
        ink.setLineDash([]);
      }
    }
    if (scale >= LINES_FROM) this.#lines(left, top, scale, size);
    if (scale >= MARKS_FROM) this.#marks(scene, left, top, size);
    this.#overlay(scene, size);
  }

  /** @param {number} left @param {number} top @param {number} scale @param {Size} size */
  #lines(left, top, scale, { width, height }) {
    const ink = this.#ink;
    ink.fillStyle = this.#colour('grid-line');
    for (let x = (Math.ceil(left) - left) * scale; x < width; x += scale) ink.fillRect(x, 0, 1, height);
    for (let y = (Math.ceil(top) - top) * scale; y < height; y += scale) ink.fillRect(0, y, width, 1);
  }

  /** Marks on living cells, in the paper's colour on their own. @param {Scene} scene @param {number} left @param {number} top @param {Size} size */
  #marks({ cells, camera: { scale }, look: { side } }, left, top, { width, height }) {
    const paper = () => this.#colour('paper');
    for (let row = Math.floor(top); (row - top) * scale < height; row++) {
      for (let col = Math.floor(left); (col - left) * scale < width; col++) {
        const byte = cells[(((row % side) + side) % side) * side + (((col % side) + side) % side)];
        if ((byte & ALIVE) === 0 || (byte & OWNER) === 0) continue;
        drawMark(this.#ink, ownerOf((byte & OWNER) - 1), { cx: (col - left + 0.5) * scale, cy: (row - top + 0.5) * scale, reach: scale * 0.28 }, paper);
      }
    }
  }

  /** @param {Scene} scene @param {Size} size */
  #overlay({ look, camera, draft, stamp, allowed, ghosts, base, cursor }, size) {
    const { side, slots } = look;
    const { scale } = camera;
    const ink = this.#ink;
    const at = (/** @type {Spot} */ spot) => pointOf(camera, spot, size, side);
    for (const { slot, base } of slots) {
      const { x, y } = at(base);
      const wide = BASE_SIDE * scale;
      ink.lineWidth = 2;
      ink.strokeStyle = this.#colour(colourOf(slot));
      ink.strokeRect(x, y, wide, wide);
      // On paper, so that it is seen on any ground.
      const reach = Math.max(6, Math.min(14, wide / 4));
      const [cx, cy] = scale >= LINES_FROM ? [x - reach - 4, y + reach] : [x + wide / 2, y + wide / 2];
      ink.fillStyle = this.#colour('paper');
      ink.beginPath();
      ink.arc(cx, cy, reach * 1.5, 0, 2 * Math.PI);
      ink.fill();
      drawMark(ink, ownerOf(slot - 1), { cx, cy, reach }, () => this.#colour(colourOf(slot)));
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
    for (const spot of stamp) ink.strokeRect(...cell(spot, 1));
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

  /** The whole world, with bases and what is looked at. @param {Scene} scene */
  #paintSmall({ camera, look: { side, slots } }) {
    const [canvas, size] = [this.#small, this.size];
    const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const part = canvas.width / side;
    ink.imageSmoothingEnabled = true;
    ink.drawImage(this.#whole, 0, 0, canvas.width, canvas.height);
    for (const { slot, base: [x, y] } of slots) {
      const at = { cx: (x + BASE_SIDE / 2) * part, cy: (y + BASE_SIDE / 2) * part };
      ink.fillStyle = this.#colour('paper');
      ink.beginPath();
      ink.arc(at.cx, at.cy, 8, 0, 2 * Math.PI);
      ink.fill();
      drawMark(ink, ownerOf(slot - 1), { ...at, reach: 5 }, () => this.#colour(colourOf(slot)));
    }
    const [wide, high] = [Math.min(side, size.width / camera.scale), Math.min(side, size.height / camera.scale)];
    ink.strokeStyle = this.#colour('ink');
    ink.lineWidth = 2;
    // Over the edges, too.
    for (const right of [-side, 0, side]) {
      for (const down of [-side, 0, side]) ink.strokeRect((camera.x - wide / 2 + right) * part, (camera.y - high / 2 + down) * part, wide * part, high * part);
    }
  }
}

/** Draws a kingdom's mark into a small canvas. @param {HTMLCanvasElement} canvas @param {number} slot */
export function paintMark(canvas, slot) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ink.clearRect(0, 0, canvas.width, canvas.height);
  const colour = () => getComputedStyle(canvas).getPropertyValue(`--${colourOf(slot)}`).trim();
  drawMark(ink, ownerOf(slot - 1), { cx: canvas.width / 2, cy: canvas.height / 2, reach: canvas.width / 3 }, colour);
}
