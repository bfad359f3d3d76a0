//! Games that workers play, in rows. Each call is one transaction, and writers take turns, so a claim, its token and
//! the results under it are consistent.
//!
//! Statements about several games look up each in a subquery of its own. PostgreSQL then always uses the index by
//! tournament and key; a join it would plan by statistics, which are behind in tables that are filled and emptied all
//! the time.

mod claims;
mod votes;

use std::collections::BTreeMap;

use arena_record::{EntrantId, Hex};

use super::columns::{Row, list, values};
use super::connection::{Connection, Query, insert, query};
use super::modules::checked;
use crate::error::{Damage, Result};
use crate::policy::queue::{checked_count, checked_games, may_ask};
use crate::{
    AccountId, AskedGame, GameEnd, Lease, NotAWorkerName, PAGE_MAX, QueueError, QueueFigures, Store, StoreError,
    TournamentId, UnixSeconds, Volunteer, WorkerName,
};

/// Volunteers, as rows of this shape.
macro_rules! volunteers {
    () => {
        "select v.name, v.games, v.verified, q.reason from volunteers v
         left join quarantined_workers q on q.name = v.name "
    };
}

/// A tournament's game.
type Place = (String, String);

/// Whether it is sampled, and one of the site's own workers has played it to its result, but no other yet.
macro_rules! played_alone {
    () => {
        "g.sampled = 1 and (select count(*) from queued_ends o where o.tournament = g.tournament and o.key = g.key
            and o.end_hash = g.end_hash and o.is_void = 0 and o.worker not like 'volunteer:%') > 0"
    };
}
pub(in crate::sql) use played_alone;

/// Who submitted the result of the game `$1`, `id.value`: the first by name.
macro_rules! its_worker {
    () => {
        "select e.worker from queued_ends e where e.tournament = $1 and e.key = id.value and e.end_hash = (
            select g.end_hash from queued_games g where g.tournament = $1 and g.key = id.value) order by e.worker limit 1"
    };
}

/// The database's clock, in milliseconds. Machines' clocks may disagree, and leases must mean the same on all of them.
/// A test may state the time instead.
pub(in crate::sql) async fn clock(connection: &mut Connection) -> Result<i64> {
    if let Some(stated) = connection.clock.stated_millis() {
        return Ok(stated);
    }
    let now = if connection.is_to_server() {
        "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
    } else {
        "select cast(unixepoch('subsec') * 1000 as bigint)"
    };
    query(now).fetch_value(connection).await
}

/// Adds the texts of results, each with its tournament and hash; `None` if there are none.
pub(in crate::sql) fn insert_results<'a>(texts: impl IntoIterator<Item = (&'a str, String, &'a str)>) -> Option<Query> {
    let rows = texts.into_iter().map(|(tournament, hash, text)| values![tournament, hash, text].into());
    Some(insert("insert into results (tournament, hash, text)", rows)?.unless_there().again())
}

fn place(lease: &Lease) -> Place {
    (lease.tournament.to_string(), lease.key.to_string())
}

async fn claimant(connection: &mut Connection, worker: &WorkerName) -> Result<(), QueueError> {
    may_ask(worker, quarantined(connection, worker).await?)
}

/// The reason if a worker gets no games.
pub(in crate::sql) async fn quarantined(connection: &mut Connection, worker: &WorkerName) -> Result<Option<String>> {
    query("select reason from quarantined_workers where name = $1").bind(worker).find_value(connection).await
}

/// Clears the leases that a worker holds: others may have its games at once.
pub(in crate::sql) async fn free_held(writing: &mut Connection, worker: &WorkerName) -> Result<()> {
    let held = query("update queued_games set leased_until = null where worker = $1").bind(worker);
    held.execute(writing).await.map(drop)
}

