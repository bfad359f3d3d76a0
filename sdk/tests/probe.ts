// The probe of arena.ts for layers.test.mjs, where the questions are listed: a bot that also exports `question`, the address for
// a question, and `probe`, which answers it in 32-bit words. Questions about Life2 are answered in the bot's turn.
import { Action, Board, COLS, LIVES, Life2, OWNER, Rng, bot, fuel } from "../assemblyscript/arena";
export { arena_observation, arena_turn } from "../assemblyscript/arena";

const asked: usize = memory.data(8192, 8);
const words = new StaticArray<u32>(8192);
const board = new Board();

export function question(): usize {
  return asked;
}

export function probe(): u64 {
  const what = load<u32>(asked, 40);
  const count = <i32>load<u32>(asked, 44);
  const rng = new Rng(asked, load<u64>(asked, 32));
  for (let i = 0; i < count; i++) {
    if (what == 0) words[i] = rng.word();
    if (what == 1) words[i] = rng.below(load<u32>(asked, 48));
  }
  if (what == 2) {
    const items = new StaticArray<u32>(count);
    for (let i = 0; i < count; i++) items[i] = i;
    rng.shuffle(items);
    for (let i = 0; i < count; i++) words[i] = items[i];
  }
  if (what == 3) {
    for (let i = 0; i < count; i++) {
      const cell = load<u8>(asked + 52 + i);
      if (cell != 0) board.of(cell - 1)[i / COLS] |= 1 << i % COLS;
    }
    board.advance();
    for (let i = 0; i < count; i++) {
      const row = i / COLS;
      const col = i % COLS;
      words[i] = ((board.blue[row] >> col) & 1) + 2 * ((board.red[row] >> col) & 1);
    }
    board.copy(new Board());
  }
  if (what == 9) {
    const left = fuel();
    words[0] = <u32>left;
    words[1] = <u32>(left >> 32);
  }
  return (<u64>(4 * count) << 32) | changetype<usize>(words);
}

/** Whether a step of a turn could be done: a look, or a cell to place. */
function step(seen: Life2, action: Action, at: usize): bool {
  const row = load<i32>(at, 4);
  const col = load<i32>(at, 8);
  if (load<u32>(at) != 0) return seen.look(action, row, col, load<i32>(at, 12), load<i32>(at, 16));
  return seen.place(action, row, col);
}

function view(seen: Life2, seat: i32): void {
  words[0] = seen.seats;
  words[1] = seen.ply;
  words[2] = seen.top;
  words[3] = seen.left;
  words[4] = seen.rows;
  words[5] = seen.cols;
  words[6] = seen.baseRow(seat);
  words[7] = seen.baseCol(seat);
  words[8] = seen.baseCoins(seat);
  words[9] = seen.coins(seat);
  words[10] = seen.livingCells(seat);
  words[11] = seen.ground(seat);
  words[12] = seen.rowOf(seen.baseRow(seat));
  words[13] = seen.colOf(seen.baseCol(seat));
}

bot((any, action) => {
  const seen = any.life2;
  const what = load<u32>(asked, 40);
  const count = <i32>load<u32>(asked, 44);
  if (what == 8) {
    for (let i = 0; i < count; i += 2) {
      words[i] = any.gameOfGameOfLife.lastRow(i / 2);
      words[i + 1] = any.gameOfGameOfLife.lastCol(i / 2);
    }
    return;
  }
  if (what == 4) view(seen, load<i32>(asked, 48));
  for (let i = 0; i < count; i++) {
    // The view with a rim of one cell around it.
    const width = seen.cols + 2;
    const row = i / width - 1;
    const col = (i % width) - 1;
    const cell = seen.cell(row, col);
    if (what == 5) words[i] = <u32>(cell & OWNER) + ((cell & LIVES) != 0 ? 256 : 0);
    if (what == 6) words[i] = <u32>seen.mayPlace(action, row, col);
    if (what == 7) words[i] = <u32>step(seen, action, asked + 52 + 20 * i);
  }
});
