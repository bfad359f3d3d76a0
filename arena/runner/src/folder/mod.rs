//! A tournament on disk. Not here: which games there are (`plan.rs`, `course.rs`) and where they are played (`host`).
//!
//! ```text
//! definition.toml    what was asked for, with all defaults written out
//! entrants/          the bots' bytes, each file named by its SHA-256
//! manifest.json      who plays, frozen, with a checksum: written last, so a folder with one has started
//! journal            finished games with their records, as they finished, and what the organiser changed (see `Journal`)
//! index              where in the journal each game is that counts, by its number in the schedule (see `Archive`)
//! results/           derived from the games in schedule order: the same bytes whatever the threads or restarts
//!   standings.json  standings.csv  standings.txt
//!   games.csv                       an index of all games
//!   fairness.json  fairness.txt     what the first seat was worth, who sat where, seeds, forfeits, repeated games
//!   crosstable.svg  ratings.svg     the standings as pictures; in a field scores.svg; no ratings of two
//!   seed.json       what the seed was drawn from, if it was drawn
//! ```

mod changing;
mod error;
mod freezing;
mod reuse;
mod revert;
mod round;
mod shown;
mod start;
mod survey;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_files::{read_at_most, sync_folder, write_durably};
use arena_ledger::{
    Course, JournalError, Journalled, MANIFEST_BYTES_MAX, Manifest, ManifestError, Misfit, Plan, Summary, Wrong,
    change, index_text, journalled,
};
use arena_record::{Hex, Record};
use arena_tournaments::{Definition, Draw, Entrant, Leave, Standings, limits};

use crate::journal::{Journal, OnDisk};
use crate::{Contender, Ended, Host, build_id, layout, results, semantics_id};

use changing::sweep;
use error::{damaged, io_error};
use freezing::Bots;
use reuse::Known;

pub use error::{Damage, FolderError};
pub use freezing::Changed;
pub use reuse::{Proof, SOURCES_MAX};
pub use shown::{ShownEntrant, semantics_of, shown_entrants};
pub use survey::Survey;
pub use view::Sight;

pub(crate) use freezing::Frozen;

/// A tournament that has started.
pub struct Folder {
    path: PathBuf,
    /// The hash that the first change must contain.
    start: Hex<32>,
    definition: Definition,
    build: String,
    plan: Plan,
    frozen: Frozen,
    host: Arc<dyn Host>,
    journal: Journal,
    course: Course,
    platform_faults: u64,
    /// Games of other tournaments that may be reused.
    known: Known,
    taken: usize,
    begins: Option<Begins>,
    /// Entrants whose games begin before the others.
    first: BTreeSet<usize>,
}

/// Called when a game begins, with its number in the schedule.
type Begins = Box<dyn Fn(usize) + Send + Sync>;

/// The progress of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games that need not be played any more: they have ended, or one of their entrants is quarantined.
    pub played: usize,
    /// Games of the tournament; while later games depend on earlier ones, the maximum.
    pub total: usize,
}

/// A finished tournament.
pub struct Played {
    /// The final standings.
    pub standings: Standings,
    /// Games of the schedule. Each was played, or is void as the standings say.
    pub games: usize,
    /// Games that were played again because the machine failed, in this run.
    pub platform_faults: u64,
    /// Games that were reused from other tournaments in this run.
    pub taken: usize,
}

impl Folder {
    /// Starts the tournament of `definition` in the folder `path`, or resumes it if it has started. Files of bots are
    /// relative to `base`. Also returns the bots whose files have changed since the start.
    ///
    /// # Errors
    /// When an entrant is not playable, or the folder contains something else.
    pub fn open(
        path: &Path,
        definition: &Definition,
        base: &Path,
        host: &Arc<dyn Host>,
    ) -> Result<(Folder, Vec<Changed>), FolderError> {
        let manifest = started(path, definition, Bots::Files(base), &**host)?;
        let changed = freezing::changed(definition, &manifest, base);
        Ok((Folder::load(path, definition, &manifest, host, by_the_rules)?, changed))
    }

    /// Like [`Folder::open`], for bots that are not in files: `bots` has their bytes, by the file names in the
    /// definition.
    ///
    /// # Errors
    /// As [`Folder::open`]; a bot without bytes is missing.
    pub fn open_given(
        path: &Path,
        definition: &Definition,
        bots: &BTreeMap<String, Vec<u8>>,
        host: &Arc<dyn Host>,
    ) -> Result<Folder, FolderError> {
        let manifest = started(path, definition, Bots::Given(bots), &**host)?;
        Folder::load(path, definition, &manifest, host, by_the_rules)
    }

