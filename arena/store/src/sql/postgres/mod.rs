//! The store in a PostgreSQL database, which any number of processes share: opening it, and how writers take turns. Not
//! here: statements, which are the same for both databases (`sql`).

mod listen;

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, PgPool};
use tokio::task::AbortHandle;

use crate::error::Result;
use crate::shared::Notifiers;
use crate::sql::Database;
use crate::sql::Inspection;
use crate::sql::connection::{Connection, Held, query, within};
use crate::sql::error::Stored;
use crate::sql::migrations::{self, latest, migrator};
use crate::sql::modules::Modules;
use crate::{Limits, ServerId, Store, StoreError, space};
use listen::{Line, listen};

/// Reading connections of a process.
const READERS: u32 = 8;

/// How long a statement may go without an answer, in times of how long one may wait for others at the server. By then
/// the host is gone or the line is cut: the connection is closed.
const PATIENCE_WAITS: u32 = 4;

/// For a process that copies or inspects everything: its longest statements take minutes, and a person waits for them.
const ENDLESS: Duration = Duration::MAX;

/// The oldest PostgreSQL that the tests run on: its `server_version_num`.
const SERVER_MIN: i64 = 150_000;

/// Begins a writing transaction.
const BEGIN_WRITING: &str = "begin isolation level read committed";

/// The lock belongs to the database. Writers of all processes take turns, each sees everything that earlier ones wrote,
/// and the lock ends with the transaction, even if its process dies. The number is arbitrary; the migrations' lock has
/// another. It is a statement of its own: if the statement that begins a transaction fails, sqlx does not know that it
/// has begun and would leave it open.
const TAKE_TURN: &str = "select pg_advisory_xact_lock(7201839455)";

/// The same lock until the connection ends, for several transactions.
const KEEP_TURN: &str = "select pg_advisory_lock(7201839455)";

/// Held by every process that serves the arena, while its connection is open.
const SERVE: &str = "select pg_try_advisory_lock_shared(7201839456)";

/// Held by a process that copies the whole arena, so that nobody serves it meanwhile.
const ALONE: &str = "select pg_try_advisory_lock(7201839456)";

/// Held by every process that writes, under its own number.
const LIVE: &str = "select pg_advisory_lock_shared($1)";

/// Begins a reading transaction, which sees one moment.
const BEGIN_READING: &str = "begin isolation level repeatable read, read only";

