//! The store as a whole, and what every implementation promises.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    Accounts, Bots, Contests, Folders, GamesIndex, Gone, Operations, PeopleGames, Queue, RoomLogs, SampleLogs, Secrets,
    Shared, StoreError, Tokens, Versions, WorldLogs,
};

/// Everything a server remembers. Servers hold an `Arc<dyn Store>`; whatever implements the parts is a store.
///
/// # What every implementation promises
///
/// Each trait says what its methods do. This holds for all of them, among tasks of one process and, where an
/// implementation lets several processes share a store, among processes:
///
/// - **Atomic.** A call writes all that it says, or nothing. A refusal wrote nothing.
/// - **Durable.** `Ok` means that the write survives the process. An implementation that only remembers says so.
/// - **In some order.** The result of concurrent writes is that of the same calls made one after another. A limit is
///   checked in the same step that uses it up, so no number of callers exceeds it; a number that is given out, such as
///   a version's, is given once and leaves no gap.
/// - **Read your writes.** A read sees every write that returned before it began, by any caller. What one call
///   returns is of one moment; two pages of a list may be of two moments, but no row is in both.
/// - **Repeatable.** After [`StoreError`], or when a future was dropped before it was done, the call has happened or it
///   has not. A caller that must know makes it again: each trait says which repetitions change nothing.
///
/// Time is what callers say it is. Clocks of several processes may differ, so no method relies on `now` increasing; leases of the
/// [`Queue`] end by the one clock of the database.
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
    + Gone
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
        + Gone
        + Secrets
        + Shared
        + Folders
        + Operations
        + Upkeep
{
}

/// The store's health and its end.
#[async_trait]
pub trait Upkeep: Send + Sync + 'static {
    /// Whether the store answers, for a health check.
    ///
    /// # Errors
    /// When it does not.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Reads everything and lists what is wrong with it: nothing, when all is well. Takes as long as the store is
    /// large; meant for tests, backups and suspicions.
    ///
    /// # Errors
    /// When it cannot be read at all.
    async fn problems(&self) -> Result<Vec<String>, StoreError>;

    /// Whether something new may be begun, as far as the disk has a say: nothing new is taken then, and tournaments wait for their start.
    ///
    /// # Errors
    /// [`NoSpace`](StoreError::NoSpace) when not.
    fn has_space(&self) -> Result<(), StoreError>;

    /// How often it was asked to read or to write since it was opened, for figures. Each call of a method asks at least once.
    fn asked(&self) -> u64;

    /// Waits for what is under way and closes the store for everybody in this process who holds it: their calls are
    /// [`Unavailable`](StoreError::Unavailable) from now on. What it occupied is free when the last handle is dropped.
    async fn close(self: Arc<Self>);
}
