//! What layers.test.mjs asks of arena.zig. `arena_turn` takes a question and gives 32-bit words; the test says which.
const std = @import("std");
const arena = @import("arena");

var question: [1024]u8 = undefined;
var words: [1024]u32 = undefined;

export fn arena_observation(_: usize) *anyopaque {
    return &question;
}

export fn arena_turn(_: usize) u64 {
    const count = number(u32, 44);
    var rng = arena.Rng.init(question[0..32], number(u64, 32));
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
        else => {
            var seen: arena.Conquerors = undefined;
            @memcpy(@as(*[728]u8, @ptrCast(&seen.cells)), question[52..][0..728]);
            const next = seen.board().next();
            for (words[0..count], 0..) |*word, i| {
                const row, const col = .{ i / arena.cols, @as(u5, @intCast(i % arena.cols)) };
                word.* = (next.of[0][row] >> col & 1) + 2 * (next.of[1][row] >> col & 1);
            }
        },
    }
    return (@as(u64, 4 * count) << 32) | @intFromPtr(&words);
}

fn number(comptime T: type, at: usize) T {
    return std.mem.readInt(T, question[at..][0..@sizeOf(T)], .little);
}
