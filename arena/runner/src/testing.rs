//! What tests of this crate share.

use arena_record::{Budgets, Record};
use arena_referee::{Player, play};
use arena_rules::BySeat;
use arena_sandbox::Wall;

use crate::{Contender, Ended, Terms};

/// A game of Conquerors between two of the weakest, from a seed.
pub(crate) fn record(seed: u8) -> Record {
    let terms = Terms::new("conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
    let easy = Contender::baseline("conquerors@2", "easy").expect("a built-in opponent");
    let mut players = [easy.player(Wall::None), easy.player(Wall::None)];
    let seated = players.each_mut().map(|player| player as &mut dyn Player);
    play(terms.header([seed; 32], vec![easy.id(), easy.id()]), BySeat::from(seated)).expect("a game")
}

/// The same, as what became of it.
pub(crate) fn played(seed: u8) -> Ended {
    Ended::Played(record(seed))
}
