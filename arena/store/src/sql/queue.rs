//! Games that workers play, in rows. Each call is one transaction, and writers take turns, so a claim, its token and
//! the results under it are consistent.
//!
//! Statements about several games look up each in a subquery of its own. PostgreSQL then always uses the index by
//! tournament and key; a join it would plan by statistics, which are behind in tables that are filled and emptied all
//! the time.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::{EntrantId, Hex};

use super::connection::{Connection, insert, query, query_of};
use super::error::{Stored, number};
use super::modules::{aside, checked};
use crate::queue::{
    Judged, OTHERS_MAX, REFUTED_VOIDS_MAX, VOID, VOLUNTEER_FIRST_GAMES, Vote, WRONG, checked_count, checked_ends,
    checked_games, end_hash, granted, judge, refused, was_held,
};
use crate::{
    AccountId, AskedGame, Claim, Claimed, GameEnd, Lease, NewEnd, NotAWorkerName, OtherRelease, PAGE_MAX, QueueError,
    QueueFigures, Store, StoreError, Taken, TournamentId, UnixSeconds, Volunteer, WorkerName,
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

/// Whether it is sampled, and one of the site's own workers has played it to its result, but no other yet.
macro_rules! played_alone {
    () => {
        "g.sampled = 1 and (select count(*) from queued_ends o where o.tournament = g.tournament and o.key = g.key
            and o.end_hash = g.end_hash and o.is_void = 0 and o.worker not like 'volunteer:%') > 0"
    };
}
pub(super) use played_alone;

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

/// The result of the game `$1`, `id.value`: if several workers submitted it, of the first by name.
macro_rules! its_end {
    () => {
        "from queued_ends e where e.tournament = $1 and e.key = id.value and e.end_hash = (
            select g.end_hash from queued_games g where g.tournament = $1 and g.key = id.value) order by e.worker limit 1"
    };
}

/// The database's clock, in milliseconds. Machines' clocks may disagree, and leases must mean the same on all of them.
/// A test may state the time instead.
pub(super) async fn clock(connection: &mut Connection) -> Result<i64, StoreError> {
    if let Some(stated) = connection.clock.stated_millis() {
        return Ok(stated);
    }
    let now = if connection.is_to_server() {
        "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
    } else {
        "select cast(unixepoch('subsec') * 1000 as bigint)"
    };
    let (now,): (i64,) = query(now).fetch_one(connection).await.stored()?;
    Ok(now)
}

/// Now, and the moment when a lease that begins now expires.
async fn until(connection: &mut Connection, lease_ms: u64) -> Result<(i64, i64), StoreError> {
    let now = clock(connection).await?;
    Ok((now, now.saturating_add(i64::try_from(lease_ms).unwrap_or(i64::MAX))))
}

/// A list as a parameter. Its items, hashes and semantics ids, need no escapes.
fn list(words: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", words.join(","))
}

fn hash(text: &str) -> Result<Hex<32>, StoreError> {
    text.parse().map_err(StoreError::damaged)
}

fn place(lease: &Lease) -> Place {
    (lease.tournament.to_string(), lease.key.to_string())
}

async fn claimant(connection: &mut Connection, worker: &WorkerName) -> Result<(), QueueError> {
    let row: Option<(String,)> = query("select reason from quarantined_workers where name = $1")
        .bind(worker.as_str())
        .fetch_optional(connection)
        .await
        .stored()?;
    match row {
        Some((reason,)) => Err(refused(worker, reason)),
        None => Ok(()),
    }
}

