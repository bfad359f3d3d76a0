//! The commands to a room and their answers, for every transport. There is no other way to act in a room.

use std::sync::Arc;

use arena_record::Bytes;
use arena_rooms::{Command, Newcomer, PersonId, Rejected, RoomId, Seated};
use arena_rules::Seat;
use arena_service::{Attendee, ChatLine, LiveRoom, PlayError, Service, Snapshot};
use arena_store::AccountId;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::App;
use crate::identity::Visitor;
use crate::names;
use crate::problem::Problem;
use crate::room_state::{Turns, room_state};
use crate::share::LimitKind;
use crate::visitors::Taker;

/// The turns and chat messages that the receiver knows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// The number of known turns: states then include only later ones.
    pub(crate) turns: Option<usize>,
    /// The number of the last known chat message: only later ones are sent.
    pub(crate) said: Option<u64>,
}

/// A command of a page or a program.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum RoomRequest {
    Turn { ply: u16, client_seq: u64, action: Bytes },
    Resign { ply: u16 },
    Draw { ply: u16 },
    Decline { ply: u16 },
    Join { seat: Option<u8> },
    Leave {},
    Rematch {},
    Close {},
    Chat { text: String },
    Report { number: u64 },
}

impl RoomRequest {
    /// Parses a command, and the room that it is meant for, if the sender wants that checked.
    fn read(text: &str) -> Result<(Option<RoomId>, RoomRequest), serde_json::Error> {
        let mut message: Value = serde_json::from_str(text)?;
        let room = message.as_object_mut().and_then(|message| message.remove("room"));
        Ok((room.map_or(Ok(None), serde_json::from_value)?, serde_json::from_value(message)?))
    }

    fn word(&self) -> &'static str {
        match self {
            RoomRequest::Turn { .. } => "turn",
            RoomRequest::Resign { .. } => "resign",
            RoomRequest::Draw { .. } => "draw",
            RoomRequest::Decline { .. } => "decline",
            RoomRequest::Join { .. } => "join",
            RoomRequest::Leave {} => "leave",
            RoomRequest::Rematch {} => "rematch",
            RoomRequest::Close {} => "close",
            RoomRequest::Chat { .. } => "chat",
            RoomRequest::Report { .. } => "report",
        }
    }

    /// The turn that it refers to; 0 for a command without one.
    fn ply(&self) -> u16 {
        match self {
            RoomRequest::Turn { ply, .. }
            | RoomRequest::Resign { ply }
            | RoomRequest::Draw { ply }
            | RoomRequest::Decline { ply } => *ply,
            RoomRequest::Join { .. }
            | RoomRequest::Leave {}
            | RoomRequest::Rematch {}
            | RoomRequest::Close {}
            | RoomRequest::Chat { .. }
            | RoomRequest::Report { .. } => 0,
        }
    }
}

/// An answer.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Reply {
    Applied { what: &'static str, ply: u16, client_seq: Option<u64> },
    Rejected { what: &'static str, ply: u16, client_seq: Option<u64>, code: &'static str, message: String },
}

/// An answer to be sent. Sockets send the text. Over plain requests, a command that is worth retrying also gets the status of its
/// problem, and the time after which to retry.
pub(crate) struct Answered {
    pub(crate) text: String,
    refused: Option<Problem>,
}

impl Answered {
    pub(crate) fn refused(text: String, problem: Problem) -> Answered {
        Answered { text, refused: Some(problem).filter(Problem::is_for_now) }
    }

    /// The answer to what is no command of `of`: 422 over a plain request.
    pub(crate) fn unreadable(of: &str, wrong: &serde_json::Error) -> Answered {
        let (code, said) = ("bad_message", format!("this is not a message of a {of}: {wrong}"));
        let problem =
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, &said, "/api/v1/openapi.json has all of them");
        Answered { text: error(code, &said), refused: Some(problem) }
    }
}

impl From<String> for Answered {
    fn from(text: String) -> Answered {
        Answered { text, refused: None }
    }
}

