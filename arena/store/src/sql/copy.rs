//! A store as a whole: its digest, and copying it into another store of any kind.

use arena_record::Hex;
use sha2::{Digest as _, Sha256};
use sqlx::{ColumnIndex, Decode, FromRow, Row, Type, TypeInfo, ValueRef};

use super::connection::{Connection, Value, insert, query_of};
use super::migrations::{self, Step};
use super::modules::Modules;
use super::problems::{named, problems};
use crate::error::Result;
use crate::{Store, StoreError};

/// Rows read or written at once: some hundred kilobytes.
const ROWS: usize = 500;
/// The same for tables whose rows may have [`WORLD_LINE_BYTES_MAX`](crate::WORLD_LINE_BYTES_MAX) bytes: 144 MiB at
/// worst. Results of games are shorter.
const LONG_ROWS: usize = 16;

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Number,
    Text,
    Bytes,
}

/// A table: its columns, those of the key first. Tables come after those that they refer to.
struct Table {
    name: &'static str,
    keys: usize,
    columns: &'static [(&'static str, Kind)],
    /// Rows read at once.
    at_once: usize,
    /// Which rows belong to it.
    only: Option<&'static str>,
}

const fn table(name: &'static str, keys: usize, columns: &'static [(&'static str, Kind)]) -> Table {
    Table { name, keys, columns, at_once: ROWS, only: None }
}

/// A table with rows of megabytes.
const fn long(table: Table) -> Table {
    Table { at_once: LONG_ROWS, ..table }
}

/// All tables except the bytes of bots, the list of migrations and [transient ones](PASSING). A test compares the list
/// with the tables of both databases.
const TABLES: [Table; 31] = {
    use Kind::{Bytes, Number, Text};
    [
        table("sums", 1, &[("name", Text), ("value", Number)]),
        table(
            "accounts",
            1,
            &[
                ("id", Number),
                ("name", Text),
                ("code_hash", Bytes),
                ("created_at", Number),
                ("disabled_at", Number),
                ("deleted_at", Number),
            ],
        ),
        table("account_name_keys", 1, &[("name_key", Text), ("account", Number)]),
        table("sessions", 1, &[("token_hash", Bytes), ("account", Number), ("expires_at", Number)]),
        table("browsers", 2, &[("account", Number), ("browser", Bytes), ("seen_at", Number)]),
        table(
            "tokens",
            1,
            &[
                ("id", Number),
                ("account", Number),
                ("name", Text),
                ("scope", Text),
                ("token_hash", Bytes),
                ("created_at", Number),
                ("expires_at", Number),
                ("used_at", Number),
            ],
        ),
        table(
            "bots",
            1,
            &[
                ("id", Number),
                ("account", Number),
                ("name", Text),
                ("name_key", Text),
                ("created_at", Number),
                ("game", Text),
                ("disabled_at", Number),
                ("deleted_at", Number),
                ("chosen", Number),
                ("chosen_after", Number),
            ],
        ),
        table("bot_name_keys", 1, &[("name_key", Text), ("bot", Number)]),
        table(
            "versions",
            2,
            &[
                ("bot", Number),
                ("number", Number),
                ("entrant", Text),
                ("size_bytes", Number),
                ("state", Text),
                ("refusal_code", Text),
                ("refusal_message", Text),
                ("refusal_hint", Text),
                ("refusal_offset", Number),
                ("refusal_told", Text),
                ("submitted_at", Number),
            ],
        ),
        table(
            "sample_logs",
            3,
            &[("bot", Number), ("number", Number), ("seat", Number), ("text", Text), ("dropped", Number)],
        ),
        table(
            "games",
            2,
            &[
                ("tournament", Text),
                ("number", Number),
                ("winner", Number),
                ("reason", Text),
                ("digest", Bytes),
                ("path", Text),
            ],
        ),
        table(
            "game_seats",
            3,
            &[("tournament", Text), ("number", Number), ("seat", Number), ("entrant", Text), ("tally", Number)],
        ),
        table(
            "rooms",
            1,
            &[
                ("id", Text),
                ("state", Text),
                ("created_at", Number),
                ("finished_at", Number),
                ("owner", Text),
                ("silence_seconds_max", Number),
                ("heard_at", Number),
                ("bytes", Number),
                ("tallied", Number),
                ("rated", Number),
            ],
        ),
        table("room_people", 2, &[("person", Text), ("room", Text)]),
        table("room_events", 2, &[("room", Text), ("seq", Number), ("event", Text)]),
        table(
            "people_games",
            1,
            &[
                ("seq", Number),
                ("room", Text),
                ("first", Number),
                ("second", Number),
                ("game", Text),
                ("annulled", Text),
                ("rated", Number),
            ],
        ),
        table(
            "contests",
            1,
            &[
                ("id", Number),
                ("owner", Number),
                ("name", Text),
                ("game", Text),
                ("phase", Text),
                ("games", Number),
                ("fuel", Number),
                ("secret", Bytes),
                ("opened_at", Number),
            ],
        ),
        table("contest_events", 2, &[("contest", Number), ("seq", Number), ("at", Number), ("event", Text)]),
        table("world_spans", 2, &[("world", Text), ("start", Number), ("bytes", Number)]),
        long(table("world_lines", 3, &[("world", Text), ("start", Number), ("seq", Number), ("line", Text)])),
        table("gone", 1, &[("number", Number), ("kind", Text), ("id", Text), ("at", Number)]),
        table("secrets", 2, &[("series", Text), ("number", Number), ("secret", Bytes)]),
        table("closed_gates", 1, &[("gate", Text), ("since", Number)]),
        table(
            "measures",
            1,
            &[
                ("number", Number),
                ("kind", Text),
                ("subject", Text),
                ("text", Text),
                ("since", Number),
                ("until_at", Number),
            ],
        ),
        table(
            "audit",
            1,
            &[
                ("number", Number),
                ("at", Number),
                ("act", Text),
                ("bot", Number),
                ("account", Number),
                ("reason", Text),
                ("game", Text),
                ("world", Text),
                ("contest", Number),
            ],
        ),
        table("workers", 1, &[("name", Text), ("token_hash", Bytes), ("created_at", Number), ("used_at", Number)]),
        table("quarantined_workers", 1, &[("name", Text), ("since_ms", Number), ("reason", Text)]),
        table("volunteers", 1, &[("name", Text), ("games", Number), ("verified", Number), ("refuted", Number)]),
        table(
            "queued_games",
            2,
            &[
                ("tournament", Text),
                ("key", Text),
                ("semantics", Text),
                ("build", Text),
                ("job", Text),
                ("token", Number),
                ("worker", Text),
                ("worker_before", Text),
                ("leased_until", Number),
                ("end_hash", Text),
                ("checked", Number),
                ("sampled", Number),
                ("asked_ms", Number),
            ],
        ),
        table(
            "queued_ends",
            4,
            &[
                ("tournament", Text),
                ("key", Text),
                ("worker", Text),
                ("end_hash", Text),
                ("is_void", Number),
                ("refuted", Number),
            ],
        ),
        // Those in journals are copied with their folders.
        Table {
            only: Some(
                "exists (select 1 from queued_ends e where e.tournament = results.tournament
                    and e.end_hash = results.hash)",
            ),
            ..long(table("results", 2, &[("tournament", Text), ("hash", Text), ("text", Text)]))
        },
    ]
};

/// Transient tables: bots of the games that workers play, which the site keeps there again after a move, and the
/// operator's sessions, who signs in again.
#[cfg(test)]
const PASSING: [&str; 2] = ["queued_modules", "operator_sessions"];

/// A column that each database fills by itself: the order in which games are offered to workers, which may be any.
#[cfg(test)]
const OWN: (&str, &str) = ("queued_games", "number");

/// A row of any table.
struct Cells(Vec<Cell>);

/// A cell of either database, read according to its type there.
enum Cell {
    Missing,
    Held(Value),
}

impl<'r, R: Row> FromRow<'r, R> for Cells
where
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Cells, sqlx::Error> {
        let cell = |index: usize| {
            let raw = row.try_get_raw(index)?;
            if raw.is_null() {
                return Ok(Cell::Missing);
            }
            let held = match raw.type_info().name() {
                "INTEGER" | "INT8" => Value::Number(Some(row.try_get(index)?)),
                "TEXT" => Value::Text(Some(row.try_get(index)?)),
                _ => Value::Bytes(row.try_get(index)?),
            };
            Ok(Cell::Held(held))
        };
        (0..row.len()).map(cell).collect::<Result<Vec<Cell>, _>>().map(Cells)
    }
}

