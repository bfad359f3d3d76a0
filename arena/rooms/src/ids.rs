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
