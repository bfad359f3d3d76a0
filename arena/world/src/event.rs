//! The events of a world's log.

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{Call, Word};
use serde::{Deserialize, Serialize};

use crate::{CALL_BYTES_MAX, OPENED_BYTES_MAX, Packed};

/// The version of a log, as in its first event. It covers the rules: other rules are another version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Format {
    /// Grace begins with the loss of a kingdom's last cell. Such logs are read, not begun.
    #[serde(rename = "arena-world/1")]
    AtLoss,
    /// Grace begins at joining, too.
    #[serde(rename = "arena-world/2")]
    AtJoining,
}

impl Format {
    /// As in a log.
    pub fn name(self) -> &'static str {
        match self {
            Format::AtLoss => "arena-world/1",
            Format::AtJoining => "arena-world/2",
        }
    }

    /// The version of this name.
    pub fn of_name(name: &str) -> Option<Format> {
        [Format::AtLoss, Format::AtJoining].into_iter().find(|format| format.name() == name)
    }
}

/// One line of a world's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A snapshot of the world. This is the first event, and only the first.
    Opened(Box<Opened>),
    /// An account's call was accepted. Refused calls change nothing and are not in the log.
    Called {
        /// Generations before it.
        generation: u64,
        /// The account.
        account: Hex<8>,
        /// The call.
        call: LoggedCall,
        /// The answer.
        answer: u64,
    },
    /// Another bot, or none, is seated for an account. The one before is not asked any more; the new one starts with
    /// the next questions.
    Seated {
        /// Generations before it.
        generation: u64,
        /// The account.
        account: Hex<8>,
        /// The bot.
        bot: Option<EntrantId>,
    },
    /// The operator of the world freed an account's slot: its kingdom ended.
    Freed {
        /// Generations before it.
        generation: u64,
        /// The account.
        account: Hex<8>,
    },
    /// The world reached a generation.
    Checked {
        /// Generations so far.
        generation: u64,
        /// SHA-256 of the world's state.
        digest: Hex<32>,
        /// A hash chain over all other lines since the previous digest or the snapshot.
        calls: Hex<32>,
    },
}

/// A snapshot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The version of the log.
    pub format: Format,
    /// The engine's version and build, for information.
    pub build: String,
    /// Generations so far.
    pub generation: u64,
    /// The world's state.
    pub state: Packed,
    /// SHA-256 of the state before it was packed.
    pub digest: Hex<32>,
    /// The seated bots, by account; omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<Seated>,
    /// The generation from which grace begins at joining; only in [`Format::AtJoining`], and always there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_from: Option<u64>,
    /// The latest kingdoms that fell, by account; omitted if there are none. Only in [`Format::AtJoining`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallen: Vec<Fallen>,
}

/// The latest kingdom of an account that has none now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fallen {
    /// The account.
    pub account: Hex<8>,
    /// Generations until it fell.
    pub generation: u64,
    /// How it fell.
    pub by: By,
}

/// How a kingdom fell, as JSON: `"grace"`, `"operator"`, or `{"siege":ACCOUNT}` with the account whose cell took the
/// last coin, or `null`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// It had no living cell for too long.
    Grace,
    /// The operator freed its slot.
    Operator,
    /// Its base lost its last coin.
    Siege(Option<Hex<8>>),
}

/// A bot seated for an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seated {
    /// The account, whose kingdom it plays.
    pub account: Hex<8>,
    /// The bot's id: the hash of its bytes, or a built-in opponent.
    pub bot: EntrantId,
}

/// A call as JSON: `"faucet"`, `{"join":[60,60]}`, `{"place":[[62,62],[63,62]]}`; column before row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoggedCall {
    /// Join, with the base here.
    Join(i32, i32),
    /// Bring these cells to life.
    Place(Vec<Word>),
    /// Take coins from the faucet.
    Faucet,
}

impl From<&Call> for LoggedCall {
    fn from(call: &Call) -> LoggedCall {
        match call {
            Call::Join { x, y } => LoggedCall::Join(*x, *y),
            Call::Place(cells) => LoggedCall::Place(cells.clone()),
            Call::Faucet => LoggedCall::Faucet,
        }
    }
}

impl From<&LoggedCall> for Call {
    fn from(asked: &LoggedCall) -> Call {
        match asked {
            LoggedCall::Join(x, y) => Call::Join { x: *x, y: *y },
            LoggedCall::Place(cells) => Call::Place(cells.clone()),
            LoggedCall::Faucet => Call::Faucet,
        }
    }
}

/// Why a text is not an event.
#[derive(Debug, thiserror::Error)]
pub enum ParseEventError {
    /// It is longer than any event of its kind.
    #[error("no event of a world has this length in bytes: {0}")]
    TooLong(usize),
    /// It is not the JSON of an event.
    #[error("this is not an event of a world: {0}")]
    Json(#[source] serde_json::Error),
    /// It has the content of an event, but not its canonical spelling.
    #[error("this event is not in its canonical encoding: it was changed, or written by something else")]
    NotCanonical,
}

impl Event {
    /// The only text of this event: a line of JSON with its newline, in the canonical spelling of records
    /// (`arena/record/FORMAT.md`).
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_line(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings, numbers and lists always serialise");
        text.push('\n');
        text
    }

    /// The number of generations before it.
    pub fn generation(&self) -> u64 {
        match self {
            Event::Opened(opened) => opened.generation,
            Event::Called { generation, .. }
            | Event::Seated { generation, .. }
            | Event::Freed { generation, .. }
            | Event::Checked { generation, .. } => *generation,
        }
    }

    /// Parses a line.
    ///
    /// # Errors
    /// When it is not exactly the canonical text of an event. Whether the event is legal in a log is for the machine to
    /// say.
    pub fn parse(line: &str) -> Result<Event, ParseEventError> {
        if line.len() > OPENED_BYTES_MAX {
            return Err(ParseEventError::TooLong(line.len()));
        }
        let event: Event = serde_json::from_str(line).map_err(ParseEventError::Json)?;
        if !matches!(event, Event::Opened(_)) && line.len() > CALL_BYTES_MAX {
            return Err(ParseEventError::TooLong(line.len()));
        }
        if event.to_line() == line { Ok(event) } else { Err(ParseEventError::NotCanonical) }
    }
}
