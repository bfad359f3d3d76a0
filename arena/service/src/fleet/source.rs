//! The queue as a worker sees it, behind the site's address.

use std::error::Error;

use arena_record::EntrantId;
use arena_store::{Claim, Lease, NewEnd, Taken};
use async_trait::async_trait;

/// Why a queue did not answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// For now; with the reason.
    #[error("{0}")]
    Passing(String),
    /// For good.
    #[error(transparent)]
    Lasting(Box<dyn Error + Send + Sync>),
}

/// A worker's access to the queue. The calls mean what [`Store`](arena_store::Store) says of its methods of the same
/// names.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// Claims games.
    async fn claim(&self, semantics: &[String], games_max: usize, lease_ms: u64) -> Result<Claim, NoAnswer>;

    /// Renews leases; returns those that are lost.
    async fn renew(&self, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, NoAnswer>;

    /// Gives leases back.
    async fn hand_back(&self, leases: &[Lease]) -> Result<(), NoAnswer>;

    /// Submits results; returns what became of each, in order.
    async fn submit(&self, ends: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer>;

    /// The bytes of a bot that plays in these games.
    async fn module(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer>;
}
