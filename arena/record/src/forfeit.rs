//! How a bot loses through its own fault, or a person by resigning or running out of time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A bot's fault that ended its game, or a person's resignation or loss on time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// The seat.
    pub seat: u8,
    /// The turn of the game, from 0; `null` before the first.
    pub turn: Option<u16>,
    /// The kind of fault.
    pub code: ForfeitCode,
    /// A description that does not depend on the machine.
    pub detail: String,
}

/// A kind of fault. Codes are stable: standings count them, scripts match them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForfeitCode {
    /// The fuel of a turn, or of the start, ran out.
    FuelExhausted,
    /// Too many nested calls.
    StackOverflow,
    /// The code trapped: an `unreachable`, a division by zero, an access out of bounds, ...
    Trap,
    /// An address or length outside of the bot's memory.
    BadPointer,
    /// Bytes that are not an action.
    BadOutput,
    /// An action that the rules refuse.
    IllegalMove,
    /// A person resigned, in its own turn or another's.
    Resigned,
    /// A person ran out of time.
    OutOfTime,
}

impl ForfeitCode {
    /// Every code.
    pub const ALL: [ForfeitCode; 8] = [
        ForfeitCode::FuelExhausted,
        ForfeitCode::StackOverflow,
        ForfeitCode::Trap,
        ForfeitCode::BadPointer,
        ForfeitCode::BadOutput,
        ForfeitCode::IllegalMove,
        ForfeitCode::Resigned,
        ForfeitCode::OutOfTime,
    ];

    /// Whether this is a person's way to end a game. It can happen in any turn, and cannot be checked by the rules.
    pub fn is_a_persons(self) -> bool {
        matches!(self, ForfeitCode::Resigned | ForfeitCode::OutOfTime)
    }

    /// The code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            ForfeitCode::FuelExhausted => "fuel_exhausted",
            ForfeitCode::StackOverflow => "stack_overflow",
            ForfeitCode::Trap => "trap",
            ForfeitCode::BadPointer => "bad_pointer",
            ForfeitCode::BadOutput => "bad_output",
            ForfeitCode::IllegalMove => "illegal_move",
            ForfeitCode::Resigned => "resigned",
            ForfeitCode::OutOfTime => "out_of_time",
        }
    }
}

impl fmt::Display for ForfeitCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The sentence that tells the author what happened and when.
impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            None => write!(f, "before the first turn: {} ({})", self.detail, self.code),
            Some(turn) => write!(f, "in turn {}: {} ({})", u32::from(turn) + 1, self.detail, self.code),
        }
    }
}
