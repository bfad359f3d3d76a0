//! The options of a game, and the first board.

use alloc::vec;

use crate::{Rng, Seat, Seats, Seed};

use super::{Board, Colour, Side};

/// Generations of a game of full length. Source: the question, "Winning the game".
pub const GENERATIONS: u16 = 1000;

/// Rows and columns of a lot. Source: the question, "a 6x6 square for each player".
pub const LOT_SIDE: u8 = 6;
/// Rows and columns of a lot that lie before its block. Source: the question, starting conditions.
const BLOCK_AT: u8 = 2;
/// Rows and columns of a lot's block.
const BLOCK_SIDE: u8 = 2;

/// The fewest seats of a game. Source: the smallest field of the question.
pub const SEATS_MIN: u8 = 2;
/// The most seats of a game: as many as any game of the arena has.
pub const SEATS_MAX: u8 = Seats::MAX;

/// The generator's stream for lots.
const STREAM: u64 = u64::from_le_bytes(*b"gogolot1");

/// The options of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many seats, from [`SEATS_MIN`] to [`SEATS_MAX`].
    pub seats: u8,
    /// Which seat gets which lot.
    pub lots: Lots,
    /// How long the game is.
    pub length: Length,
}

/// The number of generations of a game. A shorter game is the last part of a long one: generations are counted as if the earlier
/// ones had passed, so a bot sees how many are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// 50 generations, for people.
    Fifty,
    /// 100 generations, for people.
    Hundred,
    /// 1,000 generations. Source: the question, "Winning the game".
    Thousand,
}

impl Length {
    /// Every length.
    pub const ALL: [Length; 3] = [Length::Fifty, Length::Hundred, Length::Thousand];

    /// The number of generations.
    pub fn generations(self) -> u16 {
        match self {
            Length::Fifty => 50,
            Length::Hundred => 100,
            Length::Thousand => GENERATIONS,
        }
    }
}

/// Which seat gets which lot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lots {
    /// Drawn from the game's seed.
    Shuffled,
    /// The seats in order, row by row; the remaining lots are black. The seed is not used.
    Fixed,
}

impl Default for Options {
    /// Two seats on shuffled lots, for a thousand generations.
    fn default() -> Options {
        Options { seats: SEATS_MIN, lots: Lots::Shuffled, length: Length::Thousand }
    }
}

impl Options {
    /// The side of the board: the shortest with a lot for every seat. Source: the question.
    pub fn side(&self) -> Side {
        let has_room = |side: &Side| (side.length() / LOT_SIDE) * (side.length() / LOT_SIDE) >= self.seats;
        Side::ALL.into_iter().find(has_room).unwrap_or(Side::TwentyFour)
    }

    /// The first board: a block in the middle of every lot, black in lots without a seat.
    pub(super) fn board(&self, seed: &Seed) -> Board {
        let side = self.side();
        let lots_a_row = side.length() / LOT_SIDE;
        let seats = self.seats.clamp(SEATS_MIN, SEATS_MAX);
        let mut lots = vec![Colour::Black; usize::from(lots_a_row * lots_a_row)];
        (0..seats).for_each(|seat| lots[usize::from(seat)] = Colour::Seat(Seat(seat)));
        if self.lots == Lots::Shuffled {
            Rng::new(seed, STREAM).shuffle(&mut lots);
        }
        let mut board = Board::empty(side, seats);
        for (lot, colour) in (0..).zip(lots) {
            let (top, left) = (LOT_SIDE * (lot / lots_a_row) + BLOCK_AT, LOT_SIDE * (lot % lots_a_row) + BLOCK_AT);
            for row in top..top + BLOCK_SIDE {
                (left..left + BLOCK_SIDE)
                    .filter_map(|col| side.cell(row, col))
                    .for_each(|cell| board.set(cell, colour));
            }
        }
        board
    }
}
