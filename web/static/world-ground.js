// How the ground of a world tells whose it is without its hue: each kingdom's has a texture that no other has, and an edge. Pure.

import { ALIVE, INSIDE, OWNER, WALL } from './world-engine.js';

/** What is added to a cell's byte: it is a dark one of its kingdom's texture; it is the last one before another's ground. */
export const DARK = 128;
export const EDGE = 256;
/** How many numbers there are for a cell: its byte's seven bits, and these two. */
export const SHADES = 512;

/** Rows and columns after which textures repeat; a torus is a multiple of them. */
export const PERIOD = 8;
/** How wide the lines of textures are, in cells. */
const LINE = 2;

const across = (/** @type {number} */ at) => at % PERIOD < LINE;
/** Whether the cell at a column and row is dark, by slot; nobody's ground and the first kingdom's are even. @type {readonly ((x: number, y: number) => boolean)[]} */
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

/** The same as a table: for each slot its rows of a period. */
const TILE = PERIOD * PERIOD;
const DARKNESS = new Uint16Array(16 * TILE);
for (const [slot, isDark] of TEXTURES.entries()) {
  for (let at = 0; at < TILE; at++) DARKNESS[slot * TILE + at] = isDark(at % PERIOD, Math.floor(at / PERIOD)) ? DARK : 0;
}

/**
 * A number below `SHADES` for each cell: its byte, and what its ground adds where nothing lives on it and no base stands.
 * @param {Uint8Array} cells a byte for each, row by row
 * @param {number} side rows, and columns: a power of two
 * @param {Uint16Array} shades of the same length, written anew
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
      const sides = (cells[row + ((x - 1) & mask)] ^ byte) | (cells[row + ((x + 1) & mask)] ^ byte) | (cells[above + x] ^ byte) | (cells[below + x] ^ byte);
      shades[row + x] = byte | DARKNESS[(byte & OWNER) * TILE + texture + (x % PERIOD)] | (sides & OWNER ? EDGE : 0);
    }
  }
}
