//! Live rooms: which are in memory, how one is opened, and when one leaves.

mod asking;
mod desk;
mod error;
mod live;
mod opening;
mod player;
mod snapshot;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena_rooms::RoomId;
use arena_store::{PAGE_MAX, Page, StoreError, UnixSeconds};
use tokio::time::{MissedTickBehavior, interval};
use tracing::warn;

pub use error::{OpenRoomError, PlayError, RoomUnavailable};
pub use live::LiveRoom;
pub use opening::{NewRoom, Opponent};
pub use snapshot::Snapshot;

use crate::core::{Core, now, with_causes};
use crate::limits::{CLEAN_EVERY, LIVE_ROOMS_MAX, ROOM_IDLE, ROOM_SECONDS_MAX, SWEEP_EVERY};
use live::State;

pub(crate) use desk::{Desk, Unseated};

/// The rooms in memory.
pub(crate) struct Rooms {
    desk: Arc<Desk>,
    live: Mutex<BTreeMap<RoomId, Entry>>,
}

struct Entry {
    room: Arc<LiveRoom>,
    /// Since when nobody was seen to hold or watch it.
    idle_since: Option<Instant>,
}

impl Entry {
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.room) == 1 && self.room.watchers() == 0
    }
}

impl Rooms {
    pub(crate) fn start(core: Arc<Core>) -> Arc<Rooms> {
        let rooms = Arc::new(Rooms { desk: Arc::new(Desk::new(core.clone())), live: Mutex::default() });
        core.tasks.spawn(rooms.clone().tidy_up());
        rooms
    }

    /// The processes and the memory of players that nobody's turn waits for.
    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The room with this id, from memory or from its log.
    pub(crate) async fn room(&self, id: &RoomId) -> Result<Option<Arc<LiveRoom>>, RoomUnavailable> {
        if let Some(entry) = self.live().get_mut(id) {
            entry.idle_since = None;
            return Ok(Some(entry.room.clone()));
        }
        let Some((room, finished)) = live::read(&*self.desk.core.store, id).await? else { return Ok(None) };
        self.keep(id, State::new(room, finished)).map(Some)
    }

