//! Why a log is not a room's.

use arena_referee::Refused;
use arena_rules::Seat;
use arena_wire::UnknownGame;

use crate::EVENTS_MAX;
use crate::table::TableFault;

/// Why an event is illegal in its place in a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalEvent {
    /// The log is empty, or its first event does not open a room.
    #[error("a log starts with the room being opened")]
    NotOpened,
    /// A second opening.
    #[error("the room is already open")]
    OpenedTwice,
    /// This release does not have the game.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The options exist only for a study.
    #[error("games with these options are for a study alone, and no room plays them")]
    ForStudy,
    /// The options let the set-up depend on the seed, but players see the game while the seed is secret.
    #[error("games with these options start from their seed, and no room plays them")]
    StartsFromSeed,
    /// The number of seats is not the game's.
    #[error("this game has {seats} seats, not {found}")]
    Seats {
        /// Seats of the game.
        seats: u8,
        /// Seats or starts in the event.
        found: usize,
    },
    /// Something that is not possible for a person, or for a contender.
    #[error("{seat} {why}")]
    Role {
        /// The seat.
        seat: Seat,
        /// What is not possible.
        why: &'static str,
    },
    /// A text is too long.
    #[error("{what} has {found} bytes; {max} are allowed")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// The limit, in bytes.
        max: usize,
        /// Its length, in bytes.
        found: usize,
    },
    /// The log has more events than allowed.
    #[error("a room has at most {EVENTS_MAX} events")]
    TooMany,
    /// The table is inconsistent.
    #[error(transparent)]
    Table(#[from] TableFault),
    /// Not all seats are taken yet.
    #[error("the game has not started")]
    NotStarted,
    /// This is possible only before the start.
    #[error("the game has started")]
    Started,
    /// The stamp does not follow from the events.
    #[error("the stamp beside this event does not follow from the log")]
    Stamp,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// It is for another turn than the one being played.
    #[error("turn {current} is being played")]
    Ply {
        /// The turn being played, from 0.
        current: u16,
    },
    /// The seat is not asked now.
    #[error("{0} is not asked")]
    NotAsked(Seat),
    /// The contract or the rules refuse the action.
    #[error("{seat} cannot have played this: {why}")]
    Action {
        /// The seat.
        seat: Seat,
        /// The reason.
        why: Refused,
    },
}

/// A log that is not a room's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {at} of this log does not belong there")]
pub struct BadLog {
    /// The number of the first wrong event, from 0.
    pub at: usize,
    /// What is wrong with it.
    #[source]
    pub why: IllegalEvent,
}
