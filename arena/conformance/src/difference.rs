//! Why this implementation disagrees with a line of vectors.

use std::error::Error;
use std::fmt::Debug;

/// Why this implementation disagrees with a line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Difference {
    /// The line lacks the fields of its file, or has others.
    #[error("not a line of this file: {0}")]
    Line(#[from] serde_json::Error),
    /// A name that means nothing in this game.
    #[error("no {what} {value}")]
    Unknown { what: &'static str, value: String },
    /// Something that the line has too little of, or that the game lacks at that point.
    #[error("no {0}")]
    Missing(&'static str),
    /// A value that is different here.
    #[error("{what}: wanted {wanted}, got {got}")]
    Value { what: String, wanted: String, got: String },
    /// The rules refuse a position or an action of the line.
    #[error("refused: {0}")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// The machine failed, which says nothing about the line.
    #[error("{0}")]
    Failed(String),
    /// A difference in one turn of a game, from 1.
    #[error("turn {turn}: {difference}")]
    Turn { turn: usize, difference: Box<Difference> },
}

impl Difference {
    pub(crate) fn unknown(what: &'static str, value: impl Debug) -> Difference {
        Difference::Unknown { what, value: format!("{value:?}") }
    }

    pub(crate) fn refused(why: impl Error + Send + Sync + 'static) -> Difference {
        Difference::Refused(why.into())
    }

    pub(crate) fn in_turn(self, turn: usize) -> Difference {
        Difference::Turn { turn, difference: self.into() }
    }
}

pub(crate) fn expect<T: PartialEq + Debug>(what: &str, wanted: T, got: T) -> Result<(), Difference> {
    if wanted == got {
        return Ok(());
    }
    Err(Difference::Value { what: what.into(), wanted: format!("{wanted:?}"), got: format!("{got:?}") })
}