impl IntoResponse for Answered {
    fn into_response(self) -> Response {
        match self.refused {
            Some(refused) => refused.in_own_words(self.text),
            None => ([(CONTENT_TYPE, "application/json")], self.text).into_response(),
        }
    }
}

/// A participant or spectator of a room.
pub(crate) struct Speaker {
    pub(crate) service: Service,
    pub(crate) room: Arc<LiveRoom>,
    /// The person; `None` for a visitor without a cookie.
    newcomer: Option<Newcomer>,
    pub(crate) account: Option<AccountId>,
    pub(crate) taker: Taker,
    /// The number of the last chat message that was sent.
    heard: u64,
    /// The turns that states include.
    turns: Turns,
}

impl Speaker {
    pub(crate) fn new(app: &App, room: Arc<LiveRoom>, visitor: &Visitor, taker: Taker) -> Speaker {
        let newcomer = visitor.person_in(&room).map(|person| visitor.newcomer(person));
        Speaker {
            service: app.service().clone(),
            room,
            newcomer,
            account: visitor.account_id(),
            taker,
            heard: 0,
            turns: Turns::Latest,
        }
    }

    /// The same for a receiver that knows some of it already, and gets each later part once.
    pub(crate) fn knowing(self, Known { turns, said }: Known) -> Speaker {
        Speaker { turns: turns.map_or(Turns::Latest, Turns::From), heard: said.unwrap_or_default(), ..self }
    }

    /// The state as this receiver gets it.
    pub(crate) fn news(&mut self, shown: &Snapshot) -> String {
        let text = room_state(shown, self.turns);
        if let Turns::From(known) = &mut self.turns {
            *known = shown.view.turns.len();
        }
        text
    }

    pub(crate) fn person(&self) -> Option<PersonId> {
        self.newcomer.map(|newcomer| newcomer.person)
    }

    /// Counts this person as present.
    pub(crate) fn attending(&self) -> Attendee {
        self.room.attend(self.person())
    }

    /// Carries out a command; returns the answer.
    pub(crate) async fn receive(&self, text: &str) -> Answered {
        match RoomRequest::read(text) {
            Ok((room, said)) => self.reply(room, said).await,
            Err(wrong) => Answered::unreadable("room", &wrong),
        }
    }

    async fn reply(&self, room: Option<RoomId>, said: RoomRequest) -> Answered {
        let (what, ply) = (said.word(), said.ply());
        let client_seq = if let RoomRequest::Turn { client_seq, .. } = &said { Some(*client_seq) } else { None };
        let rejected = |code, message| Reply::Rejected { what, ply, client_seq, code, message };
        if room.is_some_and(|room| room != *self.room.id()) {
            let other = Rejected::OtherGame;
            return self.told(&rejected(other.code(), other.to_string())).into();
        }
        if let Err(refused) = self.taker.may_change() {
            return Answered::refused(self.told(&rejected("read_only", refused.detail.to_string())), refused);
        }
        let share = match said {
            RoomRequest::Join { .. } => LimitKind::Joins,
            RoomRequest::Rematch {} => LimitKind::Rooms,
            _ => LimitKind::Plies,
        };
        if let Err(refused) = self.taker.take(share, self.account) {
            return Answered::refused(self.told(&rejected("too_many", refused.to_string())), refused.into());
        }
        match self.done(said).await {
            Ok(()) => self.told(&Reply::Applied { what, ply, client_seq }).into(),
            // A failure of the store is logged as a problem.
            Err(error) => Answered::refused(self.told(&rejected(error.code(), error.to_string())), error.into()),
        }
    }

