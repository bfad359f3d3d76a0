//! Does recomputing give the same? Of a tournament's folder, or of the record of one game.
//!
//! Nothing in a folder is believed: what can be derived is derived again and compared byte by byte, what cannot carries a
//! hash or a checksum, and every other file is named. Layers go from cheap to dear: names, manifest, definition, bots by
//! their hashes, journal line by line, results against the fold of the journal, and then every game from its header and the
//! bots' bytes, which are compiled here.

mod compare;
mod files;
mod folder;
mod game;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;

use arena_record::EntrantId;
use arena_rules::Seat;
use arena_worker::WorkerError;

use crate::{FolderError, TableError};

pub use folder::verify_folder;
pub use game::{BotFolder, verify_record};

/// Which games of a tournament are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// All of them.
    Everything,
    /// As many, drawn with this seed. The others are replayed by the rules alone.
    Sample {
        /// How many.
        games: usize,
        /// What they are drawn with. Whoever could forge games must not know it before.
        seed: u64,
    },
}

/// What came of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Recomputing gives the same, byte for byte.
    Identical,
    /// Nothing differs, but not everything could be checked; why.
    Incomplete(String),
    /// Recomputing gives something else.
    Differs(Box<Difference>),
    /// A file is missing, strange, unreadable or contradicts another.
    Damaged {
        /// The file, from the folder on. Escaped.
        file: String,
        /// What is wrong with it. Escaped.
        why: String,
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

/// A verification and what it covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What came of it.
    pub verdict: Verdict,
    /// Games of the schedule.
    pub games: usize,
    /// Games played again from their headers and the bots' bytes.
    pub played: usize,
    /// Games replayed by the rules alone.
    pub by_rules: usize,
    /// Games that are void: they count for nobody.
    pub void: usize,
    /// Games of the journal, from which a sample was drawn.
    pub sampled_from: Option<usize>,
    /// Other builds of the same semantics that played a part. Escaped.
    pub other_builds: BTreeSet<String>,
    /// Games that were played again because the machine failed.
    pub platform_faults: u64,
}

impl Verified {
    fn nothing_yet() -> Verified {
        Verified {
            verdict: Verdict::Incomplete("nothing was checked".into()),
            games: 0,
            played: 0,
            by_rules: 0,
            void: 0,
            sampled_from: None,
            other_builds: BTreeSet::new(),
            platform_faults: 0,
        }
    }

    /// The chance that one forged game was not among those played again: `(N - K) / N`.
    pub fn chance_missed(&self) -> f64 {
        let games = self.sampled_from.unwrap_or(self.played);
        if games == 0 { 0.0 } else { (games - self.played.min(games)) as f64 / games as f64 }
    }
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file or folder cannot be read.
    #[error("cannot {action} {path}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is no tournament in the folder.
    #[error("{0} holds no tournament that has started")]
    NoTournament(PathBuf),
    /// A game could not be played again.
    #[error("game {number} could not be played again")]
    Game {
        /// Its number in the schedule.
        number: usize,
        /// Why.
        source: TableError,
    },
    /// A bot could not be compiled: a worker failed.
    #[error("a bot could not be compiled; try again")]
    Worker(#[from] WorkerError),
    /// A bot could not be compiled on this machine, which says nothing of its record.
    #[error("a bot could not be compiled on this machine: {0}")]
    Compile(arena_sandbox::Refusal),
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(FolderError),
    /// A bot that is needed is not there.
    #[error("no file in {folder} has the hash of {id}")]
    NoBot {
        /// Where it was looked for.
        folder: PathBuf,
        /// Whose bytes.
        id: EntrantId,
    },
}

/// Why a layer goes no further.
#[derive(Debug)]
enum Stop {
    Found(Verdict),
    Cannot(VerifyError),
}

impl Stop {
    fn differs(difference: Difference) -> Stop {
        Stop::Found(Verdict::Differs(Box::new(difference)))
    }

    /// `file` is known or escaped; `why` is ours or escaped.
    fn damaged(file: &str, why: impl Into<String>) -> Stop {
        Stop::Found(Verdict::Damaged { file: file.into(), why: why.into() })
    }
}
