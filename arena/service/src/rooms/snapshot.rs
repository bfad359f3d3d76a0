//! What everybody who watches a room may see.

use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_rooms::{Room, RoomId, RoomView};

use super::chat::{ChatLine, Circle};

/// A room at a moment. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Grows with every snapshot of a room, across restarts and across servers.
    pub version: u64,
    /// The game.
    pub view: Arc<RoomView>,
    /// What keeps a player from answering, as a sentence.
    pub trouble: Option<Arc<str>>,
    /// Whether the room is finished.
    pub finished: bool,
    /// The seats whose people want a rematch.
    pub rematch: Arc<[u8]>,
    /// The room of the rematch.
    pub next: Option<RoomId>,
    /// The latest chat messages.
    pub chat: Arc<[ChatLine]>,
    /// When the running clocks were started.
    pub(crate) since: Instant,
    pub(crate) clock: Clock,
}

impl Snapshot {
    pub(crate) fn first(room: &Room, since: Instant, clock: Clock) -> Snapshot {
        Snapshot {
            version: clock.unix_micros(),
            view: Arc::new(room.view()),
            trouble: None,
            finished: false,
            rematch: Arc::default(),
            next: None,
            chat: Arc::default(),
            since,
            clock,
        }
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.view.outcome.is_some()
    }

    /// The chat messages after this number that are meant for a player, or for a spectator.
    pub fn messages(&self, seated: bool, after: u64) -> impl Iterator<Item = &ChatLine> {
        let hears = move |line: &&ChatLine| line.circle == Circle::Seats || !seated || self.over();
        self.chat.iter().filter(move |line| line.number > after).filter(hears)
    }

    /// Whether somebody may still sit down.
    pub fn is_waiting(&self) -> bool {
        !self.view.started && !self.finished
    }

    /// What the clock of each seat has left at this moment, in milliseconds; empty in rooms without clocks.
    pub fn left_ms(&self) -> Vec<Option<u64>> {
        let ran = u64::try_from(self.clock.since(self.since).as_millis()).unwrap_or(u64::MAX);
        let mut left = self.view.left_ms.clone();
        if !self.finished {
            for seat in &self.view.running {
                if let Some(Some(left)) = left.get_mut(seat.index()) {
                    *left = left.saturating_sub(ran);
                }
            }
        }
        left
    }
}
