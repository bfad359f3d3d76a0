//! A bot for Conway's Conquerors: a block at home to begin with, then four times the cell after which it stands best.
const arena = @import("arena");

/// Our points less the enemy's, a generation later.
fn worth(board: *const arena.Board, seat: usize) i32 {
    const after = board.next();
    return after.score(seat) - after.score(1 - seat);
}

/// A cell that is placed alone dies, so the first four are a block, as far up as there is room.
fn settle(seen: *arena.Conquerors, action: *arena.Action) void {
    const left = arena.home(seen.seat) + 3;
    for (0..arena.rows - 1) |top| {
        const above = seen.cells[top][left..][0..2];
        const below = seen.cells[top + 1][left..][0..2];
        if (above[0] | above[1] | below[0] | below[1] != 0) continue;
        for (0..4) |i| _ = seen.place(action, top + i / 2, left + i % 2);
        return;
    }
}

/// Places the best cell there is; false when none may be placed.
fn placeBest(seen: *arena.Conquerors, action: *arena.Action) bool {
    var board = seen.board();
    var best: ?arena.Cell = null;
    var most: i32 = -10_000;
    for (0..arena.cols) |col| {
        if (!seen.isOpen(col)) continue;
        const bit = @as(u32, 1) << @intCast(col);
        for (0..arena.rows) |row| {
            if (seen.cells[row][col] != 0) continue;
            board.of[seen.seat][row] |= bit;
            const points = worth(&board, seen.seat);
            board.of[seen.seat][row] &= ~bit;
            if (points <= most) continue;
            most = points;
            best = .{ .row = @intCast(row), .col = @intCast(col) };
        }
    }
    const cell = best orelse return false;
    return seen.place(action, cell.row, cell.col);
}

fn turn(any: *arena.Observation, action: *arena.Action) void {
    const seen = &any.conquerors;
    const home = arena.home(seen.seat);
    if (!seen.lives(seen.seat, home, home + arena.home_cols)) settle(seen, action);
    while (action.count < arena.cells_a_turn and placeBest(seen, action)) {}
    const board = seen.board();
    arena.print("round {d}: ahead by {d} after this turn", .{ seen.round, worth(&board, seen.seat) });
    seen.finish(action);
}

comptime {
    arena.bot(turn);
}
