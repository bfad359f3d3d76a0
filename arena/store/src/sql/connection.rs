//! A common way to query either database. Each statement has one text for both, so the logic on the tables exists once.
//!
//! sqlx offers the same in `Any`; docs/decisions/0039 says why it is not used.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arena_clock::Clock;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{
    Arguments, AssertSqlSafe, Database, Decode, Encode, FromRow, Postgres, Row as _, SqlSafeStr, SqlStr, Sqlite, Type,
    TypeInfo, ValueRef,
};
use tokio::time::timeout;

use super::Counts;
use super::columns::{Column, Columns, RawRow, Row, Value};
use super::error::Stored;
use crate::error::Result;
use crate::probe::Event;

/// A connection, alone or in a transaction.
pub(crate) struct Connection {
    to: To,
    /// What its store has done so far.
    counts: Arc<Counts>,
    /// The clock of its store.
    pub(crate) clock: Clock,
}

enum To {
    /// To a file.
    Sqlite(Held<Sqlite>),
    /// To a server, and how long each statement may go without an answer.
    Postgres(Held<Postgres>, Duration),
}

/// Waits for a server's answer, and gives up after so long. A host that lost its power closes no connection, and
/// nothing is sent over one that waits for an answer, so without an end that would be forever.
#[expect(clippy::disallowed_methods, reason = "patience with another machine is real time")]
pub(crate) async fn within<T>(
    patience: Duration,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let silent = || sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the database does not answer"));
    timeout(patience, answer).await.unwrap_or_else(|_| Err(silent()))
}

/// A connection from a pool, to which it returns.
pub(crate) enum Held<D: Database> {
    /// Each statement sees its own moment.
    Alone(PoolConnection<D>),
    /// All statements see one moment. Uncommitted changes are rolled back on drop.
    Within(sqlx::Transaction<'static, D>),
}

impl<D: Database> Held<D> {
    fn inner(&mut self) -> &mut D::Connection {
        match self {
            Held::Alone(connection) => connection,
            Held::Within(transaction) => transaction,
        }
    }

    async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Held::Alone(_) => Ok(()),
            Held::Within(transaction) => transaction.commit().await,
        }
    }
}

impl Connection {
    /// To a file.
    pub(crate) fn sqlite(held: Held<Sqlite>) -> Connection {
        Connection { to: To::Sqlite(held), counts: Arc::default(), clock: Clock::system() }
    }

    /// To a server. Each statement may go without an answer for so long.
    pub(crate) fn postgres(held: Held<Postgres>, patience: Duration) -> Connection {
        Connection { to: To::Postgres(held, patience), counts: Arc::default(), clock: Clock::system() }
    }

    /// The same of a store with this clock, where all is counted.
    pub(super) fn of_store(self, counts: &Arc<Counts>, clock: &Clock) -> Connection {
        Connection { counts: counts.clone(), clock: clock.clone(), ..self }
    }

    /// Whether it is to a server.
    pub(crate) fn is_to_server(&self) -> bool {
        matches!(self.to, To::Postgres(..))
    }

    /// The database, for a statement with these values.
    fn asked(&mut self, values: &[Value]) -> &mut To {
        self.counts.statements.fetch_add(1, Ordering::Relaxed);
        for value in values {
            if let Value::Text(Some(text)) = value {
                // Only a connection is refused.
                let _ = self.counts.show(Event::Text(text));
            }
        }
        &mut self.to
    }

    /// Rows that were answered.
    fn answered<T>(&self, weighed: impl IntoIterator<Item = Weighed<T>>) -> Vec<T> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for Weighed(row, weight) in weighed {
            rows.push(row);
            bytes += weight;
        }
        let _ = self.counts.show(Event::Read(bytes));
        rows
    }

    pub(crate) async fn commit(self) -> Result<()> {
        let Connection { to, counts, .. } = self;
        let committed = Box::pin(async move {
            match to {
                To::Sqlite(held) => held.commit().await,
                To::Postgres(held, patience) => within(patience, held.commit()).await,
            }
        });
        counts.noting(committed.await.stored())
    }
}

/// A statement with its values; `$1` is the first.
pub(crate) struct Query {
    text: SqlStr,
    values: Vec<Value>,
    persistent: bool,
}

/// A fixed statement, which is prepared once.
pub(crate) fn query(text: &'static str) -> Query {
    Query { text: text.into_sql_str(), values: Vec::new(), persistent: true }
}

/// A statement composed at run time, and executed once or a few times.
pub(crate) fn query_of(text: String) -> Query {
    Query { text: AssertSqlSafe(text).into_sql_str(), values: Vec::new(), persistent: false }
}

/// One insert for many rows; `into` is `insert into TABLE (COLUMNS)`. `None` if there are no rows.
pub(crate) fn insert(into: &str, rows: impl IntoIterator<Item = Vec<Value>>) -> Option<Query> {
    let (mut text, mut values) = (format!("{into} values "), Vec::new());
    for row in rows {
        text.push_str(if values.is_empty() { "(" } else { ", (" });
        for (place, value) in row.into_iter().enumerate() {
            values.push(value);
            text += &format!("{}${}", if place == 0 { "" } else { ", " }, values.len());
        }
        text.push(')');
    }
    (!values.is_empty()).then(|| Query { values, ..query_of(text) })
}

