//! The logs of live rooms: events that are appended once and never changed. Their meaning is not known here.

use arena_rooms::{EVENT_BYTES_MAX, PersonId, RoomId};
use async_trait::async_trait;

use crate::{Page, StoreError, UnixSeconds};

/// Whether a room can still change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomState {
    /// Events can be appended.
    Open,
    /// Nothing can be appended any more.
    Finished {
        /// Since when.
        at: UnixSeconds,
    },
}

/// The owner of a room, and how long it may be silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomTerms {
    /// The person who opened it.
    pub owner: PersonId,
    /// Seconds without an event after which it is to be closed.
    pub silence_seconds_max: i64,
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
    /// When its last event was appended.
    pub heard_at: UnixSeconds,
    /// Its log: the event with the sequence number n is the n-th from 0.
    pub events: Vec<String>,
}

/// A room in a person's list of rooms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnRoom {
    /// Its id.
    pub id: RoomId,
    /// Whether it can still change.
    pub state: RoomState,
    /// When its last event was appended.
    pub heard_at: UnixSeconds,
    /// The first event of its log.
    pub start: String,
}

/// What an append did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The event was added.
    New,
    /// The same event was in this place already: the call was repeated.
    Already,
}

/// Why a room was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// It does not exist.
    #[error("there is no such room")]
    NoSuchRoom,
    /// The operator has closed rooms.
    #[error("no rooms are opened at the moment")]
    Closed,
    /// There is a room with this id and another first event.
    #[error("that room already exists")]
    RoomExists,
    /// As many are open as allowed.
    #[error("all rooms are in use")]
    TooManyRooms,
    /// Its owner has as many open as allowed.
    #[error("a person has at most {max} open rooms; finish or resign a game, or come back in {again_in} s")]
    TooManyOfOwner {
        /// The maximum for a person.
        max: u32,
        /// Seconds until one of them is closed, if it stays silent.
        again_in: u64,
    },
    /// It is finished and accepts no events.
    #[error("this room is finished")]
    Finished,
    /// Another event has taken this place.
    #[error("another event has this place in the log")]
    Taken,
    /// The place is not the next one.
    #[error("the log continues at {next}")]
    Gap {
        /// The next place.
        next: u32,
    },
    /// The room has as many events as allowed.
    #[error("a room has at most {0} events")]
    TooManyEvents(u32),
    /// The event is too large.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this one has {0}")]
    EventTooLarge(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The logs of rooms.
///
/// Everything here may be repeated. A log has no gaps, and an event in it never changes: of concurrent events for one place exactly
/// one gets it, and every caller learns whether it was its own. An event is text without NUL characters.
#[async_trait]
pub trait RoomLogs: Send + Sync + 'static {
    /// Opens a room whose log starts with `event`. Repeating the call changes nothing, whatever has happened in the room since, unless
    /// it was forgotten.
    ///
    /// # Errors
    /// When rooms are closed, the room exists with another start, as many are open as allowed, or there is no space.
    async fn create_room(&self, id: &RoomId, event: &str, terms: &RoomTerms, now: UnixSeconds)
    -> Result<(), RoomError>;

    /// Appends an event at the place `seq`, which must be the next one, and notes the time `now`. Repeating the call for an event that
    /// has its place changes nothing.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the room is finished or does not exist, or a limit is reached.
    async fn append(&self, id: &RoomId, seq: u32, event: &str, now: UnixSeconds) -> Result<Appended, RoomError>;

    /// Finishes a room: later appends are refused, and it is listed among the rooms of those who had seats in it. If it is finished
    /// already, its time stays. In the same step the rooms that ended first are forgotten, as many as
    /// [`Limits::finished_room_bytes_max`](crate::Limits) requires, and noted as [gone](crate::Tombstones); rooms of
    /// [rated games](crate::Keeping) are exempt.
    ///
    /// # Errors
    /// When there is no such room.
    async fn finish_room(&self, id: &RoomId, sat: &[PersonId], now: UnixSeconds) -> Result<(), RoomError>;

    /// A room with its whole log, read at one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError>;

    /// The ids of the rooms that a person opened, or had a seat in when they ended, in the order of ids.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn rooms_of(&self, person: PersonId, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;

    /// The same rooms, those with the latest event first, at most `limit` and never more than [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn latest_rooms_of(&self, person: PersonId, limit: u32) -> Result<Vec<OwnRoom>, StoreError>;

    /// The ids of open rooms, in the order of ids: what a server resumes with after a restart.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;

    /// Open rooms that have been silent for as long as allowed, those with the longest silence first, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn silent_rooms(&self, now: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;

    /// The open room that has been silent for longest, if its last event came at or before `since`.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn quietest_room(&self, since: UnixSeconds) -> Result<Option<RoomId>, StoreError>;
}

pub(crate) fn checked(event: &str) -> Result<(), RoomError> {
    if event.len() > EVENT_BYTES_MAX { Err(RoomError::EventTooLarge(event.len())) } else { Ok(()) }
}
