// Paints a scene on a board's canvas: living cells, the last turn, and what the draft turn would lead to. It knows
// positions and looks, and does not decide what is legal.
//
// Every seat's mark has its own shape (`seats.js`), so seats never differ in hue alone.

/** @import { Pair, Zone } from '../rules/engine.js' */
/** @import { OwnedCell } from './picture.js' */

import { eachCell } from './picture.js';
import { NEUTRAL, drawMarks, lookOf, seatOf } from './seats.js';

/**
 * @typedef {{cell: Pair, look: 'legal' | 'illegal' | 'aim' | 'plain', spread?: number}} Outline the cursor, or the
 *   pointer
 */

/** @typedef {{cell: Pair, spread: number}} Square a cell, and the distance around it that belongs to the square */

/**
 * What a board can show. Only the cells are required.
 * @typedef {object} Scene
 * @property {string} cells as in a picture
 * @property {readonly Pair[]} [open] cells that can be added next
 * @property {readonly Pair[]} [placed] cells of the draft turn, in order
 * @property {Pair | null} [chosen] the piece chosen to move
 * @property {readonly Pair[]} [targets] cells it can move to
 * @property {Square | null} [aim] where a tool is about to act
 * @property {readonly OwnedCell[]} [births] births that the draft leads to
 * @property {readonly OwnedCell[]} [deaths] deaths that the draft leads to
 * @property {readonly Square[]} [last] cells named by the last turn
 * @property {readonly Outline[]} [outlines] the cursor and the pointer
 * @property {{births: readonly OwnedCell[], deaths: readonly OwnedCell[], done: number}} [effect] a generation being
 *   animated, `done` from 0 to 1
 */

/**
 * Sizes in pixels of the canvas, and colours.
 * @typedef {object} Brush
 * @property {CanvasRenderingContext2D} ink
 * @property {(col: number) => number} x left edge of a column
 * @property {(row: number) => number} y top edge of a row
 * @property {number} cell the approximate width of a cell
 * @property {number} stroke the size that line widths are fractions of: a cell, or less if cells are large
 * @property {number} rows
 * @property {number} cols
 * @property {number} block rows and columns of cells behind each one of the board
 * @property {number} gutter the width of the edge with the numbers of rows and columns, left of and above the first
 *   cell
 * @property {readonly Zone[]} zones
 * @property {(name: string) => string} colour by the name of a custom property, without the leading dashes
 */

/**
 * The edge with the numbers of rows and columns, in CSS pixels: wide enough for two digits. The style sheet repeats
 * this value.
 */
const GUTTER = 18;
/** Narrower boards, in CSS pixels, are mere pictures without an edge. */
const NUMBERED_BOARD_MIN = 160;
/** Every how many rows and columns have a number: the closest choice that keeps this distance, in CSS pixels. */
const NUMBERED_EVERY = [1, 2, 5, 10];
const NUMBERED_APART_MIN = 18;
/** The height of a number, in CSS pixels. */
const NUMBER_HIGH = 11;

/** Half the width of a mark, in cells. */
const REACH = 0.38;
/** Narrower cells, in canvas pixels, are plain squares of their colour, without shapes or lines between them. */
const SHAPED_CELL_MIN = 3;

/** The width of a board's edge, in CSS pixels. @param {number} width of the board with its edge */
export const gutterOf = (width) => (width < NUMBERED_BOARD_MIN ? 0 : GUTTER);

/** Every how many rows or columns have a number. @param {number} cell how wide one is, in CSS pixels */
export const numberedEvery = (cell) =>
  NUMBERED_EVERY.find((every) => every * cell >= NUMBERED_APART_MIN) ?? NUMBERED_EVERY[NUMBERED_EVERY.length - 1];

/** @param {Brush} brush @param {Scene} scene */
export function paint(brush, scene) {
  brush.ink.setTransform(1, 0, 0, 1, 0, 0);
  if (brush.gutter > 0) coordinates(brush);
  brush.ink.translate(brush.gutter, brush.gutter);
  const { effect, open = [], targets = [], placed = [], births = [], deaths = [], last = [], chosen = null, aim = null } = scene;
  const { cols } = brush;
  paintGround(brush);
  if (chosen) ground(brush, chosen, 'chosen');
  targets.forEach((cell) => ground(brush, cell, 'target'));
  open.forEach((cell) => speck(brush, cell));
  const growing = new Set(effect?.births.map(({ row, col }) => row * cols + col));
  // A cell that would change its owner is shown with the new one.
  const taken = new Set(births.map(({ row, col }) => row * cols + col));
  /** @type {OwnedCell[]} */
  const living = [];
  /** @type {OwnedCell[]} */
  const born = [];
  eachCell(scene.cells, cols, (cell, at) => taken.has(at) || (growing.has(at) ? born : living).push(cell));
  marks(brush, living, 1);
  if (effect) {
    marks(brush, born, effect.done);
    marks(brush, effect.deaths, 1 - effect.done);
  }
  for (const { cell, spread } of last) {
    if (spread > 0) square(brush, cell, spread, 'last', [brush.cell / 3, brush.cell / 4]);
    else brackets(brush, cell);
  }
  // Births that the draft leads to.
  brush.ink.globalAlpha = 0.45;
  marks(brush, births, 0.85);
  brush.ink.globalAlpha = 1;
  const dying = new Set(deaths.map(({ row, col }) => row * cols + col));
  deaths.filter(({ row, col }) => !taken.has(row * cols + col)).forEach((cell) => cross(brush, cell));
  placed.forEach((cell, at) => number(brush, cell, at + 1, dying.has(cell[0] * cols + cell[1])));
  targets.forEach((cell) => dot(brush, cell));
  if (aim) square(brush, aim.cell, aim.spread, 'aim', []);
  for (const { cell, look, spread = 0 } of scene.outlines ?? []) {
    if (spread > 0) square(brush, cell, spread, 'aim', []);
    outline(brush, cell, look);
  }
}