/// Games that workers play in other processes.
impl Store {
    /// Keeps the bytes of a bot for the workers that play a tournament's games. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_for_queue(&self, tournament: &TournamentId, entrant: &EntrantId, bytes: &[u8]) -> Result<()> {
        let kept =
            query("insert into queued_modules (tournament, entrant, bytes) values ($1, $2, $3) on conflict do nothing");
        self.execute(kept.with(values![tournament, entrant, bytes])).await.map(drop)
    }

    /// The bytes of a bot that plays in the games of some tournament; `None` if it does not.
    ///
    /// # Errors
    /// When the store cannot be read, or the bytes are not the bot's any more.
    pub async fn module_in_queue(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>> {
        let bytes = query("select bytes from queued_modules where entrant = $1 limit 1").bind(entrant);
        let Some(bytes) = bytes.find_value(&mut self.reader().await?).await? else { return Ok(None) };
        checked(bytes, entrant).await.map(Some)
    }

    /// Asks for games of a tournament. Games that were asked for before stay unchanged.
    ///
    /// # Errors
    /// When there are too many, one is too long, or the store cannot be written.
    pub async fn ask_games(&self, tournament: &TournamentId, games: &[AskedGame]) -> Result<(), QueueError> {
        checked_games(games)?;
        let mut writing = self.writing().await?;
        let now = clock(&mut writing).await?;
        let row = |game: &AskedGame| {
            let AskedGame { key, semantics, build, job, is_sampled } = game;
            values![tournament, key, semantics.as_str(), build.as_str(), job.as_str(), 0_i64, *is_sampled, now].into()
        };
        let into = "insert into queued_games (tournament, key, semantics, build, job, token, sampled, asked_ms)";
        if let Some(insert) = insert(into, games.iter().map(row)) {
            insert.unless_there().again().execute(&mut writing).await?;
        }
        Ok(writing.commit().await?)
    }

    /// The results of these games of a tournament, as far as there are any, in no order.
    ///
    /// # Errors
    /// When there are too many, or the store cannot be read.
    pub async fn ends(&self, tournament: &TournamentId, keys: &[Hex<32>]) -> Result<Vec<GameEnd>, QueueError> {
        checked_count(keys.len())?;
        let rows: Vec<EndRow> = query(concat!(
            "select id.value, (",
            its_worker!(),
            "), (select g.end_hash from queued_games g where g.tournament = $1 and g.key = id.value),
                (select r.text from queued_games g join results r on r.tournament = g.tournament and r.hash = g.end_hash
                where g.tournament = $1 and g.key = id.value) from json_each($2) id"
        ))
        .with(values![tournament, list(keys)])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let mut ends = Vec::new();
        for (key, worker, result, text) in rows {
            if let Some((worker, result)) = worker.zip(result) {
                let text = text.ok_or(Damage::Result(result)).map_err(StoreError::from)?;
                ends.push(GameEnd { key, worker, text });
            }
        }
        Ok(ends)
    }

    /// All games of a tournament that were asked for, each with the hash of its result if there is one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn end_hashes(&self, tournament: &TournamentId) -> Result<BTreeMap<Hex<32>, Option<Hex<32>>>> {
        let games = query("select key, end_hash from queued_games where tournament = $1").bind(tournament);
        let rows: Vec<_> = games.fetch_all(&mut self.reader().await?).await?;
        Ok(rows.into_iter().collect())
    }

    /// Forgets a tournament's games, and the results that are not in its journal here: all are played and kept
    /// elsewhere, or not wanted any more.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_games(&self, tournament: &TournamentId) -> Result<()> {
        let mut writing = self.writing().await?;
        for statement in [
            "delete from queued_ends where tournament = $1",
            "delete from queued_games where tournament = $1",
            "delete from queued_modules where tournament = $1",
            if self.database.keeps_folders() {
                "delete from results where tournament = $1 and not exists (select 1 from kept_lines l
                    where l.folder = results.tournament and l.hash = results.hash)"
            } else {
                "delete from results where tournament = $1"
            },
        ] {
            query(statement).bind(tournament).execute(&mut writing).await?;
        }
        writing.commit().await
    }

    /// The quarantined workers, each with the reason.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn quarantined(&self) -> Result<BTreeMap<WorkerName, String>> {
        let rows: Vec<_> =
            query("select name, reason from quarantined_workers").fetch_all(&mut self.reader().await?).await?;
        Ok(rows.into_iter().collect())
    }

    /// The time by the clock that all servers of a site share, the database's; `None` where one server has it alone.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn shared_time(&self) -> Result<Option<UnixSeconds>> {
        let mut reader = self.reader().await?;
        if !reader.is_to_server() && reader.clock.stated_millis().is_none() {
            return Ok(None);
        }
        Ok(Some(UnixSeconds(clock(&mut reader).await?.div_euclid(1_000))))
    }

    /// How much waits for workers at this moment, for figures.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn queue_state(&self) -> Result<QueueFigures> {
        let mut reader = self.reader().await?;
        let now = clock(&mut reader).await?;
        let (waiting, leased, workers, oldest_ms) = query(
            "select count(*) - count(*) filter (where leased_until > $1), count(*) filter (where leased_until > $1),
                count(distinct case when leased_until > $1 then worker end),
                coalesce(max($1 - asked_ms) filter (where asked_ms < $1 and (leased_until is null or leased_until <= $1)), 0)
             from queued_games where end_hash is null",
        )
        .bind(now)
        .fetch_one(&mut reader)
        .await?;
        Ok(QueueFigures { waiting, oldest_ms, leased, workers })
    }

    /// The volunteers, those with most games first; at most [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn volunteers(&self) -> Result<Vec<Volunteer>> {
        query(concat!(volunteers!(), "order by v.games desc, length(v.name), v.name limit $1"))
            .bind(PAGE_MAX)
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The volunteer of an account, if it has submitted games.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn volunteer(&self, account: AccountId) -> Result<Option<Volunteer>> {
        query(concat!(volunteers!(), "where v.name = $1"))
            .bind(&WorkerName::of_volunteer(account))
            .fetch_optional(&mut self.reader().await?)
            .await
    }
}

/// A row of a game: its key, and as far as it has a result the worker, the result's hash and its text.
type EndRow = (Hex<32>, Option<WorkerName>, Option<Hex<32>>, Option<String>);

impl Row for Volunteer {
    /// Its worker's name, its games, the verified ones, and the reason if it is banned.
    type Columns = (WorkerName, u64, u64, Option<String>);

    fn of((name, games, verified, banned): Self::Columns) -> Result<Volunteer> {
        let account = name.volunteer().ok_or_else(|| StoreError::damaged(NotAWorkerName))?;
        Ok(Volunteer { account, games, verified, banned })
    }
}
