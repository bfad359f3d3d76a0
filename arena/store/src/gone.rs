//! What was removed to make space for others: somebody may have linked to it, and its address says since when it is gone.

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
    /// What kind of thing it is, and which of them, as tables have it.
    pub(crate) fn key(&self) -> (&'static str, String) {
        match self {
            Removed::Room(id) => ("room", id.to_string()),
            Removed::Contest(ContestId(id)) => ("contest", id.to_string()),
            Removed::Games(tournament) => ("games", tournament.to_string()),
        }
    }
}

/// What was removed. It is noted in the step that removes it; the latest [`Limits::gone_max`](crate::Limits) are remembered.
#[async_trait]
pub trait Gone: Send + Sync + 'static {
    /// Since when something is gone: what was removed again has the first moment. `None` of what was never removed, or so long ago that
    /// it is forgotten.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn gone_since(&self, what: &Removed) -> Result<Option<UnixSeconds>, StoreError>;
}
