//! A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
//!
//! Global variables last from turn to turn, and nothing survives the game.
const arena = @import("arena");

/// Units of fuel that places are drawn by lot for, before the bot gives up: one of the fifty million of most turns.
const drawing = 1_000_000;

/// A block at home, the still life of four cells, wherever there is room for it.
fn conquerors(seen: *arena.Conquerors, rng: *arena.Rng, action: *arena.Action) void {
    const block = [_][2]usize{ .{ 0, 0 }, .{ 0, 1 }, .{ 1, 0 }, .{ 1, 1 } };
    const least = arena.fuel() -| drawing;
    search: while (arena.fuel() > least) {
        const row = rng.below(arena.rows - 1);
        const col = arena.home(seen.seat) + rng.below(arena.home_cols - 1);
        for (block) |cell| if (!seen.mayPlace(action, row + cell[0], col + cell[1])) continue :search;
        for (block) |cell| _ = seen.place(action, row + cell[0], col + cell[1]);
        break;
    }
    seen.finish(action);
}

/// Any piece to any empty neighbour.
fn warOfLife(seen: *const arena.WarOfLife, rng: *arena.Rng, action: *arena.Action) void {
    var buffer: [arena.WarOfLife.moves_max]arena.WarOfLife.Move = undefined;
    const moves = seen.moves(&buffer);
    seen.play(action, moves[rng.below(@intCast(moves.len))]);
}

/// Any dead cell near an own one.
fn gameOfGameOfLife(seen: *const arena.GameOfGameOfLife, rng: *arena.Rng, action: *arena.Action) void {
    const least = arena.fuel() -| drawing;
    while (arena.fuel() > least) {
        const row = rng.below(seen.side);
        const col = rng.below(seen.side);
        if (seen.cell(@intCast(row), @intCast(col)) != 0 or !seen.isNear(@intCast(row), @intCast(col))) continue;
        return seen.act(action, row, col);
    }
}

/// A glider somewhere inside the base: those of its cells for which there is room and a coin.
fn life2(seen: *arena.Life2, rng: *arena.Rng, action: *arena.Action) void {
    const glider = [_][2]usize{ .{ 0, 1 }, .{ 1, 2 }, .{ 2, 0 }, .{ 2, 1 }, .{ 2, 2 } };
    const row = arena.Life2.base_at + 1 + rng.below(4);
    const col = arena.Life2.base_at + 1 + rng.below(4);
    for (glider) |cell| _ = seen.place(action, row + cell[0], col + cell[1]);
}

fn turn(seen: *arena.Observation, action: *arena.Action) void {
    var rng = seen.rng();
    switch (seen.any.game) {
        .conquerors => conquerors(&seen.conquerors, &rng, action),
        .war_of_life => warOfLife(&seen.war_of_life, &rng, action),
        .game_of_game_of_life => gameOfGameOfLife(&seen.game_of_game_of_life, &rng, action),
        .life2 => life2(&seen.life2, &rng, action),
        _ => arena.print("a game that this bot does not know: {d}", .{@intFromEnum(seen.any.game)}),
    }
}

comptime {
    arena.bot(turn);
}
