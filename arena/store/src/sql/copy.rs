//! A store as a whole: its digest, and copying it into another store of any kind.

use arena_record::Hex;
use sha2::{Digest as _, Sha256};
use sqlx::{Column, ColumnIndex, Database, Decode, FromRow, Row, Type, TypeInfo, ValueRef};

use super::columns::{Columns, Value};
use super::connection::{Connection, insert, query_of};
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

/// A table: its columns, those of the key first. Tables come after those that they refer to.
struct Table {
    name: &'static str,
    keys: usize,
    columns: &'static str,
    /// Rows read at once.
    at_once: usize,
    /// Which rows belong to it.
    only: Option<&'static str>,
}

const fn table(name: &'static str, keys: usize, columns: &'static str) -> Table {
    Table { name, keys, columns, at_once: ROWS, only: None }
}

/// A table with rows of megabytes.
const fn long(table: Table) -> Table {
    Table { at_once: LONG_ROWS, ..table }
}

/// All tables except the bytes of bots, the list of migrations and [transient ones](PASSING). A test compares the list
/// with the tables of both databases.
const TABLES: [Table; 31] = [
    table("sums", 1, "name, value"),
    table("accounts", 1, "id, name, code_hash, created_at, disabled_at, deleted_at"),
    table("account_name_keys", 1, "name_key, account"),
    table("sessions", 1, "token_hash, account, expires_at"),
    table("browsers", 2, "account, browser, seen_at"),
    table("tokens", 1, "id, account, name, scope, token_hash, created_at, expires_at, used_at"),
    table("bots", 1, "id, account, name, name_key, created_at, game, disabled_at, deleted_at, chosen, chosen_after"),
    table("bot_name_keys", 1, "name_key, bot"),
    table(
        "versions",
        2,
        "bot, number, entrant, size_bytes, state, refusal_code, refusal_message, refusal_hint, \
         refusal_offset, refusal_told, submitted_at, licence",
    ),
    table("sample_logs", 3, "bot, number, seat, text, dropped"),
    table("games", 2, "tournament, number, winner, reason, digest, path"),
    table("game_seats", 3, "tournament, number, seat, entrant, tally"),
    table(
        "rooms",
        1,
        "id, state, created_at, finished_at, owner, silence_seconds_max, heard_at, bytes, tallied, rated",
    ),
    table("room_people", 2, "person, room"),
    table("room_events", 2, "room, seq, event"),
    table("people_games", 1, "seq, room, first, second, game, annulled, rated"),
    table("contests", 1, "id, owner, name, game, phase, games, fuel, secret, opened_at"),
    table("contest_events", 2, "contest, seq, at, event"),
    table("world_spans", 2, "world, start, bytes"),
    long(table("world_lines", 3, "world, start, seq, line")),
    table("gone", 1, "number, kind, id, at"),
    table("secrets", 2, "series, number, secret"),
    table("closed_gates", 1, "gate, since"),
    table("measures", 1, "number, kind, subject, text, since, until_at"),
    table("audit", 1, "number, at, act, bot, account, reason, game, world, contest"),
    table("workers", 1, "name, token_hash, created_at, used_at"),
    table("quarantined_workers", 1, "name, since_ms, reason"),
    table("volunteers", 1, "name, games, verified, refuted"),
    table(
        "queued_games",
        2,
        "tournament, key, semantics, build, job, token, worker, worker_before, leased_until, end_hash, \
         checked, sampled, asked_ms",
    ),
    table("queued_ends", 4, "tournament, key, worker, end_hash, is_void, refuted"),
    // Those in journals are copied with their folders.
    Table {
        only: Some(
            "exists (select 1 from queued_ends e where e.tournament = results.tournament
                and e.end_hash = results.hash)",
        ),
        ..long(table("results", 2, "tournament, hash, text"))
    },
];

/// Transient tables: bots of the games that workers play, which the site keeps there again after a move, and the
/// operator's sessions, who signs in again.
#[cfg(test)]
const PASSING: [&str; 2] = ["queued_modules", "operator_sessions"];

/// A column that each database fills by itself: the order in which games are offered to workers, which may be any.
#[cfg(test)]
const OWN: (&str, &str) = ("queued_games", "number");

/// A row of any table of either database. Nulls have their column's type.
struct Cells(Vec<Value>);

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
            let is_text = |column: &<R::Database as Database>::Column| column.type_info().name() == "TEXT";
            Ok(match raw.type_info().name() {
                _ if raw.is_null() && is_text(row.column(index)) => Value::Text(None),
                _ if raw.is_null() => Value::Number(None),
                "INTEGER" | "INT8" => Value::Number(Some(row.try_get(index)?)),
                "TEXT" => Value::Text(Some(row.try_get(index)?)),
                _ => Value::Bytes(row.try_get(index)?),
            })
        };
        (0..row.len()).map(cell).collect::<Result<Vec<Value>, _>>().map(Cells)
    }
}

impl Columns for Cells {
    type Raw = Cells;

    fn read(raw: Cells) -> Result<Cells> {
        Ok(raw)
    }
}

impl Table {
    /// The rows after the one with the key `after`, in the order of the key.
    async fn rows(&self, connection: &mut Connection, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>> {
        let Table { name, columns, at_once, .. } = self;
        let keys: Vec<&str> = columns.split(", ").take(self.keys).collect();
        let keys = keys.join(", ");
        let places: Vec<String> = (1..=self.keys).map(|place| format!("${place}")).collect();
        let after_key = after.map(|_| format!("({keys}) > ({})", places.join(", ")));
        let all: Vec<&str> = after_key.as_deref().into_iter().chain(self.only).collect();
        let from = if all.is_empty() { String::new() } else { format!("where {}", all.join(" and ")) };
        let mut page = query_of(format!("select {columns} from {name} {from} order by {keys} limit {at_once}"));
        for key in after.unwrap_or_default() {
            page = page.bind(key.clone());
        }
        let rows: Vec<Cells> = page.fetch_all(connection).await?;
        Ok(rows.into_iter().map(|Cells(cells)| cells).collect())
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
            let into = format!("insert into {} ({})", table.name, table.columns);
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
        let listed = TABLES.iter().flat_map(|table| table.columns.split(", ").map(|name| (table.name, name)));
        let listed: BTreeSet<(String, String)> =
            listed.map(|(table, column)| (table.to_owned(), column.to_owned())).collect();
        let is_own = |table: &str, column: &str| PASSING.contains(&table) || (table, column) == OWN;
        let lasting = columns.into_iter().filter(|(table, column)| !is_own(table, column));
        assert_eq!(listed, lasting.collect());
    }
}
