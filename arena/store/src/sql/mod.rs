//! The store: what it promises, and how it takes connections of its database. Below: what is asked of it, one file for
//! each subject, with statements that are the same for both databases; and the databases, `sqlite` and `postgres`,
//! which differ in opening, in how writers take turns, and in where the bytes of bots are.

mod accounts;
mod appends;
mod audit;
mod bots;
mod columns;
mod connection;
mod contests;
mod copy;
mod counters;
mod deletion;
mod error;
mod folders;
mod games;
mod gates;
mod logs;
mod migrations;
mod modules;
mod names;
mod operations;
mod people;
mod postgres;
mod problems;
mod queue;
mod rooms;
mod rows;
mod secrets;
mod shared;
mod sqlite;
mod tokens;
mod tombstones;
mod versions;
mod workers;
mod worlds;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_clock::Clock;
use arena_record::Hex;

use crate::error::Result;
use crate::probe::{Event, Probe};
use crate::shared::Notifiers;
use crate::{BotId, BotName, Limits, ServerId, StoreError};
use appends::Appends;
use connection::{Connection, Query, query};
pub use copy::{Copied, CopyError, Inspection};
use modules::Modules;
pub use postgres::ConnectError;
use postgres::PostgresDatabase;
pub use sqlite::OpenError;
use sqlite::SqliteDatabase;

/// Everything that a server remembers, in a database: SQLite's in a [folder](Store::open), that of a
/// [PostgreSQL server](Store::connect), or one [in memory](Store::in_memory).
///
/// # What it promises
///
/// Each method says what it does. The following holds for all of them, among tasks of one process and, where several
/// processes share a database, among processes:
///
/// - **Atomic.** A call writes everything or nothing. A refused call has written nothing.
/// - **Durable.** `Ok` means that the write survives the process, except of a store in memory.
/// - **In some order.** The result of concurrent writes is that of the same calls made one after another. A limit is
///   checked in the same step that uses it up, so no number of callers exceeds it; a number that is given out, such as
///   a version's, is given once and leaves no gap.
/// - **Read your writes.** A read sees every write that returned before it began, by any caller. What one call
///   returns is of one moment; two pages of a list may be of two moments, but no row is in both.
/// - **Repeatable.** After [`StoreError`], or when a future was dropped before it was done, the call may or may not
///   have taken effect. A caller that must know repeats it: each subject says which repetitions change nothing.
///
/// Time is what callers say it is. Clocks of several processes may differ, so no method relies on `now` increasing.
/// Only leases of games and duties expire by the database's single clock.
/// Numbers of accounts and bots increase, and may leave gaps.
pub struct Store {
    database: Database,
    limits: Limits,
    clock: Clock,
    counts: Arc<Counts>,
    appends: Appends,
}

/// What a store has done since it was opened.
#[derive(Default)]
struct Counts {
    /// Connections that were asked for.
    asked: AtomicU64,
    /// Statements that were sent.
    statements: AtomicU64,
    /// Changes that failed: nothing of them was kept.
    failed_writes: AtomicU64,
    probe: Option<Probe>,
}

impl Counts {
    /// Counts a change that failed, and passes the result on.
    fn noting<T, E>(&self, written: Result<T, E>) -> Result<T, E> {
        if written.is_err() {
            self.failed_writes.fetch_add(1, Ordering::Relaxed);
        }
        written
    }

    /// Shows an event to a test, if one watches.
    fn show(&self, event: Event<'_>) -> Result<()> {
        self.probe.as_ref().map_or(Ok(()), |probe| probe(event))
    }
}

impl Store {
    /// The store in a database whose tables are up to date.
    async fn over(database: Database, limits: Limits) -> Result<Store> {
        let store = Store::over_read_only(database, limits);
        store.fill_bot_name_keys().await?;
        Ok(store)
    }

