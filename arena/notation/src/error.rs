//! Why a text is not a game, or not a turn.

use arena_record::{ParseEntrantIdError, ParseHexError, RECORD_BYTES_MAX};
use arena_referee::{Divergence, Refused};
use arena_rules::conquerors::Position;
use arena_wire::Protocol as _;

use crate::NOTATION_BYTES_MAX;

/// Why a text is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseGameError {
    /// The text is longer than any game, in bytes.
    #[error("a game has at most {NOTATION_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// The game's record would be longer than any that is read, in bytes.
    #[error(
        "the record of this game would have {0} bytes, and at most {RECORD_BYTES_MAX} are read: say less in its tags"
    )]
    RecordTooLong(usize),
    /// A line is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// The game does not end. Holds the number of its turns.
    #[error("the game is not over after turn {0}: play it to its end, or say who gave up in a Forfeit tag")]
    NotOver(usize),
    /// Turns follow after the end of the game.
    #[error("line {line}: the game is over after turn {turns}")]
    Over {
        /// The line, from 1.
        line: usize,
        /// Turns until the end.
        turns: usize,
    },
    /// The text states another result or digest than the rules derive.
    #[error("the {tag} tag says {written:?}, and the rules say {derived:?}")]
    Derived {
        /// The tag.
        tag: &'static str,
        /// What the text states.
        written: String,
        /// What the rules derive.
        derived: String,
    },
    /// The forfeits cannot have happened in this game.
    #[error(transparent)]
    Divergence(#[from] Divergence),
}

/// What is wrong with a line, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem {
    /// It begins like a tag but is not one.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// The tag is already on an earlier line.
    #[error("the tag {0} appears twice")]
    Twice(String),
    /// There is no tag of this name.
    #[error("there is no tag {0}")]
    UnknownTag(String),
    /// This tag takes exactly one value.
    #[error("the tag {0} has one value")]
    OneValue(&'static str),
    /// The tag cannot have this value.
    #[error("{value:?} is not a value of the tag {tag}")]
    Value {
        /// The tag.
        tag: &'static str,
        /// Its value.
        value: String,
    },
    /// The game has no such options, or they are not in their one form, such as an opening's cells in another order.
    #[error("{0:?} is not a value of the tag Options: {help}", help = Position::options_help())]
    Options(String),
    /// The tag of a player has unsuitable values.
    #[error("the tag {0} has an entrant, the fuel of its start and a digest")]
    Player(&'static str),
    /// The fuel of a start is not a number.
    #[error("the fuel of a start is a number or -")]
    StartFuel,
    /// A value is not an entrant.
    #[error(transparent)]
    Entrant(#[from] ParseEntrantIdError),
    /// A value is not a digest.
    #[error(transparent)]
    Digest(#[from] ParseHexError),
    /// The values are not a forfeit.
    #[error(
        "a forfeit is written [Forfeit \"blue\" \"3\" \"resigned\" \"in words\"]: who, in which turn from 1 or \"start\", a \
         code of FORMAT.md, and anything"
    )]
    Forfeit,
    /// The number of a round stands before a turn of another round or of red.
    #[error("{written}. is not here: it is {mover}'s turn in round {round}")]
    Round {
        /// The number.
        written: String,
        /// The colour whose turn it is.
        mover: &'static str,
        /// The round.
        round: u8,
    },
    /// What follows `@` is not the fuel of a turn.
    #[error("{fuel:?} is not an amount of fuel: {word}")]
    Fuel {
        /// The text in place of the number.
        fuel: String,
        /// The word that holds it.
        word: String,
    },
    /// A word is not a turn.
    #[error(transparent)]
    Turn(#[from] ParseTurnError),
    /// The rules refuse the turn.
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

/// Why a text is not a turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseTurnError {
    /// It names no cell.
    #[error(
        "{0:?} is not a cell: write the row as a letter a to z from the top and the column as a number 0 to 27, like m3"
    )]
    Cell(String),
    /// There is no such kind of turn.
    #[error("{0:?} is not a turn: write cells joined by commas, `*` and a cell for the bomb, `skip` or `pass`")]
    Turn(String),
}
