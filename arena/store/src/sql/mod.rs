//! The store in the tables of any database. Whatever differs between databases is in an [`Engine`]: opening, how writers take turns, and
//! where the bytes of bots are. Not here: what a call promises, which its trait says (`accounts.rs` and its siblings).

mod accounts;
mod appends;
mod audit;
mod bots;
pub(crate) mod connection;
mod contests;
mod copy;
mod counters;
mod deletion;
pub(crate) mod error;
mod folders;
mod games;
mod gates;
mod logs;
pub(crate) mod migrations;
pub(crate) mod modules;
mod names;
mod operations;
mod people;
pub(crate) mod problems;
mod queue;
mod rooms;
mod rows;
mod secrets;
mod shared;
mod tokens;
mod tombstones;
mod versions;
mod worlds;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_clock::Clock;
use arena_record::Hex;
use async_trait::async_trait;

use crate::shared::Notifiers;
use crate::{BotId, BotName, Limits, ServerId, StoreError, Upkeep};
use appends::Appends;
use connection::{Connection, Counts, query};
pub use copy::{Copied, CopyError, Inspection};
use error::Stored;
use modules::Modules;

/// A store in tables.
pub struct SqlStore<E> {
    pub(crate) engine: E,
    pub(crate) limits: Limits,
    clock: Clock,
    asked: AtomicU64,
    counts: Arc<Counts>,
    appends: Appends,
}

/// A database.
#[async_trait]
pub trait Engine: Send + Sync + 'static {
    /// A connection that can only read.
    async fn reader(&self) -> Result<Connection, StoreError>;

    /// A reading connection in a transaction: everything is read at one moment.
    async fn reading(&self) -> Result<Connection, StoreError>;

    /// Begins to write once all earlier writes are done. Uncommitted changes are rolled back on drop.
    ///
    /// The connection has the database's write lock, against this and all other processes, before it reads anything: what a transaction
    /// read still holds when it writes. Limits and places in logs rely on it.
    async fn writing(&self) -> Result<Connection, StoreError>;

    /// Checks that the disk has room for something new.
    fn has_room(&self, limits: &Limits) -> Result<(), StoreError>;

    /// Where the bytes of bots are.
    fn modules(&self) -> &Modules;

    /// The notifications that ring when another process writes; `None` if no other can.
    fn notifiers(&self) -> Option<&Notifiers> {
        None
    }

    /// The id of this process, where others may write, too.
    fn server(&self) -> ServerId {
        ServerId(Hex([0; 16]))
    }

    /// Whether a connection to write with answers, where it is one of its own to another machine.
    async fn answers_writers(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Waits for work in progress and closes all connections.
    async fn close(&self);
}

impl<E: Engine> SqlStore<E> {
    /// The store in a database whose tables are up to date.
    pub(crate) async fn over(engine: E, limits: Limits) -> Result<SqlStore<E>, StoreError> {
        let store = SqlStore::over_read_only(engine, limits);
        store.fill_bot_name_keys().await?;
        Ok(store)
    }

    /// The same for a database that cannot be written.
    pub(crate) fn over_read_only(engine: E, limits: Limits) -> SqlStore<E> {
        let (asked, counts, appends) = (AtomicU64::new(0), Arc::default(), Appends::default());
        SqlStore { engine, limits, clock: Clock::system(), asked, counts, appends }
    }

    /// The same store, whose leases end by a test's clock instead of the database's.
    pub fn with_clock(self, clock: Clock) -> SqlStore<E> {
        SqlStore { clock, ..self }
    }

    fn has_room(&self) -> Result<(), StoreError> {
        self.engine.has_room(&self.limits)
    }

    pub(crate) async fn reader(&self) -> Result<Connection, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.engine.reader().await?.of_store(&self.counts, &self.clock))
    }

    async fn reading(&self) -> Result<Connection, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.engine.reading().await?.of_store(&self.counts, &self.clock))
    }

    pub(crate) async fn writing(&self) -> Result<Connection, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.counts.noting(self.engine.writing().await)?.of_store(&self.counts, &self.clock))
    }

    /// Notes the looks of bots' names from before they were checked. If several names look alike, the oldest bot gets the looks; the
    /// others keep their names.
    async fn fill_bot_name_keys(&self) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        let bots: Vec<(i64, String)> = query(
            "select id, name from bots b where not exists (select 1 from bot_name_keys k where k.bot = b.id) order by id",
        )
        .fetch_all(&mut writing)
        .await
        .stored()?;
        for (id, name) in bots {
            names::claim_look(&mut writing, BotId(id), &BotName::stored(name)).await?;
        }
        writing.commit().await.stored()
    }
}

#[async_trait]
impl<E: Engine> Upkeep for SqlStore<E> {
    async fn ping(&self) -> Result<(), StoreError> {
        query("select 1").exists(&mut self.reader().await?).await.stored().map(drop)
    }

    async fn is_ready(&self) -> Result<(), StoreError> {
        self.ping().await?;
        self.engine.answers_writers().await
    }

    async fn problems(&self) -> Result<Vec<String>, StoreError> {
        problems::problems(&mut self.reading().await?, self.engine.modules()).await
    }

    fn has_space(&self) -> Result<(), StoreError> {
        self.has_room()
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    fn statements(&self) -> u64 {
        self.counts.statements.load(Ordering::Relaxed)
    }

    fn failed_writes(&self) -> u64 {
        self.counts.failed_writes.load(Ordering::Relaxed)
    }

    async fn close(self: Arc<Self>) {
        self.engine.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteStore;

    #[tokio::test]
    async fn connections_are_counted_and_the_statements_over_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(folder.path()).await.expect("a store");
        let (asked, statements) = (store.asked(), store.statements());
        let mut reading = store.reading().await.expect("a reader");
        for _ in 0..3 {
            assert!(query("select 1").exists(&mut reading).await.expect("an answer"));
        }
        assert_eq!((store.asked() - asked, store.statements() - statements), (1, 3));
    }
}