/// Adds those results that are each the first of its game, by one of the site's own workers under the current lease:
/// nobody contradicts them, so they count. A few statements do for all what [`submit`] does for each. Which of the
/// results these are.
async fn submit_first(
    writing: &mut Connection,
    worker: &WorkerName,
    ends: &[NewEnd],
) -> Result<BTreeSet<usize>, StoreError> {
    let mut first = BTreeSet::new();
    if worker.volunteer().is_some() {
        return Ok(first);
    }
    let tournaments: BTreeSet<&TournamentId> = ends.iter().map(|end| &end.lease.tournament).collect();
    // The numbers of games without a result that are this worker's, by place and token.
    let mut open = BTreeMap::new();
    for tournament in tournaments {
        let keys = list(ends.iter().filter(|end| end.lease.tournament == *tournament).map(|end| end.lease.key));
        let rows: Vec<(String, Option<i64>, Option<i64>)> = query(
            "select id.value,
                (select g.number from queued_games g where g.tournament = $1 and g.key = id.value and g.worker = $3
                    and (select count(*) from queued_ends e where e.tournament = g.tournament and e.key = g.key) = 0),
                (select g.token from queued_games g where g.tournament = $1 and g.key = id.value)
             from json_each($2) id",
        )
        .bind(tournament.as_str())
        .bind(keys)
        .bind(worker.as_str())
        .fetch_all(writing)
        .await
        .stored()?;
        for (key, number, token) in rows {
            open.extend(number.zip(token).map(|(number, token)| ((tournament.to_string(), key), (token, number))));
        }
    }
    let (mut numbers, mut new) = (Vec::new(), Vec::new());
    for (index, end) in ends.iter().enumerate() {
        let place = place(&end.lease);
        // Taken out, so that a game's second result in this call is none of these.
        let held = open.remove(&place).filter(|(token, _)| u64::try_from(*token) == Ok(end.lease.token));
        let Some((_, number)) = held else { continue };
        first.insert(index);
        numbers.push(number.to_string());
        new.push(vec![
            place.0.into(),
            place.1.into(),
            worker.as_str().into(),
            aside(end.text.as_bytes(), end_hash).await?.to_string().into(),
            i64::from(end.is_void).into(),
            end.text.as_str().into(),
        ]);
    }
    let Some(insert) = insert("insert into queued_ends (tournament, key, worker, end_hash, is_void, text)", new) else {
        return Ok(first);
    };
    insert.again().execute(writing).await.stored()?;
    query_of(format!(
        "update queued_games set leased_until = null, end_hash = (select e.end_hash from queued_ends e
            where e.tournament = queued_games.tournament and e.key = queued_games.key)
         where number in ({})",
        numbers.join(", ")
    ))
    .execute(writing)
    .await
    .stored()?;
    Ok(first)
}

/// Adds a worker's result of a game.
async fn submit(writing: &mut Connection, worker: &WorkerName, end: &NewEnd) -> Result<Taken, StoreError> {
    let place = place(&end.lease);
    let game: Option<(i64, Option<String>, Option<String>)> =
        query("select token, worker, worker_before from queued_games where tournament = $1 and key = $2")
            .bind(place.0.as_str())
            .bind(place.1.as_str())
            .fetch_optional(writing)
            .await
            .stored()?;
    let Some((claims, holder, before)) = game else { return Ok(Taken::Unwanted) };
    if !was_held(worker, end.lease.token, number(claims)?, [holder.as_deref(), before.as_deref()]) {
        return Ok(Taken::Foreign);
    }
    let submitted = aside(end.text.as_bytes(), end_hash).await?;
    let fresh = query(
        "insert into queued_ends (tournament, key, worker, end_hash, is_void, text) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing",
    )
    .bind(place.0.as_str())
    .bind(place.1.as_str())
    .bind(worker.as_str())
    .bind(submitted.to_string())
    .bind(i64::from(end.is_void))
    .bind(end.text.as_str())
    .execute(writing)
    .await
    .stored()?;
    if fresh > 0 {
        count(writing, worker, &place, end, &submitted.to_string()).await?;
    }
    settle(writing, vec![place.clone()]).await?;
    let (counts, is_out): (Option<String>, bool) = query(
        "select end_hash, exists (select 1 from quarantined_workers where name = $3)
         from queued_games where tournament = $1 and key = $2",
    )
    .bind(place.0)
    .bind(place.1)
    .bind(worker.as_str())
    .fetch_one(writing)
    .await
    .stored()?;
    Ok(match counts {
        Some(counts) if counts == submitted.to_string() => Taken::Counts,
        Some(_) => Taken::Wrong,
        None if is_out => Taken::Wrong,
        None => Taken::Disputed,
    })
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
    hash: &str,
) -> Result<(), StoreError> {
    let of_game = |text: &'static str| query(text).bind(place.0.as_str()).bind(place.1.as_str());
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
            right.bind(hash).bind(worker.as_str()).execute(writing).await.stored()?;
            // Two of them have played it.
            let compared = of_game(
                "update queued_games set sampled = 0 where tournament = $1 and key = $2 and sampled = 1
                 and (select count(distinct o.worker) from queued_ends o where o.tournament = $1 and o.key = $2
                    and o.is_void = 0 and o.worker not like 'volunteer:%') > 1",
            );
            compared.execute(writing).await.stored()?;
        }
        return Ok(());
    }
    let (verified,): (i64,) = query(
        "insert into volunteers (name, games, verified) values ($1, 1, 0)
         on conflict (name) do update set games = volunteers.games + 1 returning verified",
    )
    .bind(worker.as_str())
    .fetch_one(writing)
    .await
    .stored()?;
    if end.is_sampled || end.is_void || number::<u64>(verified)? < VOLUNTEER_FIRST_GAMES {
        let checked = of_game("update queued_games set checked = 1 where tournament = $1 and key = $2");
        checked.execute(writing).await.stored()?;
    }
    if !end.is_void {
        let known = of_game(concat!(
            "update volunteers set verified = verified + 1 where name = $4 and ",
            played_here!("o.end_hash = $3")
        ));
        known.bind(hash).bind(worker.as_str()).execute(writing).await.stored()?;
    }
    Ok(())
}

