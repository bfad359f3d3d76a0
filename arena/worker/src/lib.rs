//! Bots in processes of their own.
//!
//! A worker is this binary started as `arena worker --stdio`: [`serve`] reads requests from its standard input, one line of
//! JSON each, and answers each with a line. It has an empty environment. A [`Pool`] starts
//! workers, hands each to one player at a time, and ends those that hang; [`RemotePlayer`] is a player like any other.
//!
//! Whatever kills or stops a worker is a platform fault of the game it was in: that game has no result and is played
//! again, and no other game notices. What this crate deliberately is not: it does not judge. The referee stays with
//! whoever asks.

mod message;
mod pool;
mod remote;
mod serve;

pub use pool::{BOTS_PER_WORKER_MAX, Pool, WorkerError};
pub use remote::{RemoteBot, RemotePlayer};
pub use serve::serve;
