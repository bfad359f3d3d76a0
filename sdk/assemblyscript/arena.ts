// arena.ts: bots for the arena in AssemblyScript.
//
//     import { bot } from "./arena";
//     export { arena_observation, arena_turn } from "./arena";
//
//     bot((seen, action) => {
//       seen.conquerors.place(action, 12, 3); // a cell, if it may be placed
//       seen.conquerors.finish(action); // some legal end of the turn
//     });
//
// Build with `asc bot.ts -o bot.wasm -O3 --runtime stub --use abort=`. It wraps the contract of ABI.md and adds no rule of its
// own: the words used here are explained there. An instance lives for one game, so global variables last from turn to
// turn. The stub runtime frees nothing: make arrays once, outside of the turn.

// ---- Observations and actions ---------------------------------------------------------------------------------------

export const VERSION: u8 = 1;

/** The ruleset's byte in observations. */
export const CONQUERORS: u8 = 1;
export const WAR_OF_LIFE: u8 = 2;
export const GAME_OF_GAME_OF_LIFE: u8 = 3;
export const LIFE2: u8 = 4;

/** Kinds of actions. A pass is 0, where a game has one. */
export const PASS: u8 = 0;
export const PLACE: u8 = 1;
export const BOMB: u8 = 2;
export const SKIP: u8 = 3;
/** War of Life's. */
export const MOVE: u8 = 1;
/** Game of Game of Life's. */
export const CELL: u8 = 1;
/** Life2's, in a world. */
export const LOOK: u8 = 2;

const SEED_AT: usize = 16;
const CELLS_AT: usize = 48;

/** Where the arena writes observations. */
let base: usize = 0;

/** Where the action is: at most 3 bytes and two for each of 255 cells. */
const actionAt: usize = memory.data(3 + 2 * 255);

/** A turn begins with a pass, and a bot makes something better of it. */
export class Action {
  get kind(): u8 {
    return load<u8>(actionAt, 1);
  }
  set kind(kind: u8) {
    store<u8>(actionAt, kind, 1);
  }

  /** Cells in it so far. */
  get count(): i32 {
    return load<u8>(actionAt, 2);
  }

  /** Adds a cell to the action and makes it one of this kind. */
  add(kind: u8, row: i32, col: i32): void {
    const entry = actionAt + 3 + 2 * this.count;
    store<u8>(entry, <u8>row);
    store<u8>(entry, <u8>col, 1);
    this.kind = kind;
    store<u8>(actionAt, <u8>(this.count + 1), 2);
  }
}

/** What a bot sees: what all games have in front, and each game's own. */
export class Observation {
  /** The ruleset: CONQUERORS, WAR_OF_LIFE, GAME_OF_GAME_OF_LIFE or LIFE2. */
  get game(): u8 {
    return load<u8>(base, 1);
  }
  get seat(): i32 {
    return load<u8>(base, 2);
  }
  get ply(): i32 {
    return load<u16>(base, 4);
  }
  /** A byte of the observation, as ABI.md counts them. */
  byte(offset: i32): u8 {
    return load<u8>(base + offset);
  }
  /** This turn's generator: the seat's seed, the ply as the stream. */
  get rng(): Rng {
    return new Rng(base + SEED_AT, this.ply);
  }
  get conquerors(): Conquerors {
    return theConquerors;
  }
  get warOfLife(): WarOfLife {
    return theWarOfLife;
  }
  get gameOfGameOfLife(): GameOfGameOfLife {
    return theGameOfGameOfLife;
  }
  get life2(): Life2 {
    return theLife2;
  }
}

// ---- The log --------------------------------------------------------------------------------------------------------

@external("arena", "log")
declare function logBytes(address: usize, length: usize): void;

/** Writes a line to the bot's log. It costs fuel by the byte; a game keeps 64 lines and 8,192 bytes. */
export function log(line: string): void {
  const bytes = String.UTF8.encode(line);
  logBytes(changetype<usize>(bytes), bytes.byteLength);
}

// ---- The fuel -------------------------------------------------------------------------------------------------------

/** Units of fuel that this call may still spend and be in time. Asking costs 40, which are paid already. */
@external("arena", "fuel")
export declare function fuel(): i64;

// ---- Random numbers -------------------------------------------------------------------------------------------------

