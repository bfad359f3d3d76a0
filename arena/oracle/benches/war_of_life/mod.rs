//! War of Life: the fast rules and strategies, and the same on the naive grid.

use std::hint::black_box;

use arena_baselines::war_of_life::{OnePly, Strategy, Terminals, choose};
use arena_oracle::war_of_life as naive;
use arena_rules::war_of_life::{Board, Colour, Position, Start};
use arena_rules::{BySeat, Rng, Ruleset};

/// Boards of land-grab's games against itself, in both forms, with the colour to move: many pieces and few.
pub(crate) fn boards() -> Vec<(Board, naive::Grid, Colour)> {
    let mut rng = Rng::new(&[0; 32], 0);
    let mut boards = Vec::new();
    for deal in 0..4 {
        let mut position = Position::start(&Start::Deal(deal), &[0; 32]);
        while let Some(colour) = position.to_move() {
            let grid = naive::parse_grid(&position.board().to_string()).expect("a text of a board");
            boards.push((*position.board(), grid, colour));
            let step = choose(position.board(), colour, Strategy::OnePly(OnePly::LandGrab), &mut rng);
            position.advance(BySeat::new(2, |seat| step.filter(|_| seat == colour.seat())));
        }
    }
    boards
}

pub(crate) fn crank(boards: &[(Board, naive::Grid, Colour)]) -> u64 {
    for (board, ..) in boards {
        black_box(black_box(board).next());
    }
    boards.len() as u64
}

pub(crate) fn crank_naive(boards: &[(Board, naive::Grid, Colour)]) -> u64 {
    for (_, grid, _) in boards {
        black_box(naive::crank(black_box(grid)));
    }
    boards.len() as u64
}

/// A few boards are enough: two plies are over a thousand generations on the grid, which looks at all of them. The fast
/// search leaves out answers that cannot change the choice.
const MINIMAX_BOARDS: usize = 8;

pub(crate) fn minimax(boards: &[(Board, naive::Grid, Colour)]) -> u64 {
    let mut rng = Rng::new(&[0; 32], 0);
    let some = boards.iter().step_by(boards.len() / MINIMAX_BOARDS);
    some.map(|(board, _, colour)| {
        black_box(choose(black_box(board), *colour, Strategy::Minimax(Terminals::Clean), &mut rng));
        1
    })
    .sum()
}

pub(crate) fn minimax_naive(boards: &[(Board, naive::Grid, Colour)]) -> u64 {
    let some = boards.iter().step_by(boards.len() / MINIMAX_BOARDS);
    some.map(|(_, grid, colour)| {
        let colour = if *colour == Colour::Blue { naive::BLUE } else { naive::RED };
        black_box(naive::best_of_two_plies(black_box(grid), colour, naive::LastPly::ByTheRules));
        1
    })
    .sum()
}
