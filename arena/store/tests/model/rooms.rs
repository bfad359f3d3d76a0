//! The logs of rooms.

use std::cmp::Reverse;

use arena_rooms::{PersonId, RoomId};

use super::{Model, State, paged};
use crate::rooms::checked;
use crate::{
    Appended, Gate, Limits, OwnRoom, PAGE_MAX, Page, Removed, Room, RoomError, RoomState, RoomTerms, StoreError,
    UnixSeconds,
};

pub(super) fn bytes(room: &Room) -> u64 {
    room.events.iter().map(|event| event.len() as u64).sum()
}

impl State {
    fn open(&self) -> impl Iterator<Item = &(Room, RoomTerms)> {
        self.rooms.values().filter(|(room, _)| room.state == RoomState::Open)
    }

    /// The rooms that a person opened, or had a seat in when they ended.
    fn rooms_of(&self, person: PersonId) -> impl Iterator<Item = &Room> {
        let sat = move |id| self.room_people.get(id).is_some_and(|people| people.contains(&person));
        let own = self.rooms.values().filter(move |(room, terms)| terms.owner == person || sat(&room.id));
        own.map(|(room, _)| room)
    }

    /// The finished rooms, except those of rated games, in the order in which they ended.
    pub(super) fn finished(&self) -> Vec<(UnixSeconds, RoomId, u64)> {
        let finished = self.rooms.values().filter_map(|(room, _)| match room.state {
            RoomState::Finished { at } if !self.people.is_rated(&room.id) => Some((at, room.id, bytes(room))),
            RoomState::Finished { .. } | RoomState::Open => None,
        });
        let mut finished: Vec<_> = finished.collect();
        finished.sort();
        finished
    }

    /// Forgets a room, if it is there.
    pub(super) fn forget_room(&mut self, id: &RoomId, now: UnixSeconds, limits: &Limits) {
        if self.rooms.remove(id).is_some() {
            self.room_people.remove(id);
            self.people.forget(id);
            self.note_removed(Removed::Room(*id), now, limits);
        }
    }
}

impl Model {
    pub(crate) async fn create_room(
        &self,
        id: &RoomId,
        event: &str,
        terms: &RoomTerms,
        now: UnixSeconds,
    ) -> Result<(), RoomError> {
        checked(event)?;
        let mut state = self.state()?;
        if let Some((room, _)) = state.rooms.get(id) {
            return if room.events[0] == event { Ok(()) } else { Err(RoomError::RoomExists) };
        }
        if state.closed_gates.contains(&Gate::Rooms) {
            return Err(RoomError::Closed);
        }
        if state.open().count() >= self.limits.open_rooms_max as usize {
            return Err(RoomError::TooManyRooms);
        }
        let of_owner = state.open().filter(|(_, others)| others.owner == terms.owner);
        let ends: Vec<UnixSeconds> =
            of_owner.map(|(room, terms)| room.heard_at.later(terms.silence_seconds_max)).collect();
        if ends.len() >= self.limits.open_rooms_per_owner_max as usize {
            let first = ends.into_iter().min().unwrap_or(now);
            let max = self.limits.open_rooms_per_owner_max;
            return Err(RoomError::TooManyOfOwner { max, again_in: now.seconds_until(first) });
        }
        let room = Room { id: *id, state: RoomState::Open, created_at: now, heard_at: now, events: vec![event.into()] };
        state.rooms.insert(*id, (room, *terms));
        Ok(())
    }

    pub(crate) async fn append(
        &self,
        id: &RoomId,
        seq: u32,
        event: &str,
        now: UnixSeconds,
    ) -> Result<Appended, RoomError> {
        checked(event)?;
        let mut state = self.state()?;
        let (room, _) = state.rooms.get_mut(id).ok_or(RoomError::NoSuchRoom)?;
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
        room.heard_at = now;
        Ok(Appended::New)
    }

    pub(crate) async fn finish_room(&self, id: &RoomId, sat: &[PersonId], now: UnixSeconds) -> Result<(), RoomError> {
        let mut guard = self.state()?;
        let state = &mut *guard;
        let (room, _) = state.rooms.get_mut(id).ok_or(RoomError::NoSuchRoom)?;
        if room.state != RoomState::Open {
            return Ok(());
        }
        room.state = RoomState::Finished { at: now };
        state.room_people.insert(*id, sat.iter().copied().collect());
        let finished = state.finished();
        let mut total: u64 = finished.iter().map(|(_, _, bytes)| bytes).sum();
        for (_, oldest, bytes) in finished {
            if total <= self.limits.finished_room_bytes_max {
                break;
            }
            state.forget_room(&oldest, now, &self.limits);
            total -= bytes;
        }
        Ok(())
    }

    pub(crate) async fn room(&self, id: &RoomId) -> Result<Option<Room>, StoreError> {
        Ok(self.state()?.rooms.get(id).map(|(room, _)| room.clone()))
    }

    pub(crate) async fn rooms_of(&self, person: PersonId, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        Ok(paged(page, state.rooms_of(person).map(|room| room.id), |id, after| id > after))
    }

    pub(crate) async fn latest_rooms_of(&self, person: PersonId, limit: u32) -> Result<Vec<OwnRoom>, StoreError> {
        let state = self.state()?;
        let own = state.rooms_of(person).map(|room| OwnRoom {
            id: room.id,
            state: room.state,
            heard_at: room.heard_at,
            start: room.events[0].clone(),
        });
        let mut own: Vec<OwnRoom> = own.collect();
        own.sort_by_key(|room| (Reverse(room.heard_at), room.id));
        own.truncate(limit.min(PAGE_MAX) as usize);
        Ok(own)
    }

    pub(crate) async fn open_rooms(&self, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        let open = state.open().map(|(room, _)| room.id);
        Ok(paged(page, open, |id, after| id > after))
    }

    pub(crate) async fn silent_rooms(&self, now: UnixSeconds) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        let silent = state.open().filter(|(room, terms)| room.heard_at.later(terms.silence_seconds_max) <= now);
        let mut silent: Vec<(UnixSeconds, RoomId)> = silent.map(|(room, _)| (room.heard_at, room.id)).collect();
        silent.sort();
        Ok(silent.into_iter().take(PAGE_MAX as usize).map(|(_, id)| id).collect())
    }

    pub(crate) async fn quietest_room(&self, since: UnixSeconds) -> Result<Option<RoomId>, StoreError> {
        let state = self.state()?;
        let quiet = state.open().filter(|(room, _)| room.heard_at <= since);
        Ok(quiet.map(|(room, _)| (room.heard_at, room.id)).min().map(|(_, id)| id))
    }
}
