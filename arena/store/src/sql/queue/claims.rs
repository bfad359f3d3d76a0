//! Claims of games by workers, under leases.

use arena_record::Hex;

use super::{claimant, clock, played_alone};
use crate::error::Result;
use crate::policy::queue::{Claimable, checked_count, claimable, granted};
use crate::queue::OTHERS_MAX;
use crate::sql::columns::{list, values};
use crate::sql::connection::{Connection, query};
use crate::{Claim, Claimed, Lease, OtherRelease, QueueError, Store, TournamentId, WorkerName};

/// Whether a game `g` may be claimed by anybody; `$1` is the time.
macro_rules! free {
    () => {
        "g.end_hash is null and (g.leased_until is null or g.leased_until <= $1)"
    };
}

/// Whether a volunteer holds it; `$1` is the time.
macro_rules! lent {
    () => {
        "g.end_hash is null and g.leased_until > $1 and g.worker like 'volunteer:%'"
    };
}

/// Whether it may be claimed to be played by another one; `$1` is the time.
macro_rules! sampled {
    () => {
        concat!(played_alone!(), " and (g.leased_until is null or g.leased_until <= $1)")
    };
}

/// Whether it is one for the worker `$2` with the semantics `$3`. A worker never plays a game twice. A volunteer gets
/// no game that anybody has played.
macro_rules! suits {
    () => {
        " and (select count(*) from json_each($3) s where s.value = g.semantics) > 0 and (select count(*) from queued_ends e
            where e.tournament = g.tournament and e.key = g.key and (e.worker = $2 or $2 like 'volunteer:%')) = 0"
    };
}

/// Claims at most `$4` of such games, the first that were asked for, until `$5`. In the order of an index: a plan that
/// collects them all would look at every game that was ever asked for.
macro_rules! claim {
    ($which:ident) => {
        concat!(
            "update queued_games set token = token + 1, worker_before = worker, worker = $2, leased_until = $5
             where number in (
                select g.number from queued_games g where ",
            $which!(),
            suits!(),
            " order by g.number limit $4) returning number, tournament, key, token, job"
        )
    };
}

/// Now, and the moment when a lease that begins now expires.
async fn until(connection: &mut Connection, lease_ms: u64) -> Result<(i64, i64)> {
    let now = clock(connection).await?;
    Ok((now, now.saturating_add(i64::try_from(lease_ms).unwrap_or(i64::MAX))))
}

/// Claims, under leases.
impl Store {
    /// Claims at most `games_max` games with one of these semantics for a worker, for `lease_ms` milliseconds by the
    /// database's clock. A volunteer gets only games that nobody has played; the site's own workers get sampled games
    /// that another of them has played before all others, and games held by volunteers if there are no others.
    ///
    /// # Errors
    /// When the worker is quarantined, or the store cannot be written.
    pub async fn claim(
        &self,
        worker: &WorkerName,
        semantics: &[String],
        games_max: usize,
        lease_ms: u64,
    ) -> Result<Claim, QueueError> {
        checked_count(games_max)?;
        let semantics = list(semantics);
        // Idle workers ask often, and a read holds up no writer.
        let mut reader = self.reader().await?;
        claimant(&mut reader, worker).await?;
        let now = clock(&mut reader).await?;
        let is_any = query(concat!(
            "select 1 where exists (select 1 from queued_games g where (",
            free!(),
            " or $2 not like 'volunteer:%' and ",
            lent!(),
            ")",
            suits!(),
            " order by g.number limit 1) or $2 not like 'volunteer:%' and exists (select 1 from queued_games g where ",
            sampled!(),
            suits!(),
            " order by g.number limit 1)"
        ));
        let is_any = is_any.with(values![now, worker, semantics.as_str()]);
        if !is_any.exists(&mut reader).await? {
            let others: Vec<_> = query(concat!(
                "select distinct g.semantics, g.build from queued_games g where ",
                free!(),
                " and g.semantics not in (select value from json_each($2)) order by g.semantics, g.build limit $3"
            ))
            .with(values![now, semantics, OTHERS_MAX])
            .fetch_all(&mut reader)
            .await?;
            let others = others.into_iter().map(|(semantics, build)| OtherRelease { semantics, build });
            return Ok(Claim { games: Vec::new(), others: others.collect() });
        }
        drop(reader);
        let mut writing = self.writing().await?;
        claimant(&mut writing, worker).await?;
        let held = match worker.volunteer() {
            // Only volunteers may hold so many and no more.
            None => 0,
            Some(_) => {
                let held =
                    "select count(*) from queued_games where end_hash is null and worker = $1 and leased_until > $2";
                query(held).with(values![worker, now]).fetch_value(&mut writing).await?
            }
        };
        let (games_max, lease_ms) = granted(worker, held, games_max, lease_ms);
        let (now, until) = until(&mut writing, lease_ms).await?;
        let mut rows: Vec<(i64, TournamentId, Hex<32>, u64, String)> = Vec::new();
        for which in claimable(worker) {
            let claim = match which {
                Claimable::Sampled => claim!(sampled),
                Claimable::Free => claim!(free),
                Claimable::Lent => claim!(lent),
            };
            let more = games_max.saturating_sub(rows.len());
            if more > 0 {
                let claim = query(claim).with(values![now, worker, semantics.as_str(), more, until]);
                rows.append(&mut claim.fetch_all(&mut writing).await?);
            }
        }
        writing.commit().await?;
        rows.sort();
        let games = rows
            .into_iter()
            .map(|(_, tournament, key, token, job)| Claimed { lease: Lease { tournament, key, token }, job });
        Ok(Claim { games: games.collect(), others: Vec::new() })
    }

    /// Renews leases for this many milliseconds from now. Returns those that cannot be renewed, because the game has a
    /// result, belongs to another worker by now, or was forgotten.
    ///
    /// # Errors
    /// When there are too many, the worker is quarantined, or the store cannot be written.
    pub async fn renew(&self, worker: &WorkerName, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, QueueError> {
        checked_count(leases.len())?;
        let mut writing = self.writing().await?;
        claimant(&mut writing, worker).await?;
        let (_, until) = until(&mut writing, granted(worker, 0, 0, lease_ms).1).await?;
        let mut lost = Vec::new();
        for lease in leases {
            if set_lease(&mut writing, worker, lease, Some(until)).await? == 0 {
                lost.push(lease.clone());
            }
        }
        writing.commit().await?;
        Ok(lost)
    }

    /// Gives leases back, so that others can have the games at once. Expired leases are ignored.
    ///
    /// # Errors
    /// When there are too many, or the store cannot be written.
    pub async fn hand_back(&self, worker: &WorkerName, leases: &[Lease]) -> Result<(), QueueError> {
        checked_count(leases.len())?;
        let mut writing = self.writing().await?;
        for lease in leases {
            set_lease(&mut writing, worker, lease, None).await?;
        }
        Ok(writing.commit().await?)
    }
}

/// Sets the expiry of a worker's lease; returns how many rows changed.
async fn set_lease(writing: &mut Connection, worker: &WorkerName, lease: &Lease, until: Option<i64>) -> Result<u64> {
    let Lease { tournament, key, token } = lease;
    query(
        "update queued_games set leased_until = $5
         where tournament = $1 and key = $2 and token = $3 and worker = $4 and leased_until is not null",
    )
    .with(values![tournament, key, *token, worker, until])
    .execute(writing)
    .await
}
