//! The result of a verification. Codes never change their meaning.

use arena_ledger::{Flaw, Incomplete};
use arena_rules::Seat;
use serde::{Serialize, Serializer};

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

/// The first point where recomputing differs from the files.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Difference {
    /// The file's path within the folder, and the line in files whose lines are numbered.
    #[serde(skip)]
    pub file: String,
    /// The game's number in the schedule.
    pub game: Option<usize>,
    /// The turn, from 1.
    pub turn: Option<usize>,
    /// The seat concerned.
    #[serde(serialize_with = "number")]
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

fn number<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    seat.map(|seat| seat.0).serialize(serializer)
}