/** ChaCha with 8 rounds: the generator of ABI.md, word for word. */
export class Rng {
  private state: StaticArray<u32> = new StaticArray<u32>(16);
  private words: StaticArray<u32> = new StaticArray<u32>(16);
  private used: i32 = 16;

  /** From the address of 32 bytes of seed, and a stream. */
  constructor(seed: usize, stream: u64) {
    const state = this.state;
    state[0] = 0x61707865;
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (let i = 0; i < 8; i++) state[4 + i] = load<u32>(seed + 4 * i);
    state[14] = <u32>stream;
    state[15] = <u32>(stream >> 32);
  }

  /** The next word of the stream. */
  word(): u32 {
    if (this.used == 16) this.refill();
    return this.words[this.used++];
  }

  /** A number of 0..n; 0 for n = 0. Takes one word. */
  below(n: u32): u32 {
    return <u32>((<u64>this.word() * <u64>n) >> 32);
  }

  /** Shuffles an array. */
  shuffle<T>(items: StaticArray<T>): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = <i32>this.below(last + 1);
      const kept = items[last];
      items[last] = items[other];
      items[other] = kept;
    }
  }

  private refill(): void {
    const x = this.words;
    for (let i = 0; i < 16; i++) x[i] = this.state[i];
    for (let twice = 0; twice < 4; twice++) {
      for (let i = 0; i < 4; i++) quarter(x, i, 4 + i, 8 + i, 12 + i);
      for (let i = 0; i < 4; i++) quarter(x, i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3));
    }
    for (let i = 0; i < 16; i++) x[i] += this.state[i];
    if (++this.state[12] == 0) this.state[13]++;
    this.used = 0;
  }
}

