//! Why bytes are not an action or an observation.

use alloc::string::String;
use core::fmt;

/// Why bytes are not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// There are fewer bytes than an action's header has.
    Short {
        /// The length of the header.
        least: usize,
        /// The number of bytes.
        got: usize,
    },
    /// The first byte is not this version's; with the byte.
    Version(u8),
    /// The ruleset has no action of this kind; with the kind.
    Kind(u8),
    /// The number of cells does not fit the kind.
    Cells {
        /// The kind's name.
        kind: &'static str,
        /// The number of cells in the action.
        cells: u16,
    },
    /// The length does not match kind and number of cells.
    Length {
        /// The expected length.
        expected: usize,
        /// The actual length.
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

arena_rules::phrases! {
    ActionError {
        ActionError::Short { least, got } => "action-short"(least = *least as u64, bytes = *got as u64),
        ActionError::Version(got) => "action-version"(version = crate::VERSION, byte = *got),
        ActionError::Kind(got) => "action-kind"(kind = *got),
        ActionError::Cells { cells, .. } => "action-cells"(cells = *cells),
        ActionError::Length { expected, got } => "action-length"(expected = *expected as u64, bytes = *got as u64),
    }
}

/// Why bytes are not an observation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObservationError {
    /// The length is not that of an observation of this game.
    Length {
        /// The expected length.
        expected: usize,
        /// The actual length.
        got: usize,
    },
    /// It has another version or ruleset, or a byte that is invalid in its place; with the offset.
    Byte(usize),
    /// Each byte is valid, but together they are not a position; with the reason.
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
