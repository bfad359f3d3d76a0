//! The queue as a worker sees it, behind the site's address.

use std::error::Error;

use arena_record::EntrantId;
use arena_store::{Claim, Lease, NewEnd, Taken};

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
///
/// A trait with one implementation in the product, which speaks HTTP, because this crate does not: the binary has the
/// client. Tests have the others: a store without a site before it, and queues that fail as no site can be made to.
pub trait Source: Send + Sync + 'static {
    /// Claims games.
    fn claim(
        &self,
        semantics: &[String],
        games_max: usize,
        lease_ms: u64,
    ) -> impl Future<Output = Result<Claim, NoAnswer>> + Send;

    /// Renews leases; returns those that are lost.
    fn renew(&self, leases: &[Lease], lease_ms: u64) -> impl Future<Output = Result<Vec<Lease>, NoAnswer>> + Send;

    /// Gives leases back.
    fn hand_back(&self, leases: &[Lease]) -> impl Future<Output = Result<(), NoAnswer>> + Send;

    /// Submits results; returns what became of each, in order.
    fn submit(&self, ends: &[NewEnd]) -> impl Future<Output = Result<Vec<Taken>, NoAnswer>> + Send;

    /// The bytes of a bot that plays in these games. Blocks its thread, one of those that play.
    ///
    /// # Errors
    /// When the queue does not answer.
    fn module(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer>;
}
