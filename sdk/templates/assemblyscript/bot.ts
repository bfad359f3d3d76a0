// A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
//
// Global variables last from turn to turn, and nothing survives the game.
import {
  Action,
  BASE_AT,
  CONQUERORS,
  Conquerors,
  GAME_OF_GAME_OF_LIFE,
  GameOfGameOfLife,
  LIFE2,
  Life2,
  Rng,
  WAR_OF_LIFE,
  WarOfLife,
  bot,
  fuel,
  home,
  log,
} from "./arena";
export { arena_observation, arena_turn } from "./arena";

/** Units of fuel that places are drawn by lot for, before the bot gives up: one of the fifty million of most turns. */
const DRAWING: i64 = 1_000_000;

/** A block at home, the still life of four cells, wherever there is room for it. */
function conquerors(seen: Conquerors, rng: Rng, action: Action): void {
  const least = fuel() - DRAWING;
  while (action.count == 0 && fuel() > least) {
    const row = rng.below(25);
    const col = home(seen.seat) + rng.below(7);
    let isFree = true;
    for (let j = 0; j < 4; j++) isFree = isFree && seen.mayPlace(action, row + j / 2, col + (j % 2));
    for (let j = 0; j < 4 && isFree; j++) seen.place(action, row + j / 2, col + (j % 2));
  }
  seen.finish(action);
}

/** Any piece to any empty neighbour. */
function warOfLife(seen: WarOfLife, rng: Rng, action: Action): void {
  const count = seen.listMoves();
  seen.play(action, rng.below(count));
}

/** Any dead cell near an own one. */
function gameOfGameOfLife(seen: GameOfGameOfLife, rng: Rng, action: Action): void {
  const least = fuel() - DRAWING;
  while (fuel() > least) {
    const row = rng.below(seen.side);
    const col = rng.below(seen.side);
    if (seen.cell(row, col) != 0 || !seen.isNear(row, col)) continue;
    seen.act(action, row, col);
    return;
  }
}

/** A glider somewhere inside the base, as far as there is room and a coin: row and column of each cell in turn. */
const GLIDER: StaticArray<i32> = [0, 1, 1, 2, 2, 0, 2, 1, 2, 2];

function life2(seen: Life2, rng: Rng, action: Action): void {
  const row = BASE_AT + 1 + rng.below(4);
  const col = BASE_AT + 1 + rng.below(4);
  for (let i = 0; i < 10; i += 2) seen.place(action, row + GLIDER[i], col + GLIDER[i + 1]);
}

bot((seen, action) => {
  const rng = seen.rng;
  if (seen.game == CONQUERORS) conquerors(seen.conquerors, rng, action);
  else if (seen.game == WAR_OF_LIFE) warOfLife(seen.warOfLife, rng, action);
  else if (seen.game == GAME_OF_GAME_OF_LIFE) gameOfGameOfLife(seen.gameOfGameOfLife, rng, action);
  else if (seen.game == LIFE2) life2(seen.life2, rng, action);
  else log("a game that this bot does not know");
});
