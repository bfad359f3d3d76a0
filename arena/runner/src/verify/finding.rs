//! What came of a verification. Codes never change their meaning.

use std::fmt;

use arena_rules::Seat;

use super::void::NotConfirmed;
use crate::layout::{RESULTS_NEW, RESULTS_OLD};

/// What came of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Recomputing gives the same, byte for byte.
    Identical,
    /// Nothing differs in the games that were drawn, nor in what follows from all of them; the others were replayed by the rules
    /// alone.
    Sampled,
    /// Nothing differs, but not everything could be checked.
    Incomplete(Incomplete),
    /// Nothing differs, but games that are void in the journal are not so here.
    NotConfirmed(Box<NotConfirmed>),
    /// Recomputing gives something else.
    Differs(Box<Difference>),
    /// A file is missing, strange, unreadable or contradicts another.
    Damaged {
        /// The file, from the folder on. Escaped.
        file: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// Written in a form that this release does not read.
    OtherForm {
        /// Their form. Escaped.
        theirs: String,
        /// The release and engine that wrote it. Escaped.
        build: String,
    },
    /// Played under other semantics: results are not comparable.
    OtherSemantics {
        /// The id of theirs. Escaped.
        theirs: String,
        /// The id of ours.
        ours: String,
        /// The release and engine that played. Escaped.
        build: String,
    },
}

impl Finding {
    /// Its code.
    pub fn code(&self) -> &'static str {
        match self {
            Finding::Identical => "identical",
            Finding::Sampled => "sampled",
            Finding::Incomplete(_) => "incomplete",
            Finding::NotConfirmed(_) => "void_not_confirmed",
            Finding::Differs(_) => "differs",
            Finding::Damaged { .. } => "damaged",
            Finding::OtherForm { .. } => "other_form",
            Finding::OtherSemantics { .. } => "other_semantics",
        }
    }
}

/// Why not everything could be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomplete {
    /// Games of the schedule are not in the journal.
    #[error("the tournament is not finished: {played} of {total} games are played")]
    Unfinished {
        /// Games that are.
        played: usize,
        /// Games of the schedule.
        total: usize,
    },
    /// All games are played, and there are no results.
    #[error("the tournament is not finished: its results are not written")]
    NoResults,
    /// A run that was killed has left results that it was writing.
    #[error("{files} files in {RESULTS_NEW} or {RESULTS_OLD} are left over from a killed run, and cannot be verified")]
    Leftovers {
        /// How many.
        files: usize,
    },
    /// The tournament before committed to nothing.
    #[error("the tournament before it committed to no secret, so the author of the draw may have chosen the seed")]
    NoCommitment,
    /// The bots of a record are not there.
    #[error("replayed by the rules alone: whether its bots choose these actions is not known without their bytes")]
    NoBots,
    /// Only people played a record.
    #[error("replayed by the rules alone: people played it, and their turns cannot be recomputed")]
    Persons,
}

impl Incomplete {
    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Incomplete::Unfinished { .. } => "unfinished",
            Incomplete::NoResults => "no_results",
            Incomplete::Leftovers { .. } => "leftovers",
            Incomplete::NoCommitment => "no_commitment",
            Incomplete::NoBots => "no_bots",
            Incomplete::Persons => "persons",
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// It must be there.
    #[error("it is missing")]
    Missing,
    /// It must not be there.
    #[error("no tournament has a file of this name")]
    Unknown,
    /// A link, a pipe, a device, or a folder in too many others.
    #[error("it is no file of a tournament: a link, or too deep")]
    NotAFile,
    /// The folder has more files than a tournament can have.
    #[error("it has more files than any tournament")]
    TooMany,
    /// It has more bytes than it can have.
    #[error("it is longer than it can be")]
    TooLong,
    /// It is not UTF-8.
    #[error("it is not text")]
    NotText,
    /// It says what it should in other bytes.
    #[error("it is not in its canonical encoding")]
    Spelling,
    /// It is not the file that another one names by its hash.
    #[error("it does not have the hash that the manifest names")]
    OtherHash,
    /// What it says makes no sense, or contradicts other files; why. Escaped.
    #[error("{0}")]
    Content(String),
}

impl Flaw {
    /// Its code.
    pub fn code(&self) -> &'static str {
        match self {
            Flaw::Missing => "missing",
            Flaw::Unknown => "unknown",
            Flaw::NotAFile => "not_a_file",
            Flaw::TooMany => "too_many",
            Flaw::TooLong => "too_long",
            Flaw::NotText => "not_text",
            Flaw::Spelling => "spelling",
            Flaw::OtherHash => "other_hash",
            Flaw::Content(_) => "content",
        }
    }
}

/// The first point where recomputing and the files part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The file, from the folder on, and its line where it has lines that count.
    pub file: String,
    /// The game's number in the schedule.
    pub game: Option<usize>,
    /// The turn, from 1.
    pub turn: Option<usize>,
    /// Whose doing it is.
    pub seat: Option<Seat>,
    /// What differs.
    pub what: String,
    /// What recomputing gives. Escaped.
    pub expected: String,
    /// What the file says. Escaped.
    pub found: String,
    /// The other build that played the game, where it was another. Between builds only a stack overflow may differ. Escaped.
    pub build: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(turn) = self.turn {
            write!(f, ", turn {turn}")?;
        }
        if let Some(seat) = self.seat {
            write!(f, ", {seat}")?;
        }
        write!(f, ": {} differs: expected {}, found {}", self.what, self.expected, self.found)
    }
}