/// A PostgreSQL database. Several processes may have it open.
pub(crate) struct PostgresDatabase {
    writer: PgPool,
    readers: PgPool,
    pub(crate) server: ServerId,
    /// The folder for whatever a site keeps outside of the database.
    data: Option<PathBuf>,
    pub(crate) notifiers: Arc<Notifiers>,
    listening: AbortHandle,
    line: Arc<Line>,
    /// How long each statement may go without an answer.
    patience: Duration,
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Why a store in PostgreSQL cannot be opened. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is invalid.
    #[error("a database's address has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Address(#[source] sqlx::Error),
    /// No server answers there.
    #[error("no PostgreSQL answers at {server}: is it running, and does it listen there?")]
    NoServer {
        /// Host and port.
        server: String,
        /// The system's error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server does not know the user, or the password is wrong.
    #[error("PostgreSQL at {server} does not let {user} in: check the user and the password in the address")]
    Refused {
        /// Host and port.
        server: String,
        /// The user.
        user: String,
        /// The server's error.
        source: sqlx::Error,
    },
    /// There is no such database.
    #[error("PostgreSQL at {server} has no database {database}: make it with `createdb {database}`")]
    NoDatabase {
        /// Host and port.
        server: String,
        /// Its name.
        database: String,
    },
    /// The server is older than the versions that the store is tested with.
    #[error("PostgreSQL at {server} is version {version}; the arena needs 15 or later")]
    TooOld {
        /// Host and port.
        server: String,
        /// The server's version, in its own words.
        version: String,
    },
    /// The database uses another text encoding.
    #[error(
        "the database {database} keeps texts as {encoding}; make one with `createdb --encoding UTF8 --template template0`"
    )]
    Encoding {
        /// Its name.
        database: String,
        /// Its encoding.
        encoding: String,
    },
    /// There is no store to read.
    #[error("the database {0} holds no arena: `arena admin copy` or `arena serve` make one")]
    NoStore(String),
    /// Other processes serve its arena, or one holds it exclusively.
    #[error("the database {0} is in use: `arena admin copy` and `arena serve` wait for each other to end")]
    Busy(String),
    /// A later release has written to it.
    #[error("the database {0} was written by a later release; use that one")]
    Newer(String),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Opens the store in the database at `url`, such as `postgres://arena:secret@db.example/arena`, with the usual
    /// limits. The first to open it creates the tables.
    ///
    /// # Errors
    /// When the database cannot be used; the error says what to check.
    pub async fn connect(url: &str) -> Result<Store, ConnectError> {
        Store::connect_with(url, Limits::DEFAULT).await
    }

    /// Like [`Store::connect`], with other limits.
    ///
    /// # Errors
    /// As [`Store::connect`].
    pub async fn connect_with(url: &str, limits: Limits) -> Result<Store, ConnectError> {
        connect(url, limits, Writers::Many, None).await
    }

    /// Like [`Store::connect`], for a process that serves the arena, as others may at the same time, so that nobody
    /// copies it meanwhile. Tournaments are in the folder `data`; nothing new is accepted while its disk is nearly
    /// full.
    ///
    /// # Errors
    /// As [`Store::connect`], and while the arena is [held exclusively](Store::connect_alone).
    pub async fn connect_to_serve(url: &str, data: &Path) -> Result<Store, ConnectError> {
        Store::connect_to_serve_with(url, data, Limits::DEFAULT).await
    }

    /// Like [`Store::connect_to_serve`], with other limits.
    ///
    /// # Errors
    /// As [`Store::connect_to_serve`].
    pub async fn connect_to_serve_with(url: &str, data: &Path, limits: Limits) -> Result<Store, ConnectError> {
        connect(url, limits, Writers::Serving, Some(data)).await
    }

    /// Like [`Store::connect`], for a process that copies the whole arena, so that nobody serves it meanwhile. If its
    /// connection breaks and another process is faster, it cannot write any more.
    ///
    /// # Errors
    /// As [`Store::connect`], and when a process serves the arena.
    pub async fn connect_alone(url: &str) -> Result<Store, ConnectError> {
        connect(url, Limits::DEFAULT, Writers::Alone, None).await
    }

    /// Inspects the store in a database for problems and its digest, even while others have it open.
    ///
    /// # Errors
    /// When there is no store that this release can read.
    pub async fn inspect_server(url: &str) -> Result<Inspection, ConnectError> {
        let (_, pool) = to_read(url).await?;
        let mut reading = Connection::postgres(Held::Within(pool.begin_with(BEGIN_READING).await.stored()?), ENDLESS);
        let found = Inspection::of(&mut reading, &Modules::Rows, migrations::POSTGRES).await?;
        drop(reading);
        pool.close().await;
        Ok(found)
    }

    /// Opens the store in a database to read it, even while others have it open: tables stay as they are, and every
    /// write fails.
    ///
    /// # Errors
    /// As [`Store::inspect_server`].
    pub async fn connect_to_read(url: &str) -> Result<Store, ConnectError> {
        let (options, readers) = to_read(url).await?;
        let wait = Duration::from_millis(Limits::DEFAULT.wait_ms_max);
        let (server, notifiers, line) = (ServerId::draw()?, Arc::new(Notifiers::default()), Line::new(options, wait));
        let listening = tokio::spawn(listen(line.clone(), notifiers.clone())).abort_handle();
        let (writer, patience) = (readers.clone(), ENDLESS);
        let database = PostgresDatabase { writer, readers, server, data: None, notifiers, listening, line, patience };
        Ok(Store::over_read_only(Database::Postgres(database), Limits::DEFAULT))
    }
}

/// A connection that only reads, in a database with a store that this release can read.
async fn to_read(url: &str) -> Result<(PgConnectOptions, PgPool), ConnectError> {
    let options = parse(url)?.options([("jit", "off"), ("default_transaction_read_only", "on")]);
    let place = Place::of(&options);
    let pool =
        PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_millis(Limits::DEFAULT.wait_ms_max));
    let pool = pool.connect_with(options.clone()).await.map_err(|error| place.error(error))?;
    place.verify(&pool).await?;
    let mut reading = Connection::postgres(Held::Within(pool.begin_with(BEGIN_READING).await.stored()?), ENDLESS);
    let there = query("select 1 from pg_tables where schemaname = current_schema() and tablename = '_sqlx_migrations'");
    if !there.exists(&mut reading).await? {
        return Err(ConnectError::NoStore(place.database));
    }
    if migrations::version(&mut reading).await? > latest(migrations::POSTGRES) {
        return Err(ConnectError::Newer(place.database));
    }
    drop(reading);
    Ok((options, pool))
}

fn parse(url: &str) -> Result<PgConnectOptions, ConnectError> {
    // sqlx accepts any scheme.
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(ConnectError::Address(sqlx::Error::Configuration("it begins with another word".into())));
    }
    PgConnectOptions::from_str(url).map_err(ConnectError::Address)
}

