//! The site's own workers in a table. Tokens are stored as hashes only.

use super::columns::{Row, values};
use super::connection::query;
use super::queue::{clock, free_held, played_alone, quarantined};
use crate::error::Result;
use crate::policy::queue::may_add;
use crate::{OwnWorker, Store, TournamentId, UnixSeconds, WorkerError, WorkerName, WorkerToken};

/// Workers, as rows of this shape.
macro_rules! workers {
    () => {
        "select w.name, w.created_at, w.used_at, q.reason from workers w
         left join quarantined_workers q on q.name = w.name "
    };
}

impl Row for OwnWorker {
    type Columns = (WorkerName, UnixSeconds, Option<UnixSeconds>, Option<String>);

    fn of((name, created_at, used_at, quarantined): Self::Columns) -> Result<OwnWorker> {
        Ok(OwnWorker { name, created_at, used_at, quarantined })
    }
}

/// The site's own workers.
impl Store {
    /// Adds a worker. Its token is returned here and never again: only its hash is kept. Not repeatable.
    ///
    /// # Errors
    /// When there is one of this name, it is quarantined, or the store cannot be written.
    pub async fn add_worker(&self, name: &WorkerName, now: UnixSeconds) -> Result<WorkerToken, WorkerError> {
        let token = WorkerToken::random()?;
        let mut writing = self.writing().await?;
        let named = query("select 1 from workers where name = $1").bind(name);
        let is_taken = named.exists(&mut writing).await?;
        may_add(is_taken, quarantined(&mut writing, name).await?)?;
        query("insert into workers (name, token_hash, created_at) values ($1, $2, $3)")
            .with(values![name, token.hash().as_slice(), now])
            .execute(&mut writing)
            .await?;
        writing.commit().await?;
        Ok(token)
    }

    /// The workers, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn workers(&self) -> Result<Vec<OwnWorker>> {
        query(concat!(workers!(), "order by w.name")).fetch_all(&mut self.reader().await?).await
    }

    /// The worker with this token.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn worker_by_token(&self, token: &WorkerToken) -> Result<Option<OwnWorker>> {
        query(concat!(workers!(), "where w.token_hash = $1"))
            .bind(token.hash().as_slice())
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// Notes that a worker's token is used now, by the database's clock, unless a use less than `every` seconds ago is
    /// noted. A missing worker changes nothing.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn note_worker(&self, name: &WorkerName, every: i64) -> Result<()> {
        // Most uses are not noted, and a read holds up no writer.
        let mut reader = self.reader().await?;
        let now = clock(&mut reader).await? / 1000;
        let due = query("select name from workers where name = $1 and (used_at is null or used_at <= $2)");
        if !due.with(values![name, now.saturating_sub(every)]).exists(&mut reader).await? {
            return Ok(());
        }
        drop(reader);
        let used = query("update workers set used_at = $2 where name = $1 and (used_at is null or used_at < $2)");
        self.execute(used.with(values![name, now])).await.map(drop)
    }

    /// Revokes a worker's token, and returns whether there was one. What the worker has submitted stays; the games that
    /// it holds are free at once.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn revoke_worker(&self, name: &WorkerName) -> Result<bool> {
        let mut writing = self.writing().await?;
        let revoked = query("delete from workers where name = $1").bind(name).execute(&mut writing).await?;
        if revoked > 0 {
            free_held(&mut writing, name).await?;
        }
        writing.commit().await?;
        Ok(revoked > 0)
    }

    /// How many sampled games of a tournament one worker has played and another could still play: one that took part
    /// in the tournament, is not quarantined, and was there within the last so many seconds of the database's clock;
    /// `None` for at any time.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn samples_awaited(&self, tournament: &TournamentId, within: Option<i64>) -> Result<usize> {
        let mut reader = self.reader().await?;
        let now = clock(&mut reader).await? / 1000;
        query(concat!(
            "select count(*) from queued_games g where g.tournament = $1 and ",
            played_alone!(),
            " and exists (select 1 from workers w where w.used_at >= $2
                and not exists (select 1 from quarantined_workers q where q.name = w.name)
                and not exists (select 1 from queued_ends e
                    where e.tournament = g.tournament and e.key = g.key and e.worker = w.name)
                and exists (select 1 from queued_games h
                    where h.tournament = g.tournament and (h.worker = w.name or h.worker_before = w.name)))"
        ))
        .with(values![tournament, within.map_or(i64::MIN, |seconds| now.saturating_sub(seconds))])
        .fetch_value(&mut reader)
        .await
    }
}
