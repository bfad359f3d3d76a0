//! Why this implementation disagrees with a line of vectors.

use std::fmt::{Debug, Display};

/// Why this implementation disagrees with a line, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Difference(pub(crate) String);

impl Difference {
    /// The line lacks the fields of its file, or has others.
    pub(crate) fn of_form(error: &serde_json::Error) -> Difference {
        Difference(format!("not a line of this file: {error}"))
    }

    /// A name that means nothing in this game.
    pub(crate) fn unknown(what: &str, value: impl Debug) -> Difference {
        Difference(format!("no {what} {value:?}"))
    }

    /// Something that the line has too little of, or that the game lacks at that point.
    pub(crate) fn missing(what: &str) -> Difference {
        Difference(format!("no {what}"))
    }

    /// The rules refuse a position or an action of the line.
    pub(crate) fn refused(why: impl Display) -> Difference {
        Difference(format!("refused: {why}"))
    }

    /// The same in one turn of a game, from 1.
    pub(crate) fn in_turn(self, turn: usize) -> Difference {
        Difference(format!("turn {turn}: {self}"))
    }
}

pub(crate) fn expect<T: PartialEq + Debug>(what: &str, wanted: T, got: T) -> Result<(), Difference> {
    if wanted == got { Ok(()) } else { Err(Difference(format!("{what}: wanted {wanted:?}, got {got:?}"))) }
}
