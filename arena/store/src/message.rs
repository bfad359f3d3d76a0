//! What the servers of a site send each other: every form of it, and the only place where it is read. Messages are not
//! stored, and one may be lost.

use std::fmt;

use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::{AccountId, StoreError, random_bytes};

/// Bytes of a message: as many as a notification of PostgreSQL can carry.
pub const MESSAGE_BYTES_MAX: usize = 7_900;

/// The version of these forms. A server of another release reads none of them, and counts them.
const VERSION: u32 = 1;

/// The id of a process that has a shared store open, drawn when it opens the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ServerId(pub Hex<16>);

impl ServerId {
    /// Draws an id.
    pub(crate) fn draw() -> Result<ServerId> {
        Ok(ServerId(Hex(random_bytes()?)))
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A message as it travels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    version: u32,
    /// The server that sent it.
    pub from: ServerId,
    /// The number that the sender gave it.
    pub number: u64,
    /// What it says.
    pub message: ServerMessage,
}

/// What a server tells all servers of its site, itself included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerMessage {
    /// Something happened in a room that its log does not hold.
    Room {
        /// The room.
        id: RoomId,
        /// What happened.
        event: RoomMessage,
    },
    /// Who is present in the rooms of a server: for each room its players and the number of spectators.
    Presence(Vec<(RoomId, Vec<PersonId>, usize)>),
    /// A person whose account is deleted: nothing that they said is kept.
    PersonDeleted(PersonId),
    /// A chat message that was reported to the operator.
    Reported {
        /// The room.
        room: RoomId,
        /// The message's number in the room.
        number: u64,
        /// When it was reported, in seconds since 1970.
        at: i64,
        /// Who wrote it.
        said_by: PersonId,
        /// The message.
        text: String,
        /// Who reported it.
        by: PersonId,
    },
    /// A world's progress, or something for the server that runs it.
    World {
        /// The world's name, which is not checked yet.
        name: String,
        /// What it is.
        event: WorldMessage,
    },
    /// Credentials of an account have ended, or the account has changed.
    AccountChanged(AccountId),
    /// Something that this release does not know. It is never sent.
    #[serde(skip)]
    Unknown,
}

/// What happens in a room besides its game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RoomMessage {
    /// A person's chat message.
    Chat {
        /// The person.
        person: PersonId,
        /// Whether it is for those at the board alone.
        seated: bool,
        /// The message.
        text: String,
    },
    /// A person wants a rematch.
    Rematch(PersonId),
    /// The room of the rematch.
    Next(RoomId),
    /// There is no rematch: that person's wish came to nothing.
    NoNext(PersonId),
}

/// What servers tell each other about a world. A number is the asking server's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WorldMessage {
    /// The progress of the world: its log's latest span begins at generation `span` and has this many lines.
    Progress {
        /// A generation.
        span: u64,
        /// Lines of that span.
        lines: u32,
        /// The world's generation.
        generation: u64,
    },
    /// A call of an account.
    Call {
        /// The call's number.
        number: u64,
        /// The account.
        account: AccountId,
        /// The call.
        call: PackedCall,
    },
    /// A bot that is to play for an account; `None` for no bot. With a reason, as an act of the operator's.
    Seat {
        /// The call's number.
        number: u64,
        /// The account.
        account: AccountId,
        /// The bot.
        bot: Option<EntrantId>,
        /// The operator's reason, which is not checked yet.
        reason: Option<String>,
    },
    /// An account whose slot the operator frees.
    Free {
        /// The call's number.
        number: u64,
        /// The account.
        account: AccountId,
        /// The operator's reason, which is not checked yet.
        reason: String,
    },
    /// The result of one of these.
    Answer {
        /// The server that asked.
        to: ServerId,
        /// The call's number.
        number: u64,
        /// The result.
        answer: WorldAnswer,
    },
}

/// A call in a world, in few bytes: a thousand cells fit into one message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PackedCall {
    /// Joins at a column and row.
    Join(i32, i32),
    /// Places cells: column and row of each, three characters each.
    Place(String),
    /// Asks for coins.
    Faucet,
}

