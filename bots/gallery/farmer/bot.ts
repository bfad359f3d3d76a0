// farmer: sows still lifes on free land, wherever two generations bring the richest harvest.
//
// Four cells in a square stay a block; four in a row, upright or lying, grow into a beehive of six. For each of these seeds and
// each plot the farmer may use, it plays the board two generations ahead, until its next turn if the enemy were idle, and
// keeps the seed that leaves it furthest ahead. Cells in the enemy's home count double, so the farm moves there by itself
// as soon as the way is open. It sows only where neither the seed nor its surroundings have a living cell: what grows is left
// alone.
import { Action, Board, COLS, CONQUERORS, Conquerors, ROWS, bot, log } from "../../../sdk/assemblyscript/arena";
export { arena_observation, arena_turn } from "../../../sdk/assemblyscript/arena";

/** Rows and columns of the seeds: a block, a standing row, a lying row. */
const heights: StaticArray<i32> = [2, 4, 1];
const widths: StaticArray<i32> = [2, 1, 4];

/** Dead cells around a seed. */
const MARGIN: i32 = 2;

const GENERATIONS: i32 = 2;

const board = new Board();
const ahead = new Board();

/** The bits of columns `from`..`to`, as far as they are on the board. */
function columns(from: i32, to: i32): u32 {
  return ((1 << min(to, COLS)) - 1) & ~((1 << max(from, 0)) - 1);
}

/** Whether nothing lives in a rectangle, as far as it is on the board. */
function isFree(top: i32, left: i32, height: i32, width: i32): bool {
  const bits = columns(left, left + width);
  for (let row = max(top, 0); row < min(top + height, ROWS); row++) {
    if (((board.blue[row] | board.red[row]) & bits) != 0) return false;
  }
  return true;
}

/** Own score less the enemy's, some generations after a seed is sown. */
function harvest(seat: i32, top: i32, left: i32, height: i32, width: i32): i32 {
  ahead.copy(board);
  const own = ahead.of(seat);
  for (let row = top; row < top + height; row++) own[row] |= columns(left, left + width);
  for (let i = 0; i < GENERATIONS; i++) ahead.advance();
  return ahead.score(seat) - ahead.score(1 - seat);
}

/** Chooses what to sow. */
function sow(game: Conquerors, action: Action): void {
  let open: u32 = 0;
  for (let col = 0; col < COLS; col++) open |= <u32>game.isOpen(col) << col;
  let best = i32.MIN_VALUE;
  let seed = -1;
  let plot = 0;
  for (let kind = 0; kind < heights.length; kind++) {
    const height = heights[kind];
    const width = widths[kind];
    for (let row = 0; row + height <= ROWS; row++) {
      for (let col = 0; col + width <= COLS; col++) {
        if ((columns(col, col + width) & ~open) != 0) continue;
        if (!isFree(row - MARGIN, col - MARGIN, height + 2 * MARGIN, width + 2 * MARGIN)) continue;
        const score = harvest(game.seat, row, col, height, width);
        if (score <= best) continue;
        best = score;
        seed = kind;
        plot = COLS * row + col;
      }
    }
  }
  if (seed < 0) return;
  for (let row = 0; row < heights[seed]; row++) {
    for (let col = 0; col < widths[seed]; col++) game.place(action, plot / COLS + row, (plot % COLS) + col);
  }
}

bot((seen, action) => {
  if (seen.game != CONQUERORS) {
    log("I farm in Conway's Conquerors only");
    unreachable();
  }
  seen.conquerors.copyTo(board);
  sow(seen.conquerors, action);
  seen.conquerors.finish(action);
});
