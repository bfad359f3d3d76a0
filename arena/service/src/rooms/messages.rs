//! What servers tell each other about rooms because no log holds it: chat, wishes for a rematch, and who is present.
//! Every server receives all messages in one order, its own too, and only then applies them. So rooms are the same on
//! all servers.

use std::sync::Arc;

use arena_rooms::{PersonId, RoomId};
use arena_store::{RoomMessage, Sent, ServerId, ServerMessage, StoreError, UnixSeconds};
use tokio::sync::oneshot;
use tracing::warn;

use super::chat::Circle;
use super::live::LiveRoom;
use super::reports::Report;
use super::{PlayError, Rooms};
use crate::core::with_causes;

/// Who of this server is in a room: players, and the number of spectators.
type Present = (RoomId, Vec<PersonId>, usize);

impl Rooms {
    /// Applies a message of any server, this one included.
    pub(crate) async fn receive(self: &Arc<Self>, sent: &Sent) {
        match &sent.message {
            ServerMessage::Presence(rooms) => self.receive_presence(sent.from, rooms),
            ServerMessage::PersonDeleted(person) => self.forget(*person).await,
            ServerMessage::Reported { room, number, at, said_by, text, by } => self.slots.reports.keep(Report {
                at: UnixSeconds(*at),
                room: *room,
                number: *number,
                said_by: *said_by,
                text: text.clone(),
                by: *by,
            }),
            ServerMessage::Room { id, event } => {
                if let Some(room) = self.in_memory_now(id) {
                    self.receive_event(room, event, sent.from == self.slots.core.leases.server()).await;
                }
            }
            ServerMessage::World { .. } | ServerMessage::AccountChanged(_) | ServerMessage::Unknown => {}
        }
    }

    async fn receive_event(self: &Arc<Self>, room: Arc<LiveRoom>, event: &RoomMessage, is_own: bool) {
        match *event {
            RoomMessage::Chat { person, seated, ref text } => {
                let circle = if seated { Circle::Seats } else { Circle::Spectators };
                room.receive_chat(person, circle, text.clone()).await;
            }
            RoomMessage::Rematch(person) => {
                // The server that sent the last missing wish opens the room: exactly one does.
                if room.wish(person).await && is_own {
                    let (tell, told) = oneshot::channel();
                    room.state.lock().await.opening = Some((person, told));
                    let rooms = self.clone();
                    // Fails if the person has gone away.
                    self.slots.core.tasks.spawn(async move { tell.send(rooms.agreed(room, person).await) });
                }
            }
            RoomMessage::Next(next) => room.goes_on_in(next).await,
            RoomMessage::NoNext(person) => room.unwish(person).await,
        }
    }

    /// Forgets the messages of a person whose account is deleted: in the chats of all rooms on all servers, and in
    /// reports.
    pub(crate) async fn forget_said(&self, person: PersonId) -> Result<(), StoreError> {
        self.forget(person).await;
        self.slots.core.messages.tell(ServerMessage::PersonDeleted(person)).await
    }

    async fn forget(&self, person: PersonId) {
        self.slots.reports.forget(person);
        for room in self.all() {
            room.forget_chat(person).await;
        }
    }

    /// All want a rematch: opens its room and announces it.
    async fn agreed(&self, room: Arc<LiveRoom>, last: PersonId) -> Result<(), PlayError> {
        // A copy: a bot may have to start, and meanwhile the task that hears all servers needs the room's lock.
        let played = room.state.lock().await.room.clone();
        let opened = self.once_more(&played, self.slots.core.now()).await;
        let event = opened.as_ref().map_or(RoomMessage::NoNext(last), |next| RoomMessage::Next(*next));
        let announced = room.send_to_servers(event).await;
        if let Err(error) = &announced {
            warn!(cause = with_causes(error), "cannot announce the room of a rematch");
        }
        opened.map_err(|error| PlayError::NoNext(Box::new(error)))?;
        announced
    }

