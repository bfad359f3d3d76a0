// Draws a scene of the board on a canvas. It knows where things are and what they look like; what is legal it is told.
//
// Every colour has a mark of its own shape, blue a disc and red a diamond, so that nothing is told by hue alone.

/** @import { Colour, ColouredCell, Pair } from './engine.js' */

/** @typedef {{cell: Pair, look: 'legal' | 'illegal' | 'bomb' | 'plain'}} Outline the cursor, or the pointer */

/**
 * All that a board may show. Only the text of the board is always there.
 * @typedef {object} Scene
 * @property {string} board
 * @property {string} [placeable] cells to mark as open: `x` in a text like the board's
 * @property {Pair[]} [placed] cells of the turn in the making, in order
 * @property {Pair | null} [bomb] the centre of a square to be cleared
 * @property {ColouredCell[]} [births] that a turn would lead to
 * @property {ColouredCell[]} [deaths] that a turn would lead to
 * @property {Pair[]} [last] cells that the last turn placed
 * @property {Pair | null} [lastBomb] where the last turn's bomb fell
 * @property {Outline[]} [outlines] the cursor and the pointer
 * @property {{births: ColouredCell[], deaths: ColouredCell[], done: number}} [effect] a generation on its way, `done` from 0 to 1
 */

/**
 * Sizes in pixels of the canvas, and colours.
 * @typedef {object} Brush
 * @property {CanvasRenderingContext2D} ink
 * @property {(col: number) => number} x left edge of a column
 * @property {(row: number) => number} y top edge of a row
 * @property {number} cell about how wide a cell is
 * @property {number} stroke what the width of lines is a part of: a cell, or less where cells are large
 * @property {number} rows
 * @property {number} cols
 * @property {number} homeCols columns of each home, where there are some
 * @property {(name: string) => string} colour by the name of a custom property, without its dashes
 */

/** @param {Brush} brush @param {Scene} scene */
export function paint(brush, scene) {
  paintGround(brush);
  const { effect, births = [], deaths = [], placed = [], bomb = null, last = [], lastBomb = null } = scene;
  if (scene.placeable) paintPlaceable(brush, scene.placeable);
  const scales = new Map(effect?.births.map(({ row, col }) => [`${row},${col}`, effect.done]));
  eachCell(scene.board, (row, col, colour) => mark(brush, row, col, colour, scales.get(`${row},${col}`) ?? 1));
  for (const { row, col, colour } of effect?.deaths ?? []) mark(brush, row, col, colour, 1 - /** @type {any} */ (effect).done);
  last.forEach((cell) => brackets(brush, cell));
  if (lastBomb) square(brush, lastBomb, 'last', [brush.cell / 3, brush.cell / 4]);
  births.forEach((cell) => ghost(brush, cell));
  deaths.forEach((cell) => cross(brush, cell));
  const dying = new Set(deaths.map(({ row, col }) => `${row},${col}`));
  placed.forEach((cell, at) => number(brush, cell, at + 1, dying.has(`${cell[0]},${cell[1]}`)));
  if (bomb) square(brush, bomb, 'bomb', []);
  for (const { cell, look } of scene.outlines ?? []) {
    if (look === 'bomb') square(brush, cell, 'bomb', []);
    outline(brush, cell, look);
  }
}

/** @param {string} board @param {(row: number, col: number, colour: Colour) => void} draw */
function eachCell(board, draw) {
  board.split('/').forEach((cells, row) => {
    [...cells].forEach((cell, col) => {
      if (cell !== '.') draw(row, col, cell === 'b' ? 'blue' : 'red');
    });
  });
}

/** @param {Brush} brush */
function paintGround({ ink, x, y, rows, cols, homeCols, colour }) {
  const zones = /** @type {const} */ ([
    [0, homeCols, 'zone-blue'],
    [homeCols, cols - homeCols, 'zone-neutral'],
    [cols - homeCols, cols, 'zone-red'],
  ]);
  for (const [from, to, name] of zones) {
    ink.fillStyle = colour(name);
    ink.fillRect(x(from), 0, x(to) - x(from), y(rows));
  }
  ink.fillStyle = colour('grid');
  for (let col = 1; col < cols; col++) ink.fillRect(x(col), 0, 1, y(rows));
  for (let row = 1; row < rows; row++) ink.fillRect(0, y(row), x(cols), 1);
  ink.fillStyle = colour('border-zone');
  for (const col of [homeCols, cols - homeCols]) ink.fillRect(x(col) - 1, 0, 3, y(rows));
}

