// The textures and edges of kingdoms' grounds, so that hue alone never identifies a kingdom. Pure.

import { ALIVE, INSIDE, OWNER, WALL } from './engine.js';

/** Flags added to a cell's byte: a dark cell of its kingdom's texture; a cell at the edge of its kingdom's ground. */
export const DARK = 128;
export const EDGE = 256;
/** The number of values for a cell: seven bits of its byte, and these two flags. */
export const SHADES = 512;

/** The period of the textures in rows and columns; the torus's side is a multiple of it. */
export const PERIOD = 8;
/** The width of the textures' lines, in cells. */
const LINE = 2;

const across = (/** @type {number} */ at) => at % PERIOD < LINE;
/**
 * Whether the cell at a column and row is dark, by slot; nobody's ground and the first kingdom's are even.
 * @type {readonly ((x: number, y: number) => boolean)[]}
 */
const TEXTURES = [
  () => false,
  () => false,
  (_, y) => across(y),
  (x) => across(x),
  (x, y) => across(x + y),
  (x, y) => across(x - y + PERIOD),
  (x, y) => x % PERIOD < 3 && y % PERIOD < 3,
  (x, y) => across(x) || across(y),
  (x, y) => x % PERIOD < PERIOD / 2 !== y % PERIOD < PERIOD / 2,
  (x, y) => across(x + y) || across(x - y + PERIOD),
];

/** The textures as a table: for each slot the rows of one period. */
const TILE = PERIOD * PERIOD;
const DARKNESS = new Uint16Array(16 * TILE);
for (const [slot, isDark] of TEXTURES.entries()) {
  for (let at = 0; at < TILE; at++) DARKNESS[slot * TILE + at] = isDark(at % PERIOD, Math.floor(at / PERIOD)) ? DARK : 0;
}

/**
 * A number below `SHADES` for each cell: its byte, plus flags for ground without a living cell or a base on it.
 * @param {Uint8Array} cells a byte for each, row by row
 * @param {number} side the number of rows, and of columns: a power of two
 * @param {Uint16Array} shades of the same length, overwritten
 */
export function shade(cells, side, shades) {
  const mask = side - 1;
  for (let y = 0; y < side; y++) {
    const row = y * side;
    const above = ((y - 1) & mask) * side;
    const below = ((y + 1) & mask) * side;
    const texture = (y % PERIOD) * PERIOD;
    for (let x = 0; x < side; x++) {
      const byte = cells[row + x];
      if ((byte & OWNER) === 0 || (byte & (ALIVE | WALL | INSIDE)) !== 0) {
        shades[row + x] = byte;
        continue;
      }
      const sides =
        (cells[row + ((x - 1) & mask)] ^ byte) |
        (cells[row + ((x + 1) & mask)] ^ byte) |
        (cells[above + x] ^ byte) |
        (cells[below + x] ^ byte);
      shades[row + x] = byte | DARKNESS[(byte & OWNER) * TILE + texture + (x % PERIOD)] | (sides & OWNER ? EDGE : 0);
    }
  }
}
