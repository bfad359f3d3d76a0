//! The store as a whole, and what every implementation promises.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    Accounts, Bots, Contests, Folders, GamesIndex, Operations, PeopleGames, Queue, RoomLogs, SampleLogs, Secrets,
    Shared, StoreError, Tokens, Tombstones, Versions, WorldLogs,
};

/// Everything that a server remembers. Servers hold an `Arc<dyn Store>`. Whatever implements the parts is a store.
///
/// # What every implementation promises
///
/// Each trait documents its methods. The following holds for all of them, among tasks of one process and, where several processes may
/// share a store, among processes:
///
/// - **Atomic.** A call writes everything or nothing. A refused call has written nothing.
/// - **Durable.** `Ok` means that the write survives the process, except in an implementation that says it is in memory only.
/// - **In some order.** The result of concurrent writes is that of the same calls made one after another. A limit is
///   checked in the same step that uses it up, so no number of callers exceeds it; a number that is given out, such as
///   a version's, is given once and leaves no gap.
/// - **Read your writes.** A read sees every write that returned before it began, by any caller. What one call
///   returns is of one moment; two pages of a list may be of two moments, but no row is in both.
/// - **Repeatable.** After [`StoreError`], or when a future was dropped before it was done, the call may or may not have taken effect.
///   A caller that must know repeats it: each trait says which repetitions change nothing.
///
/// Time is what callers say it is. Clocks of several processes may differ, so no method relies on `now` increasing. Only leases of the
/// [`Queue`] expire by the database's single clock.
/// Numbers of accounts and bots increase, and may leave gaps.
pub trait Store:
    Accounts
    + Tokens
    + Bots
    + Versions
    + SampleLogs
    + GamesIndex
    + RoomLogs
    + PeopleGames
    + Contests
    + Queue
    + WorldLogs
    + Tombstones
    + Secrets
    + Shared
    + Folders
    + Operations
    + Upkeep
{
}

impl<T> Store for T where
    T: Accounts
        + Tokens
        + Bots
        + Versions
        + SampleLogs
        + GamesIndex
        + RoomLogs
        + PeopleGames
        + Contests
        + Queue
        + WorldLogs
        + Tombstones
        + Secrets
        + Shared
        + Folders
        + Operations
        + Upkeep
{
}

/// Health checks, and closing.
#[async_trait]
pub trait Upkeep: Send + Sync + 'static {
    /// Whether the store answers, for a health check.
    ///
    /// # Errors
    /// When it does not.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Whether the store answers those who read and those who write, for a proxy that asks where to send visitors.
    ///
    /// # Errors
    /// When it does not.
    async fn is_ready(&self) -> Result<(), StoreError> {
        self.ping().await
    }

    /// Reads everything and lists the problems found; none if all is well. The time grows with the size of the store; meant for tests,
    /// backups and suspicions.
    ///
    /// # Errors
    /// When it cannot be read at all.
    async fn problems(&self) -> Result<Vec<String>, StoreError>;

    /// Checks that the disk has room for something new. Without room nothing new is accepted, and tournaments do not start.
    ///
    /// # Errors
    /// [`NoSpace`](StoreError::NoSpace) when not.
    fn has_space(&self) -> Result<(), StoreError>;

    /// How many times it was asked to read or write since it was opened, for figures. Each call of a method counts at least once.
    fn asked(&self) -> u64;

    /// How many statements it sent to its database since it was opened, without those that begin and end a transaction; 0 if it has none.
    fn statements(&self) -> u64 {
        0
    }

    /// How many changes failed since it was opened; nothing of them was kept.
    fn failed_writes(&self) -> u64 {
        0
    }

    /// Waits for work in progress and closes the store for everybody in this process who holds it: later calls fail as
    /// [`Unavailable`](StoreError::Unavailable). Its resources are freed when the last handle is dropped.
    async fn close(self: Arc<Self>);
}
