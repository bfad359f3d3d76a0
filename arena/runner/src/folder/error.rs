//! Why a tournament cannot be started, resumed or finished.

use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use arena_baselines::UnknownOpponent;
use arena_ledger::{ChangeError, FORM, JournalError, ManifestError, Misfit, PlanError};
use arena_record::EntrantId;
use arena_released::Released;
use arena_sandbox::Refusal;
use arena_scripts::BundleError;
use arena_tournaments::DefinitionError;
use arena_worker::WorkerError;

use crate::GameError;
use crate::journal::AppendError;

/// Why a tournament cannot be started, resumed or finished.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {path}")]
    Io {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The folder contains other files.
    #[error("{0} is not empty and is not a tournament: choose another folder with --out")]
    Occupied(PathBuf),
    /// The folder contains no tournament to resume.
    #[error(
        "no tournament has started in {0}: start one with `arena tournament run DEFINITION.toml --out` and this folder"
    )]
    NotStarted(PathBuf),
    /// The folder contains another tournament.
    #[error("{0} holds a tournament of another definition: choose another folder with --out, or remove this one")]
    OtherDefinition(PathBuf),
    /// The folder was started by a release that used another form.
    #[error(
        "{path} was started in the form {theirs:?}, and this release reads {FORM:?}: use the release that started it, {build:?}"
    )]
    OtherForm {
        /// The folder.
        path: PathBuf,
        /// Its form.
        theirs: String,
        /// The build that started it.
        build: String,
    },
    /// The folder was started by a release with other semantics, whose results are not comparable.
    #[error(
        "{path} was started under semantics {theirs:.16}... by {build:?}; this release has {ours:.16}... and would give other results"
    )]
    OtherSemantics {
        /// The folder.
        path: PathBuf,
        /// Its semantics id.
        theirs: String,
        /// Our semantics id.
        ours: String,
        /// The build that started it.
        build: String,
    },
    /// A file in the folder was changed or damaged.
    #[error("{path} is damaged: {why}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Damage,
    },
    /// An entrant's file is not a bot.
    #[error("the entrant {name:?} is refused ({code}): {refusal}", code = refusal.code)]
    Refused {
        /// The entrant's name.
        name: String,
        /// The reason.
        refusal: Refusal,
    },
    /// An entrant's bot could not be checked because a worker failed.
    #[error("the bot of entrant {name:?} could not be checked; run the same command again")]
    Worker {
        /// The entrant's name.
        name: String,
        /// The worker's error.
        source: WorkerError,
    },
    /// An entrant's file cannot be read.
    #[error(
        "cannot read the bot of entrant {name:?}, {path}: build it first, or correct `file` in the definition, which is relative to \
         the definition's folder"
    )]
    MissingBot {
        /// The entrant's name.
        name: String,
        /// Its file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The script of an entrant cannot be bundled.
    #[error("cannot bundle the script of entrant {name:?}, {path} (hint: {})", source.hint())]
    NotBundled {
        /// The entrant's name.
        name: String,
        /// Its file.
        path: PathBuf,
        /// Why.
        source: BundleError,
    },
    /// An entrant is not a bot of the gallery.
    #[error("there is no bot {name:?} of the gallery in {ruleset}; there are {}", released(ruleset))]
    NotInGallery {
        /// Its name.
        name: String,
        /// The game.
        ruleset: String,
    },
    /// An entrant is not a built-in opponent.
    #[error(transparent)]
    Baseline(#[from] UnknownOpponent),
    /// The definition cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The definition's seed does not follow from its secret and the bots that were found.
    #[error("this definition cannot be started: {0}")]
    Contradicted(ManifestError),
    /// A round must be drawn first.
    #[error(
        "the seed of round {} is not drawn yet: only the site that started this tournament has its secret and can play it on", .0 + 1
    )]
    Undrawn(usize),
    /// The journal cannot be used.
    #[error("the journal of {path} cannot be used")]
    Journal {
        /// The folder.
        path: PathBuf,
        /// The journal's error.
        source: JournalError,
    },
    /// A finished game could not be added to the journal.
    #[error("game {number} cannot be written to the journal of {path}")]
    Append {
        /// The folder.
        path: PathBuf,
        /// The game's number in the schedule.
        number: usize,
        /// The journal's error.
        source: AppendError,
    },
    /// The organiser's change is not possible.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A change could not be added to the journal.
    #[error("the change cannot be written to the journal of {path}")]
    AppendChange {
        /// The folder.
        path: PathBuf,
        /// The journal's error.
        source: AppendError,
    },
    /// A game of another tournament, which was to be reused, is played differently here.
    #[error("{path} has a game {number} that its bots do not play like this; played again, {why}")]
    NotPlayedSo {
        /// The folder.
        path: PathBuf,
        /// The game's number in that schedule.
        number: usize,
        /// The first difference. Escaped.
        why: String,
    },
    /// A game could not be played.
    #[error("game {number} could not be played; run the same command to resume")]
    Game {
        /// Its number in the schedule.
        number: usize,
        /// The game's error.
        source: GameError,
    },
}

