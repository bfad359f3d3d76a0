//! Helpers for this crate's tests.

use arena_baselines::Opponent;
use arena_record::{Budgets, EntrantId, Header, Record};
use arena_referee::Player;
use arena_rules::BySeat;

use crate::{BuiltIn, Ended, Terms};

/// Plays a game between built-in opponents.
pub(crate) fn play(header: Header) -> Record {
    let mut players: Vec<BuiltIn> = header.entrants.iter().map(|id| BuiltIn(opponent(&header.ruleset, id))).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as _).collect();
    arena_referee::play(header, BySeat::from(seated)).expect("a game")
}

fn opponent(ruleset: &str, id: &EntrantId) -> Opponent {
    let (name, version) = id.baseline().expect("a built-in opponent");
    Opponent::named(ruleset, &format!("{name}@{version}")).expect("of this release")
}

/// The usual terms of Conquerors.
pub(crate) fn terms() -> Terms {
    Terms::new("", "conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT)
}

/// A game of Conquerors between two of the weakest opponents, from a seed.
pub(crate) fn record(seed: u8) -> Record {
    let easy = EntrantId::of_baseline("easy", 1);
    play(terms().header([seed; 32], vec![easy.clone(), easy]))
}

/// The same as the result of a game.
pub(crate) fn played(seed: u8) -> Ended {
    Ended::Played(record(seed))
}