    /// Tells the other servers who is present in the rooms of this one.
    pub(crate) async fn send_presence(&self) {
        let core = &self.slots.core;
        let at = core.clock.now();
        let of = |room: &Arc<LiveRoom>| {
            let (people, spectators) = room.attending(at);
            (*room.id(), people, spectators)
        };
        let all: Vec<Present> = self.attended().iter().map(of).collect();
        let (messages, left_out) = presence(&all, core.leases.server());
        if left_out > 0 {
            warn!(rooms = left_out, "too many people in a room to tell other servers who is here");
        }
        for message in messages {
            if let Err(error) = core.messages.tell(message).await {
                warn!(cause = with_causes(&error), "cannot tell other servers who is here");
                return;
            }
        }
    }

    fn receive_presence(&self, from: ServerId, rooms: &[Present]) {
        if from == self.slots.core.leases.server() {
            return;
        }
        for (room, people, spectators) in rooms {
            if let Some(room) = self.in_memory_now(room) {
                room.attend_elsewhere(from.0, people.clone(), *spectators);
            }
        }
    }
}

impl LiveRoom {
    /// Tells other servers of a report. It is kept here in any case.
    pub(super) async fn send_report(&self, report: Report) {
        let Report { at: UnixSeconds(at), room, number, said_by, text, by } = report;
        let message = ServerMessage::Reported { room, number, at, said_by, text, by };
        if let Err(error) = self.slots.core.messages.tell(message).await {
            warn!(cause = with_causes(&error), "other servers do not show a report");
        }
    }

    /// Tells all servers, this one too.
    pub(super) async fn send_to_servers(&self, event: RoomMessage) -> Result<(), PlayError> {
        Ok(self.slots.core.messages.send(ServerMessage::Room { id: *self.id(), event }).await?)
    }
}

/// Messages with these rooms, each short enough to be sent; and the number of rooms that are in none, because one alone
/// is too long.
fn presence(rooms: &[Present], from: ServerId) -> (Vec<ServerMessage>, usize) {
    let message = ServerMessage::Presence(rooms.to_vec());
    match rooms {
        [] => (Vec::new(), 0),
        _ if Sent::new(from, 0, message.clone()).text().is_ok() => (vec![message], 0),
        [_] => (Vec::new(), 1),
        _ => {
            let (some, others) = rooms.split_at(rooms.len() / 2);
            let ((mut messages, left_out), (more, more_left_out)) = (presence(some, from), presence(others, from));
            messages.extend(more);
            (messages, left_out + more_left_out)
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;
    use arena_rules::Rng;
    use arena_store::MESSAGE_BYTES_MAX;

    use super::*;

    #[test]
    fn every_room_is_in_one_message_unless_it_alone_is_too_long() {
        let (from, mut rng) = (ServerId(Hex([7; 16])), Rng::new(&[3; 32], 0));
        for trial in 0..50 {
            let rooms: Vec<Present> = (0..rng.below(90))
                .map(|number| {
                    let people = if rng.below(20) == 0 { 600 } else { rng.below(30) };
                    let person = |at: u32| PersonId(Hex(u64::from(at).to_be_bytes()));
                    (RoomId(Hex([number as u8; 16])), (0..people).map(person).collect(), 3)
                })
                .collect();
            let (messages, left_out) = presence(&rooms, from);
            let sent = messages.iter().flat_map(|message| match message {
                ServerMessage::Presence(rooms) => rooms.clone(),
                _ => Vec::new(),
            });
            let wanted: Vec<Present> = rooms.iter().filter(|(_, people, _)| people.len() < 600).cloned().collect();
            assert_eq!(sent.collect::<Vec<_>>(), wanted, "{trial}: in their order, those after a long one, too");
            assert_eq!(left_out, rooms.len() - wanted.len(), "{trial}");
            for message in messages {
                let text = Sent::new(from, 0, message).text();
                assert!(text.is_ok_and(|text| text.len() <= MESSAGE_BYTES_MAX), "{trial}");
            }
        }
    }
}
