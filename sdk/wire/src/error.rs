//! Why bytes are nothing that the contract knows.

use alloc::string::String;
use core::fmt;

/// Why bytes are not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// Fewer bytes than the header of an action.
    Short {
        /// How many the header has.
        least: usize,
        /// How many there were.
        got: usize,
    },
    /// The first byte is not this version's; which it was.
    Version(u8),
    /// The kind is none of the ruleset's; which it was.
    Kind(u8),
    /// The number of cells does not fit the kind.
    Cells {
        /// The kind's name.
        kind: &'static str,
        /// The number of cells it came with.
        cells: u16,
    },
    /// The length is not what kind and number of cells ask for.
    Length {
        /// The length asked for.
        expected: usize,
        /// The length it had.
        got: usize,
    },
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionError::Short { least, got } => write!(f, "an action has at least {least} bytes, this one has {got}"),
            ActionError::Version(got) => {
                write!(f, "the first byte of an action is the version, {}, not {got}", crate::VERSION)
            }
            ActionError::Kind(got) => write!(f, "the second byte is the kind of action, and {got} is none"),
            ActionError::Cells { kind, cells } => write!(f, "a {kind} does not come with {cells} cell(s)"),
            ActionError::Length { expected, got } => {
                write!(f, "an action with this header has {expected} bytes, this one has {got}")
            }
        }
    }
}

impl core::error::Error for ActionError {}

/// Why bytes are not an observation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObservationError {
    /// Not the length of an observation of this game.
    Length {
        /// The length asked for.
        expected: usize,
        /// The length it had.
        got: usize,
    },
    /// Another version, another ruleset, or a byte that no observation has there; the offset.
    Byte(usize),
    /// Each byte may be there, but no position has all of them; why.
    Position(String),
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObservationError::Length { expected, got } => {
                write!(f, "an observation of this game has {expected} bytes, not {got}")
            }
            ObservationError::Byte(at) => write!(f, "byte {at} does not belong in an observation of this version"),
            ObservationError::Position(why) => write!(f, "the observed position makes no sense: {why}"),
        }
    }
}

impl core::error::Error for ObservationError {}
