//! What was removed to make room. Links to it may exist, and its address can tell since when it is gone.

use arena_rooms::RoomId;
use async_trait::async_trait;

use crate::{ContestId, StoreError, TournamentId, UnixSeconds};

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

/// What was removed, noted in the same step. The latest [`Limits::gone_max`](crate::Limits::gone_max) are remembered.
#[async_trait]
pub trait Tombstones: Send + Sync + 'static {
    /// Since when something is gone; if it was removed more than once, since the first time. `None` if it was never removed, or so long
    /// ago that it is forgotten.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn gone_since(&self, what: &Removed) -> Result<Option<UnixSeconds>, StoreError>;

    /// When the first removal happened that is still remembered: what is forgotten was removed before. `None` if nothing is forgotten, or
    /// nothing remembered.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn forgotten_before(&self) -> Result<Option<UnixSeconds>, StoreError>;
}
