//! Requests and responses.

use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault};
use arena_sandbox::{Left, Refusal, RefusalCode};
use serde::{Deserialize, Serialize};

use crate::limits::TEXT_BYTES_MAX;
use crate::walls::Walls;

/// A request to a worker. A worker has one bot and is in one game at a time, in which the bot has seats from 0 on.
#[derive(Serialize, Deserialize, Debug)]
pub enum Request<'a> {
    /// Asks for the worker's walls.
    Walls,
    /// Compiles a bot that has passed the check, to be played from now on.
    Load {
        /// The module.
        #[serde(with = "serde_bytes")]
        module: &'a [u8],
        /// The memory limit in bytes, from the record's budgets.
        memory_bytes: u64,
        /// Whether its calls are to end in the function that used their fuel up.
        is_profiled: bool,
        /// Processor time for compiling, in seconds.
        cpu_seconds: u64,
    },
    /// Begins a game. The start of the bot's first seat ends the game before.
    Start {
        /// The bot's seat: the next one.
        seat: u8,
        /// Bytes of each observation.
        observation_len: u64,
        /// Fuel for the start.
        fuel: u64,
    },
    /// Asks the bot to answer an observation.
    Turn {
        /// The bot's seat.
        seat: u8,
        /// What the bot sees.
        #[serde(with = "serde_bytes")]
        observation: &'a [u8],
        /// Fuel for the turn.
        fuel: u64,
        /// Fuel that it lacks of that, in a profile.
        withheld: u64,
    },
    /// Asks for what the bot has left behind in this game, in this seat.
    Left(u8),
}

/// A worker's answer.
#[derive(Serialize, Deserialize, Debug)]
pub enum Response {
    /// The walls that hold and those that are missing.
    Walls(Walls),
    /// The worker runs nothing, because a wall is missing and the policy requires all.
    Unwalled(Walls),
    /// The worker runs nothing, because the engine cannot be set up.
    Unable {
        /// Why.
        why: String,
    },
    /// The bot is compiled.
    Loaded,
    /// These bytes are not a bot: the fields of a [`Refusal`].
    Refused {
        /// The reason as a code.
        code: String,
        /// The reason in words.
        message: String,
        /// The place in the file.
        offset: Option<u64>,
    },
    /// The game has begun.
    Started {
        /// The fuel that the start took.
        fuel: Option<u64>,
        /// The bot's memory now.
        memory_bytes: u64,
    },
    /// The bot's answer.
    Replied {
        /// The action's bytes.
        #[serde(with = "serde_bytes")]
        action: Vec<u8>,
        /// The fuel that the turn took.
        fuel: Option<u64>,
        /// The bot's memory now.
        memory_bytes: u64,
    },
    /// The bot broke the contract.
    Forfeited {
        /// How, as a code.
        code: ForfeitCode,
        /// How, in words.
        detail: String,
    },
    /// The machine or the worker is at fault.
    Failed {
        /// What happened.
        why: String,
    },
    /// What the bot has left behind.
    Left(Left),
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Response {
        let Refusal { code, message, offset, .. } = refusal;
        Response::Refused { code: code.as_str().into(), message: message.to_string(), offset }
    }
}

impl From<Failure> for Response {
    fn from(failure: Failure) -> Response {
        match failure {
            Failure::Own(Fault { code, detail }) => Response::Forfeited { code, detail },
            Failure::Platform(PlatformFault(why)) => Response::Failed { why },
        }
    }
}

/// The start of a text that a worker sent. Code that escaped the engine may have written it, with any length.
pub(crate) fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The refusal that was sent. An unknown code cannot come from a worker of this release.
pub(crate) fn refusal(code: &str, message: String, offset: Option<u64>) -> Refusal {
    let code = RefusalCode::ALL.iter().copied().find(|known| known.as_str() == code);
    Refusal { offset, ..Refusal::new(code.unwrap_or(RefusalCode::CompileFailed), message) }
}
