//! Verification: recomputes a tournament's folder, or the record of one game, and compares. Not here: the formats of
//! what is verified (`journal.rs`, `manifest.rs`, `arena_record`).
//!
//! Nothing in a folder is believed. Whatever can be derived is derived again and compared byte by byte, everything else
//! has a hash or a checksum, and unknown files are reported. The layers go cheapest first: names, manifest, definition,
//! bots by their hashes, journal line by line, results against the fold of the journal, and finally every game, void
//! ones included, from its header and the bots' bytes, which are compiled here.

mod claimed;
mod derived;
mod files;
mod finding;
mod folder;
mod game;
mod replay;
mod seed;
mod void;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use arena_record::EntrantId;
use arena_tournaments::Entrant;
use arena_worker::WorkerError;

use crate::{ArchiveError, Change, FolderError, GameError, VoidGame, build_id};

pub use arena_ledger::{Flaw, Incomplete};
pub use finding::{Difference, Finding};
pub use folder::verify_folder;
pub use game::{BotFolder, verify_game, verify_record};
pub use seed::SeedOrigin;
pub use void::{NotConfirmed, OtherEnd};

/// Which games of a tournament are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// All of them.
    Everything,
    /// This many, drawn with a seed. The others are replayed by the rules alone.
    Sample {
        /// How many.
        games: usize,
        /// The seed. It must be secret until the folder is handed over, or a forger could leave the sampled games
        /// alone.
        seed: u64,
    },
}

/// A completed verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The result.
    pub finding: Finding,
    /// The coverage.
    pub coverage: Coverage,
}

/// What a verification covered before it ended.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Coverage {
    /// Games of the schedule.
    pub games: usize,
    /// Games played again from their headers and the bots' bytes.
    pub played: usize,
    /// Games replayed by the rules alone.
    pub by_rules: usize,
    /// Void games, which count for nobody.
    pub void: usize,
    /// Void games that were played again.
    pub void_played: usize,
    /// The origin of the tournament's seed; `None` for a record.
    pub seed: Option<SeedOrigin>,
    /// Games of the journal from which a sample was drawn.
    pub sampled_from: Option<usize>,
    /// The organiser's changes, each applied at its round. Their reasons cannot be verified.
    pub changes: Vec<Change>,
    /// Who played, by names that the organiser gave, with the ids that are verified; empty for a record.
    pub entrants: Vec<Entrant>,
    /// Files in the folder that are not the tournament's. They were not read. Escaped.
    pub foreign: Vec<String>,
    /// Other builds with the same semantics that were involved. Escaped.
    pub other_builds: BTreeSet<String>,
    /// How often a game was played again because the machine failed.
    pub platform_faults: u64,
}

impl Coverage {
    /// The probability that a single forged game was not among those played again: `(N - K) / N`.
    pub fn chance_missed(&self) -> f64 {
        let games = self.sampled_from.unwrap_or(self.played);
        if games == 0 { 0.0 } else { (games - self.played.min(games)) as f64 / games as f64 }
    }

    /// Notes a build that was involved. Returns it, escaped, if it is another one.
    fn note_build(&mut self, build: &str) -> Option<String> {
        let other = (build != build_id()).then(|| arena_referee::compare::shown(build));
        self.other_builds.extend(other.clone());
        other
    }
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file or folder cannot be read.
    #[error("cannot {action} {path}")]
    Io {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
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
        /// The game's error.
        source: GameError,
    },
    /// A game with a record is void when played again.
    #[error("game {number} could not be played again")]
    Void {
        /// Its number in the schedule.
        number: usize,
        /// The void game.
        source: VoidGame,
    },
    /// A bot could not be compiled because a worker failed.
    #[error("a bot could not be compiled; try again")]
    Worker(#[from] WorkerError),
    /// A bot could not be compiled on this machine, which says nothing about its record.
    #[error("a bot could not be compiled on this machine: {0}")]
    Compile(arena_sandbox::Refusal),
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(FolderError),
    /// A tournament has no record of the game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A needed bot is missing.
    #[error("no file in {folder} has the hash of {id}")]
    NoBot {
        /// The folder that was searched.
        folder: PathBuf,
        /// Its id.
        id: EntrantId,
    },
}

/// Why the layers stop here.
#[derive(Debug)]
enum Stop {
    Found(Finding),
    Cannot(VerifyError),
}

impl Stop {
    fn differs(difference: Difference) -> Stop {
        Stop::Found(Finding::Differs(Box::new(difference)))
    }

    /// Damage of a file, whose name is known or escaped.
    fn damaged(file: &str, flaw: Flaw) -> Stop {
        Stop::Found(Finding::Damaged { file: file.into(), flaw })
    }

    /// The content of a file is invalid or contradicts another; with the reason.
    fn content(file: &str, why: impl ToString) -> Stop {
        Stop::damaged(file, Flaw::Content(arena_referee::compare::shown(&why.to_string())))
    }
}

impl From<VerifyError> for Stop {
    fn from(error: VerifyError) -> Stop {
        Stop::Cannot(error)
    }
}

/// The verification after all layers.
fn verified(finding: Result<Finding, Stop>, coverage: Coverage) -> Result<Verified, VerifyError> {
    match finding {
        Ok(finding) | Err(Stop::Found(finding)) => Ok(Verified { finding, coverage }),
        Err(Stop::Cannot(error)) => Err(error),
    }
}
