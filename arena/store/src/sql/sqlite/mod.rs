//! The store in a folder, with SQLite: opening and closing, and the connections to the database, one that writes and
//! some that read. Not here: statements, which are the same for both databases (`sql`).

mod copy;

use std::cmp::Ordering;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::AssertSqlSafe;
use sqlx::Connection as _;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use crate::blobs::Blobs;
use crate::error::Result;
use crate::shared::Notifiers;
use crate::sql::Database;
use crate::sql::connection::{Connection, Held};
use crate::sql::error::Stored;
use crate::sql::migrations::{self, Step, latest, migrator};
use crate::sql::modules::Modules;
use crate::{Limits, Store, StoreError, space};

/// The name of the database's file.
const DATABASE: &str = "arena.db";
/// SQLite's write-ahead log.
const DATABASE_LOG: &str = "arena.db-wal";

/// Reading connections. Reads take well under a millisecond, and more readers would compete for the same two to eight
/// cores.
const READERS: u32 = 4;

/// The steps to the current tables.
const STEPS: &[Step] = migrations::SQLITE;
/// The version of the current tables.
const LATEST: i64 = latest(STEPS);

/// The tables that a database in memory has besides: what is in files elsewhere, or at a server alone.
const IN_MEMORY: &str = "
create table modules (entrant text primary key, bytes blob not null);
create table kept_folders (name text primary key, version bigint not null, cuts bigint not null default 0);
create table kept_pieces (hash text primary key, content blob not null);
create table kept_files (
    folder text not null references kept_folders (name) on delete cascade,
    file text not null,
    piece bigint not null,
    hash text not null references kept_pieces (hash),
    bytes bigint not null,
    primary key (folder, file, piece)
);
create table kept_lines (
    folder text not null references kept_folders (name) on delete cascade,
    line bigint not null,
    label text not null,
    hash text not null,
    bytes bigint not null,
    primary key (folder, line)
);";

/// How long a caller waits for the only connection to a database in memory. A test's time may jump while it waits.
const PATIENCE_IN_MEMORY: Duration = Duration::from_hours(100_000);

/// The oldest SQLite that is accepted: earlier ones can damage a database in WAL mode when two connections write and
/// checkpoint at the same time.
///
/// Source: <https://sqlite.org/wal.html#walresetbug>
const SQLITE_MIN: [u32; 3] = [3, 51, 3];

/// A database in a folder, or in memory.
///
/// A folder has the database, the bytes of bots as files named by their hash, and a lock. One process has it open at a
/// time. The promises of [`Store`] do not depend on that: every write is a transaction that takes the database's write
/// lock before it reads. So what it read still holds when it commits, whatever other connections there are.
pub(crate) struct SqliteDatabase {
    writer: SqlitePool,
    /// In memory the writer, which has the only connection.
    readers: SqlitePool,
    pub(crate) modules: Modules,
    /// Heard by this process alone.
    pub(crate) notifiers: Notifiers,
    /// `None` in memory. Dropped after all fields above.
    folder: Option<Folder>,
}

