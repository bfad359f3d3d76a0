//! What exists only because several servers may share a store: which of them does what ([`Leases`]), what they tell
//! each other ([`Messages`], [`follow`]), and copies of the tournaments that they play ([`FolderReplica`]). One server alone runs
//! through the same code. Not here: what the store itself keeps for all servers (`arena_store`), and what each part of
//! the service does with what it hears.

mod leases;
mod listener;
mod messages;
mod pending;
mod replica;

pub use replica::{FolderReplica, ReplicaError};

pub(crate) use leases::{JUDGE, Leases, TOURNAMENTS};
pub(crate) use listener::{Listener, follow};
pub(crate) use messages::Messages;
pub(crate) use pending::Pending;