    /// Resumes the tournament in the folder `path`, without a definition.
    ///
    /// # Errors
    /// When no tournament has started there, or it cannot be resumed.
    pub fn resume(path: &Path, host: &Arc<dyn Host>) -> Result<(Folder, Definition), FolderError> {
        let (manifest, definition) = defined_in(path)?;
        Ok((Folder::load(path, &definition, &manifest, host, by_the_rules)?, definition))
    }

    /// Opens a finished tournament to show it. Like [`resume`](Folder::resume), but without replaying its games:
    /// whether they follow the rules is for `verify` to check.
    ///
    /// # Errors
    /// As [`resume`](Folder::resume).
    pub fn finished(path: &Path, host: &Arc<dyn Host>) -> Result<Folder, FolderError> {
        let (manifest, definition) = defined_in(path)?;
        Folder::load(path, &definition, &manifest, host, |_| Ok(()))
    }

    fn load(
        path: &Path,
        definition: &Definition,
        manifest: &Manifest,
        host: &Arc<dyn Host>,
        check: fn(&Ended) -> Result<(), Misfit>,
    ) -> Result<Folder, FolderError> {
        // Checked first, so that a folder of another release is not even locked.
        check_semantics(path, manifest)?;
        let journal_error = |source| FolderError::Journal { path: path.into(), source };
        let opened = Journal::locked(&path.join(layout::JOURNAL)).map_err(journal_error)?;
        let Claims { plan, course, journalled: Journalled { places, end, .. } } =
            claims(path, definition, manifest, &opened, check)?;
        let frozen = Frozen::read(path, &plan.entrants, definition)?;
        sweep(path, &plan.entrants)?;
        Ok(Folder {
            path: path.into(),
            start: manifest.hash(),
            definition: definition.clone(),
            build: manifest.build.clone(),
            plan,
            frozen,
            host: host.clone(),
            journal: Journal::after(opened, places, end).map_err(journal_error)?,
            course,
            platform_faults: 0,
            known: Known::default(),
            taken: 0,
            begins: None,
            first: BTreeSet::new(),
        })
    }

    /// Sets a callback for the beginning of each game, with its number in the schedule, on the thread that plays it.
    pub fn on_begin(&mut self, told: impl Fn(usize) + Send + Sync + 'static) {
        self.begins = Some(Box::new(told));
    }

    /// Has the games of these entrants, by their places in the definition, begin before the others: a pair against each
    /// other entrant, then the next pairs. No result depends on the order in which games are played.
    pub fn begin_with(&mut self, entrants: impl IntoIterator<Item = usize>) {
        self.first = entrants.into_iter().collect();
    }

    /// Reuses games of tournaments in other folders: those with equal headers. Each is replayed by the rules; what else
    /// is done about it is up to `proof`.
    ///
    /// # Errors
    /// When one of the folders is not a tournament with this release's semantics, or is damaged. The error names the
    /// folder.
    pub fn reuse(&mut self, folders: &[PathBuf], proof: Proof) -> Result<(), FolderError> {
        self.known = Known::of(folders, proof)?;
        Ok(())
    }

    /// The progress of the tournament.
    pub fn progress(&self) -> Progress {
        Progress { played: self.course.played(), total: self.course.total() }
    }

    /// How many games of each entrant have ended, by its place in the definition.
    pub fn ended_of(&self) -> BTreeMap<usize, usize> {
        self.course.ended_of()
    }

    /// The build that started the tournament.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// The entrants, in the order of the definition.
    pub fn entrants(&self) -> &[Entrant] {
        &self.plan.entrants
    }

    /// What the seed was drawn from, if it was drawn.
    pub fn draw(&self) -> Option<Draw> {
        self.plan.draw
    }

    /// The numbers of the games that count so far, in schedule order.
    pub fn counted(&self) -> impl Iterator<Item = usize> {
        self.course.counted()
    }

