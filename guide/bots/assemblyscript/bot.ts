// A bot for Conway's Conquerors: lines of four cells, which grow into beehives of six within two generations.
import { Action, COLS, Conquerors, HOME_COLS, ROWS, bot, home, log } from "./arena";
export { arena_observation, arena_turn } from "./arena";

/** Cells of a line. */
const LINE: i32 = 4;

/** Whether nothing lives where a line in this column would grow, and next to it. */
function isFree(seen: Conquerors, top: i32, col: i32): bool {
  for (let row = max(top - 1, 0); row < min(top + LINE + 1, ROWS); row++) {
    for (let near = max(col - 2, 0); near <= min(col + 2, COLS - 1); near++) {
      if (seen.cell(row, near) != 0) return false;
    }
  }
  return true;
}

/** Places a line upright in this column, as far up as there is room for it. */
function line(seen: Conquerors, action: Action, col: i32): bool {
  for (let top = 1; top + LINE < ROWS; top++) {
    if (!isFree(seen, top, col)) continue;
    for (let i = 0; i < LINE; i++) seen.place(action, top + i, col);
    return true;
  }
  return false;
}

bot((any, action) => {
  const seen = any.conquerors;
  // Two columns of hives have room at home, far enough from its edges.
  const first = home(seen.seat) + 1;
  const isPlaced = line(seen, action, first) || line(seen, action, first + HOME_COLS / 2);
  if (!isPlaced) log("no room for a line, ply " + seen.ply.toString());
  seen.finish(action);
});
