//! Plays one game between players, and replays one from its record.
//!
//! A game is a pure function of its [`Header`](arena_record::Header) and of the [`Player`]s' answers. A record holds those
//! answers, so [`replay`] needs no players. [`Referee`] is the one machine that advances a game, in live play and replays, in
//! rooms, notation and pages. A bot's failure is an outcome, never an error. The only error of a game is a
//! [`PlatformFault`], and then there is no record.
//!
//! What this crate deliberately is not: it names no engine, opens no file, reads no clock.

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
