//! Results that workers submit, and which of them counts.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::{Place, claimant, clock, free_held, insert_results, place};
use crate::error::Result;
use crate::policy::queue::{
    Judged, VOID, Vote, WRONG, checked_ends, is_freed, is_refuted, is_to_be_checked, judge, taken, was_held,
};
use crate::queue::end_hash;
use crate::sql::columns::{list, values};
use crate::sql::connection::{Connection, insert, query, query_of};
use crate::sql::modules::aside;
use crate::{NewEnd, QueueError, Store, Taken, TournamentId, WorkerName};

/// Adds those results that are each the first of its game, by one of the site's own workers under the current lease:
/// nobody contradicts them, so they count. A few statements do for all what [`submit`] does for each. Which of the
/// results these are.
async fn submit_first(writing: &mut Connection, worker: &WorkerName, ends: &[NewEnd]) -> Result<BTreeSet<usize>> {
    let mut first = BTreeSet::new();
    if worker.volunteer().is_some() {
        return Ok(first);
    }
    let tournaments: BTreeSet<&TournamentId> = ends.iter().map(|end| &end.lease.tournament).collect();
    // The numbers of games without a result that are this worker's, by place and token.
    let mut open = BTreeMap::new();
    for tournament in tournaments {
        let keys = list(ends.iter().filter(|end| end.lease.tournament == *tournament).map(|end| end.lease.key));
        let rows: Vec<(String, Option<i64>, Option<u64>)> = query(
            "select id.value,
                (select g.number from queued_games g where g.tournament = $1 and g.key = id.value and g.worker = $3
                    and (select count(*) from queued_ends e where e.tournament = g.tournament and e.key = g.key) = 0),
                (select g.token from queued_games g where g.tournament = $1 and g.key = id.value)
             from json_each($2) id",
        )
        .with(values![tournament, keys, worker])
        .fetch_all(writing)
        .await?;
        for (key, number, token) in rows {
            open.extend(number.zip(token).map(|(number, token)| ((tournament.to_string(), key), (token, number))));
        }
    }
    let (mut numbers, mut new, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, end) in ends.iter().enumerate() {
        let place = place(&end.lease);
        // Taken out, so that a game's second result in this call is none of these.
        let held = open.remove(&place).filter(|(token, _)| *token == end.lease.token);
        let Some((_, number)) = held else { continue };
        first.insert(index);
        numbers.push(number.to_string());
        let hash = aside(end.text.as_bytes(), end_hash).await?.to_string();
        texts.push((end.lease.tournament.as_str(), hash.clone(), end.text.as_str()));
        new.push(values![place.0, place.1, worker, hash, end.is_void].into());
    }
    let into = "insert into queued_ends (tournament, key, worker, end_hash, is_void)";
    let (Some(insert), Some(insert_results)) = (insert(into, new), insert_results(texts)) else { return Ok(first) };
    insert_results.execute(writing).await?;
    insert.again().execute(writing).await?;
    query_of(format!(
        "update queued_games set leased_until = null, end_hash = (select e.end_hash from queued_ends e
            where e.tournament = queued_games.tournament and e.key = queued_games.key)
         where number in ({})",
        numbers.join(", ")
    ))
    .execute(writing)
    .await?;
    Ok(first)
}

/// Adds a worker's result of a game.
async fn submit(writing: &mut Connection, worker: &WorkerName, end: &NewEnd) -> Result<Taken> {
    let place = place(&end.lease);
    let game: Option<(u64, Option<String>, Option<String>)> =
        query("select token, worker, worker_before from queued_games where tournament = $1 and key = $2")
            .with(values![place.0.as_str(), place.1.as_str()])
            .fetch_optional(writing)
            .await?;
    let Some((claims, holder, before)) = game else { return Ok(Taken::Unwanted) };
    if !was_held(worker, end.lease.token, claims, [holder.as_deref(), before.as_deref()]) {
        return Ok(Taken::Foreign);
    }
    let submitted = aside(end.text.as_bytes(), end_hash).await?;
    let text = (place.0.as_str(), submitted.to_string(), end.text.as_str());
    if let Some(insert) = insert_results([text]) {
        insert.execute(writing).await?;
    }
    let fresh = query(
        "insert into queued_ends (tournament, key, worker, end_hash, is_void) values ($1, $2, $3, $4, $5)
         on conflict do nothing",
    )
    .with(values![place.0.as_str(), place.1.as_str(), worker, &submitted, end.is_void])
    .execute(writing)
    .await?;
    if fresh > 0 {
        count(writing, worker, &place, end, &submitted).await?;
    }
    settle(writing, vec![place.clone()]).await?;
    let (counts, is_out) = query(
        "select end_hash, exists (select 1 from quarantined_workers where name = $3)
         from queued_games where tournament = $1 and key = $2",
    )
    .with(values![place.0, place.1, worker])
    .fetch_one(writing)
    .await?;
    Ok(taken(submitted, counts, is_out))
}