/// Runs a query in the database behind a connection. Boxed, because the drivers' futures are large, and each method of
/// the store that sends statements would hold them.
macro_rules! ask {
    ($query:expr, $connection:expr, $made:ident, $method:ident $(, $part:ident)?) => {{
        let Query { text, values, persistent } = $query;
        let to = $connection.asked(&values);
        Box::pin(async move {
            match to {
                To::Sqlite(held) => {
                    let asked = sqlx::$made(text, arguments::<Sqlite>(values)?).persistent(persistent);
                    asked.$method(held.inner()).await$(.map(|done| done.$part()))?
                }
                To::Postgres(held, patience) => {
                    let asked = sqlx::$made(text, arguments::<Postgres>(values)?).persistent(persistent);
                    within(*patience, asked.$method(held.inner())).await$(.map(|done| done.$part()))?
                }
            }
        })
        .await
    }};
}

impl Query {
    /// The insert, except of rows that are there.
    pub(crate) fn unless_there(self) -> Query {
        Query { values: self.values, ..query_of(format!("{} on conflict do nothing", self.text.as_str())) }
    }

    /// The same statement, prepared once: it is executed again and again.
    pub(crate) fn again(self) -> Query {
        Query { persistent: true, ..self }
    }

    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Query {
        self.values.push(value.into());
        self
    }

    /// With these further values.
    pub(crate) fn with<const N: usize>(mut self, values: [Value; N]) -> Query {
        self.values.extend(values);
        self
    }

    pub(crate) async fn fetch_one<T: Row>(self, connection: &mut Connection) -> Result<T> {
        self.fetch_optional(connection).await?.ok_or(sqlx::Error::RowNotFound).stored()
    }

    pub(crate) async fn fetch_optional<T: Row>(self, connection: &mut Connection) -> Result<Option<T>> {
        let row: Result<Option<Weighed<_>>, sqlx::Error> = ask!(self, connection, query_as_with, fetch_optional);
        connection.answered(row.stored()?).pop().map(row_of).transpose()
    }

    pub(crate) async fn fetch_all<T: Row>(self, connection: &mut Connection) -> Result<Vec<T>> {
        let rows: Result<Vec<Weighed<_>>, sqlx::Error> = ask!(self, connection, query_as_with, fetch_all);
        connection.answered(rows.stored()?).into_iter().map(row_of).collect()
    }

    /// The only value of the only row.
    pub(crate) async fn fetch_value<T: Column>(self, connection: &mut Connection) -> Result<T>
    where
        (T::Raw,): RawRow,
    {
        self.fetch_one(connection).await.map(|(value,)| value)
    }

    /// The only value of the row, if there is one.
    pub(crate) async fn find_value<T: Column>(self, connection: &mut Connection) -> Result<Option<T>>
    where
        (T::Raw,): RawRow,
    {
        Ok(self.fetch_optional(connection).await?.map(|(value,)| value))
    }

    /// The only value of each row.
    pub(crate) async fn fetch_values<T: Column>(self, connection: &mut Connection) -> Result<Vec<T>>
    where
        (T::Raw,): RawRow,
    {
        Ok(self.fetch_all(connection).await?.into_iter().map(|(value,)| value).collect())
    }

    /// Whether there is a row, whatever it holds.
    pub(crate) async fn exists(self, connection: &mut Connection) -> Result<bool> {
        Ok(self.fetch_optional::<()>(connection).await?.is_some())
    }

    /// How many rows it changed.
    pub(crate) async fn execute(self, connection: &mut Connection) -> Result<u64> {
        let changed: Result<u64, sqlx::Error> = ask!(self, connection, query_with, execute, rows_affected);
        connection.counts.noting(changed.stored())
    }
}

fn row_of<T: Row>(raw: <T::Columns as Columns>::Raw) -> Result<T> {
    T::of(T::Columns::read(raw)?)
}

/// A row, and the bytes of its values, of which a number has eight.
struct Weighed<T>(T, u64);

impl<'r, T: FromRow<'r, SqliteRow>> FromRow<'r, SqliteRow> for Weighed<T> {
    fn from_row(row: &'r SqliteRow) -> Result<Weighed<T>, sqlx::Error> {
        let mut bytes = 0;
        for column in 0..row.len() {
            let value = row.try_get_raw(column)?;
            bytes += match value.type_info().name() {
                "TEXT" | "BLOB" => <&[u8] as Decode<Sqlite>>::decode(value).map_err(sqlx::Error::Decode)?.len() as u64,
                _ => 8,
            };
        }
        Ok(Weighed(T::from_row(row)?, bytes))
    }
}

impl<'r, T: FromRow<'r, PgRow>> FromRow<'r, PgRow> for Weighed<T> {
    fn from_row(row: &'r PgRow) -> Result<Weighed<T>, sqlx::Error> {
        let mut bytes = 0;
        for column in 0..row.len() {
            bytes += row.try_get_raw(column)?.as_bytes().map_or(8, <[u8]>::len) as u64;
        }
        Ok(Weighed(T::from_row(row)?, bytes))
    }
}

fn arguments<D: Database>(values: Vec<Value>) -> Result<D::Arguments, sqlx::Error>
where
    for<'q> Option<i64>: Encode<'q, D> + Type<D>,
    for<'q> Option<String>: Encode<'q, D> + Type<D>,
    for<'q> Vec<u8>: Encode<'q, D> + Type<D>,
{
    let mut arguments = D::Arguments::default();
    for value in values {
        let added = match value {
            Value::Number(number) => arguments.add(number),
            Value::Text(text) => arguments.add(text),
            Value::Bytes(bytes) => arguments.add(bytes),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
