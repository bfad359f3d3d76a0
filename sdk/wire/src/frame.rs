//! What observations, actions and states of all games have in common.

use alloc::vec::Vec;

use arena_rules::Outcome;

use crate::{ActionError, VERSION};

/// Bytes before the cells of an action.
const ACTION_HEADER_LEN: usize = 3;
/// Bytes before the board: version, ruleset, seat and the ruleset's own bytes, then the seat's seed.
pub(crate) const HEADER_LEN: usize = SEED_AT + 32;
/// Where the seat's seed is.
pub(crate) const SEED_AT: usize = 16;

/// The parts of an action of any game: version, kind and number of cells, then two bytes for each cell.
pub(crate) struct Frame<'a> {
    pub(crate) kind: u8,
    /// The kind's name, for messages.
    name: &'static str,
    cells: u8,
    /// Row and column of each cell.
    pub(crate) rest: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Splits bytes into their parts; `name` gives the name of a kind.
    ///
    /// # Errors
    /// When the bytes have another layout, or the ruleset has no such kind.
    pub(crate) fn of(bytes: &'a [u8], name: impl Fn(u8) -> Option<&'static str>) -> Result<Frame<'a>, ActionError> {
        let [version, kind, cells, rest @ ..] = bytes else {
            return Err(ActionError::Short { least: ACTION_HEADER_LEN, got: bytes.len() });
        };
        if *version != VERSION {
            return Err(ActionError::Version(*version));
        }
        let name = name(*kind).ok_or(ActionError::Kind(*kind))?;
        if rest.len() != 2 * usize::from(*cells) {
            return Err(ActionError::Length {
                expected: ACTION_HEADER_LEN + 2 * usize::from(*cells),
                got: bytes.len(),
            });
        }
        Ok(Frame { kind: *kind, name, cells: *cells, rest })
    }

    /// The error for a number of cells that does not fit the kind.
    pub(crate) fn wrong_cells(&self) -> ActionError {
        ActionError::Cells { kind: self.name, cells: self.cells.into() }
    }
}

/// The last part of a state: how a game ended, or that it is in progress.
pub(crate) fn end_bytes(outcome: Option<Outcome>) -> Vec<u8> {
    match outcome {
        None => Vec::from([0]),
        Some(outcome) => {
            let winner = outcome.winner.map_or(0xff, |seat| seat.0);
            [&[1, winner], outcome.reason.code().as_bytes()].concat()
        }
    }
}
