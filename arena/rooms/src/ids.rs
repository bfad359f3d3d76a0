//! Names of rooms and of who sits in them.

use std::fmt;
use std::str::FromStr;

use arena_record::{EntrantId, Hex};
use serde::{Deserialize, Serialize};

use crate::ROOM_ID_BYTES_MAX;

/// The name of a room: letters, digits, `-` and `_`. Opaque: nothing is read from it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomId(String);

/// A text that is not the name of a room.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a room's id has 1 to {ROOM_ID_BYTES_MAX} letters, digits, '-' and '_'")]
pub struct ParseRoomIdError;

impl RoomId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RoomId {
    type Error = ParseRoomIdError;

    fn try_from(text: String) -> Result<RoomId, ParseRoomIdError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let good = (1..=ROOM_ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(plain);
        if good { Ok(RoomId(text)) } else { Err(ParseRoomIdError) }
    }
}

impl FromStr for RoomId {
    type Err = ParseRoomIdError;

    fn from_str(text: &str) -> Result<RoomId, ParseRoomIdError> {
        RoomId::try_from(text.to_owned())
    }
}

impl From<RoomId> for String {
    fn from(id: RoomId) -> String {
        id.0
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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

/// Who sits in a seat. In logs and views it is the id that the record will carry, such as `person:00000000000000a1` or
/// `baseline:hard@1`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "EntrantId", into = "EntrantId")]
pub enum Seated {
    /// A person, who sends commands.
    Person(PersonId),
    /// A bot or a built-in opponent, which is asked. Its id is never a person's.
    Contender(EntrantId),
}

impl From<EntrantId> for Seated {
    fn from(id: EntrantId) -> Seated {
        match id.person() {
            Some(number) => Seated::Person(PersonId(number)),
            None => Seated::Contender(id),
        }
    }
}

impl From<Seated> for EntrantId {
    fn from(seated: Seated) -> EntrantId {
        match seated {
            Seated::Person(PersonId(number)) => EntrantId::of_person(number),
            Seated::Contender(id) => id,
        }
    }
}
