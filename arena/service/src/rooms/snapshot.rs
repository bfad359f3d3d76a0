//! What everybody who watches a room may see.

use std::sync::Arc;

use arena_rooms::{AnyRoom, RoomView};

/// A room at a moment. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Grows by one with every snapshot of this [`LiveRoom`](crate::LiveRoom), from 1.
    pub version: u64,
    /// The game.
    pub view: Arc<RoomView>,
    /// What keeps a player from answering, in words.
    pub trouble: Option<Arc<str>>,
}

impl Snapshot {
    pub(crate) fn of(room: &dyn AnyRoom, trouble: Option<&str>, version: u64) -> Snapshot {
        Snapshot { version, view: Arc::new(room.view()), trouble: trouble.map(Arc::from) }
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.view.outcome.is_some()
    }
}
