//! The most own cells after the next generation.

use arena_rules::game_of_game_of_life::{Board, Target};
use arena_rules::{Rng, Seat};

use super::{Best, Gains};

/// What a kill must give beyond a claim: it spends a cell that is there for one that may come.
const KILL_PRICE: i32 = 1;

pub(super) fn choose(board: &Board, seat: Seat, rng: &mut Rng) -> Option<Target> {
    let gains = Gains::of(board, seat, seat);
    let mut best = Best::passing(0);
    for cell in (board.reach(seat) & !board.living()).cells() {
        best.offer(cell, gains.claim(cell), rng);
    }
    for cell in board.seat(seat).cells() {
        best.offer(cell, gains.kill(cell) - KILL_PRICE, rng);
    }
    best.target()
}
