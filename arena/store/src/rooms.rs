//! The logs of live rooms: events that are appended once and never changed. Their meaning is not known here.

use arena_rooms::{EVENT_BYTES_MAX, PersonId, RoomId};

use crate::{StoreError, UnixSeconds};

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
    TooManyRooms {
        /// How many more are open than allowed, since the operator lowered the limit.
        beyond: u64,
    },
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

pub(crate) fn checked(event: &str) -> Result<(), RoomError> {
    if event.len() > EVENT_BYTES_MAX { Err(RoomError::EventTooLarge(event.len())) } else { Ok(()) }
}