/// What is wrong with a file of a tournament.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The manifest is invalid, or does not belong to the definition.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The definition is not the one whose hash is in the manifest.
    #[error("it is not the definition that this tournament was started with")]
    OtherDefinition,
    /// The definition is not UTF-8.
    #[error(transparent)]
    NotText(#[from] FromUtf8Error),
    /// The definition is invalid.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// The manifest names an opponent that this release does not have.
    #[error("{0} is not a built-in opponent of this release")]
    NoOpponent(EntrantId),
    /// A bot's bytes were changed.
    #[error("its bytes do not have the hash that is its name")]
    OtherBytes,
    /// There is a journal without a manifest.
    #[error("the journal has games, but the manifest is missing")]
    NoManifest,
    /// A change in the journal is not possible.
    #[error("line {line}: {why}")]
    Change {
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        why: ChangeError,
    },
    /// A game in the journal does not belong to this tournament.
    #[error("game {number}: {why}")]
    Game {
        /// Its number in the schedule.
        number: usize,
        /// What is wrong with it.
        why: Misfit,
    },
}

impl FolderError {
    /// The build that started the folder, if all that keeps this one from reading it is another form or other
    /// semantics.
    pub fn other_build(&self) -> Option<&str> {
        match self {
            FolderError::OtherForm { build, .. } | FolderError::OtherSemantics { build, .. } => Some(build),
            _ => None,
        }
    }

    /// Whether the same call keeps failing until somebody changes the folder, the definition or a bot. Otherwise the
    /// machine failed, and trying again may help.
    pub fn is_lasting(&self) -> bool {
        match self {
            // A file that a started folder has lost does not come back.
            FolderError::Io { source, .. } => source.kind() == io::ErrorKind::NotFound,
            FolderError::Worker { .. }
            | FolderError::MissingBot { .. }
            | FolderError::NotBundled { .. }
            | FolderError::AppendChange { .. }
            | FolderError::Undrawn(_)
            | FolderError::Game { .. } => false,
            FolderError::Journal { source, .. } => matches!(source, JournalError::Damaged { .. }),
            FolderError::Append { source, .. } => matches!(source, AppendError::TooLong(_)),
            FolderError::Occupied(_)
            | FolderError::NotStarted(_)
            | FolderError::OtherDefinition(_)
            | FolderError::OtherForm { .. }
            | FolderError::OtherSemantics { .. }
            | FolderError::Damaged { .. }
            | FolderError::NotPlayedSo { .. }
            | FolderError::Refused { .. }
            | FolderError::NotInGallery { .. }
            | FolderError::Baseline(_)
            | FolderError::Change(_)
            | FolderError::Plan(_)
            | FolderError::Contradicted(_) => true,
        }
    }
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError + use<> {
    let path = path.into();
    move |source| FolderError::Io { action, path, source }
}

pub(super) fn damaged<W: Into<Damage>>(path: &Path) -> impl FnOnce(W) -> FolderError + use<W> {
    let path = path.into();
    move |why| FolderError::Damaged { path, why: why.into() }
}

fn released(ruleset: &str) -> String {
    Released::of(ruleset).map(|bot| bot.name).collect::<Vec<_>>().join(", ")
}
