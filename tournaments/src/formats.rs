//! The list of formats, as definitions name them.

use crate::Field;
use crate::bracket::{Knockout, Lives, Seeding};
use crate::format::{DOUBLE_KNOCKOUT, FIELD, Format, GAUNTLET, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS};
use crate::gauntlet::Gauntlet;
use crate::ladder::Ladder;
use crate::limits::{EACH_ENTRANTS_MAX, ENTRANTS_MAX};
use crate::ranking::TieBreaks;
use crate::round_robin::{RoundRobin, Table};
use crate::stop::Stop;
use crate::swiss::Swiss;

/// A format with its parameters, as in a definition. `pairs` is always per pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatSpec {
    /// `"round-robin"`: each entrant against each other.
    RoundRobin {
        /// Pairs of games per pairing: two games with the same seed and the seats swapped.
        pairs: u32,
        /// How often each entrant meets each other.
        cycles: u32,
        /// The order of the pairings.
        table: Table,
        /// Tie-breaks between equal ratings and points.
        tie_breaks: TieBreaks,
        /// When to stop.
        stop: Option<Stop>,
    },
    /// `"gauntlet"`: the first entrant against all others.
    Gauntlet {
        /// Pairs of games per pairing.
        pairs: u32,
        /// When to stop.
        stop: Option<Stop>,
    },
    /// `"swiss"`: rounds of pairings between entrants with equal points.
    Swiss {
        /// Pairs of games per pairing.
        pairs: u32,
        /// The number of rounds.
        rounds: u32,
        /// Tie-breaks between equal points.
        tie_breaks: TieBreaks,
    },
    /// `"knockout"` and `"double-knockout"`: losers are out.
    Knockout {
        /// Single or double elimination.
        lives: Lives,
        /// Pairs of games per match.
        pairs: u32,
        /// The maximum number of further pairs if a match is level.
        further_pairs: u32,
        /// How entrants are placed.
        seeding: Seeding,
    },
    /// `"ladder"`: rounds of one pair for each entrant, against the most informative opponent.
    Ladder {
        /// The number of rounds.
        rounds: u32,
        /// When to stop earlier.
        stop: Option<Stop>,
    },
    /// `"field"`: games of more than two seats.
    Field {
        /// Games of the field.
        games: u32,
        /// Pairs of two-seat games per pairing, which break ties.
        pairs: u32,
    },
}

/// All formats, listed for error messages.
pub(crate) const FORMATS: &str =
    "\"round-robin\", \"gauntlet\", \"swiss\", \"knockout\", \"double-knockout\", \"ladder\" and \"field\"";

/// Why a format cannot be played with a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// More than two seats in a format of pairs.
    #[error(
        "the format {format:?} has games of two seats, and these have {seats}: say `format = \"field\"` and how many `games`, or choose options with two seats"
    )]
    NotTwoSeats {
        /// The format.
        format: &'static str,
        /// Seats of a game.
        seats: u8,
    },
    /// Two seats in a format for more.
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
    /// A single round robin.
    pub fn round_robin(pairs: u32) -> FormatSpec {
        let (table, tie_breaks) = (Table::default(), TieBreaks::default());
        FormatSpec::RoundRobin { pairs, cycles: 1, table, tie_breaks, stop: None }
    }

    /// The format's name in definitions.
    pub fn name(self) -> &'static str {
        match self {
            FormatSpec::RoundRobin { .. } => ROUND_ROBIN,
            FormatSpec::Gauntlet { .. } => GAUNTLET,
            FormatSpec::Swiss { .. } => SWISS,
            FormatSpec::Knockout { lives: Lives::One, .. } => KNOCKOUT,
            FormatSpec::Knockout { lives: Lives::Two, .. } => DOUBLE_KNOCKOUT,
            FormatSpec::Ladder { .. } => LADDER,
            FormatSpec::Field { .. } => FIELD,
        }
    }

    /// Whether entrants may enter between rounds.
    pub fn has_late_entry(self) -> bool {
        matches!(self, FormatSpec::Swiss { .. } | FormatSpec::Ladder { .. })
    }

    /// The maximum number of entrants.
    pub fn entrants_max(self) -> usize {
        match self {
            FormatSpec::RoundRobin { .. } | FormatSpec::Field { .. } => EACH_ENTRANTS_MAX,
            _ => ENTRANTS_MAX,
        }
    }

    /// The format, for games of `seats` seats.
    ///
    /// # Errors
    /// If such games do not suit it.
    pub(crate) fn with(self, seed: u64, seats: u8, entrants: usize) -> Result<Box<dyn Format>, FormatError> {
        match self {
            FormatSpec::Field { .. } if seats == 2 => return Err(FormatError::TwoSeats),
            FormatSpec::Field { .. } => {}
            _ if seats != 2 => return Err(FormatError::NotTwoSeats { format: self.name(), seats }),
            _ => {}
        }
        if entrants < usize::from(seats) {
            return Err(FormatError::EmptySeats { seats, entrants });
        }
        Ok(match self {
            FormatSpec::RoundRobin { pairs, cycles, table, tie_breaks, stop } => {
                Box::new(RoundRobin { seed, pairs, cycles, table, tie_breaks, stop })
            }
            FormatSpec::Gauntlet { pairs, stop } => Box::new(Gauntlet { seed, pairs, stop }),
            FormatSpec::Swiss { pairs, rounds, tie_breaks } => Box::new(Swiss { seed, pairs, rounds, tie_breaks }),
            FormatSpec::Knockout { lives, pairs, further_pairs, seeding } => {
                Box::new(Knockout { seed, pairs, further_pairs, seeding, lives })
            }
            FormatSpec::Ladder { rounds, stop } => Box::new(Ladder { seed, rounds, stop }),
            FormatSpec::Field { games, pairs } => Box::new(Field { seed, seats, games, pairs }),
        })
    }
}