    /// The games that count so far, with their numbers, in schedule order. Each is read from the journal on demand.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn records(&self) -> impl Iterator<Item = Result<(usize, Record), FolderError>> {
        let record = |number| match self.journal.game(number) {
            Ok(ended) => ended.and_then(|ended| Some(Ok((number, ended.into_record().ok()?)))),
            Err(source) => Some(Err(FolderError::Journal { path: self.path.clone(), source })),
        };
        self.counted().filter_map(record)
    }

    /// Names of quarantined entrants, each with the number of the first game concerned: their processes died in it, and
    /// again when they ran alone.
    pub fn quarantined(&self) -> impl Iterator<Item = (&str, usize)> {
        let left = self.course.settled.left.iter().filter(|(_, left)| left.why == Leave::Quarantined);
        left.map(|(entrant, left)| (&*self.plan.entrants[*entrant].name, left.from))
    }

    /// The standings after the games played so far.
    pub fn standings(&self) -> Standings {
        self.summary().standings
    }

    fn summary(&self) -> Summary<'_> {
        Summary::of(&self.plan, &self.course)
    }

    /// Plays all games that are not in the journal, on this many threads, and writes the results. Calls `played` after
    /// every game. Stopping the process at any moment loses no finished game, and at most one unfinished game for each
    /// thread.
    ///
    /// # Errors
    /// When a bot cannot be loaded, a game cannot be played or a file cannot be written. Finished games are kept.
    pub fn run(&mut self, threads: usize, mut played: impl FnMut(Progress)) -> Result<Played, FolderError> {
        let ran = self.run_until(threads, |progress| {
            played(progress);
            ControlFlow::<Infallible>::Continue(())
        });
        let ControlFlow::Continue(played) = ran?;
        Ok(played)
    }

    /// Like [`run`](Folder::run), until `played` breaks. Then games in progress are finished and kept, no others begin,
    /// and the results are not written.
    ///
    /// # Errors
    /// As [`run`](Folder::run).
    pub fn run_until<B>(
        &mut self,
        threads: usize,
        mut played: impl FnMut(Progress) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, Played>, FolderError> {
        self.watch_until(threads, |sight| played(sight.progress()))
    }

    /// Like [`run_until`](Folder::run_until), for callers that want to see more than the progress.
    ///
    /// # Errors
    /// As [`run_until`](Folder::run_until).
    pub fn watch_until<B>(
        &mut self,
        threads: usize,
        mut played: impl FnMut(&Sight<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, Played>, FolderError> {
        if let Some(round) = self.course.undrawn {
            return Err(FolderError::Undrawn(round));
        }
        let contenders = if self.course.is_over() { Vec::new() } else { self.contenders()? };
        // Until no more games follow. Some may be left over if a quarantine kept games from being played and was then
        // lifted, because its own game turned out to be void.
        while !self.course.is_over() {
            if let ControlFlow::Break(value) = self.round(&contenders, threads, &mut played)? {
                return Ok(ControlFlow::Break(value));
            }
            if let Some(round) = self.course.undrawn {
                return Err(FolderError::Undrawn(round));
            }
        }
        let summary = self.summary();
        self.write_results(&summary)?;
        let standings = summary.standings;
        let (games, platform_faults, taken) = (self.course.settled.len(), self.platform_faults, self.taken);
        Ok(ControlFlow::Continue(Played { standings, games, platform_faults, taken }))
    }

    fn contenders(&self) -> Result<Vec<Contender>, FolderError> {
        self.frozen.load(&*self.host, self.plan.budgets())
    }

    /// Writes the index, then writes `results/` next to the old one and moves it into place. Files that are right
    /// already stay.
    fn write_results(&self, summary: &Summary<'_>) -> Result<(), FolderError> {
        let [results, fresh, old, file] =
            [layout::RESULTS, layout::RESULTS_NEW, layout::RESULTS_OLD, layout::INDEX].map(|name| self.path.join(name));
        for leftover in [&fresh, &old] {
            if leftover.exists() {
                fs::remove_dir_all(leftover).map_err(io_error("remove", leftover))?;
            }
        }
        let places = index_text(self.course.settled.len(), self.counted(), self.journal.places());
        let is_indexed = read_at_most(&file, places.len() as u64).is_ok_and(|bytes| bytes == places.as_bytes());
        if !is_indexed {
            write_durably(&file, places.as_bytes()).map_err(io_error("write", &file))?;
        }
        if results::is_written(summary, &results) {
            return Ok(());
        }
        results::write(summary, &fresh).map_err(io_error("write", &fresh))?;
        if results.exists() {
            fs::rename(&results, &old).map_err(io_error("replace", &results))?;
        }
        fs::rename(&fresh, &results).map_err(io_error("write", &results))?;
        sync_folder(&self.path).map_err(io_error("write", &self.path))?;
        if old.exists() {
            fs::remove_dir_all(&old).map_err(io_error("remove", &old))?;
        }
        Ok(())
    }
}

/// The content of a started tournament's files, checked for contradictions.
struct Claims {
    plan: Plan,
    course: Course,
    journalled: Journalled,
}

/// Replays a game by the rules, if it has a record.
fn by_the_rules(ended: &Ended) -> Result<(), Misfit> {
    match ended.record() {
        Some(record) => Ok(arena_referee::check(record).map_err(Box::new)?),
        None => Ok(()),
    }
}

/// Reads a tournament's journal; `check` judges every game that ended.
fn claims(
    path: &Path,
    definition: &Definition,
    manifest: &Manifest,
    journal: &File,
    check: impl FnMut(&Ended) -> Result<(), Misfit>,
) -> Result<Claims, FolderError> {
    check_semantics(path, manifest)?;
    let file = path.join(layout::MANIFEST);
    let mut plan =
        manifest.check_seal().and_then(|()| manifest.plan(definition, &build_id())).map_err(damaged(&file))?;
    let file = path.join(layout::JOURNAL);
    let journal_error = |source| FolderError::Journal { path: path.into(), source };
    let wrong = |wrong| match wrong {
        Wrong::Io(error) => journal_error(error.into()),
        Wrong::Damaged { line, why } => journal_error(JournalError::Damaged { line, why }),
        Wrong::Game { number, why, .. } => damaged(&file)(Damage::Game { number, why }),
        Wrong::Change { line, why } => damaged(&file)(Damage::Change { line, why }),
    };
    let journal = OnDisk(journal);
    change(&journal, &mut plan, manifest.hash()).map_err(wrong)?;
    let mut course = Course::of(&plan);
    let journalled = journalled(&journal, &plan, &mut course, check).map_err(wrong)?;
    Ok(Claims { plan, course, journalled })
}

fn check_semantics(path: &Path, manifest: &Manifest) -> Result<(), FolderError> {
    let ours = semantics_id(&manifest.ruleset);
    if manifest.semantics == ours {
        return Ok(());
    }
    let (theirs, build) = (manifest.semantics.clone(), manifest.build.clone());
    Err(FolderError::OtherSemantics { path: path.into(), theirs, ours, build })
}

/// The definition of a started tournament, if its hash is in the manifest.
fn definition_in(path: &Path, manifest: &Manifest) -> Result<Definition, FolderError> {
    let file = path.join(layout::DEFINITION);
    let bytes = read_at_most(&file, limits::DEFINITION_BYTES_MAX as u64).map_err(io_error("read", &file))?;
    if !manifest.is_of(&bytes) {
        return Err(damaged(&file)(Damage::OtherDefinition));
    }
    let text = String::from_utf8(bytes).map_err(damaged(&file))?;
    Definition::parse(&text).map_err(damaged(&file))
}

/// The files derived from the journal of a tournament's folder.
fn index_and_results(path: &Path) -> [PathBuf; 2] {
    [layout::INDEX, layout::RESULTS].map(|name| path.join(name))
}

/// The manifest of the tournament in a folder, if this release can read its form.
pub(crate) fn started_in(path: &Path) -> Result<Manifest, FolderError> {
    if path.join(layout::MANIFEST).exists() { read_manifest(path) } else { Err(FolderError::NotStarted(path.into())) }
}

/// The manifest and the definition of the tournament in a folder. No other file is read.
pub(crate) fn defined_in(path: &Path) -> Result<(Manifest, Definition), FolderError> {
    let manifest = started_in(path)?;
    let definition = definition_in(path, &manifest)?;
    Ok((manifest, definition))
}

/// The manifest of the tournament of `definition` in this folder, which is started if necessary.
fn started(path: &Path, definition: &Definition, bots: Bots<'_>, host: &dyn Host) -> Result<Manifest, FolderError> {
    if !path.join(layout::MANIFEST).exists() {
        start::start(path, definition, bots, host)?;
    }
    let manifest = read_manifest(path)?;
    let is_its = manifest.is_of(definition.to_toml().as_bytes());
    if is_its { Ok(manifest) } else { Err(FolderError::OtherDefinition(path.into())) }
}

fn read_manifest(path: &Path) -> Result<Manifest, FolderError> {
    let file = path.join(layout::MANIFEST);
    let bytes = read_at_most(&file, MANIFEST_BYTES_MAX).map_err(io_error("read", &file))?;
    let text = String::from_utf8(bytes).map_err(ManifestError::from).map_err(damaged(&file))?;
    Manifest::parse(&text).map_err(|error| match error {
        ManifestError::OtherForm { theirs, build } => FolderError::OtherForm { path: path.into(), theirs, build },
        error => damaged(&file)(error),
    })
}
