//! Names of rooms and of who sits in them.

use std::fmt;
use std::str::FromStr;

use arena_record::{EntrantId, Hex, ParseHexError};
use serde::{Deserialize, Serialize};

/// The id of a room: 16 random bytes, as text 32 hex digits. Nobody can guess one, because the link is all it takes to
/// watch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RoomId(pub Hex<16>);

impl FromStr for RoomId {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<RoomId, ParseHexError> {
        text.parse().map(RoomId)
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A person, by a number that the server gives once and that stands in records. It is no secret and no name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PersonId(pub Hex<8>);

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a waiting room is found by when it is in no list: six characters that people read to each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomCode(String);

/// A text that is not the code of a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a room's code is {LENGTH} letters and digits", LENGTH = RoomCode::CHARS)]
pub struct NotARoomCode;

impl RoomCode {
    /// Characters of a code: 30 bits, and joining is limited to some attempts a minute.
    pub const CHARS: usize = 6;

    /// Letters and digits that nobody takes for one another.
    const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

    /// The code that some random bytes stand for.
    pub fn of(random: [u8; RoomCode::CHARS]) -> RoomCode {
        RoomCode(random.iter().map(|byte| char::from(RoomCode::ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// The code that a person typed: capitals and spaces around it do not matter.
    ///
    /// # Errors
    /// When it is none.
    pub fn typed(text: &str) -> Result<RoomCode, NotARoomCode> {
        text.trim().to_lowercase().try_into()
    }
}

impl TryFrom<String> for RoomCode {
    type Error = NotARoomCode;

    fn try_from(text: String) -> Result<RoomCode, NotARoomCode> {
        let known = text.bytes().all(|byte| RoomCode::ALPHABET.contains(&byte));
        if known && text.len() == RoomCode::CHARS { Ok(RoomCode(text)) } else { Err(NotARoomCode) }
    }
}

impl From<RoomCode> for String {
    fn from(RoomCode(text): RoomCode) -> String {
        text
    }
}

impl fmt::Display for RoomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who sits in a seat. In logs and views it is the id that the record will carry, such as `person:00000000000000a1` or
/// `baseline:hard@1`; `null` where nobody sits yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Option<EntrantId>", into = "Option<EntrantId>")]
pub enum Seated {
    /// A person, who sends commands.
    Person(PersonId),
    /// A bot or a built-in opponent, which is asked. Its id is never a person's.
    Contender(EntrantId),
    /// Nobody: a person may sit down.
    Open,
}

impl Seated {
    /// The id that the record will carry; `None` while nobody sits there.
    pub fn entrant(&self) -> Option<EntrantId> {
        self.clone().into()
    }
}

impl From<EntrantId> for Seated {
    fn from(id: EntrantId) -> Seated {
        match id.person() {
            Some(number) => Seated::Person(PersonId(number)),
            None => Seated::Contender(id),
        }
    }
}

impl From<Option<EntrantId>> for Seated {
    fn from(id: Option<EntrantId>) -> Seated {
        id.map_or(Seated::Open, Seated::from)
    }
}

impl From<Seated> for Option<EntrantId> {
    fn from(seated: Seated) -> Option<EntrantId> {
        match seated {
            Seated::Person(PersonId(number)) => Some(EntrantId::of_person(number)),
            Seated::Contender(id) => Some(id),
            Seated::Open => None,
        }
    }
}

/// Who takes a seat, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newcomer {
    /// Who.
    pub person: PersonId,
    /// Whether it is the account's own program that plays.
    pub program: bool,
    /// The browser in which the person came, by a token that says nothing of it but whether two are the same; `None` where there is
    /// none.
    pub browser: Option<Hex<32>>,
}

/// A bot or a built-in opponent that is to take a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Who it is. Never a person.
    pub entrant: EntrantId,
    /// What it is, as records have it; `None` for bots, whose ids say it.
    pub opponent: Option<Hex<32>>,
    /// Fuel of its start; `None` for players that are not metered.
    pub start: Option<u64>,
}
