//! Opening and closing, and the two ways into the database: one connection that writes, some that read.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sqlx::migrate::MigrateError;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Sqlite, Transaction};

use crate::blobs::Blobs;
use crate::error::Database;
use crate::limits::READERS;
use crate::migrations::migrator;
use crate::{Limits, StoreError};

/// The oldest SQLite that is trusted: all before it can damage a database in WAL mode when two connections write and
/// checkpoint at once.
///
/// Source: <https://sqlite.org/wal.html#walresetbug>
const SQLITE_MIN: [u32; 3] = [3, 51, 3];

/// Everything a server remembers. Cheap to clone; all clones are one store.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    limits: Limits,
    writer: SqlitePool,
    readers: SqlitePool,
    blobs: Blobs,
    /// Released by the kernel when the process dies, and here after everything above is gone.
    _lock: File,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it, or this one has it already.
    #[error("{0} is in use by another process")]
    Busy(PathBuf),
    /// The folder cannot be used.
    #[error("cannot use the folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A later release has written here.
    #[error("{0} was written by a later release; use that one")]
    Newer(PathBuf),
    /// The database of this build is older than what is safe, or does not do what it is told.
    #[error("this build's database cannot be trusted: {0}")]
    Engine(String),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Opens the store in the folder `path`, or starts one there, with the usual limits.
    ///
    /// ```text
    /// lock             held while the store is open
    /// arena.db         the database; arena.db-wal and arena.db-shm are parts of it
    /// blobs/           bytes of bots, each file named by its SHA-256
    /// ```
    ///
    /// # Errors
    /// When another process has it open, or the folder or the database cannot be used.
    pub async fn open(path: &Path) -> Result<Store, OpenError> {
        Store::open_with(path, Limits::DEFAULT).await
    }

    /// Like [`Store::open`], with limits of one's own.
    ///
    /// # Errors
    /// As there.
    pub async fn open_with(path: &Path, limits: Limits) -> Result<Store, OpenError> {
        let (lock, blobs) = open_folder(path)?;
        let wait = Duration::from_millis(limits.wait_ms_max);
        let options = connect_options(&path.join("arena.db"), wait);
        // When the disk fails, SQLite ends a transaction on its own and sqlx goes on counting it as open. Such a
        // connection would refuse every later one, so it is thrown away. The test before it, which is on unless it is
        // switched off, waits until a rollback that is under way is done.
        let pool = SqlitePoolOptions::new()
            .acquire_timeout(wait)
            .idle_timeout(None)
            .max_lifetime(None)
            .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }));
        let writer = pool.clone().max_connections(1).connect_with(options.clone()).await.stored()?;
        verify_engine(&writer).await?;
        migrator().run(&writer).await.map_err(|error| migration_error(error, path))?;
        let readers = pool
            .max_connections(READERS)
            .connect_with(options.create_if_missing(false).pragma("query_only", "ON"))
            .await
            .stored()?;
        Ok(Store(Arc::new(Inner { limits, writer, readers, blobs, _lock: lock })))
    }

    /// Waits for what is under way and closes the store, whatever clones there are: their calls are `Unavailable` from
    /// now on. The folder can be opened again when the last clone is dropped.
    pub async fn close(self) {
        self.0.readers.close().await;
        self.0.writer.close().await;
    }

    /// Reads the whole database and tells everything that is wrong with it: nothing, when all is well. Takes as long as
    /// the database is large; meant for tests, backups and suspicions.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub async fn problems(&self) -> Result<Vec<String>, StoreError> {
        let mut reader = self.reader().await?;
        let lines: Vec<(String,)> = sqlx::query_as("pragma integrity_check").fetch_all(&mut *reader).await.stored()?;
        let mut problems: Vec<String> = lines.into_iter().map(|(line,)| line).filter(|line| line != "ok").collect();
        let orphans = sqlx::query("pragma foreign_key_check").fetch_all(&mut *reader).await.stored()?;
        if !orphans.is_empty() {
            problems.push(format!("{} rows name others that are not there", orphans.len()));
        }
        Ok(problems)
    }

    /// Whether the database answers, for a health check.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1").execute(&mut *self.reader().await?).await.stored().map(|_| ())
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.0.blobs
    }

    /// A connection that can only read.
    pub(crate) async fn reader(&self) -> Result<PoolConnection<Sqlite>, StoreError> {
        self.0.readers.acquire().await.stored()
    }

    /// Starts to write, when all earlier writes are done. What is not committed is undone when it is dropped.
    ///
    /// `IMMEDIATE` takes the lock before anything is read: what a transaction saw still holds when it writes.
    pub(crate) async fn writing(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        self.0.writer.begin_with("BEGIN IMMEDIATE").await.stored()
    }
}

