//! Plays one game between players, and replays one from its record.
//!
//! A game is a pure function of its [`Header`](arena_record::Header) and of what the [`Player`]s answer; a record holds
//! those answers, so [`replay`] needs no player at all. [`Referee`] is the one machine that moves a game on, for all of them
//! and for rooms, notation and pages. What this crate deliberately is not: it names no engine, opens no file, reads no clock.
//! A bot's failure is an outcome, never an error; the only error of a game is a [`PlatformFault`], and then there is no record.

mod ending;
mod play;
mod player;
mod referee;
mod replay;

pub use ending::{Ending, endings};
pub use play::{PlayError, play, play_with, seat_seeds};
pub use player::{Failure, Fault, PlatformFault, Player, Reply, Started};
pub use referee::{Referee, Refused, Step, check_action};
pub use replay::{Divergence, Replay, check, replay, walk};
