//! What a ruleset needs to be spoken, and the list of those that are.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use arena_rules::conquerors::{OPENING_CELLS_MAX, OPENING_CELLS_MIN, OPENING_TURNS_MAX, OPENING_TURNS_MIN, Position};
use arena_rules::{Ruleset, Seat, Seed};

/// A ruleset that can be spoken in bytes.
pub trait Protocol: Ruleset {
    /// The ruleset's byte in observations.
    const TAG: u8;

    /// Length of every observation of this game, in bytes.
    fn observation_len(&self) -> usize;

    /// What `seat` sees: all that the rules make visible, its own seat and its seed; nothing else.
    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8>;

    /// The action that bytes stand for.
    ///
    /// # Errors
    /// When the bytes are not exactly one action of this version. Whether the action is legal is another question.
    fn decode_action(bytes: &[u8]) -> Result<Self::Action, ActionError>;

    /// The bytes of an action; the inverse of [`decode_action`](Protocol::decode_action).
    fn encode_action(action: &Self::Action) -> Vec<u8>;

    /// All that makes up the position, in canonical bytes: equal positions have equal bytes and unequal ones do not.
    /// Digests of games are made of these.
    fn state(&self) -> Vec<u8>;

    /// Whether games with these options may count for standings. Options that exist for a study alone may not.
    fn may_count(&self) -> bool;

    /// Whether the first position depends on the game's seed, so that whoever shows such a game must know the seed.
    fn starts_from_seed(options: &Self::Options) -> bool;

    /// Options as canonical text; the inverse of [`parse_options`](Protocol::parse_options).
    fn options_text(options: &Self::Options) -> String;

    /// The options that a text stands for; `None` when it is not canonical.
    fn parse_options(text: &str) -> Option<Self::Options>;
}

/// Why bytes are not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// Fewer bytes than the header of an action; how many there were.
    Short(usize),
    /// The first byte is not this version's; which it was.
    Version(u8),
    /// The kind is none of the ruleset's; which it was.
    Kind(u8),
    /// The number of cells does not fit the kind.
    Cells {
        /// The kind's name.
        kind: &'static str,
        /// The number of cells it came with.
        cells: u8,
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
            ActionError::Short(got) => write!(f, "an action has at least 3 bytes, this one has {got}"),
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

/// A piece of work that can be done with any ruleset.
pub trait Visitor {
    /// What the work results in.
    type Out;

    /// Does the work with a game at its start.
    fn visit<P: Protocol>(self, start: P) -> Self::Out;
}

/// A ruleset or an option this release does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownGame {
    /// No ruleset of that name and version.
    Ruleset(String),
    /// Not the canonical text of options of that ruleset.
    Options(String),
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownGame::Ruleset(id) => write!(f, "no ruleset {id:?} here; this release has {:?}", Position::ID),
            UnknownGame::Options(text) => write!(
                f,
                "{text:?} are not options of the ruleset: write those of {:?} that are wanted, joined by commas, in this order, \
                 and after them, if wanted, `opening=symmetric:N` (N from {OPENING_CELLS_MIN} to {OPENING_CELLS_MAX}) or \
                 `opening=turns:K` (K from {OPENING_TURNS_MIN} to {OPENING_TURNS_MAX}, even)",
                crate::conquerors::OPTION_NAMES
            ),
        }
    }
}

impl core::error::Error for UnknownGame {}

/// Starts a game of the named ruleset and hands it to `visitor`. The one place that lists all rulesets.
///
/// # Errors
/// When ruleset or options are unknown.
pub fn start<V: Visitor>(ruleset: &str, options: &str, seed: &Seed, visitor: V) -> Result<V::Out, UnknownGame> {
    fn begin<P: Protocol>(options: &str, seed: &Seed) -> Result<P, UnknownGame> {
        let options = P::parse_options(options).ok_or_else(|| UnknownGame::Options(options.into()))?;
        Ok(P::start(&options, seed))
    }
    match ruleset {
        Position::ID => Ok(visitor.visit(begin::<Position>(options, seed)?)),
        _ => Err(UnknownGame::Ruleset(ruleset.into())),
    }
}
