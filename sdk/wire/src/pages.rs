//! What a game shows of itself besides its picture and its tools. Every part of it can be missing.

use arena_rules::Seat;

use crate::Picture;

/// A strip of whole columns that means something in the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// What it is called: `Blue's home`.
    pub name: &'static str,
    /// How many columns it has; the zones of a board have all of them together.
    pub cols: u16,
    /// Whose it is, if anybody's.
    pub seat: Option<Seat>,
}

/// The two boards that a turn leads to in games where a generation follows each turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages {
    /// The board as the turn leaves it.
    pub before: Picture,
    /// The board after the generation.
    pub after: Picture,
}
