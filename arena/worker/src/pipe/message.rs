//! What is asked and answered.

use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault};
use arena_sandbox::{Refusal, RefusalCode};
use serde::{Deserialize, Serialize};

use crate::limits::TEXT_BYTES_MAX;
use crate::walls::Walls;

/// What a worker is asked. A worker has one bot and is in one game at a time; in it, the bot has seats from 0 on.
#[derive(Serialize, Deserialize, Debug)]
pub enum Request<'a> {
    /// Within which walls is this worker?
    Walls,
    /// Compile a bot that has passed the check, and play it from now on.
    Load {
        /// The module.
        #[serde(with = "serde_bytes")]
        module: &'a [u8],
        /// As the record's budgets have it.
        memory_bytes: u64,
        /// Processor time for it, in seconds.
        cpu_seconds: u64,
    },
    /// Begin a game. The bot's first seat ends the game before.
    Start {
        /// Which of the bot's seats: the next one.
        seat: u8,
        /// How long a call may take, in milliseconds; `None` as long as the fuel lasts.
        wall_ms: Option<u64>,
        /// Bytes of each observation.
        observation_len: u64,
        /// Fuel for the start.
        fuel: u64,
    },
    /// Answer an observation.
    Turn {
        /// Which of the bot's seats.
        seat: u8,
        /// What the bot sees.
        #[serde(with = "serde_bytes")]
        observation: &'a [u8],
        /// Fuel for the turn.
        fuel: u64,
    },
    /// What did the bot log in this game, in this seat?
    Log(u8),
    /// Which functions were running when the bot failed in this seat?
    Frames(u8),
    /// Which memory was refused to the bot in the call in which it failed in this seat?
    MemoryRefused(u8),
}

/// What a worker answers.
#[derive(Serialize, Deserialize, Debug)]
pub enum Response {
    /// The walls it is within.
    Walls(Walls),
    /// It runs nothing: a wall is missing, and all are required.
    Unwalled(Walls),
    /// The bot is compiled.
    Loaded {
        /// The names of its exports.
        exports: Vec<String>,
    },
    /// These bytes are not a bot: the fields of a [`Refusal`].
    Refused {
        /// Why, as a code.
        code: String,
        /// Why, in words.
        message: String,
        /// Where in the file.
        offset: Option<u64>,
    },
    /// The game has begun.
    Started {
        /// The fuel it took.
        fuel: Option<u64>,
        /// The bot's memory now.
        memory_bytes: u64,
    },
    /// The bot's answer.
    Replied {
        /// The action's bytes.
        #[serde(with = "serde_bytes")]
        action: Vec<u8>,
        /// The fuel it took.
        fuel: Option<u64>,
        /// The bot's memory now.
        memory_bytes: u64,
    },
    /// The bot broke the contract.
    Forfeited {
        /// How.
        code: ForfeitCode,
        /// How, in words.
        detail: String,
    },
    /// The machine or the worker is at fault.
    Failed {
        /// What happened.
        why: String,
    },
    /// What the bot logged.
    Logged {
        /// The lines that were kept.
        lines: Vec<String>,
        /// How many more there were.
        dropped: u64,
    },
    /// The functions that were running when the bot failed: numbers and names, the innermost first.
    Framed {
        /// Them.
        frames: Vec<(u32, Option<String>)>,
    },
    /// The last memory that was refused to the bot.
    MemoryRefused {
        /// Bytes that it had, and that it would have had.
        bytes: Option<(u64, u64)>,
    },
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Response {
        let Refusal { code, message, offset, .. } = refusal;
        Response::Refused { code: code.as_str().into(), message, offset }
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

/// The start of a text that a worker sent. Code that escaped the engine may have written it, at any length.
pub(crate) fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The refusal that was sent; an unknown code cannot come from a worker of this release.
pub(crate) fn refusal(code: &str, message: String, offset: Option<u64>) -> Refusal {
    let code = RefusalCode::ALL.into_iter().find(|known| known.as_str() == code);
    Refusal { offset, ..Refusal::new(code.unwrap_or(RefusalCode::CompileFailed), message) }
}