struct Folder {
    path: PathBuf,
    /// Released by the kernel when the process dies.
    _lock: File,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open, or this one has.
    #[error("{0} is in use by another process")]
    Busy(PathBuf),
    /// The folder cannot be used.
    #[error("cannot use the folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A later release has written to it.
    #[error("{0} was written by a later release; use that one")]
    Newer(PathBuf),
    /// This build's SQLite is too old to be safe; its version.
    #[error("this build's SQLite {0} is too old to be trusted")]
    EngineTooOld(String),
    /// The folder is read-only, and its content cannot be read like that.
    #[error("{path} is read-only, and {why}")]
    ReadOnly {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: &'static str,
    },
    /// The database ignored a setting.
    #[error(
        "this build's SQLite has other settings: journal {journal}, synchronous {synchronous}, foreign keys {foreign_keys}"
    )]
    EngineSettings {
        /// Its journal mode.
        journal: String,
        /// Its synchronous mode.
        synchronous: i64,
        /// Whether it checks foreign keys.
        foreign_keys: i64,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Opens the store in the folder `path`, or creates one there, with the usual limits. If the folder is read-only
    /// its content is served, and every write fails as [`Unavailable`](StoreError::Unavailable).
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

    /// Like [`Store::open`], with other limits.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_with(path: &Path, limits: Limits) -> Result<Store, OpenError> {
        let (lock, blobs) = match open_folder(path) {
            Err(OpenError::Folder { source, .. }) if arena_files::is_read_only(&source) => {
                return Store::read_only(path, limits).await;
            }
            opened => opened?,
        };
        connect(path, limits, lock, blobs).await
    }

    /// Whether there is a store in a folder.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(DATABASE).exists()
    }

    /// Opens the store in a read-only folder.
    async fn read_only(path: &Path, limits: Limits) -> Result<Store, OpenError> {
        let no_use = |why| OpenError::ReadOnly { path: path.into(), why };
        let lock = arena_files::open(&path.join("lock")).map_err(|_| no_use("there is no site in it"))?;
        lock_folder(&lock, path)?;
        let file = path.join(DATABASE);
        // Set if the last process was killed before it moved its writes from the log into the database's file.
        let log = fs::metadata(path.join(DATABASE_LOG)).map_or(0, |log| log.len());
        let options = SqliteConnectOptions::new().filename(&file).read_only(true).immutable(log == 0);
        let pool = SqlitePoolOptions::new().acquire_timeout(wait(&limits)).idle_timeout(None).max_lifetime(None);
        let writer = pool.clone().max_connections(1).connect_with(options.clone()).await.stored()?;
        let mut connection = Connection::sqlite(Held::Alone(writer.acquire().await.stored()?));
        match migrations::version(&mut connection).await?.cmp(&LATEST) {
            Ordering::Equal => drop(connection),
            Ordering::Less => {
                return Err(no_use("an earlier release wrote there: it has to be written to be read"));
            }
            Ordering::Greater => return Err(OpenError::Newer(path.into())),
        }
        let readers = pool.max_connections(READERS).connect_with(options).await.stored()?;
        let (modules, notifiers) = (Modules::Files(Blobs::at(path.join("blobs"))), Notifiers::default());
        let folder = Some(Folder { path: path.into(), _lock: lock });
        Ok(Store::over_read_only(
            Database::Sqlite(SqliteDatabase { writer, readers, modules, notifiers, folder }),
            limits,
        ))
    }

    /// An empty store in memory, for tests. It ends with its last handle. Unlike one in a folder it keeps folders of
    /// tournaments, as one at a server does.
    ///
    /// # Errors
    /// When SQLite cannot be used.
    pub async fn in_memory(limits: Limits) -> Result<Store, OpenError> {
        // One connection has the whole database, so nothing ends it but its pool.
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.acquire_timeout(PATIENCE_IN_MEMORY).test_before_acquire(false);
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        let writer = pool.connect_with(options).await.stored()?;
        let steps = STEPS.iter().map(|(_, _, text)| *text).chain([IN_MEMORY]);
        sqlx::raw_sql(AssertSqlSafe(steps.collect::<String>())).execute(&writer).await.stored()?;
        let (folder, readers, modules) = (None, writer.clone(), Modules::Rows);
        let notifiers = Notifiers::default();
        Ok(Store::over(Database::Sqlite(SqliteDatabase { writer, readers, modules, notifiers, folder }), limits)
            .await?)
    }
}

async fn connect(path: &Path, limits: Limits, lock: File, blobs: Blobs) -> Result<Store, OpenError> {
    let wait = wait(&limits);
    let options = connect_options(&path.join(DATABASE), wait);
    // When the disk fails, SQLite ends a transaction by itself, but sqlx still counts it as open. Such a connection
    // would refuse every later transaction, so it is discarded. The test before it, which is on by default, waits until
    // a rollback in progress is done.
    let pool = SqlitePoolOptions::new()
        .acquire_timeout(wait)
        .idle_timeout(None)
        .max_lifetime(None)
        .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }));
    // One connection, so that writers of this process queue here, in order. At the file's lock they would have to poll.
    let writer = pool.clone().max_connections(1).connect_with(options.clone()).await.stored()?;
    verify_engine(&writer).await?;
    migrator(STEPS).run(&writer).await.map_err(|error| migration_error(error, path))?;
    let readers = pool
        .max_connections(READERS)
        .connect_with(options.create_if_missing(false).pragma("query_only", "ON"))
        .await
        .stored()?;
    let folder = Some(Folder { path: path.into(), _lock: lock });
    let (modules, notifiers) = (Modules::Files(blobs), Notifiers::default());
    Ok(Store::over(Database::Sqlite(SqliteDatabase { writer, readers, modules, notifiers, folder }), limits).await?)
}

