//! The formats that there are, as definitions name them.

use crate::format::{FIELD, Format, ROUND_ROBIN};
use crate::{Field, RoundRobin};

/// A format as a definition names it, with what it says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatSpec {
    /// `"round-robin"`: each against each.
    RoundRobin {
        /// Pairs of games per pairing: two games with the same seed and the seats exchanged.
        pairs: u32,
    },
    /// `"field"`: games of more than two seats.
    Field {
        /// Games of the field.
        games: u32,
        /// Pairs of two-seat games per pairing, which break ties.
        pairs: u32,
    },
}

/// All formats, as a sentence names them.
pub(crate) const FORMATS: &str = "\"round-robin\" and \"field\"";

/// Why a format cannot be played with a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// More than two seats where games are played in pairs.
    #[error(
        "a round robin has games of two seats, and these have {0}: say `format = \"field\"` and how many `games`, or choose options with two seats"
    )]
    NotTwoSeats(u8),
    /// Two seats where more are asked for.
    #[error(
        "a field has games of more than two seats, and these have two: say `format = \"round-robin\"` and leave `games` out"
    )]
    TwoSeats,
    /// Fewer entrants than seats.
    #[error(
        "a game has {seats} seats and there are {entrants} entrants: add entrants, or choose options with fewer seats"
    )]
    EmptySeats {
        /// Seats of a game.
        seats: u8,
        /// Entrants of the definition.
        entrants: usize,
    },
}

impl FormatSpec {
    /// Its name in definitions.
    pub fn name(self) -> &'static str {
        match self {
            FormatSpec::RoundRobin { .. } => ROUND_ROBIN,
            FormatSpec::Field { .. } => FIELD,
        }
    }

    /// The format, for games of `seats` seats.
    ///
    /// # Errors
    /// When such games cannot be played in it.
    pub(crate) fn with(self, seed: u64, seats: u8, entrants: usize) -> Result<Box<dyn Format>, FormatError> {
        match self {
            FormatSpec::RoundRobin { .. } if seats != 2 => Err(FormatError::NotTwoSeats(seats)),
            FormatSpec::Field { .. } if seats == 2 => Err(FormatError::TwoSeats),
            _ if entrants < usize::from(seats) => Err(FormatError::EmptySeats { seats, entrants }),
            FormatSpec::RoundRobin { pairs } => Ok(Box::new(RoundRobin { seed, pairs })),
            FormatSpec::Field { games, pairs } => Ok(Box::new(Field { seed, seats, games, pairs })),
        }
    }
}