/// Evaluates the votes on games, and on other games that are affected in turn.
async fn settle(writing: &mut Connection, mut open: Vec<Place>) -> Result<(), StoreError> {
    while let Some(place) = open.pop() {
        let (tournament, key) = (place.0.as_str(), place.1.as_str());
        let row: Option<(Option<String>, Option<String>, i64, i64)> =
            query("select end_hash, worker, checked, sampled from queued_games where tournament = $1 and key = $2")
                .bind(tournament)
                .bind(key)
                .fetch_optional(writing)
                .await
                .stored()?;
        let Some((before, holder, checked, sampled)) = row else { continue };
        let rows: Vec<(String, String, i64)> = query(
            "select worker, end_hash, is_void from queued_ends where tournament = $1 and key = $2
             order by worker, end_hash",
        )
        .bind(tournament)
        .bind(key)
        .fetch_all(writing)
        .await
        .stored()?;
        let vote = |(worker, end, is_void): (String, String, i64)| {
            Ok(Vote { worker: WorkerName::stored(worker), hash: hash(&end)?, is_void: is_void != 0 })
        };
        let votes = rows.into_iter().map(vote).collect::<Result<Vec<Vote>, StoreError>>()?;
        let Judged { end, liars, refuted } = judge(&votes, before.as_deref().map(hash).transpose()?, checked != 0);
        let is_ended = |vote: &Vote| Some(vote.hash) == end && !vote.is_void && vote.worker.volunteer().is_none();
        let is_compared = sampled != 0 && votes.iter().any(is_ended);
        let holder_is_done = votes.iter().any(|vote| Some(vote.worker.as_str()) == holder.as_deref());
        query(
            "update queued_games set end_hash = $3, leased_until = case when $4 = 1 then null else leased_until end
             where tournament = $1 and key = $2",
        )
        .bind(tournament)
        .bind(key)
        .bind(end.map(|end| end.to_string()))
        .bind(i64::from((end.is_some() && !is_compared) || holder_is_done))
        .execute(writing)
        .await
        .stored()?;
        for liar in liars {
            open.extend(take_back(writing, &liar, WRONG).await?);
        }
        for worker in refuted {
            if refuted_voids(writing, &place, &worker).await? >= REFUTED_VOIDS_MAX {
                open.extend(take_back(writing, &worker, VOID).await?);
            }
        }
    }
    Ok(())
}