/// Whether one of the site's own workers has played the game `$1`, `$2` to its end, and `$and` holds.
macro_rules! played_here {
    ($and:literal) => {
        concat!(
            "exists (select 1 from queued_ends o where o.tournament = $1 and o.key = $2 and o.is_void = 0
                and o.worker not like 'volunteer:%' and ",
            $and,
            ")"
        )
    };
}

/// Updates the counts of volunteers that a new result concerns, and decides whether the game is to be checked.
async fn count(
    writing: &mut Connection,
    worker: &WorkerName,
    place: &Place,
    end: &NewEnd,
    hash: &Hex<32>,
) -> Result<()> {
    let of_game = |text: &'static str| query(text).with(values![place.0.as_str(), place.1.as_str()]);
    if worker.volunteer().is_none() {
        if !end.is_void {
            // This first result of the site's own workers verifies the earlier ones of volunteers.
            let right = of_game(concat!(
                "update volunteers set verified = verified + 1 where not ",
                played_here!("o.worker <> $4"),
                " and name in (select e.worker from queued_ends e
                    where e.tournament = $1 and e.key = $2 and e.end_hash = $3 and e.is_void = 0)
                  and (select count(*) from queued_ends m
                    where m.tournament = $1 and m.key = $2 and m.worker = $4 and m.is_void = 0) = 1"
            ));
            right.with(values![hash, worker]).execute(writing).await?;
            // Two of them have played it.
            let compared = of_game(
                "update queued_games set sampled = 0 where tournament = $1 and key = $2 and sampled = 1
                 and (select count(distinct o.worker) from queued_ends o where o.tournament = $1 and o.key = $2
                    and o.is_void = 0 and o.worker not like 'volunteer:%') > 1",
            );
            compared.execute(writing).await?;
        }
        return Ok(());
    }
    let verified = query(
        "insert into volunteers (name, games, verified) values ($1, 1, 0)
         on conflict (name) do update set games = volunteers.games + 1 returning verified",
    )
    .bind(worker)
    .fetch_value(writing)
    .await?;
    if is_to_be_checked(end, verified) {
        let checked = of_game("update queued_games set checked = 1 where tournament = $1 and key = $2");
        checked.execute(writing).await?;
    }
    if !end.is_void {
        let known = of_game(concat!(
            "update volunteers set verified = verified + 1 where name = $4 and ",
            played_here!("o.end_hash = $3")
        ));
        known.with(values![hash, worker]).execute(writing).await?;
    }
    Ok(())
}

/// Evaluates the votes on games, and on other games that are affected in turn.
async fn settle(writing: &mut Connection, mut open: Vec<Place>) -> Result<()> {
    while let Some(place) = open.pop() {
        let (tournament, key) = (place.0.as_str(), place.1.as_str());
        let row: Option<(Option<Hex<32>>, Option<String>, i64, i64)> =
            query("select end_hash, worker, checked, sampled from queued_games where tournament = $1 and key = $2")
                .with(values![tournament, key])
                .fetch_optional(writing)
                .await?;
        let Some((before, holder, checked, sampled)) = row else { continue };
        let rows: Vec<(WorkerName, Hex<32>, i64)> = query(
            "select worker, end_hash, is_void from queued_ends where tournament = $1 and key = $2
             order by worker, end_hash",
        )
        .with(values![tournament, key])
        .fetch_all(writing)
        .await?;
        let vote = |(worker, hash, is_void)| Vote { worker, hash, is_void: is_void != 0 };
        let votes: Vec<Vote> = rows.into_iter().map(vote).collect();
        let Judged { end, liars, refuted } = judge(&votes, before, checked != 0);
        query(
            "update queued_games set end_hash = $3, leased_until = case when $4 = 1 then null else leased_until end
             where tournament = $1 and key = $2",
        )
        .with(values![tournament, key, end.as_ref(), is_freed(&votes, end, sampled != 0, holder.as_deref())])
        .execute(writing)
        .await?;
        for liar in liars {
            open.extend(take_back(writing, &liar, WRONG).await?);
        }
        for worker in refuted {
            if is_refuted(refuted_voids(writing, &place, &worker).await?) {
                open.extend(take_back(writing, &worker, VOID).await?);
            }
        }
    }
    Ok(())
}

