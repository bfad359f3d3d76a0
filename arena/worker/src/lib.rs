//! Bots in separate processes.
//!
//! A worker is this binary started as `arena guests`. [`work`] raises the [walls], then answers the requests that it
//! reads from its standard input, in the frames of [`pipe`]. A [`Pool`] starts workers, hands each to one player at a
//! time, and kills those that do not answer in time. [`RemotePlayer`] is a player like any other.
//!
//! A module is compiled where it is played: native code never crosses the pipe. For a verdict, a fresh worker compiles
//! it with limits on processor time, time and memory; a module that exceeds them is refused. What the machine
//! [lacks](Lack) is an error instead: it says nothing about the module.
//!
//! If a worker dies or hangs in a game, that is a platform fault of that game: it has no result and is played again.
//! Other games are not affected.
//!
//! What this crate deliberately is not: it does not judge. The referee stays in the asking process.
//!
//! A pool that keeps up to two idle workers and runs bots only within every wall:
//!
//! ```
//! use arena_worker::{Pool, WallPolicy};
//!
//! let policy: WallPolicy = "required".parse()?;
//! let pool = Pool::of_this_binary_within(policy, 2)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod failure;
pub mod limits;
mod load;
mod machine;
mod module;
pub mod pipe;
mod pool;
mod process;
mod processors;
mod remote;
mod serve;
pub mod walls;

pub use failure::{Ending, WorkerError};
pub use machine::{Lack, Needed};
pub use pool::Pool;
pub use processors::{Processor, Processors};
pub use remote::{RemoteBot, RemotePlayer, Wall};
pub use serve::{serve, work};
pub use walls::{UnknownPolicy, WallPolicy, Walls};