impl Table {
    fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    /// The rows after the one with the key `after`, in the order of the key.
    async fn rows(&self, connection: &mut Connection, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>> {
        let keys: Vec<&str> = self.columns[..self.keys].iter().map(|(name, _)| *name).collect();
        let keys = keys.join(", ");
        let (names, name, at_once) = (self.names(), self.name, self.at_once);
        let places: Vec<String> = (1..=self.keys).map(|place| format!("${place}")).collect();
        let after_key = after.map(|_| format!("({keys}) > ({})", places.join(", ")));
        let all: Vec<&str> = after_key.as_deref().into_iter().chain(self.only).collect();
        let from = if all.is_empty() { String::new() } else { format!("where {}", all.join(" and ")) };
        let mut page = query_of(format!("select {names} from {name} {from} order by {keys} limit {at_once}"));
        for key in after.unwrap_or_default() {
            page = page.bind(key.clone());
        }
        let rows: Vec<Cells> = page.fetch_all(connection).await?;
        Ok(rows.into_iter().map(|Cells(cells)| self.values(cells)).collect())
    }

    /// The cells of a row as values; nulls get their column's type.
    fn values(&self, cells: Vec<Cell>) -> Vec<Value> {
        let value = |(cell, (_, kind)): (Cell, &(&str, Kind))| match (cell, kind) {
            (Cell::Held(value), _) => value,
            (Cell::Missing, Kind::Text) => Value::Text(None),
            (Cell::Missing, Kind::Number | Kind::Bytes) => Value::Number(None),
        };
        cells.into_iter().zip(self.columns).map(value).collect()
    }
}

/// The SHA-256 of a row, with delimited cells.
fn hash_row(row: &[Value]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for value in row {
        let (kind, bytes) = match value {
            Value::Number(None) | Value::Text(None) => (0_u8, Vec::new()),
            Value::Number(Some(number)) => (1, number.to_be_bytes().to_vec()),
            Value::Text(Some(text)) => (2, text.as_bytes().to_vec()),
            Value::Bytes(bytes) => (3, bytes.clone()),
        };
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    hash.finalize().into()
}

/// The SHA-256 of a table's rows, sorted by the rows' own hashes, because databases sort texts differently.
fn hash_rows(name: &str, mut rows: Vec<[u8; 32]>, whole: &mut Sha256) {
    rows.sort_unstable();
    whole.update(name);
    whole.update((rows.len() as u64).to_be_bytes());
    rows.iter().for_each(|row| whole.update(row));
}

/// The result of inspecting a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inspection {
    /// The problems found; none if all is well.
    pub problems: Vec<String>,
    /// The SHA-256 of the content, the same in every kind of database; `None` if an earlier release made the tables.
    pub digest: Option<Hex<32>>,
}

impl Inspection {
    pub(crate) async fn of(reading: &mut Connection, modules: &Modules, steps: &[Step]) -> Result<Inspection> {
        let problems = problems(reading, modules).await?;
        let is_todays = migrations::version(reading).await? == migrations::latest(steps);
        Ok(Inspection { problems, digest: if is_todays { Some(digest(reading).await?) } else { None } })
    }
}

async fn digest(reading: &mut Connection) -> Result<Hex<32>> {
    let mut whole = Sha256::new();
    for table in &TABLES {
        let (mut hashes, mut after) = (Vec::new(), None);
        loop {
            let rows = table.rows(reading, after.as_deref()).await?;
            hashes.extend(rows.iter().map(|row| hash_row(row)));
            let Some(last) = rows.last() else { break };
            after = Some(last[..table.keys].to_vec());
        }
        hash_rows(table.name, hashes, &mut whole);
    }
    Ok(Hex(whole.finalize().into()))
}

/// What was copied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// Rows of all tables.
    pub rows: u64,
    /// Modules of bots.
    pub modules: usize,
    /// The result of [`Store::digest`], equal for both stores.
    pub digest: Hex<32>,
}