/// How long a folder may stay locked by nobody who uses it: a process that was being started when its parent was killed holds
/// what the parent held until its own program runs.
const LOCK_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const LOCK_AGAIN: Duration = Duration::from_millis(10);

/// Everything but the database.
fn open_folder(path: &Path) -> Result<(File, Blobs), OpenError> {
    let unusable = |source| OpenError::Folder { path: path.into(), source };
    if !path.exists() {
        let mut folder = fs::DirBuilder::new();
        // Seeds of games that are still played are in it: for its owner only.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.recursive(true).create(path).map_err(unusable)?;
    }
    let lock = File::create(path.join("lock")).map_err(unusable)?;
    let deadline = Instant::now() + LOCK_WAIT;
    loop {
        match lock.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_AGAIN),
            Err(TryLockError::WouldBlock) => return Err(OpenError::Busy(path.into())),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
    }
    let blobs = Blobs::open(path.join("blobs")).map_err(unusable)?;
    Ok((lock, blobs))
}

fn connect_options(file: &Path, wait: Duration) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        // Readers and the writer do not wait for each other. Default: DELETE, where they do.
        .journal_mode(SqliteJournalMode::Wal)
        // A commit waits for the disk, so that it survives a power cut. NORMAL would only survive a kill.
        .synchronous(SqliteSynchronous::Full)
        // SQLite's default is off.
        .foreign_keys(true)
        // SQLite's default is not to wait at all. Matters when a person looks at the file with another program.
        .busy_timeout(wait)
        // A failing disk is then an error and not a signal that kills the process.
        .pragma("mmap_size", "0")
        // Nothing in the file's schema may call functions: the file may come from a backup.
        .pragma("trusted_schema", "OFF")
}

/// Asserts what the rest relies on, from the connection itself.
async fn verify_engine(writer: &SqlitePool) -> Result<(), OpenError> {
    let (version,): (String,) = sqlx::query_as("select sqlite_version()").fetch_one(writer).await.stored()?;
    if !at_least(&version, SQLITE_MIN) {
        return Err(OpenError::Engine(format!("SQLite {version} is too old")));
    }
    let (journal,): (String,) = sqlx::query_as("pragma journal_mode").fetch_one(writer).await.stored()?;
    let (synchronous,): (i64,) = sqlx::query_as("pragma synchronous").fetch_one(writer).await.stored()?;
    let (foreign_keys,): (i64,) = sqlx::query_as("pragma foreign_keys").fetch_one(writer).await.stored()?;
    match (journal.as_str(), synchronous, foreign_keys) {
        ("wal", 2, 1) => Ok(()),
        state => Err(OpenError::Engine(format!("its settings are {state:?}"))),
    }
}

/// Whether a version such as `3.51.3` is not older than `min`. A text that is no version is older than any.
fn at_least(version: &str, min: [u32; 3]) -> bool {
    let numbers: Option<Vec<u32>> = version.split('.').map(|number| number.parse().ok()).collect();
    numbers.is_some_and(|numbers| numbers.as_slice() >= min.as_slice())
}