    /// The same for a database that cannot be written.
    fn over_read_only(database: Database, limits: Limits) -> Store {
        Store { database, limits, clock: Clock::system(), counts: Arc::default(), appends: Appends::default() }
    }

    /// The same store, whose leases end by a test's clock instead of the database's.
    pub fn with_clock(self, clock: Clock) -> Store {
        Store { clock, ..self }
    }

    /// The same store, watched and disturbed by a test. Its counts begin again.
    pub fn with_probe(self, probe: Probe) -> Store {
        Store { counts: Arc::new(Counts { probe: Some(probe), ..Counts::default() }), ..self }
    }

    /// A connection that can only read. Boxed like its kin, as statements are.
    async fn reader(&self) -> Result<Connection> {
        self.note_asked()?;
        Ok(Box::pin(self.database.reader()).await?.of_store(&self.counts, &self.clock))
    }

    /// A reading connection in a transaction: everything is read at one moment.
    async fn reading(&self) -> Result<Connection> {
        self.note_asked()?;
        Ok(Box::pin(self.database.reading()).await?.of_store(&self.counts, &self.clock))
    }

    /// Begins to write once all earlier writes are done. Uncommitted changes are rolled back on drop.
    ///
    /// The connection has the database's write lock, against this and all other processes, before it reads anything:
    /// what a transaction read still holds when it writes. Limits and places in logs rely on it.
    async fn writing(&self) -> Result<Connection> {
        self.note_asked()?;
        Ok(self.counts.noting(Box::pin(self.database.writing()).await)?.of_store(&self.counts, &self.clock))
    }

    /// Executes one statement in a transaction of its own; how many rows it changed.
    async fn execute(&self, statement: Query) -> Result<u64> {
        let mut writing = self.writing().await?;
        let changed = statement.execute(&mut writing).await?;
        writing.commit().await?;
        Ok(changed)
    }

    fn note_asked(&self) -> Result<()> {
        self.counts.asked.fetch_add(1, Ordering::Relaxed);
        self.counts.show(Event::Asked)
    }

    /// Notes the looks of bots' names from before they were checked. If several names look alike, the oldest bot gets
    /// the looks; the others keep their names.
    async fn fill_bot_name_keys(&self) -> Result<()> {
        let mut writing = self.writing().await?;
        let bots: Vec<(BotId, BotName)> = query(
            "select id, name from bots b where not exists (select 1 from bot_name_keys k where k.bot = b.id) order by id",
        )
        .fetch_all(&mut writing)
        .await?;
        for (id, name) in bots {
            names::claim_look(&mut writing, id, &name).await?;
        }
        writing.commit().await
    }
}

/// Health checks, and closing.
impl Store {
    /// Whether the store answers, for a health check.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<()> {
        query("select 1").exists(&mut self.reader().await?).await.map(drop)
    }

    /// Whether the store answers those who read and those who write, for a proxy that asks where to send visitors.
    ///
    /// # Errors
    /// When it does not.
    pub async fn is_ready(&self) -> Result<()> {
        self.ping().await?;
        self.database.answers_writers().await
    }

    /// Reads everything and lists the problems found; none if all is well. The time grows with the size of the store;
    /// meant for tests, backups and suspicions.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub async fn problems(&self) -> Result<Vec<String>> {
        problems::problems(&mut self.reading().await?, self.database.modules()).await
    }

    /// Checks that the disk has room for something new. Without room nothing new is accepted, and tournaments do not
    /// start.
    ///
    /// # Errors
    /// [`NoSpace`](StoreError::NoSpace) when not.
    pub fn has_space(&self) -> Result<()> {
        self.counts.show(Event::Space)?;
        self.database.has_space(&self.limits)
    }

    /// The same, for a decision.
    fn space_left(&self) -> Result<bool> {
        match self.has_space() {
            Err(StoreError::NoSpace) => Ok(false),
            has_space => has_space.map(|()| true),
        }
    }

    /// How many times it was asked to read or write since it was opened, for figures. Each call of a method counts at
    /// least once.
    pub fn asked(&self) -> u64 {
        self.counts.asked.load(Ordering::Relaxed)
    }

    /// How many statements it sent to its database since it was opened, without those that begin and end a transaction.
    pub fn statements(&self) -> u64 {
        self.counts.statements.load(Ordering::Relaxed)
    }

    /// How many changes failed since it was opened; nothing of them was kept.
    pub fn failed_writes(&self) -> u64 {
        self.counts.failed_writes.load(Ordering::Relaxed)
    }

    /// Waits for work in progress and closes the store for everybody in this process who holds it: later calls fail as
    /// [`Unavailable`](StoreError::Unavailable). Its resources are freed when the last handle is dropped.
    pub async fn close(self: Arc<Self>) {
        self.database.close().await;
    }
}