function quarter(x: StaticArray<u32>, a: i32, b: i32, c: i32, d: i32): void {
  x[a] += x[b];
  x[d] = rotl<u32>(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = rotl<u32>(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = rotl<u32>(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = rotl<u32>(x[b] ^ x[c], 7);
}

// ---- Conway's Conquerors --------------------------------------------------------------------------------------------

export const ROWS: i32 = 26;
export const COLS: i32 = 28;
export const HOME_COLS: i32 = 8;
export const CELLS_A_TURN: i32 = 4;

/** The first of the eight columns of a seat's home. */
export function home(seat: i32): i32 {
  return seat == 0 ? 0 : COLS - HOME_COLS;
}

/** The observation as one of Conway's Conquerors. Cells: 0 dead, 1 + seat a living one. */
export class Conquerors extends Observation {
  get round(): i32 {
    return load<u8>(base, 6);
  }
  /** Turn ends until a seat's bomb is ready; from round 7 on it counts. */
  cooldown(seat: i32): i32 {
    return load<u8>(base + seat, 8);
  }
  skipIsUsed(seat: i32): bool {
    return load<u8>(base + seat, 10) != 0;
  }

  cell(row: i32, col: i32): u8 {
    return load<u8>(base + CELLS_AT + COLS * row + col);
  }

  /** Copies the seen board to one to think on. */
  copyTo(board: Board): void {
    for (let row = 0; row < ROWS; row++) {
      let blue: u32 = 0;
      let red: u32 = 0;
      for (let col = 0; col < COLS; col++) {
        const cell = <u32>this.cell(row, col);
        blue |= (cell & 1) << col;
        red |= (cell >> 1) << col;
      }
      board.blue[row] = blue;
      board.red[row] = red;
    }
  }

  /** Whether a cell of this seat lives in columns `from`..`to`. */
  lives(seat: i32, from: i32, to: i32): bool {
    for (let row = 0; row < ROWS; row++) {
      for (let col = from; col < to; col++) if (this.cell(row, col) == 1 + seat) return true;
    }
    return false;
  }

  /** Whether the zone of this column is open to the mover now: see "What is legal". */
  isOpen(col: i32): bool {
    const own = home(this.seat);
    const enemy = home(1 - this.seat);
    const right = COLS - HOME_COLS;
    if (col >= own && col < own + HOME_COLS) return true;
    const atHome = this.lives(this.seat, own, own + HOME_COLS);
    if (col >= HOME_COLS && col < right) return atHome;
    const homeIsNeeded = (this.byte(3) & 1) != 0;
    return (
      (atHome || !homeIsNeeded) &&
      this.lives(this.seat, HOME_COLS, right) &&
      this.lives(this.seat, enemy, enemy + HOME_COLS)
    );
  }

  /** Whether this cell may be placed as the next of this turn. */
  mayPlace(action: Action, row: i32, col: i32): bool {
    if (action.count >= CELLS_A_TURN || row < 0 || row >= ROWS || col < 0 || col >= COLS) return false;
    return this.cell(row, col) == 0 && this.isOpen(col);
  }

  /** Places a cell if it may be placed: in the action, and on the seen board, where the next one is judged. */
  place(action: Action, row: i32, col: i32): bool {
    if (!this.mayPlace(action, row, col)) return false;
    store<u8>(base + CELLS_AT + COLS * row + col, <u8>(1 + this.seat));
    action.add(PLACE, row, col);
    return true;
  }

  /** Whether the bomb may be thrown, anywhere, instead of placing cells. */
  get bombIsReady(): bool {
    return this.round >= 7 && this.cooldown(this.seat) == 0;
  }

  /** Makes whatever was placed a legal turn: adds the first cells that may be placed, row by row, up to four; where none
   * was and none may be, it is the skip, else the bomb in the first corner, else the pass. */
  finish(action: Action): void {
    if (action.kind == BOMB || action.kind == SKIP) return;
    while (action.count < CELLS_A_TURN && this.placeFirst(action)) {}
    if (action.count > 0) return;
    if (!this.skipIsUsed(this.seat)) action.kind = SKIP;
    else if (this.bombIsReady) action.add(BOMB, 0, 0);
  }

  private placeFirst(action: Action): bool {
    let open: u32 = 0;
    for (let col = 0; col < COLS; col++) open |= <u32>this.isOpen(col) << col;
    for (let row = 0; row < ROWS; row++) {
      for (let col = 0; col < COLS; col++) {
        if (((open >> col) & 1) != 0 && this.place(action, row, col)) return true;
      }
    }
    return false;
  }
}

/** A board to think on: a bit for each cell of a colour, bit `col` of word `row`. A generation costs some 8,000 fuel. */
export class Board {
  blue: StaticArray<u32> = new StaticArray<u32>(ROWS);
  red: StaticArray<u32> = new StaticArray<u32>(ROWS);

  /** The cells of a seat. */
  of(seat: i32): StaticArray<u32> {
    return seat == 0 ? this.blue : this.red;
  }

  /** Becomes the same as another board. */
  copy(other: Board): void {
    memory.copy(changetype<usize>(this.blue), changetype<usize>(other.blue), 4 * ROWS);
    memory.copy(changetype<usize>(this.red), changetype<usize>(other.red), 4 * ROWS);
  }

  /** Living cells of a seat, those in the enemy's home twice. */
  score(seat: i32): i32 {
    const cells = this.of(seat);
    const enemy: u32 = 0xff << home(1 - seat);
    let score: u32 = 0;
    for (let row = 0; row < ROWS; row++) {
      const living = unchecked(cells[row]);
      score += popcnt(living) + popcnt(living & enemy);
    }
    return <i32>score;
  }

  /** Goes on by a generation. */
  advance(): void {
    // Of the rows above and around: the two bits of the sums of each cell and its neighbours to the left and right, of the
    // living and of the red. They count the cell itself: a dead cell with a sum of three is born, a living one with three
    // or four stays.
    let a0: u32 = 0;
    let a1: u32 = 0;
    let ra0: u32 = 0;
    let ra1: u32 = 0;
    let row: u32 = unchecked(this.blue[0] | this.red[0]);
    let b0 = ones(row);
    let b1 = twos(row);
    row = unchecked(this.red[0]);
    let rb0 = ones(row);
    let rb1 = twos(row);
    for (let y = 0; y < ROWS; y++) {
      const isLast = y + 1 == ROWS;
      row = isLast ? 0 : unchecked(this.blue[y + 1] | this.red[y + 1]);
      const c0 = ones(row);
      const c1 = twos(row);
      row = isLast ? 0 : unchecked(this.red[y + 1]);
      const rc0 = ones(row);
      const rc1 = twos(row);

      const carry = majority(a0, b0, c0);
      const odd = a0 ^ b0 ^ c0;
      const parity = a1 ^ b1 ^ c1 ^ carry;
      const twoOrMore = (a1 & b1) | (c1 & carry) | ((a1 | b1) & (c1 | carry));
      const three = odd & parity & ~twoOrMore;
      const stays = three | (~odd & twoOrMore & ~parity & ~(a1 & b1 & c1 & carry));
      // Of three parents at least two are red if the sum of the red has its second bit.
      const turnsRed = ra1 ^ rb1 ^ rc1 ^ majority(ra0, rb0, rc0);
      const blue = unchecked(this.blue[y]);
      const red = unchecked(this.red[y]);
      const born = three & ~(blue | red) & ((1 << COLS) - 1);
      unchecked((this.blue[y] = (blue & stays) | (born & ~turnsRed)));
      unchecked((this.red[y] = (red & stays) | (born & turnsRed)));

      a0 = b0;
      a1 = b1;
      ra0 = rb0;
      ra1 = rb1;
      b0 = c0;
      b1 = c1;
      rb0 = rc0;
      rb1 = rc1;
    }
  }
}

@inline
function ones(row: u32): u32 {
  return (row << 1) ^ row ^ (row >> 1);
}

@inline
function twos(row: u32): u32 {
  return majority(row << 1, row, row >> 1);
}

@inline
function majority(a: u32, b: u32, c: u32): u32 {
  return (a & b) | (a & c) | (b & c);
}

// ---- War of Life ----------------------------------------------------------------------------------------------------

const WAR_SIDE: i32 = 8;

/** There are 210 pairs of neighbours on the board, and of two neighbours at most one may move to the other. */
const WAR_MOVES_MAX: i32 = 210;

/** Cells of the legal moves, from and to, as 8 * row + column. */
const froms = new StaticArray<u8>(WAR_MOVES_MAX);
const tos = new StaticArray<u8>(WAR_MOVES_MAX);

/** The observation as one of War of Life, on 8 x 8 cells: 0 empty, 1 + seat a piece. */
export class WarOfLife extends Observation {
  cell(row: i32, col: i32): u8 {
    return load<u8>(base + CELLS_AT + WAR_SIDE * row + col);
  }

  /** Lists all legal moves; gives their number. There is at least one, or the bot would not be asked. */
  listMoves(): i32 {
    let count = 0;
    for (let row = 0; row < WAR_SIDE; row++) {
      for (let col = 0; col < WAR_SIDE; col++) {
        if (this.cell(row, col) != 1 + this.seat) continue;
        for (let y = max(row - 1, 0); y <= min(row + 1, WAR_SIDE - 1); y++) {
          for (let x = max(col - 1, 0); x <= min(col + 1, WAR_SIDE - 1); x++) {
            if (this.cell(y, x) != 0) continue;
            froms[count] = <u8>(WAR_SIDE * row + col);
            tos[count] = <u8>(WAR_SIDE * y + x);
            count++;
          }
        }
      }
    }
    return count;
  }

  /** Where the piece of a listed move is, as 8 * row + column. */
  from(move: i32): i32 {
    return froms[move];
  }

  /** Where it goes. */
  to(move: i32): i32 {
    return tos[move];
  }

  /** Plays a listed move. */
  play(action: Action, move: i32): void {
    action.add(MOVE, this.from(move) / WAR_SIDE, this.from(move) % WAR_SIDE);
    action.add(MOVE, this.to(move) / WAR_SIDE, this.to(move) % WAR_SIDE);
  }
}

// ---- Game of Game of Life -------------------------------------------------------------------------------------------

/** Behind what all games have in front and the last actions of 16 seats. */
const TORUS_AT: usize = CELLS_AT + 32;

/** A living cell of nobody. */
export const BLACK: u8 = 255;

/** A row or column of a last action; -1 where there is none. */
function lastAt(at: usize): i32 {
  const found = load<u8>(base + at);
  return found == 255 ? -1 : found;
}

/** The observation as one of Game of Game of Life. Its `ply` counts generations. */
export class GameOfGameOfLife extends Observation {
  get seats(): i32 {
    return load<u8>(base, 3);
  }
  /** Rows and columns of the board. */
  get side(): i32 {
    return load<u8>(base, 6);
  }

  /** A cell of the torus, 0 dead, 1 + seat a living one, or BLACK: rows and columns from -side on, and beyond the last, wrap. */
  cell(row: i32, col: i32): u8 {
    const side = this.side;
    return load<u8>(base + TORUS_AT + side * ((row + side) % side) + ((col + side) % side));
  }

  /** Whether an own cell lives within two king's moves: an action further away is a pass. */
  isNear(row: i32, col: i32): bool {
    for (let y = row - 2; y <= row + 2; y++) {
      for (let x = col - 2; x <= col + 2; x++) if (this.cell(y, x) == 1 + this.seat) return true;
    }
    return false;
  }

  /** The row, and column, of a seat's last action: -1 if it had none, or one without effect, or if there is no such seat. */
  lastRow(seat: i32): i32 {
    return lastAt(CELLS_AT + 2 * seat);
  }
  lastCol(seat: i32): i32 {
    return lastAt(CELLS_AT + 2 * seat + 1);
  }

  /** Acts on a cell: a dead one is claimed, an own one killed. */
  act(action: Action, row: i32, col: i32): void {
    action.add(CELL, row, col);
  }
}

// ---- Life2 ----------------------------------------------------------------------------------------------------------

/** Rows and columns of the world. */
export const WORLD_SIDE: i32 = 512;

/** Rows and columns that a bot sees, in a game; in a world at most, and at least. */
export const VIEW_SIDE: i32 = 64;
export const VIEW_SIDE_MIN: i32 = 8;

/** The first row and column of the bot's base in what it sees, in a game, and how many rows and columns it has. */
export const BASE_AT: i32 = 28;
export const BASE_SIDE: i32 = 8;

/** Bits of a cell: the ground's owner, 1 + seat or 0, and whether it lives. */
export const OWNER: u8 = 15;
export const LIVES: u8 = 16;

const PLACED_MAX: i32 = 60;
const KINGDOM_LEN: usize = 20;
const VIEW_AT: usize = CELLS_AT + 9 * KINGDOM_LEN;

/** Where an action of Life2 is, whose cells are two bytes each way; what to look at comes before all cells that there may be. */
const wideAt: usize = memory.data(4 + 4 * (2 + 255));

/** The observation as one of Life2: a view of the world. Rows and columns count from its corner. In a game the view has VIEW_SIDE
 * rows and columns, with the bot's base in the middle, from BASE_AT on. In a world `look` chooses another one. */
export class Life2 extends Observation {
  get seats(): i32 {
    return load<u8>(base, 3);
  }
  /** Where the corner of the view is in the world. */
  get top(): i32 {
    return load<u16>(base, 6);
  }
  get left(): i32 {
    return load<u16>(base, 8);
  }
  /** The size of the view. */
  get rows(): i32 {
    return load<u16>(base, 10);
  }
  get cols(): i32 {
    return load<u16>(base, 12);
  }

  /** The base's first row in the world. */
  baseRow(seat: i32): i32 {
    return load<u16>(base + CELLS_AT + KINGDOM_LEN * seat);
  }
  /** The base's first column in the world. */
  baseCol(seat: i32): i32 {
    return load<u16>(base + CELLS_AT + KINGDOM_LEN * seat, 2);
  }
  /** Coins in the base; 0 when the kingdom has fallen. */
  baseCoins(seat: i32): u32 {
    return load<u32>(base + CELLS_AT + KINGDOM_LEN * seat, 4);
  }
  coins(seat: i32): u32 {
    return load<u32>(base + CELLS_AT + KINGDOM_LEN * seat, 8);
  }
  livingCells(seat: i32): u32 {
    return load<u32>(base + CELLS_AT + KINGDOM_LEN * seat, 12);
  }
  ground(seat: i32): u32 {
    return load<u32>(base + CELLS_AT + KINGDOM_LEN * seat, 16);
  }

  /** A cell of the view: OWNER and LIVES are its bits; 0 beyond the edges of the view. */
  cell(row: i32, col: i32): u8 {
    if (row < 0 || row >= this.rows || col < 0 || col >= this.cols) return 0;
    return load<u8>(this.at(row, col));
  }

  /** Which row of the view a row of the world is, such as a base's; `rows` or more if it is not in view. */
  rowOf(row: i32): i32 {
    return (row - this.top) & (WORLD_SIDE - 1);
  }
  /** Which column of the view a column of the world is; `cols` or more if it is not in view. */
  colOf(col: i32): i32 {
    return (col - this.left) & (WORLD_SIDE - 1);
  }

  /** Whether this cell may be placed as the next of this turn: in view, own ground, not the wall, dead, and a coin for it. */
  mayPlace(action: Action, row: i32, col: i32): bool {
    const seat = this.seat;
    if (this.cell(row, col) != 1 + seat) return false;
    const down = (row - this.rowOf(this.baseRow(seat))) & (WORLD_SIDE - 1);
    const right = (col - this.colOf(this.baseCol(seat))) & (WORLD_SIDE - 1);
    const last = BASE_SIDE - 1;
    const isWall = down <= last && right <= last && (down == 0 || down == last || right == 0 || right == last);
    return !isWall && action.count < PLACED_MAX && <u32>action.count < this.coins(seat);
  }

  /** Places a cell if it may be placed: in the action, and in the view. */
  place(action: Action, row: i32, col: i32): bool {
    if (!this.mayPlace(action, row, col)) return false;
    store<u8>(this.at(row, col), this.cell(row, col) | LIVES);
    action.add(action.kind == LOOK ? LOOK : PLACE, row, col);
    return true;
  }

  /** In a world: asks for a view of so many rows and columns, half of them before this cell of the world, from the next turn on.
   * The turn may place cells, too, before this call or after it. False if the cell is not in the world, or the view not
   * VIEW_SIDE_MIN to VIEW_SIDE cells high and wide. In a game the view stays where it is. */
  look(action: Action, row: i32, col: i32, rows: i32, cols: i32): bool {
    if (row < 0 || row >= WORLD_SIDE || col < 0 || col >= WORLD_SIDE) return false;
    if (rows < VIEW_SIDE_MIN || rows > VIEW_SIDE || cols < VIEW_SIDE_MIN || cols > VIEW_SIDE) return false;
    action.kind = LOOK;
    writePair(wideAt + 4, row, col);
    writePair(wideAt + 8, rows, cols);
    return true;
  }

  /** Writes the bytes of the action, with cells counted from the corner of the world; gives their number. */
  write(action: Action): i32 {
    const looks = action.kind == LOOK ? 2 : 0; // what `look` has written already
    const count = looks + action.count;
    store<u8>(wideAt, VERSION);
    store<u8>(wideAt, action.kind, 1);
    store<u16>(wideAt, <u16>count, 2);
    for (let i = 0; i < action.count; i++) {
      const row = this.top + load<u8>(actionAt + 3 + 2 * i);
      const col = this.left + load<u8>(actionAt + 4 + 2 * i);
      writePair(wideAt + 4 + 4 * (looks + i), row % WORLD_SIDE, col % WORLD_SIDE);
    }
    return 4 + 4 * count;
  }

  private at(row: i32, col: i32): usize {
    return base + VIEW_AT + this.cols * row + col;
  }
}

function writePair(at: usize, row: i32, col: i32): void {
  store<u16>(at, <u16>row);
  store<u16>(at, <u16>col, 2);
}

// ---- The contract ---------------------------------------------------------------------------------------------------

const theObservation = new Observation();
const theConquerors = new Conquerors();
const theWarOfLife = new WarOfLife();
const theGameOfGameOfLife = new GameOfGameOfLife();
const theLife2 = new Life2();
const theAction = new Action();
let theTurn: (seen: Observation, action: Action) => void = (_seen: Observation, _action: Action): void => {};

/** Says what plays a turn. */
export function bot(turn: (seen: Observation, action: Action) => void): void {
  theTurn = turn;
}

/** The first of the contract's exports; a bot exports it under this name. */
export function arena_observation(length: i32): usize {
  base = heap.alloc(length);
  return base;
}

/** The second of the contract's exports; a bot exports it under this name. */
export function arena_turn(_length: i32): u64 {
  store<u8>(actionAt, VERSION);
  store<u16>(actionAt, 0, 1); // a pass without cells
  theTurn(theObservation, theAction);
  if (theObservation.game == LIFE2) return (<u64>theLife2.write(theAction) << 32) | <u64>wideAt;
  return (<u64>(3 + 2 * theAction.count) << 32) | <u64>actionAt;
}