/// Which processes write. They always take turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writers {
    /// Any.
    Many,
    /// This one and others, which all serve the arena.
    Serving,
    /// This one alone, while no other serves it.
    Alone,
}

impl Writers {
    /// The lock that every writing connection takes first; without it, the connection writes nothing.
    fn lock(self) -> Option<&'static str> {
        match self {
            Writers::Many => None,
            Writers::Serving => Some(SERVE),
            Writers::Alone => Some(ALONE),
        }
    }
}

async fn connect(url: &str, limits: Limits, writers: Writers, data: Option<&Path>) -> Result<Store, ConnectError> {
    let options = parse(url)?;
    // Statements are so short that compiling them would take longer.
    let options = options.application_name("life-arena").options([("jit", "off")]);
    let place = Place::of(&options);
    let wait = Duration::from_millis(limits.wait_ms_max);
    let writing = options.clone().options([
        // What is acknowledged survives a power failure. The server's own default may differ.
        ("synchronous_commit", "on".to_owned()),
        ("lock_timeout", format!("{}ms", limits.wait_ms_max)),
        // A process that hangs must not block the others.
        ("idle_in_transaction_session_timeout", format!("{}ms", limits.wait_ms_max.saturating_mul(2))),
    ]);
    let pool = PgPoolOptions::new()
        .acquire_timeout(wait)
        .idle_timeout(None)
        .max_lifetime(None)
        // Before a connection returns, sqlx waits for what it still has to answer, without an end: it would keep its
        // place in the pool even if its host is gone.
        .after_release(move |connection, _| {
            Box::pin(async move { within(wait, connection.ping()).await.map(|()| true) })
        });
    // One connection, so that writers of this process queue here, and connections are left for readers.
    let mut writer = pool.clone().max_connections(1);
    if let Some(lock) = writers.lock() {
        place.is_free(&writing, lock).await?;
    }
    let server = ServerId::draw()?;
    // For each new connection, since the locks of the last one ended with it.
    writer = writer.after_connect(move |connection, _| {
        Box::pin(async move {
            if let Some(lock) = writers.lock() {
                let (mine,): (bool,) = sqlx::query_as(lock).fetch_one(&mut *connection).await?;
                if !mine {
                    return Err(sqlx::Error::PoolTimedOut);
                }
            }
            // The first half of its id, by which others see that it is alive.
            let [half, _] = server.0.0.as_chunks::<8>().0 else { return Ok(()) };
            sqlx::query(LIVE).bind(i64::from_be_bytes(*half)).execute(connection).await.map(drop)
        })
    });
    let writer = writer.connect_with(writing.clone()).await.map_err(|error| place.error(error))?;
    place.verify(&writer).await?;
    place.migrate(&writing, &writer).await?;
    let reading = options.options([("default_transaction_read_only", "on")]);
    let readers =
        pool.max_connections(READERS).connect_with(reading.clone()).await.map_err(|error| place.error(error))?;
    let notifiers = Arc::new(Notifiers::default());
    let line = Line::new(reading, wait);
    let listening = tokio::spawn(listen(line.clone(), notifiers.clone())).abort_handle();
    let patience = if writers == Writers::Alone { ENDLESS } else { wait * PATIENCE_WAITS };
    let data = data.map(Path::to_path_buf);
    let database = PostgresDatabase { writer, readers, server, data, notifiers, listening, line, patience };
    Ok(Store::over(Database::Postgres(database), limits).await?)
}

impl PostgresDatabase {
    pub(crate) async fn reader(&self) -> Result<Connection> {
        Ok(Connection::postgres(Held::Alone(self.readers.acquire().await.stored()?), self.patience))
    }

    pub(crate) async fn reading(&self) -> Result<Connection> {
        let reading = within(self.patience, self.readers.begin_with(BEGIN_READING)).await.stored()?;
        Ok(Connection::postgres(Held::Within(reading), self.patience))
    }

    pub(crate) async fn writing(&self) -> Result<Connection> {
        let mut writing = within(self.patience, self.writer.begin_with(BEGIN_WRITING)).await.stored()?;
        within(self.patience, sqlx::query(TAKE_TURN).execute(&mut *writing)).await.stored()?;
        Ok(Connection::postgres(Held::Within(writing), self.patience))
    }

    /// The disk of the rows is the server's, which reports when it is full. The folder's disk is checked like any
    /// other.
    pub(crate) fn has_space(&self, limits: &Limits) -> Result<()> {
        self.data.as_deref().map_or(Ok(()), |data| space::on_disk(data, limits.free_disk_bytes_min))
    }

