//! What is said over the pipe: one line of JSON each way.

use arena_record::{Budgets, Bytes, EntrantId, ForfeitCode};
use arena_referee::{Failure, Fault, PlatformFault};
use arena_sandbox::{Refusal, RefusalCode};
use serde::{Deserialize, Serialize};

use crate::limits::TEXT_BYTES_MAX;
use crate::walls::Walls;

/// What a worker is asked. A worker plays for one player at a time; `Start` ends the one before.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Within which walls is this worker?
    Walls,
    /// Check and compile a bot on so many seconds of processor time, and keep it.
    Load { bytes: Bytes, budgets: Budgets, cpu_seconds: u64 },
    /// Begin a game with a bot that was loaded.
    Start { bot: EntrantId, wall_ms: Option<u64>, observation_len: usize, fuel: u64 },
    /// Answer an observation.
    Turn { observation: Bytes, fuel: u64 },
    /// What did the bot log in this game?
    Log,
    /// Which functions were running when the bot failed?
    Frames,
    /// Which memory was refused to the bot in the call in which it failed?
    MemoryRefused,
}

/// What a worker answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Response {
    Walls(Walls),
    /// Nothing is run: a wall is missing, and all are required.
    Unwalled(Walls),
    Loaded {
        id: EntrantId,
        exports: Vec<String>,
    },
    Refused {
        code: String,
        message: String,
        offset: Option<u64>,
    },
    Started {
        fuel: Option<u64>,
        memory_bytes: usize,
    },
    Replied {
        action: Bytes,
        fuel: Option<u64>,
        memory_bytes: usize,
    },
    Forfeited {
        code: ForfeitCode,
        detail: String,
    },
    Failed {
        why: String,
    },
    Logged {
        lines: Vec<String>,
        dropped: u64,
    },
    /// Numbers and names, the innermost first.
    Framed {
        frames: Vec<(u32, Option<String>)>,
    },
    /// Bytes that it had, and that it would have had.
    MemoryRefused {
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

/// The start of a text that a worker sent: code that broke out of the engine may have written it, and at any length.
pub(crate) fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The refusal that was sent; an unknown code cannot come from a worker of this release.
pub(crate) fn refusal(code: &str, message: String, offset: Option<u64>) -> Refusal {
    let code = RefusalCode::ALL.into_iter().find(|known| known.as_str() == code);
    Refusal { offset, ..Refusal::new(code.unwrap_or(RefusalCode::CompileFailed), message) }
}
