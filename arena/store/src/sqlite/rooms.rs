//! The logs of rooms in a table. Its primary key is what makes an event happen once.

use arena_rooms::RoomId;
use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::SqliteStore;
use super::error::{Database, number};
use crate::error::Damage;
use crate::rooms::checked;
use crate::{Appended, Page, Room, RoomError, RoomLogs, RoomState, StoreError, UnixSeconds};

#[async_trait]
impl RoomLogs for SqliteStore {
    async fn create_room(&self, id: &RoomId, event: &str, now: UnixSeconds) -> Result<(), RoomError> {
        checked(event)?;
        let mut writing = self.writing().await?;
        if state(&mut writing, id).await?.is_some() {
            let same = event_at(&mut writing, id, 0).await?.as_deref() == Some(event);
            return if same { Ok(()) } else { Err(RoomError::RoomExists) };
        }
        let (open,): (i64,) = sqlx::query_as("select count(*) from rooms where state = 'open'")
            .fetch_one(&mut *writing)
            .await
            .stored()?;
        if open >= i64::from(self.limits.open_rooms_max) {
            return Err(RoomError::TooManyRooms);
        }
        sqlx::query("insert into rooms (id, state, created_at) values ($1, 'open', $2)")
            .bind(id.to_string())
            .bind(now.0)
            .execute(&mut *writing)
            .await
            .stored()?;
        insert(&mut writing, id, 0, event).await?;
        Ok(writing.commit().await.stored()?)
    }

    async fn append(&self, id: &RoomId, seq: u32, event: &str) -> Result<Appended, RoomError> {
        checked(event)?;
        let mut writing = self.writing().await?;
        let state = state(&mut writing, id).await?.ok_or(RoomError::NoSuchRoom)?;
        if let Some(there) = event_at(&mut writing, id, seq).await? {
            return if there == event { Ok(Appended::Already) } else { Err(RoomError::Taken) };
        }
        if state != RoomState::Open {
            return Err(RoomError::Finished);
        }
        let (last,): (i64,) = sqlx::query_as("select coalesce(max(seq), -1) from room_events where room = $1")
            .bind(id.to_string())
            .fetch_one(&mut *writing)
            .await
            .stored()?;
        let next = number(last + 1)?;
        if seq != next {
            return Err(RoomError::Gap { next });
        }
        if seq >= self.limits.events_per_room_max {
            return Err(RoomError::TooManyEvents(self.limits.events_per_room_max));
        }
        insert(&mut writing, id, seq, event).await?;
        writing.commit().await.stored()?;
        Ok(Appended::New)
    }

    async fn finish_room(&self, id: &RoomId, now: UnixSeconds) -> Result<(), RoomError> {
        let mut writing = self.writing().await?;
        let found =
            sqlx::query("update rooms set state = 'finished', finished_at = coalesce(finished_at, $2) where id = $1")
                .bind(id.to_string())
                .bind(now.0)
                .execute(&mut *writing)
                .await
                .stored()?;
        if found.rows_affected() == 0 {
            return Err(RoomError::NoSuchRoom);
        }
        Ok(writing.commit().await.stored()?)
    }

    async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError> {
        let rows: Vec<(Option<i64>, i64, i64, String)> = sqlx::query_as(
            "select r.finished_at, r.created_at, e.seq, e.event from rooms r join room_events e on e.room = r.id
             where r.id = $1 order by e.seq",
        )
        .bind(id.to_string())
        .fetch_all(&mut *self.reader().await?)
        .await
        .stored()?;
        let Some((finished_at, created_at, ..)) = rows.first() else { return Ok(None) };
        let (state, created_at) = (state_since(*finished_at), UnixSeconds(*created_at));
        if rows.iter().enumerate().any(|(place, (_, _, seq, _))| *seq != place as i64) {
            return Err(Damage::LogGap.into());
        }
        let events = rows.into_iter().map(|(.., event)| event).collect();
        Ok(Some(Room { id: *id, state, created_at, events }))
    }

    async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError> {
        let limit = page.limit();
        let rows: Vec<(String,)> =
            sqlx::query_as("select id from rooms where state = 'open' and id > $1 order by id limit $2")
                .bind(page.key(String::new(), |id| id.to_string()))
                .bind(limit)
                .fetch_all(&mut *self.reader().await?)
                .await
                .stored()?;
        rows.into_iter().map(|(id,)| id.parse().map_err(StoreError::damaged)).collect()
    }
}

fn state_since(finished_at: Option<i64>) -> RoomState {
    finished_at.map_or(RoomState::Open, |at| RoomState::Finished { at: UnixSeconds(at) })
}

async fn state(writing: &mut SqliteConnection, id: &RoomId) -> Result<Option<RoomState>, StoreError> {
    let row: Option<(Option<i64>,)> = sqlx::query_as("select finished_at from rooms where id = $1")
        .bind(id.to_string())
        .fetch_optional(writing)
        .await
        .stored()?;
    Ok(row.map(|(finished_at,)| state_since(finished_at)))
}

async fn event_at(writing: &mut SqliteConnection, id: &RoomId, seq: u32) -> Result<Option<String>, StoreError> {
    let row: Option<(String,)> = sqlx::query_as("select event from room_events where room = $1 and seq = $2")
        .bind(id.to_string())
        .bind(i64::from(seq))
        .fetch_optional(writing)
        .await
        .stored()?;
    Ok(row.map(|(event,)| event))
}

async fn insert(writing: &mut SqliteConnection, id: &RoomId, seq: u32, event: &str) -> Result<(), StoreError> {
    sqlx::query("insert into room_events (room, seq, event) values ($1, $2, $3)")
        .bind(id.to_string())
        .bind(i64::from(seq))
        .bind(event)
        .execute(writing)
        .await
        .stored()
        .map(|_| ())
}
