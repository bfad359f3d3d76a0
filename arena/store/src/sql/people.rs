//! Games of people, and which rooms they were taken from.

use std::collections::BTreeMap;

use arena_rooms::RoomId;
use async_trait::async_trait;

use super::connection::{Connection, query};
use super::error::{Stored, number};
use super::sums::Sum;
use super::{Engine, SqlStore};
use crate::people::PEOPLE_GAMES_MAX;
use crate::{
    AccountId, DisplayName, NewPeopleGame, PAGE_MAX, Page, PeopleGame, PeopleGames, Reason, StoreError, UnixSeconds,
};

/// Number, room and text of a game, those of its accounts that are deleted, and why it was annulled.
type Row = (i64, String, String, Option<i64>, Option<i64>, Option<String>);

/// A [`Row`] of the table `g`.
macro_rules! people_games {
    () => {
        "select g.seq, g.room, g.game,
            (select a.id from accounts a where a.id = g.first and a.deleted_at is not null),
            (select a.id from accounts a where a.id = g.second and a.deleted_at is not null), g.annulled
         from people_games g "
    };
}

fn people_game((number, room, game, first, second, annulled): Row) -> Result<PeopleGame, StoreError> {
    let gone = [first, second].into_iter().flatten().map(AccountId).collect();
    Ok(PeopleGame { number, room: room.parse().map_err(StoreError::damaged)?, game, gone, annulled })
}

#[async_trait]
impl<E: Engine> PeopleGames for SqlStore<E> {
    async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>, StoreError> {
        let rows: Vec<(String,)> = query(
            "select id from rooms where state = 'finished' and tallied = 0 and finished_at <= $1
             order by finished_at, id limit $2",
        )
        .bind(until.0)
        .bind(i64::from(PAGE_MAX))
        .fetch_all(&mut self.reader().await?)
        .await
        .stored()?;
        rows.into_iter().map(|(id,)| id.parse().map_err(StoreError::damaged)).collect()
    }

    async fn tally_room(&self, id: &RoomId, game: Option<&NewPeopleGame<'_>>) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        let looked = query("update rooms set tallied = 1 where id = $1 and state = 'finished' and tallied = 0");
        let looked = looked.bind(id.to_string()).execute(&mut writing).await.stored()?;
        if let (1, Some(NewPeopleGame { accounts: (first, second), game })) = (looked, game) {
            let kept = query(
                "insert into people_games (seq, room, first, second, game) select s.value + 1, $1, $2, $3, $4 from sums s
                 where s.name = 'last_people_game' and s.value < $5
                   and exists (select 1 from accounts where id in ($2, $3) and deleted_at is null)",
            )
            .bind(id.to_string())
            .bind(first.0)
            .bind(second.map(|AccountId(second)| second))
            .bind(*game)
            .bind(PEOPLE_GAMES_MAX)
            .execute(&mut writing)
            .await
            .stored()?;
            Sum::LastPeopleGame.add(&mut writing, i64::try_from(kept).map_err(StoreError::damaged)?).await?;
        }
        writing.commit().await.stored()
    }

    async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError> {
        let limit = page.limit();
        let mut reader = self.reader().await?;
        // One statement, so that both are of one moment.
        let rows: Vec<(i64, Option<i64>, Option<String>, Option<String>, Option<i64>, Option<i64>, Option<String>)> = query(
            "select c.value, g.seq, g.room, g.game,
                (select a.id from accounts a where a.id = g.first and a.deleted_at is not null),
                (select a.id from accounts a where a.id = g.second and a.deleted_at is not null), g.annulled
             from sums c left join (select * from people_games where seq > $1 order by seq limit $2) g on c.name = 'people_changes'
             where c.name = 'people_changes' order by g.seq",
        )
        .bind(page.key(0, |number| number))
        .bind(limit)
        .fetch_all(&mut reader)
        .await
        .stored()?;
        let changes = rows.first().map_or(0, |(changes, ..)| *changes);
        let games = rows.into_iter().filter_map(|(_, number, room, game, first, second, annulled)| {
            Some(people_game((number?, room?, game?, first, second, annulled)))
        });
        Ok((number(changes)?, games.collect::<Result<_, _>>()?))
    }

    async fn people_games_of(&self, account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>, StoreError> {
        let limit = page.limit();
        let rows: Vec<Row> = query(concat!(
            people_games!(),
            "where (g.first = $1 or g.second = $1) and g.seq > $2 order by g.seq limit $3"
        ))
        .bind(account.0)
        .bind(page.key(0, |number| number))
        .bind(limit)
        .fetch_all(&mut self.reader().await?)
        .await
        .stored()?;
        rows.into_iter().map(people_game).collect()
    }

    async fn people_game(&self, room: &RoomId) -> Result<Option<PeopleGame>, StoreError> {
        let row: Option<Row> = query(concat!(people_games!(), "where g.room = $1"))
            .bind(room.to_string())
            .fetch_optional(&mut self.reader().await?)
            .await
            .stored()?;
        row.map(people_game).transpose()
    }

    async fn names_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>, StoreError> {
        // One parameter however many there are, so that the statement is prepared once.
        let ids: Vec<String> = accounts.iter().take(PAGE_MAX as usize).map(|id| id.0.to_string()).collect();
        let rows: Vec<(i64, String)> = query(
            "select a.id, a.name from json_each($1) id join accounts a on a.id = cast(id.value as bigint) where a.deleted_at is null",
        )
        .bind(format!("[{}]", ids.join(",")))
        .fetch_all(&mut self.reader().await?)
        .await
        .stored()?;
        Ok(rows.into_iter().map(|(id, name)| (AccountId(id), DisplayName::stored(name))).collect())
    }
}

/// Takes a game out of the count for a reason, or into it again; whether it is kept.
pub(super) async fn annul(
    writing: &mut Connection,
    room: &RoomId,
    reason: Option<&Reason>,
) -> Result<bool, StoreError> {
    let changed = query("update people_games set annulled = $2 where room = $1")
        .bind(room.to_string())
        .bind(reason.map(Reason::to_string))
        .execute(writing)
        .await
        .stored()?;
    query("update sums set value = value + $1 where name = 'people_changes'")
        .bind(i64::try_from(changed).map_err(StoreError::damaged)?)
        .execute(writing)
        .await
        .stored()?;
    Ok(changed > 0)
}

/// Forgets the games that no other account has, when one is deleted.
pub(super) async fn forget(writing: &mut Connection, id: AccountId) -> Result<(), StoreError> {
    for statement in [
        "update sums set value = value + 1 where name = 'people_changes'
         and exists (select 1 from people_games where first = $1 or second = $1)",
        "delete from people_games where (first = $1 or second = $1)
         and not exists (select 1 from accounts where id in (first, second) and deleted_at is null)",
    ] {
        query(statement).bind(id.0).execute(writing).await.stored()?;
    }
    Ok(())
}
