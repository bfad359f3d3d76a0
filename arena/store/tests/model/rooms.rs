//! The logs of rooms.

use std::cmp::Reverse;

use arena_rooms::{PersonId, RoomId};

use super::{Model, State, paged};
use crate::policy::room::{AppendView, OpenView, may_append, may_open};
use crate::rooms::checked;
use crate::{
    Appended, Gate, Limits, OwnRoom, PAGE_MAX, Page, Removed, Room, RoomError, RoomState, RoomTerms, StoreError,
    UnixSeconds,
};

pub(super) fn bytes(room: &Room) -> u64 {
    room.events.iter().map(|event| event.len() as u64).sum()
}

impl State {
    fn open(&self) -> impl Iterator<Item = &(Room, RoomTerms)> + Clone {
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
        let own = state.open().filter(|(_, others)| others.owner == terms.owner);
        let mut own: Vec<_> = own.map(|(room, terms)| room.heard_at.later(terms.silence_seconds_max)).collect();
        own.sort_unstable();
        let view = OpenView {
            same: state.rooms.get(id).map(|(room, _)| room.events[0] == event),
            closed: state.closed_gates.contains(&Gate::Rooms),
            open: state.open().count() as u64,
            has_space: true,
            own,
        };
        if may_open(&view, &self.limits, now)? == Appended::Already {
            return Ok(());
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
        let room = state.rooms.get_mut(id).map(|(room, _)| room);
        let view = room.as_ref().map(|room| AppendView {
            same: room.events.get(seq as usize).map(|there| there == event),
            is_open: room.state == RoomState::Open,
            next: room.events.len() as u32,
        });
        let appended = may_append(view, &self.limits, seq)?;
        let Some(room) = room.filter(|_| appended == Appended::New) else { return Ok(appended) };
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