/// Counts a game that this volunteer says is void, and one of the site's own workers has played, in the volunteer's
/// row, once. Returns how many there are by now, also of tournaments that the queue has forgotten.
async fn refuted_voids(writing: &mut Connection, place: &Place, worker: &WorkerName) -> Result<usize, StoreError> {
    for statement in [
        "update volunteers set refuted = refuted + 1 where name = $3 and not exists (
            select 1 from queued_ends e where e.tournament = $1 and e.key = $2 and e.worker = $3 and e.refuted = 1)",
        "update queued_ends set refuted = 1 where tournament = $1 and key = $2 and worker = $3 and is_void = 1",
    ] {
        let of_game = query(statement).bind(place.0.as_str()).bind(place.1.as_str()).bind(worker.as_str());
        of_game.execute(writing).await.stored()?;
    }
    let row: Option<(i64,)> = query("select refuted from volunteers where name = $1")
        .bind(worker.as_str())
        .fetch_optional(writing)
        .await
        .stored()?;
    row.map_or(Ok(0), |(count,)| number(count))
}

/// Clears the leases that a worker holds: others may have its games at once.
pub(super) async fn free_held(writing: &mut Connection, worker: &WorkerName) -> Result<(), StoreError> {
    query("update queued_games set leased_until = null where worker = $1")
        .bind(worker.as_str())
        .execute(writing)
        .await
        .stored()?;
    Ok(())
}

/// Quarantines a worker and takes back all that it submitted; returns the games affected.
async fn take_back(writing: &mut Connection, worker: &WorkerName, reason: &str) -> Result<Vec<Place>, StoreError> {
    let now = clock(writing).await?;
    query("insert into quarantined_workers (name, since_ms, reason) values ($1, $2, $3) on conflict do nothing")
        .bind(worker.as_str())
        .bind(now)
        .bind(reason)
        .execute(writing)
        .await
        .stored()?;
    free_held(writing, worker).await?;
    let concerned =
        query("select distinct tournament, key from queued_ends where worker = $1 order by tournament, key")
            .bind(worker.as_str())
            .fetch_all(writing)
            .await
            .stored()?;
    query("delete from queued_ends where worker = $1").bind(worker.as_str()).execute(writing).await.stored()?;
    Ok(concerned)
}