/** @param {Brush} brush @param {string} placeable */
function paintPlaceable(brush, placeable) {
  const { ink, cell } = brush;
  ink.fillStyle = brush.colour('placeable');
  const side = Math.max(2, Math.round(cell / 8));
  placeable.split('/').forEach((cells, row) => {
    [...cells].forEach((open, col) => {
      if (open !== 'x') return;
      const { cx, cy } = middle(brush, row, col);
      ink.fillRect(Math.round(cx - side / 2), Math.round(cy - side / 2), side, side);
    });
  });
}

/** The middle of a cell. @param {Brush} brush @param {number} row @param {number} col */
export function middle({ x, y }, row, col) {
  return { cx: (x(col) + 1 + x(col + 1)) / 2, cy: (y(row) + 1 + y(row + 1)) / 2 };
}

/** The outline of a colour's mark. @param {Brush} brush @param {number} row @param {number} col @param {Colour} colour @param {number} scale */
function trace(brush, row, col, colour, scale) {
  const { ink, cell } = brush;
  const { cx, cy } = middle(brush, row, col);
  ink.beginPath();
  if (colour === 'blue') {
    ink.arc(cx, cy, Math.max(0, cell * 0.38 * scale), 0, 2 * Math.PI);
  } else {
    const reach = cell * 0.48 * scale;
    ink.moveTo(cx, cy - reach);
    ink.lineTo(cx + reach, cy);
    ink.lineTo(cx, cy + reach);
    ink.lineTo(cx - reach, cy);
    ink.closePath();
  }
}

/** @param {Brush} brush @param {number} row @param {number} col @param {Colour} colour @param {number} scale */
function mark(brush, row, col, colour, scale) {
  trace(brush, row, col, colour, scale);
  brush.ink.fillStyle = brush.colour(colour);
  brush.ink.fill();
}

/** A cell that would be born. @param {Brush} brush @param {ColouredCell} cell */
function ghost(brush, { row, col, colour }) {
  const { ink, cell } = brush;
  trace(brush, row, col, colour, 0.8);
  ink.lineWidth = Math.max(1.5, cell / 11);
  ink.strokeStyle = brush.colour(colour);
  ink.setLineDash([cell / 7, cell / 9]);
  ink.stroke();
  ink.setLineDash([]);
  ink.globalAlpha = 0.22;
  ink.fillStyle = brush.colour(colour);
  ink.fill();
  ink.globalAlpha = 1;
}

/** A cell that would die. @param {Brush} brush @param {{row: number, col: number}} cell */
export function cross(brush, { row, col }) {
  const { ink, cell, stroke } = brush;
  const { cx, cy } = middle(brush, row, col);
  const reach = cell * 0.34;
  for (const [width, name] of /** @type {const} */ ([[stroke / 4, 'halo'], [Math.max(1.5, stroke / 10), 'death']])) {
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

/** The order of a cell placed in this turn; over a cross it has a ground of its own. @param {Brush} brush @param {Pair} pair @param {number} order @param {boolean} dying */
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
  ink.font = `700 ${Math.round(cell * 0.5)}px system-ui, sans-serif`;
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  ink.fillText(String(order), cx, cy + cell * 0.03);
}

/** The corners of a cell that the last turn placed. @param {Brush} brush @param {Pair} pair */
export function brackets({ ink, x, y, stroke, colour }, [row, col]) {
  const [left, top, right, bottom] = [x(col) + 1.5, y(row) + 1.5, x(col + 1) - 0.5, y(row + 1) - 0.5];
  const arm = stroke / 3.6;
  ink.strokeStyle = colour('last');
  ink.lineWidth = Math.max(1.5, stroke / 14);
  ink.beginPath();
  for (const [cx, cy, dx, dy] of [[left, top, 1, 1], [right, top, -1, 1], [left, bottom, 1, -1], [right, bottom, -1, -1]]) {
    ink.moveTo(cx + dx * arm, cy);
    ink.lineTo(cx, cy);
    ink.lineTo(cx, cy + dy * arm);
  }
  ink.stroke();
}

/** The square of a bomb, as far as it is on the board. @param {Brush} brush @param {Pair} centre @param {string} name @param {number[]} dashes */
function square({ ink, x, y, cell, rows, cols, colour }, [row, col], name, dashes) {
  const [left, right] = [x(Math.max(0, col - 1)), x(Math.min(cols, col + 2))];
  const [top, bottom] = [y(Math.max(0, row - 1)), y(Math.min(rows, row + 2))];
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

/** @param {Brush} brush @param {Pair} pair @param {'legal' | 'illegal' | 'bomb' | 'plain'} look */
export function outline({ ink, x, y, stroke, colour }, [row, col], look) {
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
