//! Does recomputing give the same? Of a tournament's folder, or of the record of one game.
//!
//! Nothing in a folder is believed: what can be derived is derived again and compared byte by byte, what cannot carries a
//! hash or a checksum, and every other file is named. Layers go cheapest first: names, manifest, definition,
//! bots by their hashes, journal line by line, results against the fold of the journal, and then every game from its header
//! and the bots' bytes, which are compiled here, void ones among them.

mod claimed;
mod compare;
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
use arena_worker::WorkerError;

use crate::{ArchiveError, Change, FolderError, GameError, VoidGame, build_id};

pub use finding::{Difference, Finding, Flaw, Incomplete};
pub use folder::verify_folder;
pub use game::{BotFolder, verify_game, verify_record};
pub use seed::SeedOrigin;
pub use void::{NotConfirmed, OtherEnd};

/// Which games of a tournament are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// All of them.
    Everything,
    /// As many, drawn with this seed. The others are replayed by the rules alone.
    Sample {
        /// How many.
        games: usize,
        /// What they are drawn with. Those who could forge games must not know it before.
        seed: u64,
    },
}

/// A verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What came of it.
    pub finding: Finding,
    /// What it covered.
    pub coverage: Coverage,
}

/// What a verification covered, up to where it ended.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Coverage {
    /// Games of the schedule.
    pub games: usize,
    /// Games played again from their headers and the bots' bytes.
    pub played: usize,
    /// Games replayed by the rules alone.
    pub by_rules: usize,
    /// Games that are void: they count for nobody.
    pub void: usize,
    /// Void games that were played again.
    pub void_played: usize,
    /// Where the tournament's seed comes from; `None` for a record.
    pub seed: Option<SeedOrigin>,
    /// Games of the journal, from which a sample was drawn.
    pub sampled_from: Option<usize>,
    /// What the organiser changed, each applied at its round. The reasons are nobody's to judge.
    pub changes: Vec<Change>,
    /// Other builds of the same semantics that played a part. Escaped.
    pub other_builds: BTreeSet<String>,
    /// How often a game was played again because the machine failed.
    pub platform_faults: u64,
}

impl Coverage {
    /// The chance that one forged game was not among those played again: `(N - K) / N`.
    pub fn chance_missed(&self) -> f64 {
        let games = self.sampled_from.unwrap_or(self.played);
        if games == 0 { 0.0 } else { (games - self.played.min(games)) as f64 / games as f64 }
    }

    /// Notes a build that played a part. Returns it, escaped, if it is another.
    fn note_build(&mut self, build: &str) -> Option<String> {
        let other = (build != build_id()).then(|| compare::shown(build));
        self.other_builds.extend(other.clone());
        other
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
        source: GameError,
    },
    /// A game that has a record is void when it is played again.
    #[error("game {number} could not be played again")]
    Void {
        /// Its number in the schedule.
        number: usize,
        /// How.
        source: VoidGame,
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
    /// A tournament has no record of the game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
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
    Found(Finding),
    Cannot(VerifyError),
}

impl Stop {
    fn differs(difference: Difference) -> Stop {
        Stop::Found(Finding::Differs(Box::new(difference)))
    }

    /// `file` is known or escaped.
    fn damaged(file: &str, flaw: Flaw) -> Stop {
        Stop::Found(Finding::Damaged { file: file.into(), flaw })
    }

    /// The content of a file contradicts itself or another; why.
    fn content(file: &str, why: impl ToString) -> Stop {
        Stop::damaged(file, Flaw::Content(compare::shown(&why.to_string())))
    }
}

impl From<VerifyError> for Stop {
    fn from(error: VerifyError) -> Stop {
        Stop::Cannot(error)
    }
}

/// The end of all layers.
fn verified(finding: Result<Finding, Stop>, coverage: Coverage) -> Result<Verified, VerifyError> {
    match finding {
        Ok(finding) | Err(Stop::Found(finding)) => Ok(Verified { finding, coverage }),
        Err(Stop::Cannot(error)) => Err(error),
    }
}