/// The result of a call in a world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WorldAnswer {
    /// It was done; the rules' answer.
    Done(u64),
    /// The text of the rules' refusal.
    Refused(String),
    /// There are too many wallets.
    TooManyWallets,
    /// Too many bots are seated.
    TooManySeated,
    /// The bot may not be seated.
    Unfit,
    /// Too many calls wait.
    Busy,
    /// The outcome is unknown.
    Unavailable,
}

/// A message is longer than a notification can be.
#[derive(Debug, thiserror::Error)]
#[error("a message to the other servers is too long: {0} bytes")]
struct TooLong(usize);

impl Sent {
    /// A message of a server, with a number of its own.
    pub fn new(from: ServerId, number: u64, message: ServerMessage) -> Sent {
        Sent { version: VERSION, from, number, message }
    }

    /// The text in which it travels.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it has more than [`MESSAGE_BYTES_MAX`] bytes.
    pub fn text(&self) -> Result<String> {
        // Texts, numbers and lists always serialise.
        let text = serde_json::to_string(self).unwrap_or_default();
        if text.len() > MESSAGE_BYTES_MAX {
            return Err(StoreError::Unavailable(TooLong(text.len()).into()));
        }
        Ok(text)
    }

    /// Reads a message; `None` if it has another release's form.
    pub(crate) fn read(text: &str) -> Option<Sent> {
        serde_json::from_str(text).ok().filter(|sent: &Sent| sent.version == VERSION)
    }

    /// A message of another release.
    pub(crate) fn unknown() -> Sent {
        Sent::new(ServerId(Hex([0; 16])), 0, ServerMessage::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: ServerId = ServerId(Hex([7; 16]));

    #[test]
    fn every_message_is_read_as_it_was_sent_and_for_no_other() {
        let (room, person) = (RoomId(Hex([1; 16])), PersonId(Hex([2; 8])));
        let rooms = [
            RoomMessage::Chat { person, seated: true, text: "hello".into() },
            RoomMessage::Rematch(person),
            RoomMessage::Next(room),
            RoomMessage::NoNext(person),
        ];
        let worlds = [
            WorldMessage::Progress { span: 1, lines: 2, generation: 3 },
            WorldMessage::Call { number: 1, account: AccountId(2), call: PackedCall::Place("001002".into()) },
            WorldMessage::Seat { number: 1, account: AccountId(2), bot: None, reason: None },
            WorldMessage::Free { number: 1, account: AccountId(2), reason: "why".into() },
            WorldMessage::Answer { to: FROM, number: 1, answer: WorldAnswer::Refused("no".into()) },
        ];
        let messages = rooms.into_iter().map(|event| ServerMessage::Room { id: room, event });
        let messages =
            messages.chain(worlds.into_iter().map(|event| ServerMessage::World { name: "eden".into(), event }));
        let messages = messages.chain([
            ServerMessage::Presence(vec![(room, vec![person], 3)]),
            ServerMessage::PersonDeleted(person),
            ServerMessage::Reported { room, number: 1, at: 2, said_by: person, text: "t".into(), by: person },
            ServerMessage::AccountChanged(AccountId(7)),
        ]);
        for message in messages {
            let sent = Sent::new(FROM, u64::MAX, message);
            let text = sent.text().expect("short");
            assert_eq!(Sent::read(&text), Some(sent));
            let later = text.replace(r#""version":1"#, r#""version":2"#);
            let extended = text.replace(r#""version":1"#, r#""version":1,"more":1"#);
            let renamed = text.replace(r#""message":{""#, r#""message":{"new_"#);
            for other in [later, extended, renamed] {
                assert_eq!(Sent::read(&other), None, "{other}");
            }
        }
        assert_eq!(Sent::read(""), None);
    }

    #[test]
    fn what_no_notification_carries_is_not_sent() {
        let event = WorldMessage::Progress { span: 1, lines: 2, generation: 3 };
        let message = |length| ServerMessage::World { name: "w".repeat(length), event: event.clone() };
        let text = |length| Sent::new(FROM, 0, message(length)).text();
        assert!(matches!(text(MESSAGE_BYTES_MAX), Err(StoreError::Unavailable(_))));
        assert!(text(100).is_ok());
    }
}
