//! The logs of live rooms: events that are appended once and never changed. What they mean is not known here.

use arena_rooms::{EVENT_BYTES_MAX, PersonId, RoomId};
use async_trait::async_trait;

use crate::{Page, StoreError, UnixSeconds};

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

/// Whose a room is, and how long it may be left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomTerms {
    /// Who opened it.
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
    /// When its last event came.
    pub heard_at: UnixSeconds,
    /// Its log: the event with the sequence number n is the n-th from 0.
    pub events: Vec<String>,
}

/// A room as a list of somebody's rooms has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnRoom {
    /// Its id.
    pub id: RoomId,
    /// Whether it can still change.
    pub state: RoomState,
    /// When its last event came.
    pub heard_at: UnixSeconds,
    /// The first event of its log.
    pub start: String,
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
    /// The operator has closed rooms.
    #[error("no rooms are opened at the moment")]
    Closed,
    /// There is one with this id, and it started otherwise.
    #[error("there is such a room already")]
    RoomExists,
    /// As many are open as may be.
    #[error("all rooms are in use")]
    TooManyRooms,
    /// Its owner has as many open as a person may; after how many seconds one of them is closed, if it stays silent.
    #[error("a person has at most {max} open rooms; finish or resign a game, or come back in {again_in} s")]
    TooManyOfOwner {
        /// The most a person may have.
        max: u32,
        /// Seconds until one of them is closed.
        again_in: u64,
    },
    /// Nothing is appended to it any more.
    #[error("this room is finished")]
    Finished,
    /// Another event has this place: somebody was faster.
    #[error("another event has this place in the log")]
    Taken,
    /// The place does not follow the last one.
    #[error("the log continues at {next}")]
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

/// The logs of rooms.
///
/// Everything here may be repeated. A log has no gaps, and a place in it that is taken never changes: of concurrent
/// events for one place exactly one gets it, and every caller learns whether it was its own. An event is text without
/// zeros.
#[async_trait]
pub trait RoomLogs: Send + Sync + 'static {
    /// Opens a room whose log starts with `event`. The same call again changes nothing, whatever became of the room
    /// since, unless it was forgotten.
    ///
    /// # Errors
    /// When rooms are closed, there is such a room with another start, as many are open as may be, or there is no space.
    async fn create_room(&self, id: &RoomId, event: &str, terms: &RoomTerms, now: UnixSeconds)
    -> Result<(), RoomError>;

    /// Appends an event at the place `seq`, which must be the next one; the room was then last heard of `now`. Sending an
    /// event again that has its place changes nothing.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the room is finished or does not exist, or a limit is reached.
    async fn append(&self, id: &RoomId, seq: u32, event: &str, now: UnixSeconds) -> Result<Appended, RoomError>;

    /// Ends a room: no append that begins later changes it, and it is among the rooms of those who sat in it. When it has
    /// ended before, that moment stays. In the same step the rooms that ended first are forgotten, as many as it takes for
    /// [`Limits::finished_room_bytes_max`](crate::Limits), and noted as [gone](crate::Gone); those of [rated games](crate::Keeping) are not
    /// among them.
    ///
    /// # Errors
    /// When there is no such room.
    async fn finish_room(&self, id: &RoomId, sat: &[PersonId], now: UnixSeconds) -> Result<(), RoomError>;

    /// A room with its whole log, all of one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError>;

    /// The ids of the rooms that somebody opened, or sat in when they ended, in the order of ids.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn rooms_of(&self, person: PersonId, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;

    /// The same rooms, the one that was heard of last first, at most `limit` and never more than
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn latest_rooms_of(&self, person: PersonId, limit: u32) -> Result<Vec<OwnRoom>, StoreError>;

    /// The ids of open rooms, in the order of ids: what a server resumes with after a restart.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;

    /// Open rooms that have been silent for as long as they may be, those with the longest silence first, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn silent_rooms(&self, now: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;

    /// The open room that has been silent for longest, if nothing was heard of it after `since`.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn quietest_room(&self, since: UnixSeconds) -> Result<Option<RoomId>, StoreError>;
}

pub(crate) fn checked(event: &str) -> Result<(), RoomError> {
    if event.len() > EVENT_BYTES_MAX { Err(RoomError::EventTooLarge(event.len())) } else { Ok(()) }
}
