//! The commands to a room and their answers, for every transport. There is no other way to act in a room.

use std::sync::Arc;

use arena_record::Bytes;
use arena_rooms::{Command, Newcomer, PersonId, Rejected, RoomId, Seated};
use arena_rules::Seat;
use arena_service::{Attendee, ChatLine, LiveRoom, PlayError, Service, Snapshot};
use arena_store::AccountId;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::identity::Visitor;
use crate::language::{Language, language};
use crate::limit_kind::LimitKind;
use crate::names;
use crate::problem::{Code, Problem, Result};
use crate::room_state::{RoomState, Turns, room_state};
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

/// A command of a page or a program. It may also have `room`, the id of the room that it is meant for.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum RoomCommand {
    /// Plays a turn. The same turn with the same number is applied once, however often it is sent.
    Turn {
        ply: u16,
        client_seq: u64,
        /// The action's bytes in hex.
        #[schema(value_type = String)]
        action: Bytes,
    },
    Resign {
        ply: u16,
    },
    /// Offers a draw, or accepts one.
    Draw {
        ply: u16,
    },
    Decline {
        ply: u16,
    },
    Join {
        seat: Option<u8>,
    },
    Leave {},
    Rematch {},
    Close {},
    Chat {
        text: String,
    },
    /// Reports a message of the chat.
    Report {
        number: u64,
    },
}

/// A command that was received, its name, and a field that messages may have with any command.
pub(crate) struct Received<C, F> {
    pub(crate) name: String,
    pub(crate) command: C,
    pub(crate) field: Option<F>,
}

impl<C: DeserializeOwned, F: DeserializeOwned> Received<C, F> {
    /// Parses a message.
    pub(crate) fn parse(text: &str, field: &str) -> Result<Received<C, F>, serde_json::Error> {
        let mut message: Value = serde_json::from_str(text)?;
        let field = message.as_object_mut().and_then(|fields| fields.remove(field));
        // In place of a name serde takes a variant's number, too.
        let name = message.get("type").map(String::deserialize).transpose();
        let name = name.map_err(|wrong| serde_json::Error::custom(format!("`type`: {wrong}")))?.unwrap_or_default();
        let field = field.map_or(Ok(None), serde_json::from_value)?;
        Ok(Received { name, command: serde_json::from_value(message)?, field })
    }
}

impl RoomCommand {
    /// The turn that it refers to; 0 for a command without one.
    fn ply(&self) -> u16 {
        match self {
            RoomCommand::Turn { ply, .. }
            | RoomCommand::Resign { ply }
            | RoomCommand::Draw { ply }
            | RoomCommand::Decline { ply } => *ply,
            RoomCommand::Join { .. }
            | RoomCommand::Leave {}
            | RoomCommand::Rematch {}
            | RoomCommand::Close {}
            | RoomCommand::Chat { .. }
            | RoomCommand::Report { .. } => 0,
        }
    }
}

/// A message of a room.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum RoomMessage<'a> {
    /// The first one: the names and pages of the players by seat, and the receiver's seats.
    Hello { you: Vec<u8>, names: Vec<&'a str>, pages: Vec<Option<&'a str>> },
    /// The room after a change.
    State(Box<RoomState<'a>>),
    /// What a command did is in the state.
    Applied {
        what: &'a str,
        ply: u16,
        #[schema(required)]
        client_seq: Option<u64>,
    },
    /// A command did nothing.
    Rejected {
        what: &'a str,
        ply: u16,
        #[schema(required)]
        client_seq: Option<u64>,
        code: &'a str,
        message: String,
        /// The same in the language that the request prefers, if that is not English.
        #[serde(skip_serializing_if = "Option::is_none")]
        translated: Option<String>,
    },
    /// Messages of the chat that were not sent before.
    Chat { lines: Vec<ChatMessage<'a>> },
    /// The number of spectators, and the seats of those who are here.
    Beat { watching: usize, here: Vec<u8> },
    /// What was sent is no command, comes too often, or its room is gone.
    Error { code: &'a str, message: &'a str },
}

/// A message of a room's chat.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChatMessage<'a> {
    number: u64,
    /// The seat of who wrote it; `null` if that person left it.
    #[schema(required)]
    seat: Option<u8>,
    mine: bool,
    text: &'a str,
}

impl RoomMessage<'_> {
    /// Numbers, texts and lists always serialise.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The same with the fields in alphabetical order.
    pub(crate) fn sorted(&self) -> String {
        serde_json::to_value(self).unwrap_or_default().to_string()
    }
}

