// What layers.test.mjs asks of arena.ts. `arena_turn` takes a question and gives 32-bit words; the test says which.
import { Board, COLS, Rng } from "../assemblyscript/arena";

const question: usize = memory.data(1024, 8);
const words = new StaticArray<u32>(1024);
const board = new Board();

export function arena_observation(_length: i32): usize {
  return question;
}

export function arena_turn(_length: i32): u64 {
  const what = load<u32>(question, 40);
  const count = <i32>load<u32>(question, 44);
  const rng = new Rng(question, load<u64>(question, 32));
  for (let i = 0; i < count; i++) {
    if (what == 0) words[i] = rng.word();
    if (what == 1) words[i] = rng.below(load<u32>(question, 48));
  }
  if (what == 2) {
    const items = new StaticArray<u32>(count);
    for (let i = 0; i < count; i++) items[i] = i;
    rng.shuffle(items);
    for (let i = 0; i < count; i++) words[i] = items[i];
  }
  if (what == 3) {
    for (let i = 0; i < count; i++) {
      const cell = load<u8>(question + 52 + i);
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
  return (<u64>(4 * count) << 32) | changetype<usize>(words);
}
