//! The logs of rooms.

use arena_rooms::RoomId;
use async_trait::async_trait;

use super::MemoryStore;
use crate::rooms::checked;
use crate::{Appended, Page, Room, RoomError, RoomLogs, RoomState, StoreError, UnixSeconds};

#[async_trait]
impl RoomLogs for MemoryStore {
    async fn create_room(&self, id: &RoomId, event: &str, now: UnixSeconds) -> Result<(), RoomError> {
        checked(event)?;
        let mut state = self.state()?;
        if let Some(room) = state.rooms.get(id) {
            return if room.events[0] == event { Ok(()) } else { Err(RoomError::RoomExists) };
        }
        let open = state.rooms.values().filter(|room| room.state == RoomState::Open).count();
        if open >= self.limits.open_rooms_max as usize {
            return Err(RoomError::TooManyRooms);
        }
        let room = Room { id: *id, state: RoomState::Open, created_at: now, events: vec![event.into()] };
        state.rooms.insert(*id, room);
        Ok(())
    }

    async fn append(&self, id: &RoomId, seq: u32, event: &str) -> Result<Appended, RoomError> {
        checked(event)?;
        let mut state = self.state()?;
        let room = state.rooms.get_mut(id).ok_or(RoomError::NoSuchRoom)?;
        if let Some(there) = room.events.get(seq as usize) {
            return if there == event { Ok(Appended::Already) } else { Err(RoomError::Taken) };
        }
        if room.state != RoomState::Open {
            return Err(RoomError::Finished);
        }
        let next = room.events.len() as u32;
        if seq != next {
            return Err(RoomError::Gap { next });
        }
        if seq >= self.limits.events_per_room_max {
            return Err(RoomError::TooManyEvents(self.limits.events_per_room_max));
        }
        room.events.push(event.into());
        Ok(Appended::New)
    }

    async fn finish_room(&self, id: &RoomId, now: UnixSeconds) -> Result<(), RoomError> {
        let mut state = self.state()?;
        let room = state.rooms.get_mut(id).ok_or(RoomError::NoSuchRoom)?;
        if room.state == RoomState::Open {
            room.state = RoomState::Finished { at: now };
        }
        Ok(())
    }

    async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError> {
        Ok(self.state()?.rooms.get(id).cloned())
    }

    async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        let open = state.rooms.values().filter(|room| room.state == RoomState::Open).map(|room| room.id);
        Ok(page.of(open, |id, after| id > after))
    }
}