    /// Puts a room into memory, unless somebody was faster.
    fn keep(&self, id: &RoomId, state: State) -> Result<Arc<LiveRoom>, RoomUnavailable> {
        let mut live = self.live();
        if let Some(entry) = live.get_mut(id) {
            entry.idle_since = None;
            return Ok(entry.room.clone());
        }
        if live.len() >= LIVE_ROOMS_MAX {
            live.retain(|_, entry| !entry.is_idle());
        }
        if live.len() >= LIVE_ROOMS_MAX {
            return Err(RoomUnavailable::Full);
        }
        let room = LiveRoom::new(self.desk.clone(), *id, state);
        live.insert(*id, Entry { room: room.clone(), idle_since: None });
        Ok(room)
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<RoomId, Entry>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets rooms that nobody holds or watches, and closes those that were left, again and again.
    async fn tidy_up(self: Arc<Self>) {
        let core = self.desk.core.clone();
        let every = |period: Duration| {
            let mut ticks = interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        let (mut sweeps, mut cleanings) = (every(SWEEP_EVERY), every(CLEAN_EVERY));
        loop {
            tokio::select! {
                () = core.stopping.cancelled() => return,
                _ = sweeps.tick() => self.sweep(Instant::now()),
                _ = cleanings.tick() => {
                    if let Some(Err(error)) = core.stopping.run_until_cancelled(self.close_left(now())).await {
                        warn!(cause = with_causes(&error), "rooms that were left are closed the next time");
                    }
                }
            }
        }
    }

    /// Forgets the rooms that have been idle for [`ROOM_IDLE`].
    fn sweep(&self, now: Instant) {
        self.live().retain(|_, entry| {
            if !entry.is_idle() {
                entry.idle_since = None;
                return true;
            }
            let since = *entry.idle_since.get_or_insert(now);
            now.saturating_duration_since(since) < ROOM_IDLE
        });
    }

    /// Closes the rooms that were opened [`ROOM_SECONDS_MAX`] ago or earlier and are not in memory.
    async fn close_left(&self, now: UnixSeconds) -> Result<(), StoreError> {
        let store = &self.desk.core.store;
        let mut page = Page::first(PAGE_MAX);
        loop {
            let ids = store.open_rooms(page).await?;
            let Some(last) = ids.last().copied() else { return Ok(()) };
            for id in ids {
                let room = store.room(&id).await?;
                let old = room.is_some_and(|room| room.created_at.0 <= now.0.saturating_sub(ROOM_SECONDS_MAX));
                if old && !self.live().contains_key(&id) {
                    // One that fails is still there the next time.
                    if let Err(error) = store.finish_room(&id, now).await {
                        warn!(room = live::short(&id), cause = with_causes(&error), "a room cannot be closed");
                    }
                }
            }
            page = Page::after(last, PAGE_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use arena_rooms::PersonId;
    use arena_store::{MemoryStore, RoomState};
    use arena_worker::Pool;
    use tokio_util::sync::CancellationToken;
    use tokio_util::task::TaskTracker;

    use super::*;

    const ANN: PersonId = PersonId(arena_record::Hex([7; 8]));

    fn rooms() -> Rooms {
        let core = Core {
            store: Arc::new(MemoryStore::default()),
            pool: Pool::new(PathBuf::from("/nothing"), Vec::new(), 0),
            stopping: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        Rooms { desk: Arc::new(Desk::new(Arc::new(core))), live: Mutex::default() }
    }

    async fn open(rooms: &Rooms, now: i64) -> RoomId {
        let opponent = Opponent::Baseline("easy".into());
        let new = NewRoom { person: ANN, game: &arena_wire::GAMES[0], seat: arena_rules::Seat(0), opponent };
        rooms.open(new, UnixSeconds(now)).await.expect("a room")
    }

    #[tokio::test]
    async fn a_room_leaves_memory_when_nobody_has_held_or_watched_it_for_long_enough() {
        let rooms = rooms();
        let id = open(&rooms, 0).await;
        let start = Instant::now();
        let live = |after: Duration| {
            rooms.sweep(start + after);
            rooms.live().len()
        };
        let second = Duration::from_secs(1);
        let held = rooms.room(&id).await.expect("readable").expect("the room");
        assert_eq!(live(ROOM_IDLE * 2), 1, "it is held");
        let watched = held.watch();
        drop(held);
        assert_eq!(live(ROOM_IDLE * 4), 1, "it is watched");
        drop(watched);
        assert_eq!(live(ROOM_IDLE * 5), 1, "idle from now on");
        assert_eq!(live(ROOM_IDLE * 6 - second), 1);
        drop(rooms.room(&id).await.expect("readable"));
        assert_eq!(live(ROOM_IDLE * 6), 1, "it was used since");
        assert_eq!(live(ROOM_IDLE * 7), 0);
        // Its log is still there.
        assert!(rooms.room(&id).await.expect("readable").is_some());
    }

    #[tokio::test]
    async fn rooms_that_were_left_are_closed() {
        let rooms = rooms();
        let (old, live, new) = (open(&rooms, 0).await, open(&rooms, 0).await, open(&rooms, 1).await);
        rooms.live().retain(|id, _| *id == live);
        rooms.close_left(UnixSeconds(ROOM_SECONDS_MAX)).await.expect("the store works");
        for (id, open) in [(&old, false), (&live, true), (&new, true)] {
            let state = rooms.desk.core.store.room(id).await.expect("readable").expect("the room").state;
            assert_eq!(state == RoomState::Open, open, "{id}");
        }
        let closed = rooms.room(&old).await.expect("readable").expect("the room");
        assert!(
            closed.watch().borrow().trouble.as_ref().is_some_and(|trouble| trouble.contains("this room was closed"))
        );
        let refused = closed.resign(ANN, 0, UnixSeconds(0)).await.expect_err("closed");
        assert_eq!(refused.code(), "game_over");
    }
}
