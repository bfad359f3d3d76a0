//! The logs of rooms in a table. Its primary key makes sure that each event is written once.

use arena_rooms::{PersonId, RoomId};

use super::appends::{Append, insert, state_since};
use super::columns::{Row, values};
use super::connection::{Connection, query};
use super::counters::Counter;
use super::gates::is_closed;
use crate::error::{Damage, Result};
use crate::policy::room::{OpenView, may_open};
use crate::rooms::checked;
use crate::{
    Appended, Gate, OwnRoom, PAGE_MAX, Page, Removed, Room, RoomError, RoomState, RoomTerms, Store, UnixSeconds,
};

impl Row for OwnRoom {
    type Columns = (RoomId, Option<UnixSeconds>, UnixSeconds, String);

    fn of((id, finished_at, heard_at, start): Self::Columns) -> Result<OwnRoom> {
        Ok(OwnRoom { id, state: state_since(finished_at), heard_at, start })
    }
}

/// The logs of rooms.
///
/// Everything here may be repeated. A log has no gaps, and an event in it never changes: of concurrent events for one
/// place exactly one gets it, and every caller learns whether it was its own. An event is text without NUL characters.
impl Store {
    /// Opens a room whose log starts with `event`. Repeating the call changes nothing, whatever has happened in the
    /// room since, unless it was forgotten.
    ///
    /// # Errors
    /// When rooms are closed, the room exists with another start, as many are open as allowed, or there is no space.
    pub async fn create_room(
        &self,
        id: &RoomId,
        event: &str,
        terms: &RoomTerms,
        now: UnixSeconds,
    ) -> Result<(), RoomError> {
        checked(event)?;
        let mut writing = self.writing().await?;
        let view = self.open_room_view(&mut writing, id, event, terms).await?;
        let limits = self.limits_in(&mut writing).await?;
        if may_open(&view, &limits, now)? == Appended::Already {
            return Ok(());
        }
        query(
            "insert into rooms (id, state, created_at, owner, silence_seconds_max, heard_at)
             values ($1, 'open', $2, $3, $4, $2)",
        )
        .with(values![id, now, &terms.owner, terms.silence_seconds_max])
        .execute(&mut writing)
        .await?;
        insert(&mut writing, id, 0, event, now).await?;
        Ok(writing.commit().await?)
    }

    /// What decides on the opening of a room. The connection must be in a transaction.
    async fn open_room_view(
        &self,
        connection: &mut Connection,
        id: &RoomId,
        event: &str,
        terms: &RoomTerms,
    ) -> Result<OpenView> {
        let same = match state(connection, id).await? {
            Some(_) => Some(event_at(connection, id, 0).await?.as_deref() == Some(event)),
            None => None,
        };
        let closed = is_closed(connection, Gate::Rooms).await?;
        if same.is_some() || closed {
            return Ok(OpenView { same, closed, ..OpenView::default() });
        }
        let has_space = self.space_left()?;
        let open = query("select count(*) from rooms where state = 'open'").fetch_value(connection).await?;
        let own =
            query("select heard_at + silence_seconds_max from rooms where owner = $1 and state = 'open' order by 1")
                .bind(&terms.owner)
                .fetch_values(connection)
                .await?;
        Ok(OpenView { same, closed, has_space, open, own })
    }

    /// Appends an event at the place `seq`, which must be the next one, and notes the time `now`. Repeating the call
    /// for an event that has its place changes nothing.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the room is finished or does not exist, or a limit is reached.
    pub async fn append(&self, id: &RoomId, seq: u32, event: &str, now: UnixSeconds) -> Result<Appended, RoomError> {
        checked(event)?;
        self.append_with_others(Append { room: *id, seq, event: event.to_owned(), now }).await
    }

    /// Finishes a room: later appends are refused, and it is listed among the rooms of those who had seats in it. If it
    /// is finished already, its time stays. In the same step the rooms that ended first are forgotten, as many as
    /// [`Limits::finished_room_bytes_max`](crate::Limits) requires, and noted as [gone](Store::gone_since); rooms of
    /// [rated games](crate::Keeping) are exempt.
    ///
    /// # Errors
    /// When there is no such room.
    pub async fn finish_room(&self, id: &RoomId, sat: &[PersonId], now: UnixSeconds) -> Result<(), RoomError> {
        let mut writing = self.writing().await?;
        let finished = query(
            "update rooms set state = 'finished', finished_at = $2 where id = $1 and state = 'open' returning bytes",
        )
        .with(values![id, now])
        .find_value(&mut writing)
        .await?;
        let Some(bytes) = finished else {
            return state(&mut writing, id).await?.map(|_| ()).ok_or(RoomError::NoSuchRoom);
        };
        for person in sat {
            query("insert into room_people (person, room) values ($1, $2) on conflict do nothing")
                .with(values![person, id])
                .execute(&mut writing)
                .await?;
        }
        let total = Counter::FinishedRoomBytes.add(&mut writing, bytes).await?;
        self.forget_oldest(&mut writing, total, now).await?;
        Ok(writing.commit().await?)
    }

