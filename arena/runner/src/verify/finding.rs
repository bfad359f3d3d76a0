//! The result of a verification. Codes never change their meaning.

use std::fmt;

use arena_ledger::layout::{RESULTS_NEW, RESULTS_OLD};
use arena_limits::counted;
use arena_rules::Seat;

use super::void::NotConfirmed;

/// The result of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Recomputing gives the same, byte for byte.
    Identical,
    /// Nothing differs in the sampled games, nor in what follows from all games; the other games were replayed by the
    /// rules alone.
    Sampled,
    /// Nothing differs, but not everything could be checked.
    Incomplete(Incomplete),
    /// Nothing differs, except that games which are void in the journal are not void here.
    NotConfirmed(Box<NotConfirmed>),
    /// Recomputing gives a different result.
    Differs(Box<Difference>),
    /// A file is missing or unreadable, or contradicts another.
    Damaged {
        /// The file's path within the folder. Escaped.
        file: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// The line ends of a text were changed, as git and some editors do, so no byte can be compared.
    LineEnds {
        /// Its path within the folder. Escaped.
        file: String,
    },
    /// The folder has a form that this release cannot read.
    OtherForm {
        /// Its form. Escaped.
        theirs: String,
        /// The release and engine that wrote it. Escaped.
        build: String,
    },
    /// The games were played under other semantics, so results are not comparable.
    OtherSemantics {
        /// Its semantics id. Escaped.
        theirs: String,
        /// Our semantics id.
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
            Finding::LineEnds { .. } => "line_ends",
            Finding::OtherForm { .. } => "other_form",
            Finding::OtherSemantics { .. } => "other_semantics",
        }
    }
}

/// Why not everything could be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomplete {
    /// Games of the schedule are not in the journal.
    #[error("the tournament is not finished: {played} of {} played", counted(*total, "game"))]
    Unfinished {
        /// Games that are in the journal.
        played: usize,
        /// Games of the schedule.
        total: usize,
    },
    /// All games are played, but there are no results.
    #[error("every game is played, but there are no results: `arena tournament resume` writes them")]
    NoResults,
    /// A run that was killed left unfinished results behind.
    #[error("{} in {RESULTS_NEW} or {RESULTS_OLD}, left over from a killed run, cannot be verified", counted(*files, "file"))]
    Leftovers {
        /// Their number.
        files: usize,
    },
    /// There are files that are not the tournament's.
    #[error("files that are not the tournament's were not looked at: {files}")]
    Foreign {
        /// Their number.
        files: usize,
    },
    /// The previous tournament made no commitment.
    #[error("the tournament before it committed to no secret, so the author of the draw may have chosen the seed")]
    NoCommitment,
    /// The bots of a record are missing.
    #[error("replayed by the rules alone: without the bots' files their choices could not be checked")]
    NoBots,
    /// The record has only people in it.
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
            Incomplete::Foreign { .. } => "foreign",
            Incomplete::NoCommitment => "no_commitment",
            Incomplete::NoBots => "no_bots",
            Incomplete::Persons => "persons",
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// It is missing.
    #[error("it is missing")]
    Missing,
    /// It is a link, a pipe, a device, or a folder nested too deeply.
    #[error("it is not a file: a link, a pipe, a device, or a folder")]
    NotAFile,
    /// The folder has more files than a tournament can have.
    #[error("it has more files than any tournament")]
    TooMany,
    /// It is longer than allowed.
    #[error("it is longer than it can be")]
    TooLong,
    /// It is not UTF-8.
    #[error("it is not text")]
    NotText,
    /// It has the right content in another spelling.
    #[error("it is not in its canonical encoding")]
    Spelling,
    /// Another file names it by a different hash.
    #[error("it does not have the hash that the manifest names")]
    OtherHash,
    /// Its content is invalid, or contradicts other files; with the reason. Escaped.
    #[error("{0}")]
    Content(String),
}

impl Flaw {
    /// Its code.
    pub fn code(&self) -> &'static str {
        match self {
            Flaw::Missing => "missing",
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

/// The first point where recomputing differs from the files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The file's path within the folder, and the line in files whose lines are numbered.
    pub file: String,
    /// The game's number in the schedule.
    pub game: Option<usize>,
    /// The turn, from 1.
    pub turn: Option<usize>,
    /// The seat concerned.
    pub seat: Option<Seat>,
    /// What differs.
    pub what: String,
    /// The recomputed value. Escaped.
    pub expected: String,
    /// The value in the file. Escaped.
    pub found: String,
    /// The build that played the game, if not this one. Between builds only stack overflows may differ. Escaped.
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
