//! Formats: which games come next, and where everybody stands.
//!
//! A [`Format`] is two pure functions. [`next`](Format::next) goes from the games settled so far to those that follow, and
//! [`standings`](Format::standings) folds the settled games. A runner asks for the next games when all that it was given are
//! settled, and again, until there are none: that is the whole schedule. So a schedule grows round by round, what was said
//! once stays, and it is a function of the entrants, the seed and the results alone, whatever the threads or restarts. A
//! folder freezes the format's name and seed, not a list of games.
//!
//! [`RoundRobin`] and [`Field`] say everything in one round. Formats in which a round depends on the one before fit the
//! same trait:
//!
//! - **Swiss**: the first round is drawn from the seed. For each later one `next` folds points from the settled games, orders
//!   entrants by them and pairs neighbours who have not met. A bye is no game: the entrant that a round leaves out is found
//!   from the settled games, by `next` and by the fold, which gives it its points. `next` is empty after the last round.
//!   Points, Buchholz and byes are columns; ties are broken by their order.
//! - **Knockout**: the bracket follows from entrants and seed. A round has a match of each two entrants that are left. Where one is
//!   level `next` gives another round with pairs for that match alone; after so many, the seed decides. An entrant whose
//!   opponent is quarantined goes on without a game. Ranks are the rounds reached, so several rows share one. In a **double
//!   knockout** the losers' bracket is drawn from the same fold, and the final is played again if the unbeaten one lost it.
//! - **Gauntlet**: one round, the pairs of one entrant against each of the others.
//! - **Ladder** (in rounds): each round has challenges between neighbours of the order that the fold gives. An entrant that comes
//!   late takes part from a round that the list of entrants says with its name; before it, `next` leaves it out.
//!
//! Where two entrants meet again, the number of the pair goes on from their last one, and with it the pair's seed.

use crate::{Entrant, Field, RoundRobin, ScheduledGame, Settled, Standings};

/// What a tournament does with its entrants.
pub trait Format: Send + Sync {
    /// What definitions and manifests call it.
    fn name(&self) -> &'static str;

    /// What all draws and seeds of games are derived from.
    fn seed(&self) -> u64;

    /// The games that follow when `settled` is all there was so far; none when the tournament is over. They are numbered from
    /// `settled.games.len()` on.
    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Vec<ScheduledGame>;

    /// The games of a tournament of so many entrants, at most.
    fn games_max(&self, entrants: usize) -> usize;

    /// Where everybody stands. Games of the middle may be missing from `settled` while they are played.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings;

    /// Files about the same games beside those of the standings, by name.
    fn reports(&self, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let _ = (entrants, settled);
        Vec::new()
    }
}

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

/// The name of a round robin in definitions.
pub(crate) const ROUND_ROBIN: &str = "round-robin";
/// The name of a field.
pub(crate) const FIELD: &str = "field";
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
