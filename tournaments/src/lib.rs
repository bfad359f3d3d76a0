//! Tournaments as pure functions: a definition names a [`Format`]; the format schedules the next games after those that are
//! settled, and folds them to [`Standings`].
//!
//! ```
//! use arena_tournaments::{Entrant, Format, RoundRobin, Settled};
//!
//! let entrant = |name: &str| Entrant { name: name.into(), id: arena_record::EntrantId::of_baseline(name, 1) };
//! let entrants = ["easy", "normal", "hard"].map(entrant);
//! let format = RoundRobin { seed: 2026, pairs: 10 };
//! let games = format.next(&entrants, &Settled::default());
//! assert_eq!(games.len(), 60);
//! assert_eq!(format.standings(&entrants, &Settled::default()).rows.len(), 3);
//! ```
//!
//! What this crate deliberately is not: it plays no game, opens no file, reads no clock, and draws random numbers only from
//! a definition's seed. Equal arguments give equal bytes on every machine. Ratings use pinned arithmetic and are rounded
//! before they are shown.

mod definition;
mod field;
mod format;
mod formats;
mod game;
mod keys;
mod pairs;
mod plot;
mod rating;
mod report;
mod round_robin;
mod settled;
mod sprt;
mod standings;

pub mod limits;

pub use definition::{Definition, EntrantSpec, Source, Unplayable};
pub use field::Field;
pub use format::Format;
pub use formats::{FormatError, FormatSpec};
pub use game::{Entrant, GameResult, ScheduledGame, SeatTally, Stage, Tally};
pub use keys::DefinitionError;
pub use pairs::Pairs;
pub use plot::svg;
pub use rating::Rating;
pub use round_robin::{EntrantSeats, Fairness, FirstSeat, Repeats, RoundRobin, Seeds, fairness};
pub use settled::{Fate, Settled, SettledGame};
pub use sprt::{Decision, EloDifference, PAIRS_MIN, PairCounts, Sprt, SprtError};
pub use standings::{Column, Note, NoteKind, Row, Share, Standings, Value};
