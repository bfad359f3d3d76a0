//! The probe of arena.zig for layers.test.mjs, where the questions are listed: a bot that also exports `question`, the address for
//! a question, and `probe`, which answers it in 32-bit words. Questions about Life2 are answered in the bot's turn.
const std = @import("std");
const arena = @import("arena");

var asked: [8192]u8 = undefined;
var words: [8192]u32 = undefined;

export fn question() *anyopaque {
    return &asked;
}

export fn probe() u64 {
    const count = number(u32, 44);
    var rng = arena.Rng.init(asked[0..32], number(u64, 32));
    switch (number(u32, 40)) {
        0 => for (words[0..count]) |*word| {
            word.* = rng.word();
        },
        1 => for (words[0..count]) |*word| {
            word.* = rng.below(number(u32, 48));
        },
        2 => {
            for (words[0..count], 0..) |*word, i| word.* = i;
            rng.shuffle(u32, words[0..count]);
        },
        3 => {
            var seen: arena.Conquerors = undefined;
            @memcpy(@as(*[728]u8, @ptrCast(&seen.cells)), asked[52..][0..728]);
            const next = seen.board().next();
            for (words[0..count], 0..) |*word, i| {
                const row, const col = .{ i / arena.cols, @as(u5, @intCast(i % arena.cols)) };
                word.* = (next.of[0][row] >> col & 1) + 2 * (next.of[1][row] >> col & 1);
            }
        },
        9 => words[0..2].* = @bitCast(arena.fuel()),
        else => {},
    }
    return (@as(u64, 4 * count) << 32) | @intFromPtr(&words);
}

fn turn(any: *arena.Observation, action: *arena.Action) void {
    const seen = &any.life2;
    const count = number(u32, 44);
    switch (number(u32, 40)) {
        4 => {
            const of = &seen.kingdoms[number(u32, 48)];
            words[0..14].* = .{
                seen.seats,   seen.turn,   seen.top,      seen.left,    seen.rows,
                seen.cols,    of.base_row, of.base_col,   of.base_coins, of.coins,
                of.cells,     of.ground,   seen.rowOf(of.base_row), seen.colOf(of.base_col),
            };
        },
        8 => for (0..count / 2) |seat| {
            const last = any.game_of_game_of_life.lastMove(seat);
            words[2 * seat] = if (last) |cell| cell.row else std.math.maxInt(u32);
            words[2 * seat + 1] = if (last) |cell| cell.col else std.math.maxInt(u32);
        },
        7 => for (words[0..count], 0..) |*word, i| {
            word.* = @intFromBool(step(seen, action, 52 + 20 * i));
        },
        else => |what| for (words[0..count], 0..) |*word, i| {
            // The view with a rim of one cell around it.
            const width = @as(usize, seen.cols) + 2;
            const row, const col = .{ i / width -% 1, i % width -% 1 };
            const cell = seen.cell(row, col);
            const alive: u32 = if (cell & arena.Life2.lives != 0) 256 else 0;
            word.* = if (what == 5) (cell & arena.Life2.owner) + alive else @intFromBool(seen.mayPlace(action, row, col));
        },
    }
}

/// Whether a step of a turn could be done: a look, or a cell to place.
fn step(seen: *arena.Life2, action: *arena.Action, at: usize) bool {
    const row, const col = .{ number(u32, at + 4), number(u32, at + 8) };
    if (number(u32, at) != 0) return seen.look(action, row, col, number(u32, at + 12), number(u32, at + 16));
    return seen.place(action, row, col);
}

fn number(comptime T: type, at: usize) T {
    return std.mem.readInt(T, asked[at..][0..@sizeOf(T)], .little);
}

comptime {
    arena.bot(turn);
}
