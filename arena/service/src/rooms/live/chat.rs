//! The chat of a room: messages are sent to all servers, and each adds what it receives.

use arena_rooms::{PersonId, Rejected, Seated};
use arena_store::{RoomMessage, UnixSeconds};

use super::LiveRoom;
use crate::rooms::PlayError;
use crate::rooms::chat::Circle;
use crate::rooms::reports::Report;

impl LiveRoom {
    /// Adds a person's message to the chat of its circle: the players' or the spectators'.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn post(&self, person: PersonId, text: &str) -> Result<(), PlayError> {
        let mut state = self.state.lock().await;
        if state.room.opened().table.as_ref().is_none_or(|table| !table.chat) {
            return Err(Rejected::NoChat.into());
        }
        let seated = state.room.seats().contains(&Seated::Person(person));
        let text = state.chat.admit(person, text, self.slots.core.clock.now())?;
        drop(state);
        self.send_to_servers(RoomMessage::Chat { person, seated, text }).await
    }

    /// Takes in a message that a server has admitted.
    pub(in crate::rooms) async fn receive_chat(&self, person: PersonId, circle: Circle, text: String) {
        let mut state = self.state.lock().await;
        state.chat.add(person, circle, text, self.slots.core.clock.unix_micros());
        self.show(&state);
    }

    /// Forgets a person's messages.
    pub(in crate::rooms) async fn forget_chat(&self, person: PersonId) {
        let mut state = self.state.lock().await;
        if state.chat.forget(person) {
            self.show(&state);
        }
    }

    /// Reports a message of the chat to the operator.
    ///
    /// # Errors
    /// When the message is not kept any more.
    pub async fn report(&self, person: PersonId, number: u64, now: UnixSeconds) -> Result<(), PlayError> {
        let (said_by, text) = {
            let state = self.state.lock().await;
            let line = state.chat.line(number).ok_or(Rejected::NoSuchMessage)?;
            (line.person, line.text.clone())
        };
        let report = Report { at: now, room: self.id, number, said_by, text, by: person };
        self.slots.reports.keep(report.clone());
        self.send_report(report).await;
        Ok(())
    }
}
