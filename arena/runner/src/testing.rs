//! Helpers for this crate's tests.

use arena_record::{Budgets, Record};
use arena_referee::Player;
use arena_rules::BySeat;
use arena_worker::Wall;

use crate::{Contender, Ended, Fixture, GameTerms};

/// Plays a game between contenders that need no host.
pub(crate) fn play(Fixture { header, contenders, .. }: Fixture<'_>) -> Record {
    let mut players = BySeat::new(contenders.seats(), |seat| contenders[seat].player(Wall::None));
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|(_, player)| player as _).collect();
    arena_referee::play(header, BySeat::from(seated)).expect("a game")
}

/// A game of Conquerors between two of the weakest opponents, from a seed.
pub(crate) fn record(seed: u8) -> Record {
    let terms = GameTerms::new("conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
    let easy = Contender::baseline("conquerors@2", "easy").expect("a built-in opponent");
    play(terms.game([seed; 32], &BySeat::from([&easy, &easy])))
}

/// The same as the result of a game.
pub(crate) fn played(seed: u8) -> Ended {
    Ended::Played(record(seed))
}
