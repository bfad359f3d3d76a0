//! The logs of live rooms: events that are appended once and never changed. What they mean is not known here.

use std::fmt;

use arena_record::Hex;
use sqlx::SqliteConnection;

use crate::error::{Database, number};
use crate::secret::random_bytes;
use crate::{EVENT_BYTES_MAX, Page, Store, StoreError, UnixSeconds};

/// The id of a room: 32 hex digits that nobody can guess, because whoever has a room's link may watch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RoomId(String);

impl RoomId {
    /// A new id, from the operating system's source of secrets.
    ///
    /// # Errors
    /// When that source fails.
    pub fn random() -> Result<RoomId, StoreError> {
        Ok(RoomId(Hex(random_bytes::<16>()?).to_string()))
    }

    /// The id that a text stands for; `None` when it is none.
    pub fn parse(text: &str) -> Option<RoomId> {
        text.parse::<Hex<16>>().ok().map(|id| RoomId(id.to_string()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a room can still change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomState {
    /// Events are appended.
    Open,
    /// Nothing is, any more.
    Finished {
        /// Since when.
        at: UnixSeconds,
    },
}

/// A room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its id.
    pub id: RoomId,
    /// Whether it can still change.
    pub state: RoomState,
    /// When it was opened.
    pub created_at: UnixSeconds,
    /// Its log: the event with the sequence number n is the n-th from 0.
    pub events: Vec<String>,
}

/// What appending did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The event is in the log from now on.
    New,
    /// The same event had this place already: the same call, made twice.
    Already,
}

/// Why a room is as before.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// It does not exist.
    #[error("there is no such room")]
    NoSuchRoom,
    /// There is one with this id, and it started otherwise.
    #[error("there is such a room already")]
    RoomExists,
    /// As many are open as may be.
    #[error("all rooms are in use")]
    TooManyRooms,
    /// Nothing is appended to it any more.
    #[error("this room is finished")]
    Finished,
    /// Another event has this place: somebody was faster.
    #[error("another event has this place in the log")]
    Taken,
    /// The place does not follow the last one.
    #[error("the log goes on at {next}")]
    Gap {
        /// The place that is next.
        next: u32,
    },
    /// The room has as many events as it may.
    #[error("a room has at most {0} events")]
    TooManyEvents(u32),
    /// The event is too large.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this one has {0}")]
    EventTooLarge(usize),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn checked(event: &str) -> Result<(), RoomError> {
    if event.len() > EVENT_BYTES_MAX { Err(RoomError::EventTooLarge(event.len())) } else { Ok(()) }
}

impl Store {
    /// Opens a room whose log starts with `event`. The same call again changes nothing.
    ///
    /// # Errors
    /// When there is such a room with another start, or as many are open as may be.
    pub async fn create_room(&self, id: &RoomId, event: &str, now: UnixSeconds) -> Result<(), RoomError> {
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
        if open >= i64::from(self.limits().open_rooms_max) {
            return Err(RoomError::TooManyRooms);
        }
        sqlx::query("insert into rooms (id, state, created_at) values ($1, 'open', $2)")
            .bind(id.as_str())
            .bind(now.0)
            .execute(&mut *writing)
            .await
            .stored()?;
        insert(&mut writing, id, 0, event).await?;
        Ok(writing.commit().await.stored()?)
    }

    /// Appends an event at the place `seq`, which must be the next one. Of several different events for one place
    /// exactly one gets it, whoever else tries; sending an event again that has its place is harmless.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the room is finished or does not exist, or a limit is reached.
    pub async fn append(&self, id: &RoomId, seq: u32, event: &str) -> Result<Appended, RoomError> {
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
            .bind(id.as_str())
            .fetch_one(&mut *writing)
            .await
            .stored()?;
        let next = number(last + 1)?;
        if seq != next {
            return Err(RoomError::Gap { next });
        }
        if seq >= self.limits().events_per_room_max {
            return Err(RoomError::TooManyEvents(self.limits().events_per_room_max));
        }
        insert(&mut writing, id, seq, event).await?;
        writing.commit().await.stored()?;
        Ok(Appended::New)
    }

    /// Ends a room: nothing is appended to it any more. When it has ended before, that moment stays.
    ///
    /// # Errors
    /// When there is no such room.
    pub async fn finish_room(&self, id: &RoomId, now: UnixSeconds) -> Result<(), RoomError> {
        let mut writing = self.writing().await?;
        let found =
            sqlx::query("update rooms set state = 'finished', finished_at = coalesce(finished_at, $2) where id = $1")
                .bind(id.as_str())
                .bind(now.0)
                .execute(&mut *writing)
                .await
                .stored()?;
        if found.rows_affected() == 0 {
            return Err(RoomError::NoSuchRoom);
        }
        Ok(writing.commit().await.stored()?)
    }

    /// A room with its whole log, all of one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError> {
        let rows: Vec<(Option<i64>, i64, i64, String)> = sqlx::query_as(
            "select r.finished_at, r.created_at, e.seq, e.event from rooms r join room_events e on e.room = r.id
             where r.id = $1 order by e.seq",
        )
        .bind(id.as_str())
        .fetch_all(&mut *self.reader().await?)
        .await
        .stored()?;
        let Some((finished_at, created_at, ..)) = rows.first() else { return Ok(None) };
        let (state, created_at) = (state_since(*finished_at), UnixSeconds(*created_at));
        if rows.iter().enumerate().any(|(place, (_, _, seq, _))| *seq != place as i64) {
            return Err(StoreError::damaged("the log of a room has a gap"));
        }
        let events = rows.into_iter().map(|(.., event)| event).collect();
        Ok(Some(Room { id: id.clone(), state, created_at, events }))
    }

    /// The ids of open rooms, in the order of ids: what a server takes up again after a restart.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError> {
        let limit = page.limit();
        let rows: Vec<(String,)> =
            sqlx::query_as("select id from rooms where state = 'open' and id > $1 order by id limit $2")
                .bind(page.key(String::new(), |id| id.0))
                .bind(limit)
                .fetch_all(&mut *self.reader().await?)
                .await
                .stored()?;
        Ok(rows.into_iter().map(|(id,)| RoomId(id)).collect())
    }
}

fn state_since(finished_at: Option<i64>) -> RoomState {
    finished_at.map_or(RoomState::Open, |at| RoomState::Finished { at: UnixSeconds(at) })
}

async fn state(writing: &mut SqliteConnection, id: &RoomId) -> Result<Option<RoomState>, StoreError> {
    let row: Option<(Option<i64>,)> = sqlx::query_as("select finished_at from rooms where id = $1")
        .bind(id.as_str())
        .fetch_optional(writing)
        .await
        .stored()?;
    Ok(row.map(|(finished_at,)| state_since(finished_at)))
}

async fn event_at(writing: &mut SqliteConnection, id: &RoomId, seq: u32) -> Result<Option<String>, StoreError> {
    let row: Option<(String,)> = sqlx::query_as("select event from room_events where room = $1 and seq = $2")
        .bind(id.as_str())
        .bind(i64::from(seq))
        .fetch_optional(writing)
        .await
        .stored()?;
    Ok(row.map(|(event,)| event))
}

async fn insert(writing: &mut SqliteConnection, id: &RoomId, seq: u32, event: &str) -> Result<(), StoreError> {
    sqlx::query("insert into room_events (room, seq, event) values ($1, $2, $3)")
        .bind(id.as_str())
        .bind(i64::from(seq))
        .bind(event)
        .execute(writing)
        .await
        .stored()
        .map(|_| ())
}
