//! What a game shows on pages besides its picture and its tools. Every part is optional.

use arena_rules::Seat;

use crate::Picture;

/// A strip of whole columns with a meaning in the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Its name: `Blue's home`.
    pub name: &'static str,
    /// Its number of columns; those of all zones of a board add up to the board's.
    pub cols: u16,
    /// The seat that owns it, if any.
    pub seat: Option<Seat>,
}

/// The two boards that a turn leads to, in games with a generation after each turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages {
    /// The board after the turn, before the generation.
    pub before: Picture,
    /// The board after the generation.
    pub after: Picture,
}
