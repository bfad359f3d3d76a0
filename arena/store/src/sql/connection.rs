//! One way to ask either database. A statement has one text for both, so there is one copy of everything that the tables mean.
//!
//! sqlx has the same in `Any`; docs/decisions/0039 says why this is not it.

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Arguments, AssertSqlSafe, Database, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

/// A connection, alone or in a transaction.
pub enum Connection {
    /// To a file.
    Sqlite(Held<Sqlite>),
    /// To a server.
    Postgres(Held<Postgres>),
}

/// A connection that goes back to its pool.
pub enum Held<D: Database> {
    /// Each statement is of its own moment.
    Alone(PoolConnection<D>),
    /// All statements are of one. What is not committed is undone when it is dropped.
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
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Connection::Sqlite(held) => held.commit().await,
            Connection::Postgres(held) => held.commit().await,
        }
    }
}

/// A row of either database.
pub(crate) trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin> Row for T {}

/// What columns hold. A number that is missing and a text that is missing are different to a database that knows types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(Some(number))
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Some(text.into()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(Some(text))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Value {
        Value::Text(text)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Bytes(bytes.into())
    }
}

/// A statement with its values, `$1` being the first.
pub(crate) struct Query {
    text: SqlStr,
    values: Vec<Value>,
    persistent: bool,
}

/// A statement that will be asked again.
pub(crate) fn query(text: &'static str) -> Query {
    Query { text: text.into_sql_str(), values: Vec::new(), persistent: true }
}

/// A statement that is made of our own words, and asked once or a few times.
pub(crate) fn query_of(text: String) -> Query {
    Query { text: AssertSqlSafe(text).into_sql_str(), values: Vec::new(), persistent: false }
}

/// One statement for many rows; `into` is `insert into TABLE (COLUMNS)`. None without a row.
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

/// Asks the database that a connection leads to.
macro_rules! ask {
    ($query:expr, $connection:expr, $method:ident) => {{
        let Query { text, values, persistent } = $query;
        match $connection {
            Connection::Sqlite(held) => {
                let asked = sqlx::query_as_with(text, arguments::<Sqlite>(values)?).persistent(persistent);
                asked.$method(held.inner()).await
            }
            Connection::Postgres(held) => {
                let asked = sqlx::query_as_with(text, arguments::<Postgres>(values)?).persistent(persistent);
                asked.$method(held.inner()).await
            }
        }
    }};
}

impl Query {
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Query {
        self.values.push(value.into());
        self
    }

    pub(crate) async fn fetch_one<T: Row>(self, connection: &mut Connection) -> Result<T, sqlx::Error> {
        ask!(self, connection, fetch_one)
    }

    pub(crate) async fn fetch_optional<T: Row>(self, connection: &mut Connection) -> Result<Option<T>, sqlx::Error> {
        ask!(self, connection, fetch_optional)
    }

    pub(crate) async fn fetch_all<T: Row>(self, connection: &mut Connection) -> Result<Vec<T>, sqlx::Error> {
        ask!(self, connection, fetch_all)
    }

    /// Whether there is a row. What it holds does not matter.
    pub(crate) async fn exists(self, connection: &mut Connection) -> Result<bool, sqlx::Error> {
        Ok(self.fetch_optional::<Anything>(connection).await?.is_some())
    }

    /// How many rows it changed.
    pub(crate) async fn execute(self, connection: &mut Connection) -> Result<u64, sqlx::Error> {
        let Query { text, values, persistent } = self;
        match connection {
            Connection::Sqlite(held) => {
                let asked = sqlx::query_with(text, arguments::<Sqlite>(values)?).persistent(persistent);
                Ok(asked.execute(held.inner()).await?.rows_affected())
            }
            Connection::Postgres(held) => {
                let asked = sqlx::query_with(text, arguments::<Postgres>(values)?).persistent(persistent);
                Ok(asked.execute(held.inner()).await?.rows_affected())
            }
        }
    }
}

/// What a row holds where that does not matter.
pub(super) struct Anything;

impl<R: sqlx::Row> FromRow<'_, R> for Anything {
    fn from_row(_: &R) -> Result<Anything, sqlx::Error> {
        Ok(Anything)
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
