//! What exists only because several servers may share a store: which of them does what ([`Leases`]), what they tell
//! each other ([`Messages`], [`follow`]), and copies of the tournaments that they play ([`FolderReplica`]). One server
//! alone runs through the same code. Not here: what the store itself keeps for all servers (`arena_store`), and what
//! the parts of the service do with what they hear (`service/followers.rs`).

mod leases;
mod listener;
mod messages;
mod pending;
mod replica;

pub use replica::{FolderReplica, ReplicaError};

pub(crate) use leases::{JUDGE, Leases, TOURNAMENTS};
pub(crate) use listener::{Heard, Listener, follow};
pub(crate) use messages::Messages;
pub(crate) use pending::Pending;
