//! Why a room cannot be opened, shown or played in.

use std::error::Error;

use arena_limits::{CLOSED_SECONDS, Kind, Refusal, Refused};
use arena_people::Unrated;
use arena_rooms::Rejected;
use arena_store::StoreError;
use arena_wire::Game;

use crate::limits::ROOM_SILENCE_SECONDS_MIN;

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

impl Refused for OpenRoomError {
    fn refusal(&self) -> Refusal {
        use Kind::{Busy, Conflict, Failed, Invalid, NotFound, TooMany};
        match self {
            OpenRoomError::NoSuchOpponent => {
                NotFound.says("no_such_opponent", "choose a built-in opponent of the game, or a bot that plays it")
            }
            OpenRoomError::NoRooms(_) => Invalid.says("no_rooms", "choose another; /play has them all"),
            OpenRoomError::NoSuchGame(game) => Invalid.says("no_such_rooms", rooms_of(game)),
            OpenRoomError::DoesNotStart(_) => {
                Conflict.says("does_not_start", "choose another bot; the seat is still open")
            }
            OpenRoomError::Closed => Busy.says("closed", "games in progress continue").again_in(CLOSED_SECONDS),
            OpenRoomError::Full => {
                Busy.says("full", "try again when other games are over").again_in(ROOM_SILENCE_SECONDS_MIN as u64)
            }
            OpenRoomError::TooMany { again_in, .. } => {
                TooMany.says("too_many_rooms", "your open games are still at their addresses").again_in(*again_in)
            }
            OpenRoomError::NoSuchCode => NotFound
                .says("no_such_room_code", "ask for its link, which also shows a game that is over, or look at /lobby"),
            OpenRoomError::Clock => Invalid.says("bad_clock", "`none`, `turn-60` or `game-600-5`, in seconds"),
            OpenRoomError::RatedIsPublic => Invalid.says("rated_is_public", "open a public room, or an unrated one"),
            OpenRoomError::RatedIsUsual => {
                Invalid.says("rated_is_usual", "leave out the kind and the number, or open an unrated room")
            }
            OpenRoomError::NoSuchSeat | OpenRoomError::Machine(_) => {
                Failed.says("unavailable", "no room was opened; the same request may succeed in a moment")
            }
            OpenRoomError::Play(error) => error.refusal(),
            OpenRoomError::Store(error) => error.refusal(),
        }
    }
}

/// The choices that people have for rooms of a game.
fn rooms_of(game: &Game) -> String {
    let (fewest, most) = game.room_seats;
    let mut has = vec![if fewest == most { format!("{fewest} seats") } else { format!("{fewest} to {most} seats") }];
    if !game.room_turns.is_empty() {
        let turns: Vec<String> = game.room_turns.iter().map(u16::to_string).collect();
        has.push(format!("{} turns", turns.join(", ")));
    }
    if !game.room_kinds.is_empty() {
        let kinds: Vec<&str> = game.room_kinds.iter().map(|kind| kind.name).collect();
        has.push(format!("the kinds `{}`", kinds.join("`, `")));
    }
    if game.has_numbers() {
        has.push("numbered starts".into());
    }
    format!("its rooms have {}", has.join("; "))
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

impl Refused for RoomUnavailable {
    fn refusal(&self) -> Refusal {
        Kind::Failed.says("unavailable", "nothing was lost; the same request may succeed in a moment")
    }
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

impl Refused for PlayError {
    fn refusal(&self) -> Refusal {
        match self {
            PlayError::Rejected(error) => error.refusal(),
            PlayError::Unrated(error) => error.refusal(),
            PlayError::Unavailable(error) => error.refusal(),
            PlayError::NoNext(error) => error.refusal().saying(error.to_string()),
        }
    }
}

impl PlayError {
    /// The stable code on a socket, where a failure of the site is no answer to the command.
    pub fn code(&self) -> &'static str {
        match self {
            PlayError::Rejected(_) | PlayError::Unrated(_) => self.refusal().code,
            PlayError::Unavailable(_) | PlayError::NoNext(_) => "unavailable",
        }
    }
}
