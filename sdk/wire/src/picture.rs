//! Boards for painters and tables.

use alloc::vec::Vec;

use arena_rules::BySeat;

/// A board of any game of the family, as its cells' owners.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Rows of the board.
    pub rows: u16,
    /// Columns of the board.
    pub cols: u16,
    /// Row by row: 0 a dead cell, 1 + seat a living one, [`Picture::NEUTRAL`] a living one of nobody.
    pub cells: Vec<u8>,
    /// What the ruleset ranks seats by, as it stands.
    pub tally: BySeat<u32>,
}

impl Picture {
    /// A living cell that belongs to no seat.
    pub const NEUTRAL: u8 = 255;
}
