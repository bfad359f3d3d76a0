//! Plays games and tournaments: on threads, with bots from files, into folders.
//!
//! [`Contender`] is a player that can be seated; [`Named`] is one that comes with the arena. A [`Host`] runs bots and
//! plays one game. [`Folder`] is a tournament on disk: started once, played by any number of threads, interrupted at
//! any moment and resumed. An [`Archive`] has the records of a finished one, a [`Survey`] reads any. [`verify_folder`]
//! and [`verify_record`] recompute what a folder or record claims. [`debug`] asks a bot in the middle of a recorded
//! game. The command line and the service use the same code, so their results are the same bytes.
//!
//! ```
//! use arena_record::Budgets;
//! use arena_rules::BySeat;
//! use arena_runner::{Contender, Host, InProcess, GameTerms};
//! use arena_sandbox::Sandbox;
//! use arena_worker::Wall;
//!
//! let easy = Contender::baseline("conquerors@2", "easy")?;
//! let terms = GameTerms::new("conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
//! let host = InProcess::new(Sandbox::new()?);
//! let played = host.play(&terms.game([7; 32], &BySeat::from([&easy, &easy])))?;
//! let record = played.ended.into_record().map_err(|_| "void")?;
//! assert_eq!(arena_referee::check(&record), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What this crate deliberately is not: it prints nothing and parses no arguments.

mod archive;
mod contender;
mod folder;
mod functions;
mod host;
mod journal;
mod limits;
mod named;
mod ordered;
mod profile;
mod qualify;
mod rerun;
mod results;
mod terms;
#[cfg(test)]
mod testing;
mod usage;
mod verify;
mod world;

pub mod debug;

pub use arena_ledger::{
    CHANGES_MAX, Change, ChangeError, ChangeKind, Ended, GAMES_MAX, JOURNAL_BYTES_MAX, JournalError, LineError,
    ManifestError, Misfit, PlanError, REASON_CHARS_MAX, VoidGame, has_other_line_ends, layout, line, opponent_digests,
    parts, semantics_id,
};

pub use archive::{Archive, ArchiveError};
pub use arena_assembler::{self as assembler, AssembleError, SourceText, assemble};
pub use contender::{Contender, ContenderPlayer};
pub use folder::{
    Changed, Damage, Folder, FolderError, Played, Progress, Proof, SOURCES_MAX, ShownEntrant, Sight, Survey,
    semantics_of, shown_entrants,
};
pub use functions::{FunctionUse, costliest, costliest_functions, folded_stacks, function_name, plain};
pub use host::{Finished, Fixture, GameError, Host, InProcess, LoadError, Workers};
pub use journal::AppendError;
pub use limits::{PROFILE_POINTS, limits};
pub use named::{Named, UnknownName};
pub use ordered::{as_they_come, in_order};
pub use profile::{Profile, Stack, functions_used, profile};
pub use qualify::{Qualification, QualifyError, SAMPLE_SENTENCES, Sample, error_line, qualify, sample_fuel_max};
pub use rerun::play_once_more;
pub use terms::{GameTerms, build_id};
pub use usage::{Call, SampleGame, Spread};
pub use verify::{
    BotFolder, Coverage, Depth, Difference, Finding, Flaw, Incomplete, NotConfirmed, OtherEnd, SeedOrigin, Verified,
    VerifyError, verify_folder, verify_game, verify_record,
};
pub use world::{FindBot, UnfitForWorlds, WorldBots, fit_for_worlds, world_budgets, world_start_fuel_max};