    async fn done(&self, said: RoomRequest) -> Result<(), PlayError> {
        let newcomer = self.newcomer.ok_or(Rejected::NotYourSeat)?;
        let person = newcomer.person;
        let (room, now) = (&self.room, self.service.now());
        match said {
            RoomRequest::Turn { ply, client_seq, action } => {
                room.play(person, Command { ply, client_seq, action }, now).await
            }
            RoomRequest::Resign { ply } => room.resign(person, ply, now).await,
            RoomRequest::Draw { ply } => room.draw(person, ply, now).await,
            RoomRequest::Decline { ply } => room.decline_draw(person, ply, now).await,
            RoomRequest::Join { seat } => self.service.join(room, newcomer, seat.map(Seat), now).await,
            RoomRequest::Leave {} => room.leave(person, now).await,
            RoomRequest::Rematch {} => self.service.rematch(room, person, now).await,
            RoomRequest::Close {} => room.abandon(person, now).await,
            RoomRequest::Chat { text } => room.post(person, &text).await,
            RoomRequest::Report { number } => room.report(person, number, now).await,
        }
    }

    /// The chat messages that were not sent yet.
    pub(crate) fn new_chat(&mut self, shown: &Snapshot) -> Option<String> {
        let seats = |person: PersonId| -> Vec<u8> {
            let seats = (0..).zip(&shown.view.seats);
            seats.filter(|(_, seated)| **seated == Seated::Person(person)).map(|(seat, _)| seat).collect()
        };
        let seated = self.person().is_some_and(|person| !seats(person).is_empty());
        let line = |line: &ChatLine| {
            let mine = self.person() == Some(line.person);
            json!({ "number": line.number, "seat": seats(line.person).first(), "mine": mine, "text": line.text })
        };
        let lines: Vec<_> = shown.messages(seated, self.heard).map(line).collect();
        self.heard = lines.last()?["number"].as_u64()?;
        Some(json!({ "type": "chat", "lines": lines }).to_string())
    }

    fn told(&self, reply: &Reply) -> String {
        let unsayable = |_| error("gone", &format!("room {} has no answer", self.room.id()));
        serde_json::to_string(reply).unwrap_or_else(unsayable)
    }

    /// The players by seat, and the seats of this person.
    pub(crate) async fn hello(&self, app: &App) -> Result<String, Problem> {
        let who = names::in_room(app.store(), &self.room).await?;
        let you = self.person().map(|person| self.room.seats_of(person)).unwrap_or_default();
        let names: Vec<&str> = who.iter().map(|who| who.name.as_str()).collect();
        let pages: Vec<Option<&str>> = who.iter().map(|who| who.page.as_deref()).collect();
        Ok(json!({ "type": "hello", "you": you, "names": names, "pages": pages }).to_string())
    }
}

/// An error message.
pub(crate) fn error(code: &str, message: &str) -> String {
    json!({ "type": "error", "code": code, "message": message }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_say_is_read_and_nothing_else() {
        let turn = r#"{"type":"turn","ply":3,"client_seq":7,"action":"010300"}"#;
        assert!(matches!(RoomRequest::read(turn), Ok((None, RoomRequest::Turn { ply: 3, client_seq: 7, .. }))));
        assert!(matches!(
            RoomRequest::read(r#"{"type":"resign","ply":0}"#),
            Ok((None, RoomRequest::Resign { ply: 0 }))
        ));
        assert!(matches!(
            RoomRequest::read(r#"{"type":"join","seat":null}"#),
            Ok((None, RoomRequest::Join { seat: None }))
        ));
        assert!(matches!(RoomRequest::read(r#"{"type":"rematch","room":null}"#), Ok((None, RoomRequest::Rematch {}))));
        let room = format!(r#"{{"room":"{}","type":"leave"}}"#, "0".repeat(32));
        assert!(matches!(RoomRequest::read(&room), Ok((Some(_), RoomRequest::Leave {}))));
        for bad in [
            "",
            "{}",
            r#"{"type":"turn","ply":3}"#,
            r#"{"type":"resign","ply":-1}"#,
            r#"{"type":"resign","ply":0,"x":1}"#,
            r#"{"type":"leave","ply":0}"#,
            r#"{"type":"leave","room":"here"}"#,
            r#"{"type":"turn","ply":3,"client_seq":7,"action":"xyz"}"#,
        ] {
            assert!(RoomRequest::read(bad).is_err(), "{bad}");
        }
    }
}
