//! raider: counts what the enemy loses.
//!
//! It tries every cell it may place, looks at the board a generation later, and keeps the cell that is worst for the enemy: an
//! enemy's point lost is worth two own points won. Four times, each with the cells before it. From round 7 on it does
//! the same with the bomb, over every centre, and throws it if that is better than four cells. As a cell that is placed
//! alone dies at once, it first settles with a block at home, next to neutral.
const arena = @import("arena");

/// What an enemy's point is worth in own points.
const spite = 2;

/// Cells of a block.
const block = [_]arena.Cell{ .{ .row = 0, .col = 0 }, .{ .row = 0, .col = 1 }, .{ .row = 1, .col = 0 }, .{ .row = 1, .col = 1 } };

/// How good a board is a generation later.
fn value(board: *const arena.Board, seat: usize) i32 {
    const after = board.next();
    return after.score(seat) - spite * after.score(1 - seat);
}

/// A choice and what it is worth.
const Choice = struct { worth: i32, row: usize, col: usize };

/// The best of all cells that may be placed now.
fn bestCell(game: *const arena.Conquerors) ?Choice {
    var best: ?Choice = null;
    var board = game.board();
    for (0..arena.cols) |col| {
        if (!game.isOpen(col)) continue;
        const bit = @as(u32, 1) << @intCast(col);
        for (0..arena.rows) |row| {
            if (game.cells[row][col] != 0) continue;
            board.of[game.seat][row] |= bit;
            const worth = value(&board, game.seat);
            board.of[game.seat][row] &= ~bit;
            if (best == null or worth > best.?.worth) best = .{ .worth = worth, .row = row, .col = col };
        }
    }
    return best;
}

/// The best place for the bomb, which clears three by three cells.
fn bestBomb(game: *const arena.Conquerors) Choice {
    const board = game.board();
    var best = Choice{ .worth = value(&board, game.seat), .row = 0, .col = 0 };
    for (0..arena.rows) |row| {
        for (0..arena.cols) |col| {
            const square = (@as(u32, 7) << @intCast(col)) >> 1;
            var bombed = board;
            for (row -| 1..@min(row + 2, arena.rows)) |near| {
                for (&bombed.of) |*cells| cells[near] &= ~square;
            }
            const worth = value(&bombed, game.seat);
            if (worth > best.worth) best = .{ .worth = worth, .row = row, .col = col };
        }
    }
    return best;
}

/// Places a block at home where nothing lives near, as near to the enemy as there is room; false if there is none.
fn settle(game: *arena.Conquerors, action: *arena.Action) bool {
    const step = 4;
    for (0..arena.rows / step) |i| {
        const top = 1 + step * i;
        const left: usize = if (game.seat == 0) arena.home_cols - 3 else arena.cols - arena.home_cols + 1;
        var living: u32 = 0;
        for (top - 1..top + 3) |row| {
            for (left - 1..left + 3) |col| living += game.cells[row][col];
        }
        if (living > 0) continue;
        for (block) |cell| _ = game.place(action, top + cell.row, left + cell.col);
        return true;
    }
    return false;
}

fn turn(seen: *arena.Observation, action: *arena.Action) void {
    if (seen.any.game != .conquerors) {
        arena.log("I raid in Conway's Conquerors only");
        @trap();
    }
    const game = &seen.conquerors;
    const home = arena.home(game.seat);
    if (!game.lives(game.seat, home, home + arena.home_cols) and settle(game, action)) return game.finish(action);

    const bombing = if (game.bombIsReady()) bestBomb(game) else null;
    var worth: i32 = value(&game.board(), game.seat);
    while (action.count < arena.cells_a_turn) {
        const choice = bestCell(game) orelse break;
        worth = choice.worth;
        _ = game.place(action, choice.row, choice.col);
    }
    if (bombing) |choice| {
        if (choice.worth > worth) {
            action.count = 0;
            action.add(arena.kind.bomb, choice.row, choice.col);
        }
    }
    game.finish(action);
}

comptime {
    arena.bot(turn);
}
