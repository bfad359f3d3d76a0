//! Game of Game of Life: nine seats on 18 x 18, and the same on the naive grid.

#[path = "../../tests/it/plain/mod.rs"]
mod plain;

use std::hint::black_box;

use arena_baselines::game_of_game_of_life::{Strategy, choose};
use arena_oracle::game_of_game_of_life::Grid;
use arena_rules::game_of_game_of_life::{Board, Options, Position};
use arena_rules::{BySeat, Ruleset};

use plain::grid;

/// Every so many generations of a game give a board.
const EVERY: u16 = 25;

/// Boards of a game of nine greedy seats, in both forms.
pub(crate) fn boards() -> Vec<(Board, Grid)> {
    let mut boards = Vec::new();
    walk(1, |position| {
        if position.generation() % EVERY == 0 {
            boards.push((position.board().clone(), grid(position.board())));
        }
    });
    boards
}

pub(crate) fn generation(boards: &[(Board, Grid)]) -> u64 {
    for (board, _) in boards {
        let mut next = black_box(board).clone();
        next.step();
        black_box(next);
    }
    boards.len() as u64
}

pub(crate) fn generation_naive(boards: &[(Board, Grid)]) -> u64 {
    for (_, grid) in boards {
        black_box(black_box(grid).next());
    }
    boards.len() as u64
}

/// A whole game of nine greedy seats.
pub(crate) fn greedy_game(number: u64) {
    black_box(walk(number, |_| {}));
}

fn walk(number: u64, mut see: impl FnMut(&Position)) -> Position {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let mut position = Position::start(&Options { seats: 9, ..Options::default() }, &seed);
    while position.outcome().is_none() {
        see(&position);
        let mut turns = BySeat::new(position.seats(), |_| None);
        for seat in position.awaiting().iter() {
            seed[31] = seat.0 + 1;
            let action = choose(&position, seat, Strategy::Greedy, &seed);
            turns[seat] = position.check(seat, &action).ok();
        }
        position.advance(turns);
    }
    position
}