impl SqliteDatabase {
    pub(crate) async fn reader(&self) -> Result<Connection> {
        Ok(Connection::sqlite(Held::Alone(self.readers.acquire().await.stored()?)))
    }

    pub(crate) async fn reading(&self) -> Result<Connection> {
        Ok(Connection::sqlite(Held::Within(self.readers.begin().await.stored()?)))
    }

    /// `IMMEDIATE` takes the database's write lock, against this and all other processes, before anything is read.
    pub(crate) async fn writing(&self) -> Result<Connection> {
        Ok(Connection::sqlite(Held::Within(self.writer.begin_with("BEGIN IMMEDIATE").await.stored()?)))
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.folder.is_none()
    }

    pub(crate) fn has_space(&self, limits: &Limits) -> Result<()> {
        self.folder.as_ref().map_or(Ok(()), |folder| space::on_disk(&folder.path, limits.free_disk_bytes_min))
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Opens the parts that are not the database.
fn open_folder(path: &Path) -> Result<(File, Blobs), OpenError> {
    let unusable = |source| OpenError::Folder { path: path.into(), source };
    if !path.exists() {
        let mut folder = fs::DirBuilder::new();
        // For the owner only: it contains seeds of games in progress.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.recursive(true).create(path).map_err(unusable)?;
    }
    let lock =
        arena_files::open_with(File::options().write(true).create(true), &path.join("lock")).map_err(unusable)?;
    lock_folder(&lock, path)?;
    match be_file(&path.join(DATABASE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
        _ => {}
    }
    let blobs = Blobs::open(path.join("blobs")).map_err(unusable)?;
    Ok((lock, blobs))
}

/// Refuses a database that is not a file: SQLite would wait for a pipe. It is not opened here, because closing it again
/// would release the locks that this process has on it.
fn be_file(database: &Path) -> io::Result<()> {
    let is_file = fs::metadata(database)?.is_file();
    if is_file { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, arena_files::NotAFile)) }
}

/// Takes the lock that excludes other processes.
fn lock_folder(lock: &File, path: &Path) -> Result<(), OpenError> {
    arena_files::lock(lock).map_err(|error| match error {
        TryLockError::WouldBlock => OpenError::Busy(path.into()),
        TryLockError::Error(source) => OpenError::Folder { path: path.into(), source },
    })
}

/// How long a connection waits for another one.
fn wait(limits: &Limits) -> Duration {
    Duration::from_millis(limits.wait_ms_max)
}

fn connect_options(file: &Path, wait: Duration) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        // Readers and the writer do not block each other. Default: DELETE, where they do.
        .journal_mode(SqliteJournalMode::Wal)
        // A commit waits for the disk, so it survives a power failure. NORMAL would survive only a kill.
        .synchronous(SqliteSynchronous::Full)
        // SQLite's default is off.
        .foreign_keys(true)
        // SQLite's default is not to wait. This matters when a person opens the file in another program.
        .busy_timeout(wait)
        // Makes a failing disk an error instead of a signal that kills the process.
        .pragma("mmap_size", "0")
        // Functions in the file's schema are not called: the file may come from a backup.
        .pragma("trusted_schema", "OFF")
}

