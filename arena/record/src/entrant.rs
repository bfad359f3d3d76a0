//! Players: a bot by the hash of its bytes, a built-in opponent by name and version, or a person by a number.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::Digest;

use crate::Hex;

/// The id of an entrant: `sha256:` and 64 hex digits, `baseline:NAME@VERSION`, or `person:` and 16 hex digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntrantId(String);

/// The hex digits of a hash in [`EntrantId::short`]: 48 bits, so that nobody finds bytes with the digits of another bot
/// at home in a day.
const SHORT_DIGITS: usize = 12;

/// A text that is not the id of an entrant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not an entrant: sha256:..., baseline:NAME@VERSION or person:...")]
pub struct ParseEntrantIdError(String);

impl EntrantId {
    /// The id of a bot with these bytes.
    pub fn of_bytes(bytes: &[u8]) -> EntrantId {
        EntrantId(format!("sha256:{}", Hex::<32>(sha2::Sha256::digest(bytes).into())))
    }

    /// The id of a built-in opponent.
    pub fn of_baseline(name: &str, version: u32) -> EntrantId {
        EntrantId(format!("baseline:{name}@{version}"))
    }

    /// The id of a person: a number that only the server that gave it can interpret; not a name.
    pub fn of_person(number: Hex<8>) -> EntrantId {
        EntrantId(format!("person:{number}"))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id for a table: the first twelve digits of a hash, or `NAME@VERSION`.
    pub fn short(&self) -> &str {
        match self.0.split_once(':') {
            Some(("sha256", hash)) => hash.get(..SHORT_DIGITS).unwrap_or(hash),
            Some((_, rest)) => rest,
            None => &self.0,
        }
    }

    /// The hash of a bot's bytes, as 64 hex digits; `None` for others.
    pub fn hash(&self) -> Option<&str> {
        self.0.strip_prefix("sha256:")
    }

    /// Name and version of a built-in opponent; `None` for others.
    pub fn baseline(&self) -> Option<(&str, u32)> {
        let (name, version) = self.0.strip_prefix("baseline:")?.split_once('@')?;
        Some((name, version.parse().ok()?))
    }

    /// The number of a person; `None` for others.
    pub fn person(&self) -> Option<Hex<8>> {
        self.0.strip_prefix("person:")?.parse().ok()
    }
}

impl FromStr for EntrantId {
    type Err = ParseEntrantIdError;

    fn from_str(text: &str) -> Result<EntrantId, ParseEntrantIdError> {
        let id = EntrantId(text.into());
        let is_bot = id.hash().is_some_and(|hash| hash.parse::<Hex<32>>().is_ok());
        let is_baseline = id.baseline().is_some_and(|(name, version)| {
            let plain = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
            plain && EntrantId::of_baseline(name, version) == id
        });
        if is_bot || is_baseline || id.person().is_some() { Ok(id) } else { Err(ParseEntrantIdError(id.0)) }
    }
}

impl TryFrom<String> for EntrantId {
    type Error = ParseEntrantIdError;

    fn try_from(text: String) -> Result<EntrantId, ParseEntrantIdError> {
        text.parse()
    }
}

impl From<EntrantId> for String {
    fn from(id: EntrantId) -> String {
        id.0
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