    /// One that is idle is asked before it is given out.
    pub(crate) async fn answers_writers(&self) -> Result<()> {
        self.writer.acquire().await.map(drop).stored()
    }

    pub(crate) async fn close(&self) {
        self.line.close().await;
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// The parts of an address that may be shown: not the password.
struct Place {
    server: String,
    user: String,
    database: String,
}

impl Place {
    fn of(options: &PgConnectOptions) -> Place {
        let server = match options.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", options.get_host(), options.get_port()),
        };
        let user = options.get_username().to_owned();
        let database = options.get_database().unwrap_or(&user).to_owned();
        Place { server, user, database }
    }

    /// Whether this lock is free.
    async fn is_free(&self, options: &PgConnectOptions, lock: &'static str) -> Result<(), ConnectError> {
        let mut connection = options.connect().await.map_err(|error| self.error(error))?;
        let (free,): (bool,) = sqlx::query_as(lock).fetch_one(&mut connection).await.stored()?;
        // The lock ends with the connection, so it is closed before going on.
        connection.close().await.stored()?;
        if free { Ok(()) } else { Err(ConnectError::Busy(self.database.clone())) }
    }

    /// Why the first connection failed.
    fn error(&self, source: sqlx::Error) -> ConnectError {
        const REFUSED: [&str; 2] = ["28P01", "28000"];
        const NO_DATABASE: &str = "3D000";
        let server = self.server.clone();
        let code = source.as_database_error().and_then(|error| error.code()).map(Cow::into_owned);
        match code.as_deref() {
            Some(NO_DATABASE) => ConnectError::NoDatabase { server, database: self.database.clone() },
            Some(code) if REFUSED.contains(&code) => ConnectError::Refused { server, user: self.user.clone(), source },
            _ => match source {
                // Without sqlx's own message, which would repeat the cause.
                sqlx::Error::Io(source) => ConnectError::NoServer { server, source: source.into() },
                sqlx::Error::Tls(source) => ConnectError::NoServer { server, source },
                sqlx::Error::PoolTimedOut => ConnectError::NoServer { server, source: source.into() },
                sqlx::Error::Configuration(_) => ConnectError::Address(source),
                source => StoreError::of_database(source).into(),
            },
        }
    }

    /// Checks what the rest relies on.
    async fn verify(&self, writer: &PgPool) -> Result<(), ConnectError> {
        let (number, version, encoding): (i64, String, String) = sqlx::query_as(
            "select current_setting('server_version_num')::bigint, current_setting('server_version'),
             current_setting('server_encoding')",
        )
        .fetch_one(writer)
        .await
        .stored()?;
        self.accept(number, version, encoding)
    }

    fn accept(&self, number: i64, version: String, encoding: String) -> Result<(), ConnectError> {
        if number < SERVER_MIN {
            return Err(ConnectError::TooOld { server: self.server.clone(), version });
        }
        if encoding != "UTF8" {
            return Err(ConnectError::Encoding { database: self.database.clone(), encoding });
        }
        Ok(())
    }

    /// Takes the steps that are missing, in a writer's turn: processes of the release before may go on meanwhile, and
    /// what a step counts they must not change.
    async fn migrate(&self, options: &PgConnectOptions, writer: &PgPool) -> Result<(), ConnectError> {
        let mut turn = options.connect().await.map_err(|error| self.error(error))?;
        sqlx::query(KEEP_TURN).execute(&mut turn).await.stored()?;
        migrator(migrations::POSTGRES).run(writer).await.map_err(|error| self.migration_error(error))?;
        turn.close().await.stored()?;
        Ok(())
    }

    fn migration_error(&self, error: MigrateError) -> ConnectError {
        match error {
            MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
                ConnectError::Newer(self.database.clone())
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                StoreError::of_database(error).into()
            }
            error => StoreError::damaged(error).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_below_fifteen_is_not_used() {
        let place =
            Place::of(&PgConnectOptions::from_str("postgres://arena:hunter2@db.example/arena").expect("an address"));
        let of = |number, version: &str| place.accept(number, version.into(), "UTF8".into());
        for (number, version) in [(150_000, "15.0"), (150_014, "15.14"), (180_001, "18.1")] {
            assert!(of(number, version).is_ok(), "{version}");
        }
        let refused = of(140_022, "14.22").expect_err("it is too old");
        let sentence = "PostgreSQL at db.example:5432 is version 14.22; the arena needs 15 or later";
        assert_eq!(refused.to_string(), sentence);
    }
}
