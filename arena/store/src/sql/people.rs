//! Games of people, and which rooms were processed.

use std::collections::BTreeMap;

use arena_rooms::RoomId;

use super::columns::{Row, list, values};
use super::connection::{Connection, query};
use super::counters::Counter;
use crate::error::Result;
use crate::{
    AccountId, DisplayName, GamesKept, Keeping, NewPeopleGame, PAGE_MAX, Page, PeopleGame, Reason, Store, StoreError,
    UnixSeconds,
};

/// Number, room and content of a game, those of its accounts that are deleted, and the reason if it is annulled.
/// A [`Row`] of the table `g`.
macro_rules! people_games {
    () => {
        "select g.seq, g.room, g.game,
            (select a.id from accounts a where a.id = g.first and a.deleted_at is not null),
            (select a.id from accounts a where a.id = g.second and a.deleted_at is not null), g.annulled
         from people_games g "
    };
}

impl Row for PeopleGame {
    type Columns = (i64, RoomId, String, Option<AccountId>, Option<AccountId>, Option<String>);

    fn of((number, room, game, first, second, annulled): Self::Columns) -> Result<PeopleGame> {
        Ok(PeopleGame { number, room, game, gone: [first, second].into_iter().flatten().collect(), annulled })
    }
}

/// The number of changes, and a game if there is one.
type GameRow = (u64, Option<i64>, Option<RoomId>, Option<String>, Option<AccountId>, Option<AccountId>, Option<String>);

/// Games of people, taken from finished rooms: each room is processed once.
impl Store {
    /// Rooms that ended at `until` or before and were not processed, in the order in which they ended, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>> {
        query(
            "select id from rooms where state = 'finished' and tallied = 0 and finished_at <= $1
             order by finished_at, id limit $2",
        )
        .with(values![until, PAGE_MAX])
        .fetch_values(&mut self.reader().await?)
        .await
    }

    /// Notes that a room was processed, and keeps its game, if there is one and not all of its accounts are deleted.
    /// Does nothing if the room was processed before, is open or does not exist.
    ///
    /// The room's log of a rated game is kept with the game while one of its accounts exists, outside of
    /// [`Limits::finished_room_bytes_max`](crate::Limits::finished_room_bytes_max). If there are more games of a kind
    /// than its budgets allow, the oldest are dropped of the account that has most, where a game belongs to its first
    /// account; a rated one with its log, which is then [gone](Store::gone_since) since `now`.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn tally_room(&self, id: &RoomId, game: Option<&NewPeopleGame<'_>>, now: UnixSeconds) -> Result<()> {
        let mut writing = self.writing().await?;
        let looked = query("update rooms set tallied = 1 where id = $1 and state = 'finished' and tallied = 0");
        let looked = looked.bind(id).execute(&mut writing).await?;
        if let (1, Some(game)) = (looked, game) {
            self.keep(&mut writing, id, game, now).await?;
        }
        writing.commit().await
    }

    /// Games by number, and a count of changes to earlier games: dropped, with a deleted account, annulled or restored.
    /// While the count stays the same, earlier reads remain valid.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>)> {
        let mut reader = self.reader().await?;
        // One query, so that both are read at one moment.
        let rows: Vec<GameRow> = query(
            "select c.value, g.seq, g.room, g.game,
                (select a.id from accounts a where a.id = g.first and a.deleted_at is not null),
                (select a.id from accounts a where a.id = g.second and a.deleted_at is not null), g.annulled
             from sums c left join (select * from people_games where seq > $1 order by seq limit $2) g on c.name = 'people_changes'
             where c.name = 'people_changes' order by g.seq",
        )
        .with(values![page.key(0, |number| number), page.limit()])
        .fetch_all(&mut reader)
        .await?;
        let changes = rows.first().map_or(0, |(changes, ..)| *changes);
        let games = rows.into_iter().filter_map(|(_, number, room, game, first, second, annulled)| {
            Some(PeopleGame::of((number?, room?, game?, first, second, annulled)))
        });
        Ok((changes, games.collect::<Result<_>>()?))
    }

    /// How much is kept of finished games.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_kept(&self) -> Result<GamesKept> {
        let rows: Vec<(String, u64)> =
            query("select name, value from sums").fetch_all(&mut self.reader().await?).await?;
        let rows: BTreeMap<String, u64> = rows.into_iter().collect();
        let value = |counter: Counter| rows.get(<&str>::from(counter)).copied().unwrap_or(0);
        Ok(GamesKept {
            rated_games: value(Counter::RatedGames),
            practice_games: value(Counter::PracticeGames),
            rated_room_bytes: value(Counter::RatedRoomBytes),
            finished_room_bytes: value(Counter::FinishedRoomBytes),
        })
    }

    /// The games of an account, by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn people_games_of(&self, account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>> {
        query(concat!(people_games!(), "where (g.first = $1 or g.second = $1) and g.seq > $2 order by g.seq limit $3"))
            .with(values![account, page.key(0, |number| number), page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The game that was played in a room; `None` if none is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn people_game(&self, room: &RoomId) -> Result<Option<PeopleGame>> {
        query(concat!(people_games!(), "where g.room = $1")).bind(room).fetch_optional(&mut self.reader().await?).await
    }

    /// The names of accounts that are not deleted; of at most [`PAGE_MAX`](crate::PAGE_MAX) accounts.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn names_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>> {
        let rows = query(
            "select a.id, a.name from json_each($1) id join accounts a on a.id = cast(id.value as bigint) where a.deleted_at is null",
        )
        .bind(list(accounts.iter().take(PAGE_MAX as usize).map(|id| id.0)))
        .fetch_all(&mut self.reader().await?)
        .await?;
        Ok(rows.into_iter().collect())
    }
}

