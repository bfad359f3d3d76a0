//! The queue as a worker sees it: in the site's database, or behind the site's address.

use std::error::Error;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_store::{Claim, Lease, NewEnd, QueueError, Store, StoreError, Taken, WorkerName};
use async_trait::async_trait;
use tokio::sync::watch;

use crate::error_chain::with_causes;

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

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> NoAnswer {
        NoAnswer::Passing(with_causes(&error))
    }
}

impl From<QueueError> for NoAnswer {
    fn from(error: QueueError) -> NoAnswer {
        match error {
            QueueError::Store(error) => error.into(),
            lasting => NoAnswer::Lasting(lasting.into()),
        }
    }
}

/// A worker's access to the queue, under the worker's name. The calls mean what [`Store`](arena_store::Store) says of
/// its methods of the same names.
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

    /// Rings when games may have been asked for.
    fn asked(&self) -> watch::Receiver<()>;
}

/// The queue in a site's database.
pub struct OwnQueue {
    /// The database.
    pub store: Arc<Store>,
    /// The worker's name.
    pub name: WorkerName,
}

#[async_trait]
impl Source for OwnQueue {
    async fn claim(&self, semantics: &[String], games_max: usize, lease_ms: u64) -> Result<Claim, NoAnswer> {
        Ok(self.store.claim(&self.name, semantics, games_max, lease_ms).await?)
    }

    async fn renew(&self, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, NoAnswer> {
        Ok(self.store.renew(&self.name, leases, lease_ms).await?)
    }

    async fn hand_back(&self, leases: &[Lease]) -> Result<(), NoAnswer> {
        Ok(self.store.hand_back(&self.name, leases).await?)
    }

    async fn submit(&self, ends: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer> {
        Ok(self.store.submit_ends(&self.name, ends).await?)
    }

    async fn module(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer> {
        Ok(self.store.module_in_queue(entrant).await?)
    }

    fn asked(&self) -> watch::Receiver<()> {
        self.store.notifications().asked
    }
}
