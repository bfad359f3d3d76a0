//! Plays one game between players, and replays one from its record.
//!
//! A game is a pure function of its [`Header`](arena_record::Header) and of the [`Player`]s' answers. A record holds
//! those answers, so [`replay`] needs no players. [`Referee`] is the one machine that advances a game, in live play and
//! replays, in rooms, notation and pages. A bot's failure is an outcome, never an error. The only error of a game is a
//! [`PlatformFault`], and then there is no record.
//!
//! What this crate deliberately is not: it names no engine, opens no file, reads no clock.
//!
//! ```
//! use arena_record::Budgets;
//! use arena_referee::{Referee, Reply, Step};
//! use arena_rules::conquerors::{Action, Options, Position};
//! use arena_rules::{Ruleset, Seat};
//! use arena_wire::Protocol;
//!
//! let start = Position::start(&Options::V2.into(), &[0; 32]);
//! let mut referee = Referee::new(start, "chain_needs_home,weighted_majority", &Budgets::DEFAULT);
//! let skip = Reply { action: Position::encode_action(&Action::Skip), fuel: None };
//! assert_eq!(referee.submit(Seat(0), skip)?, Step::Turned);
//! assert!(referee.awaiting().contains(Seat(1)));
//! # Ok::<(), arena_referee::Refused>(())
//! ```

pub mod compare;
mod ending;
mod play;
mod player;
mod recorded;
mod referee;
mod replay;

pub use ending::{Ending, endings};
pub use play::{PlayError, play, play_with, seat_seeds};
pub use player::{Failure, Fault, PlatformFault, Player, Reply, Started};
pub use recorded::{RecordedPlayer, plays_of};
pub use referee::{Referee, Refused, Step, check_action};
pub use replay::{Divergence, Replay, check, replay, walk};
