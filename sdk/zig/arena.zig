//! Bots for the arena in Zig.
//!
//!     const arena = @import("arena");
//!
//!     fn turn(seen: *arena.Observation, action: *arena.Action) void {
//!         const game = &seen.conquerors;
//!         _ = game.place(action, 12, 3); // a cell, if it may be placed
//!         game.finish(action); // some legal end of the turn
//!     }
//!
//!     comptime {
//!         arena.bot(turn);
//!     }
//!
//! It wraps the contract of ABI.md and adds no rule of its own: the words used here are explained there. An instance lives
//! for one game, so global variables last from turn to turn.

const std = @import("std");

// ---- Observations and actions ----------------------------------------------------------------------------------------

pub const version = 1;

/// The ruleset's byte in observations.
pub const Game = enum(u8) { conquerors = 1, war_of_life = 2, game_of_game_of_life = 3, life2 = 4, _ };

/// What all games have in front.
pub const Header = extern struct {
    version: u8,
    game: Game,
    seat: u8,
    ruleset_byte: u8,
    ply: u16,
    ruleset_bytes: [10]u8,
    seed: [32]u8,
};

/// What a bot sees; `any.game` says which game it is. It is the bot's own memory and may be written to.
pub const Observation = extern union {
    any: Header,
    conquerors: Conquerors,
    war_of_life: WarOfLife,
    game_of_game_of_life: GameOfGameOfLife,
    life2: Life2,

    /// This turn's generator: the seat's seed, the ply as the stream.
    pub fn rng(seen: *const Observation) Rng {
        return Rng.init(&seen.any.seed, seen.any.ply);
    }
};

/// Kinds of actions. A pass is 0, where a game has one.
pub const kind = struct {
    pub const pass = 0;
    pub const place = 1;
    pub const bomb = 2;
    pub const skip = 3;
    /// War of Life's.
    pub const move = 1;
    /// Game of Game of Life's.
    pub const cell = 1;
    /// Life2's, in a world.
    pub const look = 2;
};

pub const Cell = extern struct { row: u8, col: u8 };

/// A turn begins with a pass, and a bot makes something better of it.
pub const Action = extern struct {
    version: u8 = version,
    kind: u8 = kind.pass,
    count: u8 = 0,
    cells: [255]Cell = undefined,
    /// What counts where the kind is `look`.
    look: Life2.View = undefined,

    /// Adds a cell to the action and makes it one of this kind.
    pub fn add(action: *Action, of_kind: u8, row: usize, col: usize) void {
        action.kind = of_kind;
        action.cells[action.count] = .{ .row = @intCast(row), .col = @intCast(col) };
        action.count += 1;
    }
};

comptime {
    std.debug.assert(@sizeOf(Header) == 48);
    std.debug.assert(@sizeOf(Conquerors) == 776);
    std.debug.assert(@sizeOf(WarOfLife) == 112);
    std.debug.assert(@offsetOf(GameOfGameOfLife, "cells") == 80);
    std.debug.assert(@sizeOf(Life2) == 4324);
    std.debug.assert(@offsetOf(Action, "cells") == 3);
}

// ---- The log ---------------------------------------------------------------------------------------------------------

const host = struct {
    extern "arena" fn log(address: [*]const u8, length: usize) void;
    extern "arena" fn fuel() u64;
};

/// Writes a line to the bot's log. It costs fuel by the byte; a game keeps 64 lines and 8,192 bytes.
pub fn log(line: []const u8) void {
    host.log(line.ptr, line.len);
}

/// Logs a formatted line of at most 256 bytes; of a longer one, that it is too long.
pub fn print(comptime format: []const u8, arguments: anytype) void {
    var line: [256]u8 = undefined;
    log(std.fmt.bufPrint(&line, format, arguments) catch "a line too long for the log");
}

// ---- The fuel --------------------------------------------------------------------------------------------------------

/// Units of fuel that this call may still spend and be in time. Asking costs 40, which are paid already.
pub fn fuel() u64 {
    return host.fuel();
}

// ---- Random numbers --------------------------------------------------------------------------------------------------

