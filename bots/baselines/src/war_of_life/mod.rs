//! The strategies of War of Life: random, bloodlust, self-preservation, land-grab, minimax.
//!
//! All except random consider only the board and take the first best move in the order of [`Board::moves`]; they ignore
//! the limit of moves. Source: README of `jkatsioloudes/War-of-Life`, "The Strategies". It leaves open how
//! minimax values a move after which the opponent cannot answer; see [`Terminals`].

mod minimax;
mod one_ply;

use arena_rules::war_of_life::{Action, Board, Colour, Move, Position};
use arena_rules::{Rng, Seat, Seed};

use crate::{BuiltIn, Opponents};

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

const BLOODLUST: Strategy = Strategy::OnePly(OnePly::Bloodlust);
const SELF_PRESERVATION: Strategy = Strategy::OnePly(OnePly::SelfPreservation);
const LAND_GRAB: Strategy = Strategy::OnePly(OnePly::LandGrab);
const MINIMAX: Strategy = Strategy::Minimax(Terminals::Clean);

impl Strategy {
    /// The built-in opponents, weakest first. The study's minimax is not among them.
    pub const ALL: [Strategy; 5] = [Strategy::Random, BLOODLUST, SELF_PRESERVATION, LAND_GRAB, MINIMAX];

    /// Its name in tournaments and commands; the study's minimax has its own.
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
    const ALL: &'static [BuiltIn<Position>] = &[
        BuiltIn::first(
            Strategy::Random.name(),
            "756deb2b0cc2258a4f5424b6d9e63fd3c3f6784323c35b71eb21b41134e9e281",
            |position, seat, seed| first(position, seat, Strategy::Random, seed),
        )
        .about("moves any piece anywhere"),
        BuiltIn::first(
            BLOODLUST.name(),
            "4d5009216e381af9cc4d9a7215ff26cc640a4ce708c813c4eb6c35093f60cf7a",
            |position, seat, seed| first(position, seat, BLOODLUST, seed),
        )
        .about("leaves you as few pieces as it can"),
        BuiltIn::first(
            SELF_PRESERVATION.name(),
            "83d862bfab5cb4875168b8d63a674881498548d4fc0151463499157af9466f45",
            |position, seat, seed| first(position, seat, SELF_PRESERVATION, seed),
        )
        .about("keeps as many of its own pieces as it can"),
        BuiltIn::first(
            LAND_GRAB.name(),
            "2bb951eaf6560134d62f58f05fa1065cee5cc4a65d25a1b39784a5933b394649",
            |position, seat, seed| first(position, seat, LAND_GRAB, seed),
        )
        .about("wants the largest lead in pieces over you"),
        BuiltIn::first(
            MINIMAX.name(),
            "4d9b005ff51064b60ce8778e6632cf92b75c5549065e5deb7ad480164d0e2c4d",
            |position, seat, seed| first(position, seat, MINIMAX, seed),
        )
        .about("looks at your best answer before it moves"),
    ];
}

/// A strategy's action. If `seat` is not to move, the first move it would have, which is never played.
fn first(position: &Position, seat: Seat, strategy: Strategy, seat_seed: &Seed) -> Option<Action> {
    let mut rng = Rng::new(seat_seed, position.ply().into());
    choose(position.board(), Colour::of(seat)?, strategy, &mut rng).map(Action::from)
}

/// The move of a strategy for `colour`. Random draws one word, the others none. `None` if there is no move, or if the
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