/// Checks on the connection itself what the rest relies on.
async fn verify_engine(writer: &SqlitePool) -> Result<(), OpenError> {
    let (version,): (String,) = sqlx::query_as("select sqlite_version()").fetch_one(writer).await.stored()?;
    if !at_least(&version, SQLITE_MIN) {
        return Err(OpenError::EngineTooOld(version));
    }
    let (journal,): (String,) = sqlx::query_as("pragma journal_mode").fetch_one(writer).await.stored()?;
    let (synchronous,): (i64,) = sqlx::query_as("pragma synchronous").fetch_one(writer).await.stored()?;
    let (foreign_keys,): (i64,) = sqlx::query_as("pragma foreign_keys").fetch_one(writer).await.stored()?;
    match (journal.as_str(), synchronous, foreign_keys) {
        ("wal", 2, 1) => Ok(()),
        _ => Err(OpenError::EngineSettings { journal, synchronous, foreign_keys }),
    }
}

/// Whether a version such as `3.51.3` is at least `min`. A text that is not a version is older than any.
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
    use arena_record::Hex;
    use arena_rooms::{PersonId, RoomId};

    use std::sync::Arc;

    use crate::sql::connection::query;
    use crate::{BotName, DisplayName, RoomError, RoomTerms, Store, SubmitError, UnixSeconds};

    const NOW: UnixSeconds = UnixSeconds(1_000_000);
    const TERMS: RoomTerms = RoomTerms { owner: PersonId(Hex([7; 8])), silence_seconds_max: 100 };

    fn writer(store: &Store) -> &SqlitePool {
        let Database::Sqlite(database) = &store.database else { panic!("another database") };
        &database.writer
    }

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
        sqlx::query(newer).execute(writer(&store)).await.expect("a row");
        Arc::new(store).close().await;
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
        let written = query("delete from accounts").execute(&mut reader).await;
        assert!(matches!(written, Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn a_full_disk_is_unavailable_and_heals() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("a store");
        let room = RoomId(Hex([7; 16]));
        store.create_room(&room, "{}", &TERMS, NOW).await.expect("a room");
        // Limits the file to its current pages, so the next write that needs one gets a full disk.
        sqlx::query("pragma max_page_count = 1").execute(writer(&store)).await.expect("a pragma");
        let event = "x".repeat(8_000);
        let mut seq = 1;
        let error = loop {
            match store.append(&room, seq, &event, NOW).await {
                Ok(_) => seq += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, RoomError::Store(StoreError::Unavailable(_))), "{error:?}");
        assert_eq!(store.failed_writes(), 1, "the operator sees it");
        let read = store.room(&room).await.expect("reads go on").expect("the room");
        assert_eq!(read.events.len() as u32, seq);
        sqlx::query("pragma max_page_count = 1000000").execute(writer(&store)).await.expect("a pragma");
        store.append(&room, seq, &event, NOW).await.expect("there is room again");
        assert_eq!(store.failed_writes(), 1);
        assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    }

    #[tokio::test]
    async fn a_disk_that_is_nearly_full_takes_nothing_new_and_what_is_there_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path()).await.expect("a store");
        let name = |text: &str| DisplayName::parse(text).expect("a name");
        let (ada, code) = store.create_account(&name("Ada"), NOW).await.expect("there is space");
        let room = RoomId(Hex([7; 16]));
        store.create_room(&room, "start", &TERMS, NOW).await.expect("there is space");
        store.limits.free_disk_bytes_min = u64::MAX;
        let account = store.create_account(&name("Bob"), NOW).await;
        assert!(matches!(account, Err(crate::AccountError::Store(StoreError::NoSpace))), "{account:?}");
        let other = store.create_room(&RoomId(Hex([8; 16])), "start", &TERMS, NOW).await;
        assert!(matches!(other, Err(RoomError::Store(StoreError::NoSpace))), "{other:?}");
        let bot = BotName::parse("bot-x").expect("a name");
        let submitted = store.submit(ada.id, &bot, "conquerors@2", b"x"[..].into(), NOW).await;
        assert!(matches!(submitted, Err(SubmitError::Store(StoreError::NoSpace))), "{submitted:?}");
        assert_eq!(store.account_by_code(&code).await.expect("read"), Some(ada));
        store.create_room(&room, "start", &TERMS, NOW).await.expect("the same call again");
        store.append(&room, 1, "one", NOW).await.expect("a game that was begun is played on");
        store.finish_room(&room, &[], NOW).await.expect("and ends");
    }

    #[tokio::test]
    async fn a_write_that_waits_too_long_is_unavailable() {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::open_with(folder.path(), Limits { wait_ms_max: 1_000, ..Limits::DEFAULT }).await.expect("a store");
        let name = DisplayName::parse("patient").expect("a name");
        let busy = store.writing().await.expect("the only writer");
        let error = store.create_account(&name, NOW).await.expect_err("busy");
        assert!(matches!(error, crate::AccountError::Store(StoreError::Unavailable(_))), "{error:?}");
        drop(busy);
        // The same with another program that holds the file's lock. It gets the lock once the dropped connections are
        // closed.
        let other = connect_options(&folder.path().join("arena.db"), Duration::from_mins(1));
        let other = SqlitePoolOptions::new().max_connections(1).connect_with(other).await.expect("a connection");
        let foreign = other.begin_with("BEGIN IMMEDIATE").await.expect("the lock");
        let error = store.create_account(&name, NOW).await.expect_err("busy");
        assert!(matches!(error, crate::AccountError::Store(StoreError::Unavailable(_))), "{error:?}");
        foreign.rollback().await.expect("a rollback");
        other.close().await;
        store.create_account(&name, NOW).await.expect("free again");
    }

    /// Two stores over one database, like two processes: nothing relies on a single writer.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn limits_and_places_hold_for_writers_that_share_a_database() {
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits {
            accounts_max: 5,
            versions_per_bot_per_day_max: 9,
            open_rooms_max: 3,
            wait_ms_max: 60_000,
            ..Limits::DEFAULT
        };
        let (lock, blobs) = open_folder(folder.path()).expect("a folder");
        let mut stores = Vec::new();
        for _ in 0..2 {
            let lock = lock.try_clone().expect("a handle");
            let store = connect(folder.path(), limits, lock, blobs.clone()).await.expect("a store");
            stores.push(Arc::new(store));
        }
        let name = |text: &str| DisplayName::parse(text).expect("a name");
        let (owner, _) = stores[0].create_account(&name("Ada"), NOW).await.expect("an account");
        let room = RoomId(Hex([0; 16]));
        stores[0].create_room(&room, "start", &TERMS, NOW).await.expect("a room");
        let callers = (0..12_u8).map(|caller| {
            let store = stores[usize::from(caller) % 2].clone();
            let account = name(&format!("player {caller}"));
            tokio::spawn(async move {
                let account = store.create_account(&account, NOW).await.is_ok();
                let bot = BotName::parse("racer").expect("a name");
                let bytes = caller.to_string().as_bytes().into();
                let submitted = store.submit(owner.id, &bot, "conquerors@2", bytes, NOW).await;
                let number = submitted.ok().map(|submission| submission.version().id.number);
                let opened = store.create_room(&RoomId(Hex([1 + caller; 16])), "start", &TERMS, NOW).await.is_ok();
                let mut places = 0;
                for seq in 1..10 {
                    match store.append(&room, seq, &format!("{caller} at {seq}"), NOW).await {
                        Ok(_) => places += 1,
                        Err(RoomError::Taken) => {}
                        Err(error) => panic!("{error:?}"),
                    }
                }
                (account, number, opened, places)
            })
        });
        let callers: Vec<_> = callers.collect();
        let (mut accounts, mut numbers, mut rooms, mut places) = (1, Vec::new(), 1, 0);
        for caller in callers {
            let (account, number, opened, appended) = caller.await.expect("no panic");
            accounts += u32::from(account);
            numbers.extend(number);
            rooms += u32::from(opened);
            places += appended;
        }
        numbers.sort_unstable();
        assert_eq!((accounts, rooms, places), (5, 3, 9));
        assert_eq!(numbers, (1..=9).collect::<Vec<u32>>());
        for store in stores {
            assert_eq!(store.room(&room).await.expect("read").expect("the room").events.len(), 10);
            assert_eq!(store.problems().await.expect("readable"), [""; 0]);
        }
    }
}
