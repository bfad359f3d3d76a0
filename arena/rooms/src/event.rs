//! What a room's log is made of.

use std::collections::BTreeMap;

use arena_record::{Budgets, Bytes, EntrantId, ForfeitCode, Header, Hex};
use serde::{Deserialize, Serialize};

use crate::{Clock, EVENT_BYTES_MAX, PersonId, RoomCode, RoomId, Seated, Stamp};

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
    /// A person sat down in an open seat. The game starts when the last one is taken.
    Joined {
        /// Where. If seats are drawn, the draw comes after it.
        seat: u8,
        /// Who.
        person: PersonId,
        /// Whether the account's own program plays.
        #[serde(default, skip_serializing_if = "is_false")]
        program: bool,
        /// The browser it came in; `None` where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        browser: Option<Hex<32>>,
        /// What the seats of people are drawn by: the seed of a generator. Only when this was the last open seat of a room
        /// whose seats are drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lot: Option<Hex<32>>,
    },
    /// A bot or a built-in opponent was put into an open seat. The game starts when the last one is taken.
    Filled {
        /// Where. If seats are drawn, the draw comes after it.
        seat: u8,
        /// Who.
        entrant: EntrantId,
        /// What it is, as records have it; `None` for bots, whose ids say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Hex<32>>,
        /// Fuel of its start; `null` for players that are not metered.
        start: Option<u64>,
        /// As in [`Event::Joined`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lot: Option<Hex<32>>,
    },
    /// A person left its seat before the start.
    Left {
        /// Which seat is open again.
        seat: u8,
    },
    /// A person offers a draw. The offer stands until another person plays.
    DrawOffered {
        /// The turn in which it does.
        ply: u16,
        /// Who.
        seat: u8,
    },
    /// The last person who had to agree to a draw did.
    Drawn {
        /// The turn in which it did.
        ply: u16,
        /// Who.
        seat: u8,
    },
    /// A person's time was up.
    Flagged {
        /// The turn in which it was.
        ply: u16,
        /// Whose.
        seat: u8,
    },
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Whether a waiting room is in the lobby's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// It is: anyone may sit down.
    Public,
    /// It is found by its code or link only.
    Private,
}

/// How people come to their seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// Each chooses.
    Chosen,
    /// By lot, when all are there.
    Drawn,
}

/// What a room has that people find and join.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Who opened it. The host sits in it from the beginning.
    pub host: PersonId,
    /// The seats that accounts' own programs have when it is opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<u8>,
    /// Whether the lobby lists it.
    pub door: Door,
    /// What it is joined by.
    pub code: RoomCode,
    /// Who alone may join it; `None` where anybody may who finds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<PersonId>,
    /// How people come to their seats.
    pub seating: Seating,
    /// The time that people have; `None` for as much as they like.
    pub clock: Option<Clock>,
    /// Whether the game counts for people. Programs sit only where it does not.
    pub rated: bool,
    /// Whether people chat.
    pub chat: bool,
}

/// A line of the log: an event and what the game came to with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Logged {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// `None` in logs of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
}

impl From<Event> for Logged {
    fn from(event: Event) -> Logged {
        Logged { event, stamp: None }
    }
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
    /// The browsers in which people took their seats when it was opened, by seat: hashes of tokens that say nothing but whether
    /// two are the same. Empty where nobody came in one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub browsers: Vec<Option<Hex<32>>>,
    /// What a room has that people find and join; `None` in one whose seats were filled when it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

impl Opened {
    /// What the record of its game is headed with, once these sit there, with these built-in opponents among them.
    pub(crate) fn header(&self, seats: &[Seated], opponents: &BTreeMap<EntrantId, Hex<32>>) -> Header {
        let Opened { semantics, build, ruleset, options, budgets, seed, .. } = self.clone();
        let (entrants, opponents) = (seats.iter().filter_map(Seated::entrant).collect(), opponents.clone());
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
    #[error("this event is not in its canonical encoding: it was changed, or written by something else")]
    NotCanonical,
}

impl Event {
    /// The line of this event without a stamp, as [`Logged::to_line`] has it.
    pub fn to_line(&self) -> String {
        Logged::from(self.clone()).to_line()
    }

    /// The event of a line, as [`Logged::parse`] has it, without its stamp.
    ///
    /// # Errors
    /// As [`Logged::parse`].
    pub fn parse(line: &str) -> Result<Event, ParseEventError> {
        Logged::parse(line).map(|logged| logged.event)
    }
}

impl Logged {
    /// The one text of this line: JSON with a newline, in the spelling of records (`arena/record/FORMAT.md`).
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_line(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings, numbers and lists always serialise");
        text.push('\n');
        text
    }

    /// What a line says.
    ///
    /// # Errors
    /// When it is not exactly the canonical text of an event. Whether it belongs in a log is for the room to say.
    pub fn parse(line: &str) -> Result<Logged, ParseEventError> {
        if line.len() > EVENT_BYTES_MAX {
            return Err(ParseEventError::TooLong(line.len()));
        }
        let logged: Logged = serde_json::from_str(line).map_err(ParseEventError::Json)?;
        if logged.to_line() == line { Ok(logged) } else { Err(ParseEventError::NotCanonical) }
    }
}