/** Zones, the lines between cells, and the borders of zones. @param {Brush} brush */
function paintGround({ ink, x, y, cell, rows, cols, zones, colour }) {
  ink.fillStyle = colour('zone-neutral');
  ink.fillRect(0, 0, x(cols), y(rows));
  let from = 0;
  const borders = [];
  for (const { cols: wide, seat } of zones) {
    if (seat !== null) {
      ink.fillStyle = colour(`zone-${seat}`);
      ink.fillRect(x(from), 0, x(from + wide) - x(from), y(rows));
    }
    from += wide;
    borders.push(from);
  }
  if (cell >= SHAPED_CELL_MIN) {
    ink.fillStyle = colour('grid-line');
    for (let col = 1; col < cols; col++) ink.fillRect(x(col), 0, 1, y(rows));
    for (let row = 1; row < rows; row++) ink.fillRect(0, y(row), x(cols), 1);
  }
  ink.fillStyle = colour('border-zone');
  for (const col of borders.slice(0, -1)) ink.fillRect(x(col) - 1, 0, 3, y(rows));
}

/** The edge with the numbers of rows and columns. @param {Brush} brush */
function coordinates({ ink, x, y, cell, rows, cols, block, gutter, colour }) {
  const density = gutter / GUTTER;
  // Numbers of three digits need more room.
  const every = numberedEvery(cell / density / (block > 1 ? 1.5 : 1));
  ink.fillStyle = colour('paper');
  ink.fillRect(0, 0, gutter + x(cols), gutter);
  ink.fillRect(0, 0, gutter, gutter + y(rows));
  ink.fillStyle = colour('soft');
  ink.font = `${Math.round(NUMBER_HIGH * density)}px ${colour('font')}`;
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  for (let col = 0; col < cols; col += every) ink.fillText(String(block * col), gutter + (x(col) + x(col + 1)) / 2, gutter / 2);
  for (let row = 0; row < rows; row += every) ink.fillText(String(block * row), gutter / 2, gutter + (y(row) + y(row + 1)) / 2, gutter);
}

/** A cell that can be added next. @param {Brush} brush @param {Pair} cell */
function speck(brush, [row, col]) {
  const side = Math.max(2, Math.round(brush.cell / 8));
  const { cx, cy } = middle(brush, row, col);
  brush.ink.fillStyle = brush.colour('placeable');
  brush.ink.fillRect(Math.round(cx - side / 2), Math.round(cy - side / 2), side, side);
}

/** @param {Brush} brush @param {Pair} cell @param {string} name */
function ground({ ink, x, y, colour }, [row, col], name) {
  ink.fillStyle = colour(name);
  ink.fillRect(x(col) + 1, y(row) + 1, x(col + 1) - x(col) - 1, y(row + 1) - y(row) - 1);
}

/** A cell that a piece can move to. @param {Brush} brush @param {Pair} cell */
function dot(brush, [row, col]) {
  const { cx, cy } = middle(brush, row, col);
  brush.ink.fillStyle = brush.colour('cursor-legal');
  brush.ink.beginPath();
  brush.ink.arc(cx, cy, Math.max(2, brush.cell / 12), 0, 2 * Math.PI);
  brush.ink.fill();
}

/** The centre of a cell. @param {Brush} brush @param {number} row @param {number} col */
function middle({ x, y }, row, col) {
  return { cx: (x(col) + 1 + x(col + 1)) / 2, cy: (y(row) + 1 + y(row + 1)) / 2 };
}

/**
 * @param {Brush} brush
 * @param {readonly OwnedCell[]} cells
 * @param {number} scale the size of their marks; 1 is that of a living cell
 */