impl Store {
    /// Keeps the game of a room, unless all of its accounts are deleted.
    async fn keep(
        &self,
        writing: &mut Connection,
        id: &RoomId,
        game: &NewPeopleGame<'_>,
        now: UnixSeconds,
    ) -> Result<()> {
        let NewPeopleGame { accounts: (first, second), keeping, game } = game;
        let kept = query(
            "insert into people_games (seq, room, first, second, game, rated) select s.value + 1, $1, $2, $3, $4, $5
             from sums s where s.name = 'last_people_game'
               and exists (select 1 from accounts where id in ($2, $3) and deleted_at is null)
             on conflict (room) do nothing",
        )
        .with(values![id, *first, *second, *game, rated(*keeping)])
        .execute(writing)
        .await?;
        if kept == 0 {
            return Ok(());
        }
        Counter::LastPeopleGame.add(writing, 1).await?;
        if *keeping == Keeping::Rated {
            let rated = query("update rooms set rated = 1 where id = $1 returning bytes").bind(id);
            let bytes: i64 = rated.fetch_value(writing).await?;
            Counter::FinishedRoomBytes.add(writing, -bytes).await?;
            Counter::RatedRoomBytes.add(writing, bytes).await?;
        }
        count(*keeping).add(writing, 1).await?;
        self.make_room(writing, *keeping, now).await
    }

    /// Drops the oldest games of a kind until the rest fits the kind's budgets.
    async fn make_room(&self, writing: &mut Connection, keeping: Keeping, now: UnixSeconds) -> Result<()> {
        let games_max = i64::from(keeping.games_max(&self.limits));
        let bytes_max = i64::try_from(self.limits.rated_room_bytes_max).unwrap_or(i64::MAX);
        loop {
            let is_heavy = keeping == Keeping::Rated && Counter::RatedRoomBytes.value(writing).await? > bytes_max;
            if count(keeping).value(writing).await? <= games_max && !is_heavy {
                return Ok(());
            }
            // How many games an account has from this one on: the maximum belongs to the oldest game of the account
            // with most.
            let going: Vec<(i64, RoomId)> = query(
                "select seq, room from (select seq, room, row_number() over (partition by first order by seq desc) as had
                     from people_games where rated = $1) g
                 order by had desc, seq limit $2",
            )
            .with(values![rated(keeping), keeping.going_at_once(&self.limits)])
            .fetch_all(writing)
            .await?;
            if going.is_empty() {
                return Ok(());
            }
            for (number, room) in &going {
                query("delete from people_games where seq = $1").bind(*number).execute(writing).await?;
                if keeping == Keeping::Rated
                    && let Some(bytes) = self.forget_room(writing, room, now).await?
                {
                    Counter::RatedRoomBytes.add(writing, -bytes).await?;
                }
            }
            count(keeping).add(writing, -i64::try_from(going.len()).map_err(StoreError::damaged)?).await?;
            query("update sums set value = value + 1 where name = 'people_changes'").execute(writing).await?;
        }
    }
}

/// The kind as a column's value.
fn rated(keeping: Keeping) -> i64 {
    i64::from(keeping == Keeping::Rated)
}

/// The sum that counts the games of a kind.
fn count(keeping: Keeping) -> Counter {
    match keeping {
        Keeping::Rated => Counter::RatedGames,
        Keeping::Practice => Counter::PracticeGames,
    }
}

/// Takes a game out of the count, with a reason, or back into it.
pub(super) async fn annul(writing: &mut Connection, room: &RoomId, reason: Option<&Reason>) -> Result<()> {
    let changed = query("update people_games set annulled = $2 where room = $1")
        .with(values![room, reason])
        .execute(writing)
        .await?;
    query("update sums set value = value + $1 where name = 'people_changes'")
        .bind(changed)
        .execute(writing)
        .await
        .map(drop)
}

/// When an account is deleted, forgets the games that have no other account. Logs of rated games are then kept like any
/// others.
pub(super) async fn forget(writing: &mut Connection, id: AccountId) -> Result<()> {
    query(
        "update sums set value = value + 1 where name = 'people_changes'
         and exists (select 1 from people_games where first = $1 or second = $1)",
    )
    .bind(id)
    .execute(writing)
    .await?;
    let bytes: Vec<i64> = query(
        "update rooms set rated = 0 where rated = 1 and id in (
             select room from people_games where (first = $1 or second = $1)
             and not exists (select 1 from accounts where id in (first, second) and deleted_at is null))
         returning bytes",
    )
    .bind(id)
    .fetch_values(writing)
    .await?;
    let bytes: i64 = bytes.iter().sum();
    Counter::RatedRoomBytes.add(writing, -bytes).await?;
    Counter::FinishedRoomBytes.add(writing, bytes).await?;
    for keeping in [Keeping::Rated, Keeping::Practice] {
        let gone = query(
            "delete from people_games where rated = $2 and (first = $1 or second = $1)
             and not exists (select 1 from accounts where id in (first, second) and deleted_at is null)",
        );
        let gone = gone.with(values![id, rated(keeping)]).execute(writing).await?;
        count(keeping).add(writing, -i64::try_from(gone).map_err(StoreError::damaged)?).await?;
    }
    Ok(())
}
