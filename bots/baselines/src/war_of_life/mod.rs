//! The strategies of War of Life: random, bloodlust, self-preservation, land-grab, minimax.
//!
//! All but random look at the board alone and take the first best move in the order of [`Board::moves`]; they know
//! nothing of the limit of moves. Source: README of `jkatsioloudes/War-of-Life`, "The Strategies". It leaves open how
//! minimax values a move after which the opponent cannot answer; see [`Terminals`].

mod minimax;
mod one_ply;

use arena_rules::war_of_life::{Action, Board, Colour, Move, Position};
use arena_rules::{Rng, Seat, Seed};

use crate::Opponents;

pub use minimax::{Child, Terminals, children, minimax};
pub use one_ply::OnePly;

/// A way to choose moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Any legal move, all equally likely.
    Random,
    /// The best board after the own move and its generation.
    OnePly(OnePly),
    /// The best board after the opponent's best answer.
    Minimax(Terminals),
}

impl Strategy {
    /// The built-in opponents, weakest first. The study's minimax is not among them.
    pub const ALL: [Strategy; 5] = [
        Strategy::Random,
        Strategy::OnePly(OnePly::Bloodlust),
        Strategy::OnePly(OnePly::SelfPreservation),
        Strategy::OnePly(OnePly::LandGrab),
        Strategy::Minimax(Terminals::Clean),
    ];

    /// Its name, as tournaments and commands have it; the study's minimax has one of its own.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Random => "random",
            Strategy::OnePly(OnePly::Bloodlust) => "bloodlust",
            Strategy::OnePly(OnePly::SelfPreservation) => "self-preservation",
            Strategy::OnePly(OnePly::LandGrab) => "land-grab",
            Strategy::Minimax(Terminals::Clean) => "minimax",
            Strategy::Minimax(Terminals::Coursework) => "minimax-coursework",
        }
    }

    /// The built-in opponent of this name.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

impl Opponents for Position {
    const NAMES: &'static [&'static str] = &{
        let mut names = [""; Strategy::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Strategy::ALL[index].name();
            index += 1;
        }
        names
    };
    const DIGEST: &'static str = "2071d6fb699ff6c1ade3cb4c7d27367c26a574170ca52ad6539c58bc3f149e7a";

    /// Where `seat` is not to move, the first move it would have, which nobody plays.
    fn choose(&self, name: &str, seat: Seat, seat_seed: &Seed) -> Option<Action> {
        let (strategy, colour) = (Strategy::from_name(name)?, Colour::of(seat)?);
        let mut rng = Rng::new(seat_seed, self.ply().into());
        choose(self.board(), colour, strategy, &mut rng).map(Action::from)
    }
}

/// The move of a strategy for `colour`. Random draws one word, the others none. `None` when there is no move, or when the
/// study's minimax finds none.
pub fn choose(board: &Board, colour: Colour, strategy: Strategy, rng: &mut Rng) -> Option<Move> {
    match strategy {
        Strategy::Random => {
            let count = board.moves(colour).count() as u32;
            board.moves(colour).nth(rng.below(count) as usize)
        }
        Strategy::OnePly(strategy) => strategy.choose(board, colour),
        Strategy::Minimax(terminals) => minimax(board, colour, terminals),
    }
}