fn migration_error(error: MigrateError, path: &Path) -> OpenError {
    match error {
        MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => OpenError::Newer(path.into()),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            StoreError::of_database(error).into()
        }
        error => StoreError::damaged(error).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DisplayName, RoomId, UnixSeconds};

    const NOW: UnixSeconds = UnixSeconds(1_000_000);

    #[test]
    fn versions_are_compared_as_numbers() {
        for new in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            assert!(at_least(new, SQLITE_MIN), "{new}");
        }
        for old in ["3.51.2", "3.9.9", "2.99.99", "3.51", "", "3.x.3"] {
            assert!(!at_least(old, SQLITE_MIN), "{old}");
        }
    }

    #[tokio::test]
    async fn a_database_of_another_release_is_not_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("a store");
        let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                     values (9999, 'later', true, x'00', 0)";
        sqlx::query(newer).execute(&store.0.writer).await.expect("a row");
        store.close().await;
        let opened = Store::open(folder.path()).await;
        assert!(matches!(opened, Err(OpenError::Newer(_))), "{:?}", opened.err());
        let file = SqlitePool::connect_with(connect_options(&folder.path().join("arena.db"), Duration::from_secs(5)));
        let file = file.await.expect("a connection");
        sqlx::query("delete from _sqlx_migrations where version = 9999").execute(&file).await.expect("a row");
        sqlx::query("update _sqlx_migrations set checksum = x'00'").execute(&file).await.expect("a row");
        file.close().await;
        let opened = Store::open(folder.path()).await;
        assert!(matches!(opened, Err(OpenError::Store(StoreError::Damaged(_)))), "{:?}", opened.err());
    }

    #[tokio::test]
    async fn readers_cannot_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("a store");
        let mut reader = store.reader().await.expect("a reader");
        let written = sqlx::query("delete from accounts").execute(&mut *reader).await;
        assert!(matches!(written.stored(), Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn a_full_disk_is_unavailable_and_heals() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("a store");
        let room = RoomId::random().expect("an id");
        store.create_room(&room, "{}", NOW).await.expect("a room");
        // No page more than there are: the next write that needs one is told that the disk is full.
        sqlx::query("pragma max_page_count = 1").execute(&store.0.writer).await.expect("a pragma");
        let event = "x".repeat(8_000);
        let mut seq = 1;
        let error = loop {
            match store.append(&room, seq, &event).await {
                Ok(_) => seq += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, crate::RoomError::Store(StoreError::Unavailable(_))), "{error:?}");
        let read = store.room(&room).await.expect("reads go on").expect("the room");
        assert_eq!(read.events.len() as u32, seq);
        sqlx::query("pragma max_page_count = 1000000").execute(&store.0.writer).await.expect("a pragma");
        store.append(&room, seq, &event).await.expect("there is room again");
        assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    }

    #[tokio::test]
    async fn a_write_that_waits_too_long_is_unavailable() {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::open_with(folder.path(), Limits { wait_ms_max: 50, ..Limits::DEFAULT }).await.expect("a store");
        let name = DisplayName::parse("patient").expect("a name");
        let busy = store.writing().await.expect("the only writer");
        let error = store.create_account(&name, NOW).await.expect_err("busy");
        assert!(matches!(error, crate::AccountError::Store(StoreError::Unavailable(_))), "{error:?}");
        drop(busy);
        // The same from another program that holds the file's lock.
        let other = connect_options(&folder.path().join("arena.db"), Duration::ZERO);
        let other = SqlitePoolOptions::new().max_connections(1).connect_with(other).await.expect("a connection");
        let foreign = other.begin_with("BEGIN IMMEDIATE").await.expect("the lock");
        let error = store.create_account(&name, NOW).await.expect_err("busy");
        assert!(matches!(error, crate::AccountError::Store(StoreError::Unavailable(_))), "{error:?}");
        foreign.rollback().await.expect("a rollback");
        other.close().await;
        store.create_account(&name, NOW).await.expect("free again");
    }
}