/// Why a store was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The other store is not empty.
    #[error("the store to copy into is not empty: it has rows in {0}")]
    NotEmpty(&'static str),
    /// The copy's digest differs from the original's.
    #[error("the copy differs from the original: {copy} is not {from}")]
    Differs {
        /// The digest of the copy.
        copy: Hex<32>,
        /// The digest of the original.
        from: Hex<32>,
    },
    /// One of the two stores failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// The SHA-256 of everything in the store at one moment: of every row, and of bots' bytes by the hash that names
    /// them. The same in every kind of database.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn digest(&self) -> Result<Hex<32>> {
        digest(&mut self.reading().await?).await
    }

    /// Copies everything, as it is at one moment, into another store, which must be empty. It is one transaction there,
    /// and the digests are compared at the end.
    ///
    /// # Errors
    /// When the other store is not empty, one of them fails, or bytes of a bot are missing or damaged.
    pub async fn copy_into(&self, to: &Store) -> Result<Copied, CopyError> {
        let mut reading = self.reading().await?;
        let mut writing = to.writing().await?;
        let (mut whole, mut count) = (Sha256::new(), 0);
        for table in &TABLES {
            if table.name == "sums" {
                // An empty store has rows of sums, all zero.
                query_of("delete from sums".into()).execute(&mut writing).await?;
            } else if !table.rows(&mut writing, None).await?.is_empty() {
                return Err(CopyError::NotEmpty(table.name));
            }
            let into = format!("insert into {} ({})", table.name, table.names());
            let (mut hashes, mut after) = (Vec::new(), None);
            loop {
                let rows = table.rows(&mut reading, after.as_deref()).await?;
                let Some(last) = rows.last() else { break };
                after = Some(last[..table.keys].to_vec());
                hashes.extend(rows.iter().map(|row| hash_row(row)));
                count += rows.len() as u64;
                if let Some(insert) = insert(&into, rows) {
                    insert.execute(&mut writing).await?;
                }
            }
            hash_rows(table.name, hashes, &mut whole);
        }
        let modules = named(&mut reading).await?;
        for entrant in &modules {
            let bytes = self.database.modules().read_over(&mut reading, entrant).await?;
            to.database.modules().put(&mut writing, entrant, bytes.into()).await?;
        }
        let (from, copy) = (Hex(whole.finalize().into()), digest(&mut writing).await?);
        if copy != from {
            return Err(CopyError::Differs { copy, from });
        }
        if writing.is_to_server() {
            // Until it has looked at so many new rows, minutes later, it would plan statements for none.
            query_of("analyze".into()).execute(&mut writing).await?;
        }
        writing.commit().await?;
        Ok(Copied { rows: count, modules: modules.len(), digest: copy })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Store;
    use crate::sql::connection::query;

    #[tokio::test]
    async fn every_column_is_in_the_list() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("a store");
        let columns = query(
            "select t.name, c.name from sqlite_master t join pragma_table_info(t.name) c
             where t.type = 'table' and t.name not like 'sqlite%' and t.name <> '_sqlx_migrations'",
        );
        let mut reader = store.reader().await.expect("a reader");
        let columns: Vec<(String, String)> = columns.fetch_all(&mut reader).await.expect("columns");
        let listed = TABLES.iter().flat_map(|table| table.columns.iter().map(|(name, _)| (table.name, *name)));
        let listed: BTreeSet<(String, String)> =
            listed.map(|(table, column)| (table.to_owned(), column.to_owned())).collect();
        let is_own = |table: &str, column: &str| PASSING.contains(&table) || (table, column) == OWN;
        let lasting = columns.into_iter().filter(|(table, column)| !is_own(table, column));
        assert_eq!(listed, lasting.collect());
    }
}
