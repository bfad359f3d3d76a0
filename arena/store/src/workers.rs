//! The site's own workers. The operator gives each a name and a token; they belong to no account.

use crate::{StoreError, UnixSeconds, WorkerName};

/// One of the site's own workers, without its token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnWorker {
    /// Its name.
    pub name: WorkerName,
    /// When its token was created.
    pub created_at: UnixSeconds,
    /// When it was last used, as far as that was noted.
    pub used_at: Option<UnixSeconds>,
    /// The reason, if it gets no more games.
    pub quarantined: Option<String>,
}

/// Why a worker was not added.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is one of this name.
    #[error("there is a worker with this name; revoke its token first, or choose another name")]
    NameTaken,
    /// A worker of this name was wrong, and gets no games.
    #[error("the worker of this name is quarantined: {0}. Choose another name once it is repaired")]
    Quarantined(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
