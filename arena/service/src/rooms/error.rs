//! Why a room cannot be opened, shown or played in.

use std::error::Error;

use arena_people::Unrated;
use arena_rooms::Rejected;
use arena_store::StoreError;
use arena_wire::Game;

/// Why a room was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenRoomError {
    /// No built-in opponent and no active bot has this name.
    #[error("there is no such opponent")]
    NoSuchOpponent,
    /// The game is not one that people play in rooms; its title.
    #[error("{0:?} is not played in rooms")]
    NoRooms(&'static str),
    /// The game has no rooms with so many seats or turns, or of this kind.
    #[error("{} has no such rooms", .0.title)]
    NoSuchGame(&'static Game),
    /// A bot that was to take a seat fails when it starts; with how.
    #[error("this bot does not start: {0}")]
    DoesNotStart(&'static str),
    /// The game has no such seat.
    #[error("there is no such seat")]
    NoSuchSeat,
    /// The operator has closed rooms, or the site is about to be restarted.
    #[error("no rooms are opened at the moment")]
    Closed,
    /// As many rooms are open, or in memory, as allowed.
    #[error("all rooms are in use")]
    Full,
    /// The person has as many rooms open as allowed.
    #[error("a person has at most {max} open rooms; finish or resign a game, or come back in {again_in} s")]
    TooMany {
        /// The most a person may have.
        max: u32,
        /// Seconds until one of them is closed, if it stays silent.
        again_in: u64,
    },
    /// No waiting room has this code.
    #[error("no waiting room has this code")]
    NoSuchCode,
    /// Times beyond their limits.
    #[error("a turn or a game has 5 to 3600 seconds, and a turn adds at most 60")]
    Clock,
    /// A rated game must be public: otherwise friends could play for each other.
    #[error("rated games are public: the lobby lists them")]
    RatedIsPublic,
    /// A rated game needs the usual rules and a start that nobody chose.
    #[error("rated games have the usual rules and a start drawn by lot")]
    RatedIsUsual,
    /// The room cannot be joined.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The opponent could not be started, by the machine's fault.
    #[error("the opponent could not be started")]
    Machine(#[source] Box<dyn Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a room that may exist cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RoomUnavailable {
    /// As many rooms are in memory as allowed, and all of them are in use.
    #[error("all rooms are in use")]
    Full,
    /// The store cannot be read, or the room's log is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a command did nothing, or may have done nothing. Sending the same command again is harmless.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The room refuses it.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// These two may not play a rated game.
    #[error(transparent)]
    Unrated(#[from] Unrated),
    /// The store failed.
    #[error(transparent)]
    Unavailable(#[from] StoreError),
    /// No room could be opened for the rematch.
    #[error("the next room cannot be opened")]
    NoNext(#[source] Box<OpenRoomError>),
}

impl PlayError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            PlayError::Rejected(rejected) => rejected.code(),
            PlayError::Unrated(unrated) => unrated.code(),
            PlayError::Unavailable(_) | PlayError::NoNext(_) => "unavailable",
        }
    }
}
