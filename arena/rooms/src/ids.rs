//! Ids of rooms and of their players.

use std::fmt;
use std::str::FromStr;

use arena_record::{EntrantId, Hex, ParseHexError};
use serde::{Deserialize, Serialize};

/// The id of a room: 16 random bytes, as text 32 hex digits. It cannot be guessed, because anybody with the link may
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

/// The id of a person: a number that the server gives once, and that records contain. It is neither secret nor a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PersonId(pub Hex<8>);

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The code by which people find an unlisted waiting room: six characters that can be read aloud.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomCode(String);

/// A text that is not the code of a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a room's code is {LENGTH} letters and digits", LENGTH = RoomCode::CHARS)]
pub struct NotARoomCode;

impl RoomCode {
    /// Characters of a code: 30 bits, enough because attempts to join are limited to a few a minute.
    pub const CHARS: usize = 6;

    /// Letters and digits that are not easily confused.
    const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

    /// The code made of some random bytes.
    pub fn of(random: [u8; RoomCode::CHARS]) -> RoomCode {
        RoomCode(random.iter().map(|byte| char::from(RoomCode::ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// Parses a code as typed: case and surrounding spaces do not matter.
    ///
    /// # Errors
    /// When the text is not a code.
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

/// The occupant of a seat. In logs and views it is the id that the record will contain, such as
/// `person:00000000000000a1` or `baseline:hard@1`; `null` for an open seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Option<EntrantId>", into = "Option<EntrantId>")]
pub enum Seated {
    /// A person, who sends commands.
    Person(PersonId),
    /// A bot or a built-in opponent, which is asked for actions. Its id is never a person's.
    Contender(EntrantId),
    /// An open seat, which a person may take.
    Open,
}

impl Seated {
    /// The id that the record will contain; `None` for an open seat.
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

/// A person who takes a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newcomer {
    /// The person.
    pub person: PersonId,
    /// Whether a program of the account plays.
    pub program: bool,
    /// The browser of the person, as a token that reveals only whether two are the same; `None` without a browser.
    pub browser: Option<Hex<32>>,
}

/// A bot or a built-in opponent that is to take a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Its id, never a person's.
    pub entrant: EntrantId,
    /// The digest of a built-in opponent, as in records; `None` for bots, which their ids identify.
    pub opponent: Option<Hex<32>>,
    /// Fuel of its start; `None` for players that are not metered.
    pub start: Option<u64>,
}
