// Plays a game on the front page. The markup holds the game: a board, and the changes of each turn. No engine is
// loaded.

/** @import { Zone } from './rules/engine.js' */

import { Board, wait } from './board/board.js';
import { changes } from './board/picture.js';
import { seatOf } from './board/seats.js';

/** How long each turn is shown, and how long the last one, in milliseconds. */
const TURN_MS = 700;
const END_MS = 3_000;
/** The delay before the first turn: short, so that visitors see at once that the board moves. */
const FIRST_MS = 100;

/** The cells of a run-length encoded board: `3.a` is `...a`. @param {string} runs */
export const cellsOf = (runs) => runs.replace(/(\d+)(\D)/g, (_, count, cell) => cell.repeat(Number(count)));

/**
 * The board after a turn.
 * @param {string} cells
 * @param {string} step the new states of cells, each followed by the cell's place, in as many base 36 digits as the
 *   last place needs
 * @returns {string}
 */
export function stepped(cells, step) {
  const digits = (cells.length - 1).toString(36).length;
  const next = [...cells];
  for (let at = 0; at + digits < step.length; at += 1 + digits) next[parseInt(step.slice(at + 1, at + 1 + digits), 36)] = step[at];
  return next.join('');
}

/** The zones of a board. @param {string} text such as `8a 12. 8b` @returns {Zone[]} */
export function zonesOf(text) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((zone) => {
      const seat = seatOf(zone.slice(-1));
      return { name: '', cols: parseInt(zone, 10), seat: seat < 0 ? null : seat };
    });
}

/** @param {HTMLCanvasElement} canvas */
function boardOf(canvas) {
  const { rows, cols, zones = '', board = '' } = canvas.dataset;
  return { board: new Board(canvas, { rows: Number(rows), cols: Number(cols), zones: zonesOf(zones) }), cells: cellsOf(board) };
}

/** @param {HTMLCanvasElement} canvas */
async function play(canvas) {
  const { board, cells: start } = boardOf(canvas);
  const steps = (canvas.dataset.steps ?? '').split(';');
  board.show({ cells: start });
  for (let rest = FIRST_MS; ;) {
    let cells = start;
    for (const step of steps) {
      await wait(rest);
      rest = TURN_MS / 2;
      // The game pauses while the page is hidden.
      while (document.hidden) await wait(TURN_MS);
      const next = stepped(cells, step);
      await board.evolve({ cells: next }, changes(cells, next, board.size.cols), TURN_MS / 2);
      canvas.dataset.turn = String(Number(canvas.dataset.turn ?? 0) + 1);
      cells = next;
    }
    await wait(END_MS);
    board.show({ cells: start });
  }
}

/** Paints the boards of all games, each in a task of its own, so that the game beside them does not wait. */
async function paintMinis() {
  for (const mini of document.querySelectorAll('canvas.mini')) {
    await wait(0);
    const { board, cells } = boardOf(/** @type {HTMLCanvasElement} */ (mini));
    board.show({ cells });
  }
}

// Unit tests import this file without a page.
const canvas = globalThis.document?.getElementById('board');
if (canvas instanceof HTMLCanvasElement) {
  // For readers who prefer reduced motion, the last position is shown.
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const { board, cells } = boardOf(canvas);
    board.show({ cells: (canvas.dataset.steps ?? '').split(';').reduce(stepped, cells) });
  } else play(canvas);
  paintMinis();
}