/// Games that workers play in other processes.
impl Store {
    /// Keeps the bytes of a bot for the workers that play a tournament's games. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_for_queue(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        query("insert into queued_modules (tournament, entrant, bytes) values ($1, $2, $3) on conflict do nothing")
            .bind(tournament.as_str())
            .bind(entrant.as_str())
            .bind(bytes)
            .execute(&mut writing)
            .await
            .stored()?;
        writing.commit().await.stored()
    }

    /// The bytes of a bot that plays in the games of some tournament; `None` if it does not.
    ///
    /// # Errors
    /// When the store cannot be read, or the bytes are not the bot's any more.
    pub async fn module_in_queue(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, StoreError> {
        let row: Option<(Vec<u8>,)> = query("select bytes from queued_modules where entrant = $1 limit 1")
            .bind(entrant.as_str())
            .fetch_optional(&mut self.reader().await?)
            .await
            .stored()?;
        match row {
            Some((bytes,)) => checked(bytes, entrant).await.map(Some),
            None => Ok(None),
        }
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
            let key = key.to_string();
            vec![
                tournament.as_str().into(),
                key.into(),
                semantics.as_str().into(),
                build.as_str().into(),
                job.as_str().into(),
                0_i64.into(),
                i64::from(*is_sampled).into(),
                now.into(),
            ]
        };
        let into = "insert into queued_games (tournament, key, semantics, build, job, token, sampled, asked_ms)";
        if let Some(insert) = insert(into, games.iter().map(row)) {
            insert.unless_there().again().execute(&mut writing).await.stored()?;
        }
        Ok(writing.commit().await.stored()?)
    }

    /// The results of these games of a tournament, as far as there are any, in no order.
    ///
    /// # Errors
    /// When there are too many, or the store cannot be read.
    pub async fn ends(&self, tournament: &TournamentId, keys: &[Hex<32>]) -> Result<Vec<GameEnd>, QueueError> {
        checked_count(keys.len())?;
        let rows: Vec<(String, Option<String>, Option<String>)> = query(concat!(
            "select id.value, (select e.worker ",
            its_end!(),
            "), (select e.text ",
            its_end!(),
            ") from json_each($2) id"
        ))
        .bind(tournament.as_str())
        .bind(list(keys))
        .fetch_all(&mut self.reader().await?)
        .await
        .stored()?;
        let end = |(key, worker, text): (String, Option<String>, Option<String>)| {
            let (worker, text) = worker.zip(text)?;
            Some(hash(&key).map(|key| GameEnd { key, worker: WorkerName::stored(worker), text }))
        };
        Ok(rows.into_iter().filter_map(end).collect::<Result<_, StoreError>>()?)
    }

    /// All games of a tournament that were asked for, each with the hash of its result if there is one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn end_hashes(
        &self,
        tournament: &TournamentId,
    ) -> Result<BTreeMap<Hex<32>, Option<Hex<32>>>, StoreError> {
        let rows: Vec<(String, Option<String>)> = query("select key, end_hash from queued_games where tournament = $1")
            .bind(tournament.as_str())
            .fetch_all(&mut self.reader().await?)
            .await
            .stored()?;
        let row = |(key, end): (String, Option<String>)| Ok((hash(&key)?, end.as_deref().map(hash).transpose()?));
        rows.into_iter().map(row).collect()
    }

    /// Forgets a tournament's games: all are played and kept elsewhere, or not wanted any more.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_games(&self, tournament: &TournamentId) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        for statement in [
            "delete from queued_ends where tournament = $1",
            "delete from queued_games where tournament = $1",
            "delete from queued_modules where tournament = $1",
        ] {
            query(statement).bind(tournament.as_str()).execute(&mut writing).await.stored()?;
        }
        writing.commit().await.stored()
    }

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
        let is_any = is_any.bind(now).bind(worker.as_str()).bind(semantics.as_str());
        if !is_any.exists(&mut reader).await.stored()? {
            let others: Vec<(String, String)> = query(concat!(
                "select distinct g.semantics, g.build from queued_games g where ",
                free!(),
                " and g.semantics not in (select value from json_each($2)) order by g.semantics, g.build limit $3"
            ))
            .bind(now)
            .bind(semantics)
            .bind(OTHERS_MAX as i64)
            .fetch_all(&mut reader)
            .await
            .stored()?;
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
                let (held,) = query(held).bind(worker.as_str()).bind(now).fetch_one(&mut writing).await.stored()?;
                number(held)?
            }
        };
        let (games_max, lease_ms) = granted(worker, held, games_max, lease_ms);
        let (now, until) = until(&mut writing, lease_ms).await?;
        let mut rows: Vec<(i64, String, String, i64, String)> = Vec::new();
        let own = worker.volunteer().is_none();
        // The site's own workers get sampled games first, and those that volunteers hold if there are no others.
        let claims = [(own, claim!(sampled)), (true, claim!(free)), (own, claim!(lent))];
        for (_, claim) in claims.into_iter().filter(|(may, _)| *may) {
            let more = games_max.saturating_sub(rows.len());
            if more > 0 {
                let claim =
                    query(claim).bind(now).bind(worker.as_str()).bind(semantics.as_str()).bind(more as i64).bind(until);
                rows.extend(claim.fetch_all::<(i64, String, String, i64, String)>(&mut writing).await.stored()?);
            }
        }
        writing.commit().await.stored()?;
        rows.sort();
        let claimed = |(_, tournament, key, token, job): (i64, String, String, i64, String)| {
            let tournament = TournamentId::parse(&tournament).map_err(StoreError::damaged)?;
            Ok(Claimed { lease: Lease { tournament, key: hash(&key)?, token: number(token)? }, job })
        };
        Ok(Claim { games: rows.into_iter().map(claimed).collect::<Result<_, StoreError>>()?, others: Vec::new() })
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
        writing.commit().await.stored()?;
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
        Ok(writing.commit().await.stored()?)
    }

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
        writing.commit().await.stored()?;
        Ok(taken)
    }

    /// Quarantines a worker: it gets no more games, and all that it alone submitted is taken back. Repeating it changes
    /// nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn quarantine(&self, worker: &WorkerName, reason: &str) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        let concerned = take_back(&mut writing, worker, reason).await?;
        settle(&mut writing, concerned).await?;
        writing.commit().await.stored()
    }

    /// The quarantined workers, each with the reason.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn quarantined(&self) -> Result<BTreeMap<WorkerName, String>, StoreError> {
        let rows: Vec<(String, String)> = query("select name, reason from quarantined_workers")
            .fetch_all(&mut self.reader().await?)
            .await
            .stored()?;
        Ok(rows.into_iter().map(|(name, reason)| (WorkerName::stored(name), reason)).collect())
    }

    /// The time by the clock that all servers of a site share, the database's; `None` where one server has it alone.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn shared_time(&self) -> Result<Option<UnixSeconds>, StoreError> {
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
    pub async fn queue_state(&self) -> Result<QueueFigures, StoreError> {
        let mut reader = self.reader().await?;
        let now = clock(&mut reader).await?;
        let (open, leased, workers, oldest): (i64, i64, i64, Option<i64>) = query(
            "select count(*), count(*) filter (where leased_until > $1),
                count(distinct case when leased_until > $1 then worker end),
                min(asked_ms) filter (where leased_until is null or leased_until <= $1)
             from queued_games where end_hash is null",
        )
        .bind(now)
        .fetch_one(&mut reader)
        .await
        .stored()?;
        Ok(QueueFigures {
            waiting: number(open - leased)?,
            oldest_ms: number(oldest.map_or(0, |asked| (now - asked).max(0)))?,
            leased: number(leased)?,
            workers: number(workers)?,
        })
    }

    /// The volunteers, those with most games first; at most [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn volunteers(&self) -> Result<Vec<Volunteer>, StoreError> {
        let rows: Vec<VolunteerRow> =
            query(concat!(volunteers!(), "order by v.games desc, length(v.name), v.name limit $1"))
                .bind(i64::from(PAGE_MAX))
                .fetch_all(&mut self.reader().await?)
                .await
                .stored()?;
        rows.into_iter().map(volunteer).collect()
    }

    /// The volunteer of an account, if it has submitted games.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn volunteer(&self, account: AccountId) -> Result<Option<Volunteer>, StoreError> {
        let row: Option<VolunteerRow> = query(concat!(volunteers!(), "where v.name = $1"))
            .bind(WorkerName::of_volunteer(account).to_string())
            .fetch_optional(&mut self.reader().await?)
            .await
            .stored()?;
        row.map(volunteer).transpose()
    }
}

/// A row of a volunteer: its worker's name, its games, the verified ones, and the reason if it is banned.
type VolunteerRow = (String, i64, i64, Option<String>);

fn volunteer((name, games, verified, banned): VolunteerRow) -> Result<Volunteer, StoreError> {
    let account = WorkerName::stored(name).volunteer();
    let account = account.ok_or_else(|| StoreError::damaged(NotAWorkerName))?;
    Ok(Volunteer { account, games: number(games)?, verified: number(verified)?, banned })
}

/// Sets the expiry of a worker's lease; returns how many rows changed.
async fn set_lease(
    writing: &mut Connection,
    worker: &WorkerName,
    lease: &Lease,
    until: Option<i64>,
) -> Result<u64, StoreError> {
    let (tournament, key) = place(lease);
    query(
        "update queued_games set leased_until = $5
         where tournament = $1 and key = $2 and token = $3 and worker = $4 and leased_until is not null",
    )
    .bind(tournament)
    .bind(key)
    .bind(i64::try_from(lease.token).unwrap_or(i64::MAX))
    .bind(worker.as_str())
    .bind(until)
    .execute(writing)
    .await
    .stored()
}
