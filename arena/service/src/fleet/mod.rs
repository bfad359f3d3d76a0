//! Tournament games played by other processes: [workers](work) claim them from the [queue](arena_store::Store::claim)
//! and submit their results. The tournament itself stays where it is. Its folder asks its host for games as always, and
//! this host asks the queue. Not here: the queue itself (`arena_store`) and the HTTP of workers (`arena_server`,
//! `arena_cli`).
//!
//! A result is checked before it is used: the record must be of the game that was asked for and follow the rules. Only
//! that the bots answered so rests on a worker's word, until another worker has played the game too. If two differ, a
//! third decides, and what the wrong one alone submitted is [taken back](Reconciled) before a tournament is finished.
//! [Volunteers] are workers that accounts run; the site's own workers replay a [share](Share) of their games, and of
//! each other's.

mod cache;
mod job;
mod poll_state;
mod queue_client;
mod reconcile;
mod remote_host;
mod source;
mod volunteers;
mod work;
mod worker_state;

pub use job::{Job, NotItsEnd, end, hash_of, key, read_end};
pub use poll_state::{PollState, Question};
pub use reconcile::{Hashes, Reconciled};
pub use source::{NoAnswer, Source};
pub use volunteers::{NotAShare, Share, Volunteers};
pub use work::{News, WorkError, Worker, work};
pub use worker_state::{Call, Pace, WorkerState};

pub(crate) use queue_client::QueueClient;
pub(crate) use reconcile::Unread;
pub(crate) use remote_host::RemoteHost;
