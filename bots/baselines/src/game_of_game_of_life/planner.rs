//! Looks ahead several generations.

use arena_rules::game_of_game_of_life::{Board, Camp, Plane, Target};
use arena_rules::{Rng, Seat};

use super::Best;

/// Cells that a turn computes in all, where a generation counts as many as the board has. This limits its fuel, whatever
/// the board. 400 generations on 12 x 12.
pub const CELLS_A_TURN: usize = 400 * 12 * 12;
/// The most generations that an action is looked ahead. Source: the submitted bots looked 2 to 4 ahead.
pub const AHEAD_MAX: usize = 8;
/// The fewest generations that an action is looked ahead.
pub const AHEAD_MIN: usize = 2;

pub(super) fn choose(board: &Board, seat: Seat, rng: &mut Rng) -> Option<Target> {
    let camp = Camp::of(board, seat);
    let cells = actions(board, seat);
    let ahead = (CELLS_A_TURN / board.side().area() / (cells.count() as usize + 1)).clamp(AHEAD_MIN, AHEAD_MAX) as u8;
    let mut best = Best::passing(value(camp, ahead));
    for cell in cells.cells() {
        best.offer(cell, value(camp.after(cell), ahead), rng);
    }
    best.target()
}

/// Own cells, and dead cells within reach whose claim changes anything in the next generation: all others are no better than a
/// pass.
pub(super) fn actions(board: &Board, seat: Seat) -> Plane {
    let living = board.living();
    let around = living.around();
    let (one, two, three) = (around.exactly(1), around.exactly(2), around.exactly(3));
    let sensitive = three | living & one | !living & two;
    let telling = two | three | sensitive.around().any();
    board.seat(seat) | board.reach(seat) & !living & telling
}

fn value(mut camp: Camp, ahead: u8) -> i32 {
    let mut value = 0;
    camp.generations(ahead, |census| value += census.own as i32 - census.others as i32);
    value
}
