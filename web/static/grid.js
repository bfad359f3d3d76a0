// Draws a picture of any game on a canvas: whose cells live, what the last turn named, what an action would lead to. What is legal
// it is told.

/** @import { Pair } from './engine.js' */
/** @import { Brush, Outline } from './paint.js' */

import { brackets, cross, middle, outline } from './paint.js';
import { drawMark } from './seats.js';

/** @typedef {{row: number, col: number, owner: string}} OwnedCell the owner as a character of a picture's text */

/**
 * All that a grid may show. Only the cells are always there.
 * @typedef {object} GridScene
 * @property {string} cells as in a picture
 * @property {Pair[]} [last] cells that the last turn named
 * @property {Pair | null} [chosen] the piece that is to move
 * @property {Pair[]} [targets] where it may go
 * @property {OwnedCell[]} [births] that an action would lead to
 * @property {OwnedCell[]} [deaths] that an action would lead to
 * @property {Outline[]} [outlines] the cursor and the pointer
 * @property {{births: OwnedCell[], deaths: OwnedCell[], done: number}} [effect] a turn on its way, `done` from 0 to 1
 */

/** Half the width of a mark, in cells. */
const REACH = 0.36;

/** @param {Brush} brush @param {GridScene} scene */
export function paintGrid(brush, scene) {
  const { ink, cols, rows, x, y, colour } = brush;
  const { effect, last = [], targets = [], births = [], deaths = [], chosen = null } = scene;
  ink.fillStyle = colour('zone-neutral');
  ink.fillRect(0, 0, x(cols), y(rows));
  ink.fillStyle = colour('grid-line');
  for (let col = 1; col < cols; col++) ink.fillRect(x(col), 0, 1, y(rows));
  for (let row = 1; row < rows; row++) ink.fillRect(0, y(row), x(cols), 1);
  if (chosen) ground(brush, chosen, 'chosen');
  targets.forEach((cell) => ground(brush, cell, 'target'));
  const growing = new Map(effect?.births.map(({ row, col }) => [row * cols + col, effect.done]));
  // Of a cell that would change its owner only the new one is shown.
  const taken = new Set(births.map(({ row, col }) => row * cols + col));
  eachCell(scene.cells, cols, (cell, at) => taken.has(at) || mark(brush, cell, growing.get(at) ?? 1));
  for (const cell of effect?.deaths ?? []) mark(brush, cell, 1 - /** @type {any} */ (effect).done);
  last.forEach((cell) => brackets(brush, cell));
  births.forEach((cell) => ghost(brush, cell));
  deaths.filter(({ row, col }) => !taken.has(row * cols + col)).forEach((cell) => cross(brush, cell));
  targets.forEach((cell) => dot(brush, cell));
  for (const { cell, look } of scene.outlines ?? []) outline(brush, cell, look);
}

/**
 * @param {string} cells
 * @param {number} cols
 * @param {(cell: OwnedCell, at: number) => void} draw
 */
function eachCell(cells, cols, draw) {
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] !== '.') draw({ row: Math.floor(at / cols), col: at % cols, owner: cells[at] }, at);
  }
}

/**
 * A frame of a film: the cells of its picture.
 * @param {import('./engine.js').Film['frames']} frames
 * @param {number} turn
 * @returns {string}
 */
export function frameAt(frames, turn) {
  let whole = turn;
  while (typeof frames[whole] !== 'string') whole -= 1;
  const cells = [...frames[whole]];
  for (const changes of frames.slice(whole + 1, turn + 1)) {
    for (const [place, owner] of changes) cells[Number(place)] = owner;
  }
  return cells.join('');
}

/**
 * What a turn changes between two pictures. A cell that changes its owner dies and is born.
 * @param {string} before
 * @param {string} after
 * @param {number} cols
 * @returns {{births: OwnedCell[], deaths: OwnedCell[]}}
 */
export function changes(before, after, cols) {
  /** @type {OwnedCell[]} */
  const births = [];
  /** @type {OwnedCell[]} */
  const deaths = [];
  eachCell(after, cols, (cell, at) => before[at] !== cell.owner && births.push(cell));
  eachCell(before, cols, (cell, at) => after[at] !== cell.owner && deaths.push(cell));
  return { births, deaths };
}

/** @param {Brush} brush @param {OwnedCell} cell @param {number} scale */
function mark(brush, { row, col, owner }, scale) {
  drawMark(brush.ink, owner, { ...middle(brush, row, col), reach: brush.cell * REACH * scale }, brush.colour);
}

/** A cell that would be born. @param {Brush} brush @param {OwnedCell} cell */
function ghost(brush, cell) {
  brush.ink.globalAlpha = 0.45;
  mark(brush, cell, 0.85);
  brush.ink.globalAlpha = 1;
}

/** @param {Brush} brush @param {Pair} cell @param {string} name */
function ground({ ink, x, y, colour }, [row, col], name) {
  ink.fillStyle = colour(name);
  ink.fillRect(x(col) + 1, y(row) + 1, x(col + 1) - x(col) - 1, y(row + 1) - y(row) - 1);
}

/** @param {Brush} brush @param {Pair} cell */
function dot(brush, [row, col]) {
  const { cx, cy } = middle(brush, row, col);
  brush.ink.fillStyle = brush.colour('cursor-legal');
  brush.ink.beginPath();
  brush.ink.arc(cx, cy, Math.max(2, brush.cell / 12), 0, 2 * Math.PI);
  brush.ink.fill();
}