/// The database of a store.
enum Database {
    Sqlite(SqliteDatabase),
    Postgres(PostgresDatabase),
}

impl Database {
    async fn reader(&self) -> Result<Connection> {
        match self {
            Database::Sqlite(database) => database.reader().await,
            Database::Postgres(database) => database.reader().await,
        }
    }

    async fn reading(&self) -> Result<Connection> {
        match self {
            Database::Sqlite(database) => database.reading().await,
            Database::Postgres(database) => database.reading().await,
        }
    }

    async fn writing(&self) -> Result<Connection> {
        match self {
            Database::Sqlite(database) => database.writing().await,
            Database::Postgres(database) => database.writing().await,
        }
    }

    fn has_space(&self, limits: &Limits) -> Result<()> {
        match self {
            Database::Sqlite(database) => database.has_space(limits),
            Database::Postgres(database) => database.has_space(limits),
        }
    }

    /// Where the bytes of bots are.
    fn modules(&self) -> &Modules {
        match self {
            Database::Sqlite(database) => &database.modules,
            Database::Postgres(_) => &Modules::Rows,
        }
    }

    /// Whether it has tables for folders of tournaments.
    fn keeps_folders(&self) -> bool {
        match self {
            Database::Sqlite(database) => database.is_in_memory(),
            Database::Postgres(_) => true,
        }
    }

    /// Whether other processes may write.
    fn is_shared(&self) -> bool {
        matches!(self, Database::Postgres(_))
    }

    fn notifiers(&self) -> &Notifiers {
        match self {
            Database::Sqlite(database) => &database.notifiers,
            Database::Postgres(database) => &database.notifiers,
        }
    }

    /// The id of this process; zeros where no other may write.
    fn server(&self) -> ServerId {
        match self {
            Database::Sqlite(_) => ServerId(Hex([0; 16])),
            Database::Postgres(database) => database.server,
        }
    }

    /// Whether a connection to write with answers, where it is one of its own to another machine.
    async fn answers_writers(&self) -> Result<()> {
        match self {
            Database::Sqlite(_) => Ok(()),
            Database::Postgres(database) => database.answers_writers().await,
        }
    }

    /// Waits for work in progress and closes all connections.
    async fn close(&self) {
        match self {
            Database::Sqlite(database) => database.close().await,
            Database::Postgres(database) => database.close().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_are_counted_and_the_statements_over_them() {
        let store = Store::in_memory(Limits::DEFAULT).await.expect("a store");
        let (asked, statements) = (store.asked(), store.statements());
        let mut reading = store.reading().await.expect("a reader");
        for _ in 0..3 {
            assert!(query("select 1").exists(&mut reading).await.expect("an answer"));
        }
        assert_eq!((store.asked() - asked, store.statements() - statements), (1, 3));
    }

    #[tokio::test]
    async fn a_closed_store_is_closed_for_all() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        store.ping().await.expect("it answers");
        assert_eq!(store.problems().await.expect("read"), [""; 0]);
        store.clone().close().await;
        assert!(matches!(store.ping().await, Err(StoreError::Unavailable(_))));
    }
}
