// Patterns to stamp: a library, patterns pasted as RLE text, and their rotations and reflections. Pure.
//
// Source: RLE is the run length encoding of pattern files for Life, https://conwaylife.com/wiki/Run_Length_Encoded

/** @import { Spot } from './engine.js' */
import * as worlds from '../text/en/script-worlds.js';

/** The maximum number of cells in a call: the rules refuse more. */
export const CELLS_MAX = 1000;
/** The maximum width and height of a pattern: the side of the world. */
const SIDE_MAX = 512;

/** @typedef {{width: number, height: number, cells: Spot[]}} Pattern cells as columns and rows from its top left */

/** A text that is not a pattern. */
export class NotAPattern extends Error {}

/**
 * The library: a name for the page, and the pattern as RLE text.
 * @type {readonly {id: string, name: string, rle: string}[]}
 */
export const PATTERNS = [
  { id: 'cell', name: worlds.scriptWorldsPatternCell(), rle: 'o!' },
  { id: 'block', name: worlds.scriptWorldsPatternBlock(), rle: '2o$2o!' },
  { id: 'blinker', name: worlds.scriptWorldsPatternBlinker(), rle: '3o!' },
  { id: 'glider', name: worlds.scriptWorldsPatternGlider(), rle: 'bo$2bo$3o!' },
  { id: 'lwss', name: worlds.scriptWorldsPatternLwss(), rle: 'bo2bo$o$o3bo$4o!' },
  { id: 'mwss', name: worlds.scriptWorldsPatternMwss(), rle: '3bo$bo3bo$o$o4bo$5o!' },
  { id: 'hwss', name: worlds.scriptWorldsPatternHwss(), rle: '3b2o$bo4bo$o$o5bo$6o!' },
  {
    id: 'gosper',
    name: worlds.scriptWorldsPatternGosper(),
    rle: '24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!',
  },
  {
    id: 'simkin',
    name: worlds.scriptWorldsPatternSimkin(),
    rle: '2o5b2o$2o5b2o2$4b2o$4b2o5$22b2ob2o$21bo5bo$21bo6bo2b2o$21b3o3bo3b2o$26bo4$20b2o$20bo$21b3o$23bo!',
  },
];

/**
 * The pattern of an RLE text, with or without header and comments.
 * @param {string} text
 * @returns {Pattern}
 */
export function patternOf(text) {
  const lines = text.split('\n').filter((line) => !/^\s*(#|x\s*=)/.test(line));
  const body = lines.join('').replace(/\s/g, '');
  /** @type {Spot[]} */
  const cells = [];
  let [x, y, end] = [0, 0, false];
  for (const [whole, count, tag] of body.matchAll(/(\d*)([^\d])/g)) {
    if (end) break;
    const run = count === '' ? 1 : Number(count);
    if (!(run >= 1 && run <= SIDE_MAX)) throw new NotAPattern(worlds.scriptWorldsNoRun({ run: whole }));
    if (tag === '!') end = true;
    else if (tag === '$') [x, y] = [0, y + run];
    else if (tag === 'b' || tag === '.') x += run;
    else if (tag === 'o' || tag === 'A') for (let i = 0; i < run; i++) cells.push([x++, y]);
    else throw new NotAPattern(worlds.scriptWorldsNoLetter({ letter: tag }));
    if (x > SIDE_MAX || y > SIDE_MAX || cells.length > CELLS_MAX)
      throw new NotAPattern(worlds.scriptWorldsPatternTooLarge({ most: CELLS_MAX }));
  }
  if (cells.length === 0) throw new NotAPattern(worlds.scriptWorldsPatternEmpty());
  return trimmed(cells);
}

/** @param {readonly Spot[]} cells @returns {Pattern} */
function trimmed(cells) {
  const [left, top] = [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];
  const [right, bottom] = [Math.max(...cells.map(([x]) => x)), Math.max(...cells.map(([, y]) => y))];
  return { width: right - left + 1, height: bottom - top + 1, cells: cells.map(([x, y]) => [x - left, y - top]) };
}

/** The pattern rotated clockwise by a quarter turn. @param {Pattern} pattern @returns {Pattern} */
export const turned = ({ width, height, cells }) => ({ width: height, height: width, cells: cells.map(([x, y]) => [height - 1 - y, x]) });

/** The pattern with left and right swapped. @param {Pattern} pattern @returns {Pattern} */
export const mirrored = ({ width, height, cells }) => ({ width, height, cells: cells.map(([x, y]) => [width - 1 - x, y]) });

/**
 * The cells of a pattern centred on a cell of the torus.
 * @param {Pattern} pattern
 * @param {Spot} at
 * @param {number} side
 * @returns {Spot[]}
 */
export function stamped({ width, height, cells }, [col, row], side) {
  const [left, top] = [col - Math.floor((width - 1) / 2), row - Math.floor((height - 1) / 2)];
  return cells.map(([x, y]) => [(left + x + side) % side, (top + y + side) % side]);
}
