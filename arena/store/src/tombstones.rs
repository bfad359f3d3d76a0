//! What was removed to make room. Links to it may exist, and its address can tell since when it is gone.

use arena_rooms::RoomId;

use crate::{ContestId, TournamentId};

/// Something that had an address of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Removed {
    /// A room, and with it the record of its game.
    Room(RoomId),
    /// A tournament that an account started, and with it its games.
    Contest(ContestId),
    /// All games of a tournament.
    Games(TournamentId),
}

impl Removed {
    /// Its kind, and its id within the kind, as in tables.
    pub(crate) fn key(&self) -> (&'static str, String) {
        match self {
            Removed::Room(id) => ("room", id.to_string()),
            Removed::Contest(ContestId(id)) => ("contest", id.to_string()),
            Removed::Games(tournament) => ("games", tournament.to_string()),
        }
    }
}