function marks(brush, cells, scale) {
  const { ink, x, y, cell, colour } = brush;
  /** @type {Map<string, OwnedCell[]>} */
  const byOwner = new Map();
  for (const one of cells) {
    const known = byOwner.get(one.owner);
    if (known) known.push(one);
    else byOwner.set(one.owner, [one]);
  }
  for (const [owner, owned] of byOwner) {
    if (cell >= SHAPED_CELL_MIN) {
      drawMarks(
        ink,
        owner,
        owned.map(({ row, col }) => middle(brush, row, col)),
        cell * REACH * scale,
        colour,
      );
    } else {
      ink.fillStyle = colour(owner === NEUTRAL ? 'neutral' : lookOf(seatOf(owner)).colour);
      for (const { row, col } of owned) ink.fillRect(x(col), y(row), x(col + 1) - x(col), y(row + 1) - y(row));
    }
  }
}

/** A cell that would die. @param {Brush} brush @param {{row: number, col: number}} cell */
function cross(brush, { row, col }) {
  const { ink, cell, stroke } = brush;
  const { cx, cy } = middle(brush, row, col);
  const reach = cell * 0.34;
  for (const [width, name] of /** @type {const} */ ([
    [stroke / 4, 'halo'],
    [Math.max(1.5, stroke / 10), 'death'],
  ])) {
    ink.lineWidth = width;
    ink.strokeStyle = brush.colour(name);
    ink.beginPath();
    ink.moveTo(cx - reach, cy - reach);
    ink.lineTo(cx + reach, cy + reach);
    ink.moveTo(cx + reach, cy - reach);
    ink.lineTo(cx - reach, cy + reach);
    ink.stroke();
  }
}

/**
 * The order of a cell placed in this turn; over a cross it has its own background.
 * @param {Brush} brush
 * @param {Pair} pair
 * @param {number} order
 * @param {boolean} dying
 */
function number(brush, [row, col], order, dying) {
  const { ink, cell, x, y } = brush;
  const { cx, cy } = middle(brush, row, col);
  ink.strokeStyle = brush.colour('placed');
  ink.lineWidth = Math.max(2, cell / 10);
  ink.strokeRect(x(col) + 1, y(row) + 1, x(col + 1) - x(col) - 1, y(row + 1) - y(row) - 1);
  if (dying) {
    ink.fillStyle = brush.colour('death');
    ink.beginPath();
    ink.arc(cx, cy, cell * 0.27, 0, 2 * Math.PI);
    ink.fill();
  }
  ink.fillStyle = brush.colour('on-mark');
  ink.font = `700 ${Math.round(cell * 0.5)}px ${brush.colour('font')}`;
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  ink.fillText(String(order), cx, cy + cell * 0.03);
}

/** Corners around a cell that the last turn placed. @param {Brush} brush @param {Pair} pair */
function brackets({ ink, x, y, stroke, colour }, [row, col]) {
  const [left, top, right, bottom] = [x(col) + 1.5, y(row) + 1.5, x(col + 1) - 0.5, y(row + 1) - 0.5];
  // In a small cell longer arms would touch each other and the mark.
  const arm = stroke / (stroke < 13 ? 6 : 3.6);
  ink.strokeStyle = colour('last');
  ink.lineWidth = Math.max(1.5, stroke / 14);
  ink.beginPath();
  for (const [cx, cy, dx, dy] of [
    [left, top, 1, 1],
    [right, top, -1, 1],
    [left, bottom, 1, -1],
    [right, bottom, -1, -1],
  ]) {
    ink.moveTo(cx + dx * arm, cy);
    ink.lineTo(cx, cy);
    ink.lineTo(cx, cy + dy * arm);
  }
  ink.stroke();
}

/**
 * The square around a cell, clipped to the board.
 * @param {Brush} brush
 * @param {Pair} centre
 * @param {number} spread
 * @param {string} name
 * @param {number[]} dashes
 */
function square({ ink, x, y, cell, rows, cols, colour }, [row, col], spread, name, dashes) {
  const [left, right] = [x(Math.max(0, col - spread)), x(Math.min(cols, col + spread + 1))];
  const [top, bottom] = [y(Math.max(0, row - spread)), y(Math.min(rows, row + spread + 1))];
  ink.globalAlpha = 0.2;
  ink.fillStyle = colour(name);
  ink.fillRect(left, top, right - left, bottom - top);
  ink.globalAlpha = 1;
  ink.strokeStyle = colour(name);
  ink.lineWidth = Math.max(2, cell / 10);
  ink.setLineDash(dashes);
  ink.strokeRect(left + 1, top + 1, right - left - 1, bottom - top - 1);
  ink.setLineDash([]);
}

/** @param {Brush} brush @param {Pair} pair @param {Outline['look']} look */
function outline({ ink, x, y, stroke, colour }, [row, col], look) {
  const [left, top, right, bottom] = [x(col), y(row), x(col + 1) + 1, y(row + 1) + 1];
  const width = Math.max(2, stroke / 8);
  ink.lineWidth = width;
  ink.strokeStyle = colour(`cursor-${look}`);
  ink.strokeRect(left + width / 2, top + width / 2, right - left - width, bottom - top - width);
  if (look !== 'illegal') return;
  ink.beginPath();
  ink.moveTo(left + width, bottom - width);
  ink.lineTo(right - width, top + width);
  ink.stroke();
}
