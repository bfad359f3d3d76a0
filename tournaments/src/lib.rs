//! Tournaments as pure functions: a definition and frozen entrants give a [`schedule`], the games' results give
//! [`standings`].
//!
//! What this crate deliberately is not: it plays no game, opens no file, reads no clock and draws no random number. Equal
//! arguments give equal bytes on every machine; ratings use pinned arithmetic and are rounded before anyone sees them.

mod definition;
mod fairness;
mod plot;
mod rating;
mod report;
mod schedule;
mod standings;

pub use definition::{DEFAULT_OPTIONS, Definition, DefinitionError, EntrantSpec, Source, limits};
pub use fairness::{EntrantSeats, Fairness, FirstSeat, Repeats, Seeds, fairness};
pub use rating::Rating;
pub use schedule::{Entrant, ScheduledGame, schedule};
pub use standings::{GameResult, Row, SeatTally, Standings, Tally, Void, standings, standings_with_void};