    /// A room with its whole log, read at one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn room(&self, id: &RoomId) -> Result<Option<Room>> {
        let rows: Vec<(Option<UnixSeconds>, UnixSeconds, UnixSeconds, i64, String)> = query(
            "select r.finished_at, r.created_at, r.heard_at, e.seq, e.event from rooms r join room_events e on e.room = r.id
             where r.id = $1 order by e.seq",
        )
        .bind(id)
        .fetch_all(&mut self.reader().await?)
        .await?;
        let Some(&(finished_at, created_at, heard_at, ..)) = rows.first() else { return Ok(None) };
        if rows.iter().enumerate().any(|(place, (.., seq, _))| *seq != place as i64) {
            return Err(Damage::LogGap.into());
        }
        let events = rows.into_iter().map(|(.., event)| event).collect();
        Ok(Some(Room { id: *id, state: state_since(finished_at), created_at, heard_at, events }))
    }

    /// The ids of the rooms that a person opened, or had a seat in when they ended, in the order of ids.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rooms_of(&self, person: PersonId, page: Page<RoomId>) -> Result<Vec<RoomId>> {
        query(
            "select id from rooms where owner = $1 and id > $2
             union select room from room_people where person = $1 and room > $2 order by 1 limit $3",
        )
        .with(values![&person, page.key(String::new(), |id| id.to_string()), page.limit()])
        .fetch_values(&mut self.reader().await?)
        .await
    }

    /// The same rooms, those with the latest event first, at most `limit` and never more than
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn latest_rooms_of(&self, person: PersonId, limit: u32) -> Result<Vec<OwnRoom>> {
        query(
            "select r.id, r.finished_at, r.heard_at, e.event
             from (select id, finished_at, heard_at from rooms
                   where id in (select id from rooms where owner = $1 union select room from room_people where person = $1)
                   order by heard_at desc, id limit $2) r
             join room_events e on e.room = r.id and e.seq = 0 order by r.heard_at desc, r.id",
        )
        .with(values![&person, limit.min(PAGE_MAX)])
        .fetch_all(&mut self.reader().await?)
        .await
    }

    /// The ids of open rooms, in the order of ids: what a server resumes with after a restart.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>> {
        query("select id from rooms where state = 'open' and id > $1 order by id limit $2")
            .with(values![page.key(String::new(), |id| id.to_string()), page.limit()])
            .fetch_values(&mut self.reader().await?)
            .await
    }

    /// Open rooms that have been silent for as long as allowed, those with the longest silence first, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn silent_rooms(&self, now: UnixSeconds) -> Result<Vec<RoomId>> {
        query(
            "select id from rooms where state = 'open' and heard_at + silence_seconds_max <= $1
             order by heard_at, id limit $2",
        )
        .with(values![now, PAGE_MAX])
        .fetch_values(&mut self.reader().await?)
        .await
    }

    /// The open room that has been silent for longest, if its last event came at or before `since`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn quietest_room(&self, since: UnixSeconds) -> Result<Option<RoomId>> {
        query("select id from rooms where state = 'open' and heard_at <= $1 order by heard_at, id limit 1")
            .bind(since)
            .find_value(&mut self.reader().await?)
            .await
    }
}

impl Store {
    /// Forgets the rooms that ended first, until the rest fits the budget. Rooms of rated games have a budget of their
    /// own.
    async fn forget_oldest(&self, writing: &mut Connection, mut total: i64, now: UnixSeconds) -> Result<()> {
        let most = i64::try_from(self.limits.finished_room_bytes_max).unwrap_or(i64::MAX);
        while total > most {
            let oldest =
                query("select id from rooms where state = 'finished' and rated = 0 order by finished_at, id limit 1");
            let Some(id) = oldest.find_value(writing).await? else { return Ok(()) };
            let bytes = self.forget_room(writing, &id, now).await?.unwrap_or(0);
            total = Counter::FinishedRoomBytes.add(writing, -bytes).await?;
        }
        Ok(())
    }

    /// Forgets a room and returns the size of its log in bytes, if it was there.
    pub(super) async fn forget_room(
        &self,
        writing: &mut Connection,
        id: &RoomId,
        now: UnixSeconds,
    ) -> Result<Option<i64>> {
        for statement in ["delete from room_people where room = $1", "delete from room_events where room = $1"] {
            query(statement).bind(id).execute(writing).await?;
        }
        let bytes = query("delete from rooms where id = $1 returning bytes").bind(id).find_value(writing).await?;
        if bytes.is_some() {
            self.note_removed(writing, &Removed::Room(*id), now).await?;
        }
        Ok(bytes)
    }
}

async fn state(writing: &mut Connection, id: &RoomId) -> Result<Option<RoomState>> {
    let finished_at = query("select finished_at from rooms where id = $1").bind(id).find_value(writing).await?;
    Ok(finished_at.map(state_since))
}

async fn event_at(writing: &mut Connection, id: &RoomId, seq: u32) -> Result<Option<String>> {
    query("select event from room_events where room = $1 and seq = $2").with(values![id, seq]).find_value(writing).await
}
