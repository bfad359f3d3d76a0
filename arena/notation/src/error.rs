//! Why a text is no game, or no turn.

use arena_record::{ParseEntrantIdError, ParseHexError, RECORD_BYTES_MAX};
use arena_referee::{Divergence, Refused};

use crate::NOTATION_BYTES_MAX;

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseGameError {
    /// Longer than any game.
    #[error("a game has at most {NOTATION_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// A game whose record nobody would read.
    #[error(
        "the record of this game would have {0} bytes, and at most {RECORD_BYTES_MAX} are read: say less in its tags"
    )]
    RecordTooLong(usize),
    /// Something on a line.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// No end.
    #[error("the game is not over after turn {0}: play it to its end, or say who gave up in a Forfeit tag")]
    NotOver(usize),
    /// Turns after the end.
    #[error("line {line}: the game is over after turn {turns}")]
    Over {
        /// The line, from 1.
        line: usize,
        /// Turns until the end.
        turns: usize,
    },
    /// The text says another result or digest than the rules.
    #[error("the {tag} tag says {written:?}, and the rules say {derived:?}")]
    Derived {
        /// The tag.
        tag: &'static str,
        /// What it says.
        written: String,
        /// What follows from the turns.
        derived: String,
    },
    /// Forfeits that cannot have happened so.
    #[error(transparent)]
    Divergence(#[from] Divergence),
}

/// What is wrong with a line, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem {
    /// It begins like a tag and is none.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A tag that stands on an earlier line.
    #[error("the tag {0} appears twice")]
    Twice(String),
    /// A name that no tag has.
    #[error("there is no tag {0}")]
    UnknownTag(String),
    /// A tag that has one value, with another number of them.
    #[error("the tag {0} has one value")]
    OneValue(&'static str),
    /// A value that the tag cannot have.
    #[error("{value:?} is not a value of the tag {tag}")]
    Value {
        /// The tag.
        tag: &'static str,
        /// Its value.
        value: String,
    },
    /// A tag of a player with other values.
    #[error("the tag {0} has an entrant, the fuel of its start and a digest")]
    Player(&'static str),
    /// No fuel of a start.
    #[error("the fuel of a start is a number or -")]
    StartFuel,
    /// No entrant.
    #[error(transparent)]
    Entrant(#[from] ParseEntrantIdError),
    /// No digest.
    #[error(transparent)]
    Digest(#[from] ParseHexError),
    /// No forfeit.
    #[error(
        "a forfeit is written [Forfeit \"blue\" \"3\" \"resigned\" \"in words\"]: who, in which turn from 1 or \"start\", a \
         code of FORMAT.md, and anything"
    )]
    Forfeit,
    /// The number of a round where another turn is played.
    #[error("{written}. is not here: it is {mover}'s turn in round {round}")]
    Round {
        /// The number.
        written: String,
        /// The colour whose turn it is.
        mover: &'static str,
        /// The round.
        round: u8,
    },
    /// No fuel of a turn.
    #[error("{fuel:?} is not an amount of fuel: {word}")]
    Fuel {
        /// What should be a number.
        fuel: String,
        /// The word that it is in.
        word: String,
    },
    /// No turn.
    #[error(transparent)]
    Turn(#[from] ParseTurnError),
    /// A turn that the rules refuse.
    #[error("{mover} cannot play {turn}: {refused}")]
    Refused {
        /// The colour whose turn it is.
        mover: &'static str,
        /// The turn as it is written.
        turn: String,
        /// Why the rules refuse it.
        refused: Refused,
    },
}

/// A text that is no turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseTurnError {
    /// A name that is no cell's.
    #[error(
        "{0:?} is not a cell: write the row as a letter a to z from the top and the column as a number 0 to 27, like m3"
    )]
    Cell(String),
    /// No kind of turn.
    #[error("{0:?} is not a turn: write cells joined by commas, `*` and a cell for the bomb, `skip` or `pass`")]
    Turn(String),
}
