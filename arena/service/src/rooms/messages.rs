//! Messages between servers about rooms, for what no log holds: chat, wishes for a rematch, and who is present. Every server receives
//! all of them in one order, its own too, and only then applies them. So rooms are the same on all servers.

use std::sync::Arc;

use arena_record::Hex;
use arena_rooms::{PersonId, RoomId};
use arena_store::{StoreError, UnixSeconds};
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::chat::Circle;
use super::live::LiveRoom;
use super::reports::Report;
use super::{PlayError, Rooms};
use crate::core::with_causes;

/// A message about a room.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    from: Hex<16>,
    room: RoomId,
    what: What,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum What {
    /// A person's chat message.
    Chat { person: PersonId, seated: bool, text: String },
    /// A person wants a rematch.
    Rematch { person: PersonId },
    /// The room of the rematch.
    Next { room: RoomId },
    /// There is no rematch: that person's wish came to nothing.
    NoNext { person: PersonId },
}

/// Who is present in the rooms of a server: for each room its players and the number of spectators.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Here {
    from: Hex<16>,
    here: Vec<(RoomId, Vec<PersonId>, usize)>,
}

/// A person whose account is deleted.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gone {
    gone: PersonId,
}

/// A message that was reported to the operator.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reported {
    reported: RoomId,
    number: u64,
    at: i64,
    said_by: PersonId,
    text: String,
    by: PersonId,
}

/// Rooms in one message: each takes less than 40 bytes, and 20 more for each player.
const PRESENCE_AT_ONCE: usize = 16;

impl Rooms {
    /// Applies a message of any server, this one included. Messages of other releases that cannot be parsed are ignored.
    pub(crate) async fn receive(self: &Arc<Self>, text: &str) {
        if let Ok(Here { from, here }) = serde_json::from_str(text) {
            return self.receive_presence(from, here);
        }
        if let Ok(Gone { gone }) = serde_json::from_str(text) {
            return self.forget(gone).await;
        }
        if let Ok(Reported { reported: room, number, at, said_by, text, by }) = serde_json::from_str(text) {
            return self.slots.reports.keep(Report { at: UnixSeconds(at), room, number, said_by, text, by });
        }
        let Ok(Words { from, room, what }) = serde_json::from_str(text) else { return };
        let Some(room) = self.in_memory_now(&room) else { return };
        let is_own = from == self.slots.core.leases.server().0;
        match what {
            What::Chat { person, seated, text } => {
                let circle = if seated { Circle::Seats } else { Circle::Spectators };
                if !is_own {
                    room.count_chat(person).await;
                }
                room.receive_chat(person, circle, text).await;
            }
            What::Rematch { person } => {
                // The server that sent the last missing wish opens the room: exactly one does.
                if room.wish(person).await && is_own {
                    let rooms = self.clone();
                    self.slots.core.tasks.spawn(async move { rooms.agreed(room, person).await });
                }
            }
            What::Next { room: next } => room.goes_on_in(next).await,
            What::NoNext { person } => room.unwish(person).await,
        }
    }

    /// Forgets the messages of a person whose account is deleted: in the chats of all rooms on all servers, and in reports.
    pub(crate) async fn forget_said(&self, person: PersonId) -> Result<(), StoreError> {
        self.forget(person).await;
        // A number always serialises.
        self.slots.core.store.send_to_servers(&serde_json::to_string(&Gone { gone: person }).unwrap_or_default()).await
    }

    async fn forget(&self, person: PersonId) {
        self.slots.reports.forget(person);
        for room in self.all() {
            room.forget_chat(person).await;
        }
    }

    /// All want a rematch: opens its room and announces it.
    async fn agreed(&self, room: Arc<LiveRoom>, last: PersonId) {
        let opened = {
            let state = room.state.lock().await;
            self.once_more(&*state.room, self.slots.core.now()).await
        };
        let what = match opened {
            Ok(next) => What::Next { room: next },
            Err(error) => {
                warn!(cause = with_causes(&error), "cannot open the room of a rematch");
                What::NoNext { person: last }
            }
        };
        if let Err(error) = room.send_to_servers(what).await {
            warn!(cause = with_causes(&error), "cannot announce the room of a rematch");
        }
    }

    /// Tells the other servers who is present in the rooms of this one.
    pub(crate) async fn send_presence(&self) {
        let core = &self.slots.core;
        let at = core.clock.now();
        let of = |room: &Arc<LiveRoom>| {
            let (people, spectators) = room.attending(at);
            (*room.id(), people, spectators)
        };
        let all: Vec<_> = self.attended().iter().map(of).collect();
        for here in all.chunks(PRESENCE_AT_ONCE) {
            let here = Here { from: core.leases.server().0, here: here.to_vec() };
            // Numbers and lists always serialise.
            let text = serde_json::to_string(&here).unwrap_or_default();
            if let Err(error) = core.store.send_to_servers(&text).await {
                warn!(cause = with_causes(&error), "cannot tell other servers who is here");
                return;
            }
        }
    }

    fn receive_presence(&self, from: Hex<16>, here: Vec<(RoomId, Vec<PersonId>, usize)>) {
        if from == self.slots.core.leases.server().0 {
            return;
        }
        for (room, people, spectators) in here {
            if let Some(room) = self.in_memory_now(&room) {
                room.attend_elsewhere(from, people, spectators);
            }
        }
    }
}

impl LiveRoom {
    pub(super) async fn send_chat(&self, person: PersonId, circle: Circle, text: String) -> Result<(), PlayError> {
        self.send_to_servers(What::Chat { person, seated: circle == Circle::Seats, text }).await
    }

    pub(super) async fn send_wish(&self, person: PersonId) -> Result<(), PlayError> {
        self.send_to_servers(What::Rematch { person }).await
    }

    /// Tells all servers that a person's wish came to nothing.
    pub(super) async fn send_no_next(&self, person: PersonId) -> Result<(), PlayError> {
        self.send_to_servers(What::NoNext { person }).await
    }

    /// Tells other servers of a report. It is kept here in any case.
    pub(super) async fn send_report(&self, report: Report) {
        let Report { at: UnixSeconds(at), room: reported, number, said_by, text, by } = report;
        let words = Reported { reported, number, at, said_by, text, by };
        // Texts and numbers always serialise.
        let words = serde_json::to_string(&words).unwrap_or_default();
        if let Err(error) = self.slots.core.store.send_to_servers(&words).await {
            warn!(cause = with_causes(&error), "other servers do not show a report");
        }
    }

    async fn send_to_servers(&self, what: What) -> Result<(), PlayError> {
        let core = &self.slots.core;
        let words = Words { from: core.leases.server().0, room: *self.id(), what };
        // Texts, numbers and lists always serialise.
        Ok(core.store.send_to_servers(&serde_json::to_string(&words).unwrap_or_default()).await?)
    }
}
