//! Tournaments as pure functions: a definition and frozen entrants give a [`schedule`], the games' results give
//! [`standings`].
//!
//! What this crate deliberately is not: it plays no game, opens no file, reads no clock and draws no random number. Equal
//! arguments give equal bytes on every machine; ratings use pinned arithmetic and are rounded before anyone sees them.

mod definition;
mod fairness;
mod field;
mod pairs;
mod plot;
mod ranking;
mod rating;
mod report;
mod schedule;
mod sprt;
mod standings;

pub use definition::{Definition, DefinitionError, EntrantSpec, Source, limits};
pub use fairness::{EntrantSeats, Fairness, FirstSeat, Repeats, Seeds, fairness};
pub use field::{FieldRow, FieldStandings, field_standings};
pub use pairs::Pairs;
pub use ranking::{Place, Ranking};
pub use rating::Rating;
pub use schedule::{Entrant, ScheduledGame, field_schedule, schedule};
pub use sprt::{Decision, EloDifference, PAIRS_MIN, PairCounts, Sprt, SprtError};
pub use standings::{GameResult, Row, SeatTally, Standings, Tally, Void, standings, standings_with_void};