/// An answer to be sent. Sockets send the text. Over plain requests, a command that is worth retrying also gets the
/// status of its problem, and the time after which to retry.
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
        let (code, said) = (Code::BadMessage, format!("this is not a message of a {of}: {wrong}"));
        let problem = Problem::new(code, &said, "/api/v1/openapi.json has all of them");
        Answered { text: error(code.word(), &said), refused: Some(problem) }
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
    language: Language,
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
            language: language(),
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
        let text = RoomMessage::State(Box::new(room_state(shown, self.turns))).text();
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
        match Received::parse(text, "room") {
            Ok(received) => self.reply(received).await,
            Err(wrong) => Answered::unreadable("room", &wrong),
        }
    }

    async fn reply(&self, Received { name, command, field: room }: Received<RoomCommand, RoomId>) -> Answered {
        let (what, ply) = (&*name, command.ply());
        let client_seq = if let RoomCommand::Turn { client_seq, .. } = &command { Some(*client_seq) } else { None };
        let rejected = |code, message, why: Problem| {
            let translated = why.translated(self.language).map(str::to_owned);
            Answered::refused(RoomMessage::Rejected { what, ply, client_seq, code, message, translated }.text(), why)
        };
        if room.is_some_and(|room| room != *self.room.id()) {
            let other = Rejected::OtherGame;
            return rejected(other.code(), other.to_string(), other.into());
        }
        if let Err(refused) = self.taker.may_change() {
            return rejected("read_only", refused.detail.to_string(), refused);
        }
        let share = match command {
            RoomCommand::Join { .. } => LimitKind::Joins,
            RoomCommand::Rematch {} => LimitKind::Rooms,
            _ => LimitKind::Plies,
        };
        if let Err(refused) = self.taker.take(share, self.account) {
            return rejected("too_many", refused.to_string(), refused.into());
        }
        match self.done(command).await {
            Ok(()) => RoomMessage::Applied { what, ply, client_seq }.text().into(),
            // A failure of the store is logged as a problem.
            Err(error) => {
                let (code, message, why) = (error.code(), error.to_string(), Problem::from(error));
                if share.is_of_creating() && why.is_before_work() {
                    self.taker.give_back(share, self.account);
                }
                rejected(code, message, why)
            }
        }
    }

    async fn done(&self, said: RoomCommand) -> Result<(), PlayError> {
        let newcomer = self.newcomer.ok_or(Rejected::NotYourSeat)?;
        let person = newcomer.person;
        let (room, now) = (&self.room, self.service.now());
        match said {
            RoomCommand::Turn { ply, client_seq, action } => {
                room.play(person, Command { ply, client_seq, action }, now).await
            }
            RoomCommand::Resign { ply } => room.resign(person, ply, now).await,
            RoomCommand::Draw { ply } => room.draw(person, ply, now).await,
            RoomCommand::Decline { ply } => room.decline_draw(person, ply, now).await,
            RoomCommand::Join { seat } => self.service.rooms().join(room, newcomer, seat.map(Seat), now).await,
            RoomCommand::Leave {} => room.leave(person, now).await,
            RoomCommand::Rematch {} => self.service.rooms().rematch(room, person).await,
            RoomCommand::Close {} => room.abandon(person, now).await,
            RoomCommand::Chat { text } => room.post(person, &text).await,
            RoomCommand::Report { number } => room.report(person, number, now).await,
        }
    }

    /// The chat messages that were not sent yet.
    pub(crate) fn new_chat<'a>(&mut self, shown: &'a Snapshot) -> Option<String> {
        let seats = |person: PersonId| -> Vec<u8> {
            let seats = (0..).zip(&shown.view.seats);
            seats.filter(|(_, seated)| **seated == Seated::Person(person)).map(|(seat, _)| seat).collect()
        };
        let seated = self.person().is_some_and(|person| !seats(person).is_empty());
        let line = |line: &'a ChatLine| ChatMessage {
            number: line.number,
            seat: seats(line.person).first().copied(),
            mine: self.person() == Some(line.person),
            text: &line.text,
        };
        let lines: Vec<_> = shown.messages(seated, self.heard).map(line).collect();
        self.heard = lines.last()?.number;
        Some(RoomMessage::Chat { lines }.sorted())
    }

    /// The players by seat, and the seats of this person.
    pub(crate) async fn hello(&self, app: &App) -> Result<String> {
        let who = names::in_room(app.store(), &self.room).await?;
        let you = self.person().map(|person| self.room.seats_of(person)).unwrap_or_default();
        let names = who.iter().map(|who| who.name.as_str()).collect();
        let pages = who.iter().map(|who| who.page.as_deref()).collect();
        Ok(RoomMessage::Hello { you, names, pages }.sorted())
    }
}

/// An error message.
pub(crate) fn error(code: &str, message: &str) -> String {
    RoomMessage::Error { code, message }.sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_say_is_read_and_nothing_else() {
        let read = |text: &str| Received::<RoomCommand, RoomId>::parse(text, "room");
        let is = |text: &str, word: &str, wanted: fn(Option<RoomId>, RoomCommand) -> bool| {
            read(text).is_ok_and(|Received { name, command, field }| name == word && wanted(field, command))
        };
        let turn = r#"{"type":"turn","ply":3,"client_seq":7,"action":"010300"}"#;
        assert!(is(turn, "turn", |room, command| {
            room.is_none() && matches!(command, RoomCommand::Turn { ply: 3, client_seq: 7, .. })
        }));
        let resign = r#"{"type":"resign","ply":0}"#;
        assert!(is(resign, "resign", |_, command| matches!(command, RoomCommand::Resign { ply: 0 })));
        let join = r#"{"type":"join","seat":null}"#;
        assert!(is(join, "join", |_, command| matches!(command, RoomCommand::Join { seat: None })));
        let rematch = r#"{"type":"rematch","room":null}"#;
        assert!(is(rematch, "rematch", |room, command| room.is_none() && matches!(command, RoomCommand::Rematch {})));
        let leave = format!(r#"{{"room":"{}","type":"leave"}}"#, "0".repeat(32));
        assert!(is(&leave, "leave", |room, command| room.is_some() && matches!(command, RoomCommand::Leave {})));
        for bad in [
            "",
            "{}",
            r#"{"type":1,"ply":0}"#,
            r#"{"type":"turn","ply":3}"#,
            r#"{"type":"resign","ply":-1}"#,
            r#"{"type":"resign","ply":0,"x":1}"#,
            r#"{"type":"leave","ply":0}"#,
            r#"{"type":"leave","room":"here"}"#,
            r#"{"type":"turn","ply":3,"client_seq":7,"action":"xyz"}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let wrong = read(r#"{"type":9}"#).err().expect("no name").to_string();
        assert_eq!(wrong, "`type`: invalid type: integer `9`, expected a string");
    }
}
