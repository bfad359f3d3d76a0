//! What everybody who watches a room may see.

use std::sync::Arc;

use arena_clock::Instant;
use arena_rooms::{Room, RoomId, RoomView};

use super::chat::{ChatLine, Circle};
use crate::room_time::RoomTime;

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
    /// When the running clocks were started, in this time.
    pub(super) since: Instant,
    pub(super) time: RoomTime,
}

impl Snapshot {
    pub(super) fn first(room: &Room, since: Instant, version: u64, time: RoomTime) -> Snapshot {
        Snapshot {
            version,
            view: Arc::new(room.view()),
            trouble: None,
            finished: false,
            rematch: Arc::default(),
            next: None,
            chat: Arc::default(),
            since,
            time,
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

    /// Whether its clocks stand still, because the site takes no turns at this moment.
    pub fn stands_still(&self) -> bool {
        self.time.stands_still()
    }

    /// What the clock of each seat has left at this moment, in milliseconds; empty in rooms without clocks.
    pub fn left_ms(&self) -> Vec<Option<u64>> {
        let ran = self.time.now().saturating_duration_since(self.since);
        let ran = u64::try_from(ran.as_millis()).unwrap_or(u64::MAX);
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