/// ChaCha with 8 rounds: the generator of ABI.md, word for word.
pub const Rng = struct {
    state: [16]u32,
    words: [16]u32 = undefined,
    used: usize = 16,

    pub fn init(seed: *const [32]u8, stream: u64) Rng {
        var rng = Rng{ .state = @splat(0) };
        rng.state[0..4].* = .{ 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
        for (0..8) |i| rng.state[4 + i] = std.mem.readInt(u32, seed[4 * i ..][0..4], .little);
        rng.state[14] = @truncate(stream);
        rng.state[15] = @truncate(stream >> 32);
        return rng;
    }

    /// The next word of the stream.
    pub fn word(rng: *Rng) u32 {
        if (rng.used == 16) rng.refill();
        rng.used += 1;
        return rng.words[rng.used - 1];
    }

    /// A number of 0..n; 0 for n = 0. Takes one word.
    pub fn below(rng: *Rng, n: u32) u32 {
        return @truncate((@as(u64, rng.word()) * n) >> 32);
    }

    pub fn shuffle(rng: *Rng, comptime T: type, items: []T) void {
        var last = items.len;
        while (last > 1) {
            last -= 1;
            std.mem.swap(T, &items[last], &items[rng.below(@intCast(last + 1))]);
        }
    }

    fn refill(rng: *Rng) void {
        const x = &rng.words;
        x.* = rng.state;
        for (0..4) |_| {
            for (0..4) |i| quarter(x, i, 4 + i, 8 + i, 12 + i);
            for (0..4) |i| quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
        for (x, rng.state) |*sum, start| sum.* +%= start;
        rng.state[12] +%= 1;
        if (rng.state[12] == 0) rng.state[13] +%= 1;
        rng.used = 0;
    }

    fn quarter(x: *[16]u32, a: usize, b: usize, c: usize, d: usize) void {
        inline for (.{ .{ a, b, d, 16 }, .{ c, d, b, 12 }, .{ a, b, d, 8 }, .{ c, d, b, 7 } }) |step| {
            x[step[0]] +%= x[step[1]];
            x[step[2]] = std.math.rotl(u32, x[step[2]] ^ x[step[0]], step[3]);
        }
    }
};

// ---- Conway's Conquerors ---------------------------------------------------------------------------------------------

pub const rows = 26;
pub const cols = 28;
pub const home_cols = 8;
pub const cells_a_turn = 4;

/// The first of the eight columns of a seat's home.
pub fn home(seat: usize) usize {
    return if (seat == 0) 0 else cols - home_cols;
}

/// An observation of Conway's Conquerors.
pub const Conquerors = extern struct {
    version: u8,
    game: Game,
    seat: u8,
    /// Bit 0: the way into the enemy's home needs a cell at home.
    options: u8,
    ply: u16,
    round: u8,
    nothing: u8,
    /// By seat.
    cooldown: [2]u8,
    skip_used: [2]u8,
    nothing_either: [4]u8,
    seed: [32]u8,
    /// 0 dead, 1 + seat a living one.
    cells: [rows][cols]u8,

    /// Whether a cell of this seat lives in columns `from`..`to`.
    pub fn lives(seen: *const Conquerors, seat: usize, from: usize, to: usize) bool {
        for (seen.cells) |row| {
            for (row[from..to]) |cell| if (cell == 1 + seat) return true;
        }
        return false;
    }

    /// Whether the zone of this column is open to the mover now: see "What is legal".
    pub fn isOpen(seen: *const Conquerors, col: usize) bool {
        const right = cols - home_cols;
        const own = home(seen.seat);
        const enemy = home(1 - seen.seat);
        if (col >= own and col < own + home_cols) return true;
        const at_home = seen.lives(seen.seat, own, own + home_cols);
        if (col >= home_cols and col < right) return at_home;
        return (at_home or seen.options & 1 == 0) and seen.lives(seen.seat, home_cols, right) and
            seen.lives(seen.seat, enemy, enemy + home_cols);
    }

    /// Whether this cell may be placed as the next of this turn.
    pub fn mayPlace(seen: *const Conquerors, action: *const Action, row: usize, col: usize) bool {
        return action.count < cells_a_turn and row < rows and col < cols and seen.cells[row][col] == 0 and
            seen.isOpen(col);
    }

    /// Places a cell if it may be placed: in the action, and on the seen board, where the next one is judged.
    pub fn place(seen: *Conquerors, action: *Action, row: usize, col: usize) bool {
        if (!seen.mayPlace(action, row, col)) return false;
        seen.cells[row][col] = 1 + seen.seat;
        action.add(kind.place, row, col);
        return true;
    }

    /// Whether the bomb may be thrown, anywhere, instead of placing cells.
    pub fn bombIsReady(seen: *const Conquerors) bool {
        return seen.round >= 7 and seen.cooldown[seen.seat] == 0;
    }

    /// Makes whatever was placed a legal turn: adds the first cells that may be placed, row by row, up to four; where none
    /// was and none may be, it is the skip, else the bomb in the first corner, else the pass.
    pub fn finish(seen: *Conquerors, action: *Action) void {
        if (action.kind == kind.bomb or action.kind == kind.skip) return;
        while (action.count < cells_a_turn and seen.placeFirst(action)) {}
        if (action.count > 0) return;
        if (seen.skip_used[seen.seat] == 0) {
            action.kind = kind.skip;
        } else if (seen.bombIsReady()) {
            action.add(kind.bomb, 0, 0);
        }
    }

    fn placeFirst(seen: *Conquerors, action: *Action) bool {
        var open: [cols]bool = undefined;
        for (&open, 0..) |*is_open, col| is_open.* = seen.isOpen(col);
        for (0..rows) |row| {
            for (open, 0..) |is_open, col| if (is_open and seen.place(action, row, col)) return true;
        }
        return false;
    }

    /// The seen board as one to think on.
    pub fn board(seen: *const Conquerors) Board {
        var bits = Board{};
        for (seen.cells, 0..) |row, y| {
            for (row, 0..) |cell, col| {
                if (cell != 0) bits.of[cell - 1][y] |= @as(u32, 1) << @intCast(col);
            }
        }
        return bits;
    }
};

/// A board to think on: a bit for each cell of a seat, bit `col` of word `row`. A generation of it costs some 7,000 fuel.
pub const Board = struct {
    of: [2][rows]u32 = @splat(@splat(0)),

    /// Living cells of a seat, those in the enemy's home twice.
    pub fn score(board: *const Board, seat: usize) i32 {
        const enemy = @as(u32, 0xff) << @intCast(home(1 - seat));
        var sum: u32 = 0;
        for (board.of[seat]) |living| sum += @as(u32, @popCount(living)) + @popCount(living & enemy);
        return @intCast(sum);
    }

    /// The board a generation later. Sums are bit by bit, for a row at once; they count the cell itself, so that a dead cell
    /// with a sum of three is born and a living one with three or four stays.
    pub fn next(board: *const Board) Board {
        var after: Board = undefined;
        const Sums = struct {
            living: Across = .{},
            red: Across = .{},

            fn of(now: *const Board, row: usize) @This() {
                if (row == rows) return .{};
                return .{ .living = across(now.of[0][row] | now.of[1][row]), .red = across(now.of[1][row]) };
            }
        };
        var above = Sums{};
        var here = Sums.of(board, 0);
        for (0..rows) |row| {
            const below = Sums.of(board, row + 1);
            const carry = majority(above.living.ones, here.living.ones, below.living.ones);
            const odd = above.living.ones ^ here.living.ones ^ below.living.ones;
            const a, const b, const c = .{ above.living.twos, here.living.twos, below.living.twos };
            const parity = a ^ b ^ c ^ carry;
            const two_or_more = (a & b) | (c & carry) | ((a | b) & (c | carry));
            const three = odd & parity & ~two_or_more;
            const stays = three | (~odd & two_or_more & ~parity & ~(a & b & c & carry));
            // Of three parents at least two are red if the sum of the red has its second bit.
            const turns_red = above.red.twos ^ here.red.twos ^ below.red.twos ^
                majority(above.red.ones, here.red.ones, below.red.ones);
            const blue, const red = .{ board.of[0][row], board.of[1][row] };
            const born = three & ~(blue | red) & ((1 << cols) - 1);
            after.of[0][row] = (blue & stays) | (born & ~turns_red);
            after.of[1][row] = (red & stays) | (born & turns_red);
            above = here;
            here = below;
        }
        return after;
    }

    /// The two low bits of the sums of each bit and its neighbours to the left and right.
    const Across = struct { ones: u32 = 0, twos: u32 = 0 };

    fn across(row: u32) Across {
        return .{ .ones = (row << 1) ^ row ^ (row >> 1), .twos = majority(row << 1, row, row >> 1) };
    }

    fn majority(a: u32, b: u32, c: u32) u32 {
        return (a & b) | (a & c) | (b & c);
    }
};

// ---- War of Life -----------------------------------------------------------------------------------------------------

/// An observation of War of Life.
pub const WarOfLife = extern struct {
    version: u8,
    game: Game,
    seat: u8,
    nothing: u8,
    ply: u16,
    nothing_either: [10]u8,
    seed: [32]u8,
    /// 0 empty, 1 + seat a piece.
    cells: [side][side]u8,

    pub const side = 8;

    /// There are 210 pairs of neighbours on the board, and of two neighbours at most one may move to the other.
    pub const moves_max = 210;

    pub const Move = struct { from: Cell, to: Cell };

    /// All legal moves, in `buffer`. There is at least one, or the bot would not be asked.
    pub fn moves(seen: *const WarOfLife, buffer: *[moves_max]Move) []Move {
        var count: usize = 0;
        for (seen.cells, 0..) |line, row| {
            for (line, 0..) |piece, col| {
                if (piece != 1 + seen.seat) continue;
                for (row -| 1..@min(row + 2, side)) |y| {
                    for (col -| 1..@min(col + 2, side)) |x| {
                        if (seen.cells[y][x] != 0) continue;
                        buffer[count] = .{
                            .from = .{ .row = @intCast(row), .col = @intCast(col) },
                            .to = .{ .row = @intCast(y), .col = @intCast(x) },
                        };
                        count += 1;
                    }
                }
            }
        }
        return buffer[0..count];
    }

    pub fn play(_: *const WarOfLife, action: *Action, move: Move) void {
        action.add(kind.move, move.from.row, move.from.col);
        action.add(kind.move, move.to.row, move.to.col);
    }
};

// ---- Game of Game of Life --------------------------------------------------------------------------------------------

/// An observation of Game of Game of Life.
pub const GameOfGameOfLife = extern struct {
    version: u8,
    game: Game,
    seat: u8,
    seats: u8,
    generation: u16,
    /// Rows and columns of the board.
    side: u8,
    nothing: [9]u8,
    seed: [32]u8,
    /// Row and column of each seat's last action; 255 where it had no effect.
    last: [16][2]u8,
    /// `side` rows of `side`: 0 dead, 1 + seat a living one, or black.
    cells: [24 * 24]u8,

    /// A living cell of nobody.
    pub const black = 255;
    /// A row and column of `last` without an action.
    const nowhere = 255;

    /// A cell of the torus: rows and columns beyond the edges wrap.
    pub fn cell(seen: *const GameOfGameOfLife, row: isize, col: isize) u8 {
        const side: isize = seen.side;
        return seen.cells[@intCast(side * @mod(row, side) + @mod(col, side))];
    }

    /// Whether an own cell lives within two king's moves: an action further away is a pass.
    pub fn isNear(seen: *const GameOfGameOfLife, row: isize, col: isize) bool {
        var away: isize = 0;
        while (away < 25) : (away += 1) {
            if (seen.cell(row - 2 + @divFloor(away, 5), col - 2 + @mod(away, 5)) == 1 + seen.seat) return true;
        }
        return false;
    }

    /// Where a seat last acted; null if it did not, or without effect, or if there is no such seat.
    pub fn lastMove(seen: *const GameOfGameOfLife, seat: usize) ?Cell {
        const row, const col = seen.last[seat];
        return if (row == nowhere) null else .{ .row = row, .col = col };
    }

    /// Acts on a cell: a dead one is claimed, an own one killed.
    pub fn act(_: *const GameOfGameOfLife, action: *Action, row: usize, col: usize) void {
        action.add(kind.cell, row, col);
    }
};

// ---- Life2 -----------------------------------------------------------------------------------------------------------

/// An observation of Life2: a view of the world. Rows and columns count from its corner. In a game the view has `side` rows and
/// columns, with the bot's base in the middle, from `base_at` on. In a world `look` chooses another one.
pub const Life2 = extern struct {
    version: u8,
    game: Game,
    seat: u8,
    seats: u8,
    turn: u16,
    /// The view: where its corner is in the world, and its size.
    top: u16,
    left: u16,
    rows: u16,
    cols: u16,
    nothing: u16,
    seed: [32]u8,
    kingdoms: [9]Kingdom,
    /// `rows` rows of `cols`: `cell` reads one.
    cells: [side * side]u8,

    pub const side = 64;
    pub const side_min = 8;
    pub const world_side = 512;
    pub const base_at = 28;
    pub const base_side = 8;
    pub const most_cells = 60;

    /// Bits of a cell: the ground's owner, 1 + seat or 0, and whether it lives.
    pub const owner = 15;
    pub const lives = 16;

    pub const Kingdom = extern struct {
        /// In the world.
        base_row: u16,
        base_col: u16,
        /// 0: the kingdom has fallen.
        base_coins: u32,
        coins: u32,
        cells: u32,
        ground: u32,
    };

    /// The view that a bot of a world asks for.
    pub const View = extern struct {
        /// Its middle in the world.
        row: u16,
        col: u16,
        rows: u16,
        cols: u16,
    };

    /// A cell of the view: `owner` and `lives` are its bits; 0 beyond the edges of the view.
    pub fn cell(seen: *const Life2, row: usize, col: usize) u8 {
        return if (row < seen.rows and col < seen.cols) seen.cells[seen.index(row, col)] else 0;
    }

    /// Which row of the view a row of the world is, such as a base's; `rows` or more if it is not in view.
    pub fn rowOf(seen: *const Life2, row: usize) usize {
        return (row -% seen.top) % world_side;
    }

    /// Which column of the view a column of the world is; `cols` or more if it is not in view.
    pub fn colOf(seen: *const Life2, col: usize) usize {
        return (col -% seen.left) % world_side;
    }

    /// Whether this cell may be placed as the next of this turn: in view, own ground, not the wall, dead, and a coin for it.
    pub fn mayPlace(seen: *const Life2, action: *const Action, row: usize, col: usize) bool {
        if (seen.cell(row, col) != 1 + seen.seat) return false;
        const own = &seen.kingdoms[seen.seat];
        const down = (row -% seen.rowOf(own.base_row)) % world_side;
        const right = (col -% seen.colOf(own.base_col)) % world_side;
        const last = base_side - 1;
        const in_base = down <= last and right <= last;
        const is_wall = in_base and (down == 0 or down == last or right == 0 or right == last);
        return !is_wall and action.count < most_cells and action.count < own.coins;
    }

    /// Places a cell if it may be placed: in the action, and in the view.
    pub fn place(seen: *Life2, action: *Action, row: usize, col: usize) bool {
        if (!seen.mayPlace(action, row, col)) return false;
        seen.cells[seen.index(row, col)] |= lives;
        action.add(if (action.kind == kind.look) kind.look else kind.place, row, col);
        return true;
    }

    /// In a world: asks for a view of so many rows and columns, half of them before this cell of the world, from the next turn
    /// on. The turn may place cells, too, before this call or after it. False if the cell is not in the world, or the view not
    /// `side_min` to `side` cells high and wide. In a game the view stays where it is.
    pub fn look(_: *const Life2, action: *Action, row: usize, col: usize, to_rows: usize, to_cols: usize) bool {
        if (row >= world_side or col >= world_side) return false;
        if (to_rows < side_min or to_rows > side or to_cols < side_min or to_cols > side) return false;
        action.kind = kind.look;
        action.look = .{ .row = @intCast(row), .col = @intCast(col), .rows = @intCast(to_rows), .cols = @intCast(to_cols) };
        return true;
    }

    fn index(seen: *const Life2, row: usize, col: usize) usize {
        return seen.cols * row + col;
    }

    /// Bytes of an action: all cells that there may be, and what to look at.
    const action_bytes_max = 4 + 4 * (2 + 255);

    /// The bytes of an action, whose cells are two bytes each way and counted from the corner of the world; their number.
    fn write(seen: *const Life2, action: *const Action, bytes: *[action_bytes_max]u8) u64 {
        const looks: u16 = if (action.kind == kind.look) 2 else 0;
        const count = looks + action.count;
        bytes[0..2].* = .{ version, action.kind };
        std.mem.writeInt(u16, bytes[2..4], count, .little);
        if (looks != 0) {
            writePair(bytes[4..8], action.look.row, action.look.col);
            writePair(bytes[8..12], action.look.rows, action.look.cols);
        }
        for (action.cells[0..action.count], looks..) |placed, number| {
            const row = (seen.top + placed.row) % world_side;
            writePair(bytes[4 + 4 * number ..][0..4], row, (seen.left + placed.col) % world_side);
        }
        return 4 + 4 * @as(u64, count);
    }

    fn writePair(bytes: *[4]u8, row: u16, col: u16) void {
        std.mem.writeInt(u16, bytes[0..2], row, .little);
        std.mem.writeInt(u16, bytes[2..4], col, .little);
    }
};

// ---- The contract ----------------------------------------------------------------------------------------------------

/// Exports `turn` as the bot; once per module.
pub fn bot(comptime turn: fn (seen: *Observation, action: *Action) void) void {
    const contract = struct {
        var seen: Observation = undefined;
        var action: Action = .{};
        var wide: [Life2.action_bytes_max]u8 = undefined;

        fn observation(length: usize) callconv(.c) ?*Observation {
            return if (length <= @sizeOf(Observation)) &seen else null;
        }

        fn play(_: usize) callconv(.c) u64 {
            action.kind = kind.pass;
            action.count = 0;
            turn(&seen, &action);
            if (seen.any.game == .life2) return (seen.life2.write(&action, &wide) << 32) | @intFromPtr(&wide);
            return (@as(u64, 3 + 2 * @as(u64, action.count)) << 32) | @intFromPtr(&action);
        }
    };
    @export(&contract.observation, .{ .name = "arena_observation" });
    @export(&contract.play, .{ .name = "arena_turn" });
}