/// Counts a game that this volunteer says is void, and one of the site's own workers has played, in the volunteer's
/// row, once. Returns how many there are by now, also of tournaments that the queue has forgotten.
async fn refuted_voids(writing: &mut Connection, place: &Place, worker: &WorkerName) -> Result<usize> {
    for statement in [
        "update volunteers set refuted = refuted + 1 where name = $3 and not exists (
            select 1 from queued_ends e where e.tournament = $1 and e.key = $2 and e.worker = $3 and e.refuted = 1)",
        "update queued_ends set refuted = 1 where tournament = $1 and key = $2 and worker = $3 and is_void = 1",
    ] {
        let of_game = query(statement).with(values![place.0.as_str(), place.1.as_str(), worker]);
        of_game.execute(writing).await?;
    }
    let count = query("select refuted from volunteers where name = $1").bind(worker).find_value(writing).await?;
    Ok(count.unwrap_or(0))
}

/// Quarantines a worker and takes back all that it submitted; returns the games affected.
async fn take_back(writing: &mut Connection, worker: &WorkerName, reason: &str) -> Result<Vec<Place>> {
    let now = clock(writing).await?;
    query("insert into quarantined_workers (name, since_ms, reason) values ($1, $2, $3) on conflict do nothing")
        .with(values![worker, now, reason])
        .execute(writing)
        .await?;
    free_held(writing, worker).await?;
    let concerned =
        query("select distinct tournament, key from queued_ends where worker = $1 order by tournament, key")
            .bind(worker)
            .fetch_all(writing)
            .await?;
    query("delete from queued_ends where worker = $1").bind(worker).execute(writing).await?;
    Ok(concerned)
}

/// Results, and who was wrong.
impl Store {
    /// Submits results, and returns what became of each, in order. Repeating it changes nothing.
    ///
    /// # Errors
    /// When there are too many, one is too long, the worker is quarantined, or the store cannot be written.
    pub async fn submit_ends(&self, worker: &WorkerName, ends: &[NewEnd]) -> Result<Vec<Taken>, QueueError> {
        checked_ends(ends)?;
        let mut writing = self.writing().await?;
        claimant(&mut writing, worker).await?;
        let first = submit_first(&mut writing, worker, ends).await?;
        let (mut taken, mut is_out) = (Vec::new(), false);
        for (index, end) in ends.iter().enumerate() {
            if is_out || first.contains(&index) {
                taken.push(if is_out { Taken::Wrong } else { Taken::Counts });
                continue;
            }
            taken.push(submit(&mut writing, worker, end).await?);
            // This may have shown that the worker is wrong: all that it submitted is taken back.
            is_out = match claimant(&mut writing, worker).await {
                Ok(()) => false,
                Err(QueueError::Quarantined { .. } | QueueError::Banned { .. }) => true,
                Err(error) => return Err(error),
            };
        }
        writing.commit().await?;
        // Other processes get it from the database.
        self.database.notifiers().ended.send_replace(());
        Ok(taken)
    }

    /// Quarantines a worker: it gets no more games, and all that it alone submitted is taken back. Repeating it changes
    /// nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn quarantine(&self, worker: &WorkerName, reason: &str) -> Result<()> {
        let mut writing = self.writing().await?;
        let concerned = take_back(&mut writing, worker, reason).await?;
        settle(&mut writing, concerned).await?;
        writing.commit().await
    }
}
