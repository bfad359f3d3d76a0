//! The events of a room's log.

use std::collections::BTreeMap;

use arena_record::{Budgets, Bytes, EntrantId, ForfeitCode, Header, Hex};
use serde::{Deserialize, Serialize};

use crate::{Clock, EVENT_BYTES_MAX, PersonId, RoomCode, RoomId, Seated, Stamp};

/// The version of the log, as in its first event.
pub const FORMAT: &str = "arena-room/1";

/// Serialises as [`FORMAT`]; a log of another version does not parse.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Format;

/// A version of the log that this release cannot read.
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
    /// The room was opened. This is the first event, and only the first.
    Opened(Box<Opened>),
    /// A seat answered with a legal action.
    Played {
        /// The turn that it answers, from 0. In alternating games a turn is a ply.
        ply: u16,
        /// The seat.
        seat: u8,
        /// The action's bytes, in the encoding of the contract with bots.
        action: Bytes,
        /// Fuel of the answer; `null` for people and for players that are not metered.
        fuel: Option<u64>,
        /// The number that a person's page gave its command; `null` for contenders.
        client_seq: Option<u64>,
    },
    /// A contender failed through its own fault.
    Forfeited {
        /// The turn; `null` if it could not start.
        ply: Option<u16>,
        /// The seat.
        seat: u8,
        /// The kind of fault.
        code: ForfeitCode,
        /// A description of the fault.
        detail: String,
    },
    /// A person resigned, in its own turn or another's.
    Resigned {
        /// The turn.
        ply: u16,
        /// The seat.
        seat: u8,
    },
    /// A person sat down in an open seat. The game starts when the last one is taken.
    Joined {
        /// The seat. If seats are drawn, they are drawn afterwards.
        seat: u8,
        /// The person.
        person: PersonId,
        /// Whether a program of the account plays.
        #[serde(default, skip_serializing_if = "is_false")]
        program: bool,
        /// The browser of the person; `None` for programs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        browser: Option<Hex<32>>,
        /// The seed from which the seats of people are drawn. Set only if this was the last open seat of a room with
        /// drawn seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lot: Option<Hex<32>>,
    },
    /// A bot or a built-in opponent was put into an open seat. The game starts when the last one is taken.
    Filled {
        /// The seat. If seats are drawn, they are drawn afterwards.
        seat: u8,
        /// The contender.
        entrant: EntrantId,
        /// The digest of a built-in opponent, as in records; `None` for bots, which their ids identify.
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
        /// The seat, which is open again.
        seat: u8,
    },
    /// A person offers a draw. The offer stands until another person plays or declines it.
    DrawOffered {
        /// The turn.
        ply: u16,
        /// The seat.
        seat: u8,
    },
    /// A person declined the offers of the others, which lapse.
    DrawDeclined {
        /// The turn.
        ply: u16,
        /// The seat.
        seat: u8,
    },
    /// The last missing person agreed to a draw.
    Drawn {
        /// The turn.
        ply: u16,
        /// The seat.
        seat: u8,
    },
    /// A person ran out of time.
    Flagged {
        /// The turn.
        ply: u16,
        /// The seat.
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
    /// It is listed, and anyone may join.
    Public,
    /// It is found only by its code or link.
    Private,
}

/// How seats are assigned to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// Each chooses a seat.
    Chosen,
    /// Seats are drawn once all are taken.
    Drawn,
}

/// The terms of a room that people find and join.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The person who opened it. The host has a seat from the beginning.
    pub host: PersonId,
    /// The seats that accounts' programs have when it is opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<u8>,
    /// Whether the lobby lists it.
    pub door: Door,
    /// The code for joining it.
    pub code: RoomCode,
    /// The only person who may join; `None` for anybody who finds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<PersonId>,
    /// How seats are assigned to people.
    pub seating: Seating,
    /// People's clock; `None` for unlimited time.
    pub clock: Option<Clock>,
    /// Whether the game counts for people. If it does, programs may not join.
    pub rated: bool,
    /// Whether people chat.
    pub chat: bool,
}

/// A line of the log: an event and the state of the game after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Logged {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The state of the game; `None` in logs of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
}

impl From<Event> for Logged {
    fn from(event: Event) -> Logged {
        Logged { event, stamp: None }
    }
}

/// All that a room is created from: what a record's header contains, the seats, and the fuel of the contenders' starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The version of the log.
    pub format: Format,
    /// The room's id.
    pub room: RoomId,
    /// The semantics id, as in records.
    pub semantics: String,
    /// The engine's version and build.
    pub build: String,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options as canonical text.
    pub options: String,
    /// The bots' budgets.
    pub budgets: Budgets,
    /// The game's seed.
    pub seed: Hex<32>,
    /// Who plays, by seat.
    pub seats: Vec<Seated>,
    /// The digest of each built-in opponent among them, as in records.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub opponents: BTreeMap<EntrantId, Hex<32>>,
    /// Fuel of each seat's start; `null` for people, and for players that are not metered or failed to start.
    pub starts: Vec<Option<u64>>,
    /// The browsers of people who had seats when it was opened, by seat: hashes of tokens that reveal only whether two
    /// are the same. Empty if nobody used a browser.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub browsers: Vec<Option<Hex<32>>>,
    /// The terms for joining; `None` if all seats were filled when it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

impl Opened {
    /// The header of its game's record, with these seats and these built-in opponents.
    pub(crate) fn header(&self, seats: &[Seated], opponents: &BTreeMap<EntrantId, Hex<32>>) -> Header {
        let Opened { semantics, build, ruleset, options, budgets, seed, .. } = self.clone();
        let (entrants, opponents) = (seats.iter().filter_map(Seated::entrant).collect(), opponents.clone());
        Header { semantics, build, ruleset, options, budgets, seed, entrants, opponents }
    }
}

/// Why a text is not an event.
#[derive(Debug, thiserror::Error)]
pub enum ParseEventError {
    /// It is longer than any event.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// It is not the JSON of an event.
    #[error("this is not an event of a room")]
    Json(#[source] serde_json::Error),
    /// It has the content of an event, but not its canonical spelling.
    #[error("this event is not in its canonical encoding: it was changed, or written by something else")]
    NotCanonical,
}

impl Event {
    /// This event's line without a stamp, as by [`Logged::to_line`].
    pub fn to_line(&self) -> String {
        Logged::from(self.clone()).to_line()
    }

    /// Parses a line as [`Logged::parse`] does, and drops its stamp.
    ///
    /// # Errors
    /// As [`Logged::parse`].
    pub fn parse(line: &str) -> Result<Event, ParseEventError> {
        Logged::parse(line).map(|logged| logged.event)
    }
}

impl Logged {
    /// The only text of this line: JSON with a newline, in the canonical spelling of records
    /// (`arena/record/FORMAT.md`).
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_line(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings, numbers and lists always serialise");
        text.push('\n');
        text
    }

    /// Parses a line.
    ///
    /// # Errors
    /// When it is not exactly the canonical text of an event. Whether the event is legal in a log is for the room to
    /// say.
    pub fn parse(line: &str) -> Result<Logged, ParseEventError> {
        if line.len() > EVENT_BYTES_MAX {
            return Err(ParseEventError::TooLong(line.len()));
        }
        let logged: Logged = serde_json::from_str(line).map_err(ParseEventError::Json)?;
        if logged.to_line() == line { Ok(logged) } else { Err(ParseEventError::NotCanonical) }
    }
}
