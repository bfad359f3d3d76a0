// What a bot in JavaScript sees, for editors: put this file beside bot.js. The reference with examples is README.md.

/** A cell: row from the top, column from the left, both from 0. */
type Cell = [row: number, col: number];

/** What a turn does. Made by place, bomb, skip, pass, move, cell and look. */
interface Action {
  readonly kind: "place" | "bomb" | "skip" | "pass" | "move" | "cell" | "look";
  readonly cells: Cell[];
}

/** Places cells, in this order: four in Conway's Conquerors, up to sixty in Life2. */
declare function place(cells: Cell[]): Action;
/** Conway's Conquerors: clears the three by three cells around this one. */
declare function bomb(row: number, col: number): Action;
/** Conway's Conquerors: places nothing; once a game. */
declare function skip(): Action;
/** Does nothing, where the rules allow that. */
declare function pass(): Action;
/** War of Life: moves a piece to an empty neighbour. */
declare function move(from: Cell, to: Cell): Action;
/** Game of Game of Life: kills an own cell, or brings a dead one nearby to life. */
declare function cell(row: number, col: number): Action;
/** Life2 in a world: chooses the view from the next turn on, and may place cells. */
declare function look(row: number, col: number, rows: number, cols: number, cells?: Cell[]): Action;

/** A board of any game. A cell is 0 where it is dead, 1 + seat where it lives, 255 where it lives and is nobody's. */
declare class Board {
  /** A board from rows of ".", "b" and "r", one a line; without a text, an empty one of Conway's Conquerors. */
  constructor(text?: string);
  readonly rows: number;
  readonly cols: number;
  /** A cell; 0 beyond the edges, or across them where the board has none. */
  get(row: number, col: number): number;
  /** Sets a cell of this board, which it returns. Not in Life2. */
  set(row: number, col: number, value: number): Board;
  /** Living cells of a seat, or of all. */
  count(seat?: number): number;
  /** What counts at the end: in Conway's Conquerors cells in the enemy's home twice. */
  score(seat: number): number;
  /** The living cells of a seat, or of all, row by row. */
  cells(seat?: number): Cell[];
  /** Living neighbours of a cell, of a seat or of all. */
  neighbours(row: number, col: number, seat?: number): number;
  /** A new board, n generations later: 1 if n is left out. */
  generation(n?: number): Board;
  copy(): Board;
  equals(other: Board): boolean;
  /** Rows of characters, as log(board) writes them. */
  toString(): string;
}

/** Random numbers of the seat's seed; the same game always gives the same. Math.random() draws from them, too. */
interface Rng {
  /** A number from 0 to 2 ** 32 - 1. */
  word(): number;
  /** A number from 0 to n - 1. */
  below(n: number): number;
  /** Shuffles a list in place, and returns it. */
  shuffle<T>(list: T[]): T[];
}

/** What turn(o) gets, in all games. */
interface Seen {
  readonly game: string;
  /** This bot's seat, from 0. In Conway's Conquerors and War of Life seat 0 is blue. */
  readonly seat: number;
  readonly seats: number;
  /** Turns since the start of the game. */
  readonly ply: number;
  readonly board: Board;
  readonly rng: Rng;
  /** Why the rules refuse an action; null if it is legal. */
  check(action: Action): string | null;
  /** The board after a legal action and the generation that follows it. */
  apply(action: Action): Board;
}

/** Conway's Conquerors. */
interface Conquerors extends Seen {
  readonly game: "conquerors";
  readonly colour: "blue" | "red";
  /** From 1 to 12. */
  readonly round: number;
  /** Turn ends until each seat's bomb is ready. */
  readonly cooldown: [number, number];
  readonly skipUsed: [boolean, boolean];
  /** Whether this seat may bomb now. */
  readonly bombReady: boolean;
  /** Whether the enemy's home opens only with an own cell at home (V2 rules). */
  readonly chainNeedsHome: boolean;
  /** Whether cells in the enemy's home count twice at the end (V2 rules). */
  readonly weightedMajority: boolean;
  /** The cells that may be placed next, after those of this turn. */
  legal(placed?: Cell[]): Cell[];
}

/** War of Life. */
interface WarOfLife extends Seen {
  readonly game: "war-of-life";
  readonly colour: "blue" | "red";
  /** All legal moves. */
  legal(): Action[];
}

/** Game of Game of Life. */
interface GameOfGameOfLife extends Seen {
  readonly game: "game-of-game-of-life";
  /** From 0 to 1,000. */
  readonly generation: number;
  /** Where each seat last acted with effect. */
  readonly last: (Cell | null)[];
  /** The cells on which this seat can act. */
  legal(): Cell[];
}

/** Life2. Rows and columns are those of the world; only what is in view is known. */
interface Life2 extends Seen {
  readonly game: "life2";
  /** Coins in the wallets. */
  readonly coins: number[];
  readonly baseCoins: number[];
  /** The upper left cell of each base; null where a kingdom has fallen. */
  readonly bases: (Cell | null)[];
  readonly living: number[];
  readonly ground: number[];
  /** Whether these cells may be placed, and nothing lives beside any of them: far cheaper than o.check. */
  clear(cells: Cell[]): boolean;
  readonly view: { readonly row: number; readonly col: number; readonly rows: number; readonly cols: number };
  /** The cells that may be placed next, after those of this turn. */
  legal(placed?: Cell[]): Cell[];
}

/** What a search is told; all of it may be left out. */
interface Search {
  /** Generations to look ahead, 1 to 8 (4); in War of Life 1 to 4 (3). */
  generations?: number;
  /** Fuel for `best` (three fifths of what is left). */
  fuel?: number;
  /** What cells are worth after each generation, in whole numbers. */
  weights?: {
    /** An own cell (1). */
    own?: number;
    /** An enemy cell (-1). */
    enemy?: number;
    /** An own cell in the enemy's home, besides (1). */
    ownAbroad?: number;
    /** An enemy cell in the own home, besides (-1). */
    enemyAbroad?: number;
    /** Having a cell at home (2). */
    foothold?: number;
  };
}

/** The best action that a search finds. */
declare function best(o: Conquerors | WarOfLife | GameOfGameOfLife, options?: Search): Action;
/** Conway's Conquerors: actions worth a try: all blocks, bombs that hit, and the skip; or with `near`, what differs from it in a cell. */
declare function candidates(o: Conquerors, options?: { near?: Action }): Action[];
/** What the future of each action is worth, -Infinity where it is illegal. Far cheaper than o.apply of each. */
declare function worths(o: Conquerors | WarOfLife | GameOfGameOfLife, actions: Action[], options?: Search): number[];

/** The fuel that this call may still spend. */
declare function fuel(): number;
/** Writes a line to the bot's log. console.log does the same. */
declare function log(...words: unknown[]): void;
