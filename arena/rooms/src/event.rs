//! What a room's log is made of.

use std::collections::BTreeMap;

use arena_record::{Budgets, Bytes, EntrantId, ForfeitCode, Header, Hex};
use serde::{Deserialize, Serialize};

use crate::{EVENT_BYTES_MAX, RoomId, Seated};

/// The version of the log, as its first event names it.
pub const FORMAT: &str = "arena-room/1";

/// Stands for [`FORMAT`]; a log of another version does not parse.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Format;

/// A version of the log that this release does not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a log of format {0:?}; this release reads {FORMAT:?}")]
pub struct OtherFormat(String);

impl TryFrom<String> for Format {
    type Error = OtherFormat;

    fn try_from(text: String) -> Result<Format, OtherFormat> {
        if text == FORMAT { Ok(Format) } else { Err(OtherFormat(text)) }
    }
}

impl From<Format> for &'static str {
    fn from(Format: Format) -> &'static str {
        FORMAT
    }
}

/// One line of a room's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The room exists. The first event, and only the first.
    Opened(Box<Opened>),
    /// A seat answered, legally.
    Played {
        /// The turn it is an answer to, counted from 0. In alternating games a turn is a ply.
        ply: u16,
        /// Whose answer.
        seat: u8,
        /// The action's bytes, as the contract with bots has them.
        action: Bytes,
        /// Fuel the answer took; `null` for people and for players that are not metered.
        fuel: Option<u64>,
        /// The number a person's page gave its command; `null` for contenders.
        client_seq: Option<u64>,
    },
    /// A contender failed by its own fault.
    Forfeited {
        /// The turn in which it did; `null` when it could not start.
        ply: Option<u16>,
        /// Whose fault.
        seat: u8,
        /// What kind of fault.
        code: ForfeitCode,
        /// What exactly, in words.
        detail: String,
    },
    /// A person gave up, in its own turn or in another's.
    Resigned {
        /// The turn in which it did.
        ply: u16,
        /// Who.
        seat: u8,
    },
}

/// All that a room is made from: what a record's header says, who sits where, and what the contenders' starts took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The version of the log.
    pub format: Format,
    /// The room's name.
    pub room: RoomId,
    /// What results depend on, as records name it.
    pub semantics: String,
    /// The engine's version and build.
    pub build: String,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options as canonical text.
    pub options: String,
    /// What bots may use.
    pub budgets: Budgets,
    /// The game's seed.
    pub seed: Hex<32>,
    /// Who plays, by seat.
    pub seats: Vec<Seated>,
    /// What each built-in opponent among them is, as records have it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub opponents: BTreeMap<EntrantId, Hex<32>>,
    /// Fuel of each seat's start; `null` for people, and for players that are not metered or did not get through it.
    pub starts: Vec<Option<u64>>,
}

impl Opened {
    /// What the record of its game is headed with.
    pub fn header(&self) -> Header {
        let Opened { semantics, build, ruleset, options, budgets, seed, seats, opponents, .. } = self.clone();
        let entrants = seats.into_iter().map(EntrantId::from).collect();
        Header { semantics, build, ruleset, options, budgets, seed, entrants, opponents }
    }
}

/// Why a text is not an event.
#[derive(Debug, thiserror::Error)]
pub enum ParseEventError {
    /// Longer than any event.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// Not the JSON of an event.
    #[error("this is not an event of a room")]
    Json(#[source] serde_json::Error),
    /// The right content in the wrong spelling.
    #[error("this event is not in its canonical spelling: it was changed, or written by something else")]
    NotCanonical,
}

impl Event {
    /// The one text of this event: a line of JSON with its newline, in the spelling of records (`arena/record/FORMAT.md`).
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_line(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings, numbers and lists always serialise");
        text.push('\n');
        text
    }

    /// The event that a line stands for.
    ///
    /// # Errors
    /// When it is not exactly the canonical text of an event. Whether it belongs in a log is for the room to say.
    pub fn parse(line: &str) -> Result<Event, ParseEventError> {
        if line.len() > EVENT_BYTES_MAX {
            return Err(ParseEventError::TooLong(line.len()));
        }
        let event: Event = serde_json::from_str(line).map_err(ParseEventError::Json)?;
        if event.to_line() == line { Ok(event) } else { Err(ParseEventError::NotCanonical) }
    }
}
