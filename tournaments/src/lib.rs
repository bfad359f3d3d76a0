//! Tournaments as pure functions: a definition names a [`Format`]; the format schedules the next games after the
//! settled ones, and folds them into [`Standings`].
//!
//! ```
//! use arena_tournaments::{Entrant, Format, RoundRobin, Settled};
//!
//! let entrant = |name: &str| Entrant::new(name, arena_record::EntrantId::of_baseline(name, 1));
//! let entrants = ["easy", "normal", "hard"].map(entrant);
//! let format = RoundRobin::new(2026, 10);
//! let games = format.next(&entrants, &Settled::default());
//! assert_eq!(games.len(), 60);
//! assert_eq!(format.standings(&entrants, &Settled::default()).rows.len(), 3);
//! ```
//!
//! What this crate deliberately is not: it plays no game, opens no file, reads no clock, and draws random numbers only
//! from a definition's seed. Equal arguments give equal bytes on every machine. Ratings use pinned arithmetic and are
//! rounded before they are shown.

mod against;
mod anchor;
mod bots;
mod bracket;
mod certainty;
mod commitment;
#[cfg(test)]
mod coverage;
mod definition;
mod draft;
mod entrant_spec;
mod fairness;
mod field;
mod format;
mod formats;
mod game;
mod games;
mod gauntlet;
mod keys;
mod ladder;
mod located;
mod markdown;
mod matching;
mod matrix;
mod meetings;
mod names;
mod note;
mod pairs;
mod plot;
mod problem;
mod ranking;
mod rating;
mod reached;
mod report;
mod round_robin;
mod rounds;
mod schedule;
mod scores;
mod seeds;
mod settled;
mod sprt;
mod standings;
mod stop;
mod student;
mod swiss;
mod terms;
#[cfg(test)]
mod testing;
mod transitivity;
mod words;

pub mod limits;

pub use against::{Advantage, Against, COMPARED, Comparison, GAMES_OF_AN_OPENING};
pub use anchor::{Anchor, AnchorSpec};
pub use bracket::{Knockout, Lives, Seeding};
pub use certainty::Ranks;
pub use commitment::{Commitment, Draw, Secret, SecretChain};
pub use definition::{Definition, Unplayable};
pub use draft::{Draft, FormKeys};
pub use entrant_spec::{EntrantSpec, Source};
pub use fairness::{EntrantSeats, Fairness, Faults, FirstSeat, Repeats, Seeds, fairness};
pub use field::Field;
pub use format::Format;
pub use formats::{FormatError, FormatSpec};
pub use game::{Entrant, Fate, GameResult, ScheduledGame, SeatTally, Stage, Tally};
pub use games::games_csv;
pub use gauntlet::Gauntlet;
pub use ladder::Ladder;
pub use names::isolated;
pub use note::{Note, NoteKind, Remark};
pub use pairs::Pairs;
pub use plot::{BracketPicture, Stretch, svg};
pub use problem::{DefinitionError, Problem};
pub use ranking::{TieBreak, TieBreaks};
pub use rating::Rating;
pub use reached::{BracketRound, Reached};
pub use report::csv_text;
pub use round_robin::{RoundRobin, Table};
pub use schedule::Schedule;
pub use settled::{Leave, Left, Settled, SettledGame};
pub use sprt::{Decision, EloDifference, PAIRS_MIN, PairCounts, Sprt, SprtError};
pub use standings::{Ahead, Column, Gap, Rank, Row, Share, Standings, Value};
pub use stop::Stop;
pub use swiss::Swiss;
pub use terms::Terms;
pub use transitivity::{Deviation, Transitivity};
pub use words::{Difference, MatchVerdict};
