//! Bots in processes of their own.
//!
//! A worker is this binary started as `arena worker --stdio`: [`work`] raises the [walls], reads requests from its standard
//! input and answers each, in the frames of [`pipe`]. A [`Pool`] starts workers, hands each to one player at a
//! time, and ends those that hang; [`RemotePlayer`] is a player like any other.
//!
//! A module is compiled where it is played: native code never crosses the pipe. So the process that compiles it for a
//! verdict is a fresh worker with limits on processor time, time and address space, and what exceeds them is refused.
//!
//! Whatever kills or stops a worker in a game is a platform fault of that game: it has no result and is played
//! again, and no other game notices. This crate does not judge: the referee stays in the process that asks.

mod failure;
pub mod limits;
mod load;
mod module;
pub mod pipe;
mod pool;
mod process;
mod remote;
mod serve;
pub mod walls;

pub use failure::{Ending, WorkerError};
pub use pool::Pool;
pub use remote::{RemoteBot, RemotePlayer};
pub use serve::{serve, work};
pub use walls::{UnknownPolicy, WallPolicy, Walls};
