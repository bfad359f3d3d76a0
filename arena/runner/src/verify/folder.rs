//! Verifying a tournament's folder.

use std::fs::File;
use std::io;
use std::path::Path;

use arena_files::open;
use arena_ledger::{
    Course, Journalled, MANIFEST_BYTES_MAX, Manifest, ManifestError, Plan, Wrong, change, game_at, journalled,
    layout::{DEFINITION, JOURNAL, MANIFEST, RESULTS},
};
use arena_record::Record;
use arena_referee::compare::shown;
use arena_tournaments::{Definition, limits};

use super::claimed::Claimed;
use super::derived::derived;
use super::files::{self, cannot, is_missing};
use super::replay::replay;
use super::{Coverage, Depth, Finding, Flaw, Incomplete, NotConfirmed, Stop, Verified, VerifyError, seed, verified};
use crate::folder::Frozen;
use crate::journal::OnDisk;
use crate::{FolderError, Host, Progress, build_id, semantics_id};

/// Verifies the tournament in the folder `path`, on this many threads. Writes nothing. Calls `seen` after every game.
/// With `after`, the tournament there must have committed to the secret that the seed was drawn with; no file tells
/// when it did so.
///
/// # Errors
/// When there is no verdict: a file cannot be read, or the machine failed.
pub fn verify_folder(
    path: &Path,
    after: Option<&Path>,
    host: &dyn Host,
    depth: Depth,
    threads: usize,
    mut seen: impl FnMut(Progress),
) -> Result<Verified, VerifyError> {
    let mut coverage = Coverage::default();
    let finding = every_layer(path, after, &mut coverage, |claimed, coverage| {
        replay(claimed, host, depth, threads, &mut seen, coverage)
    });
    verified(finding.map_err(|stop| files::edited(path, stop)), coverage)
}

/// All layers, cheapest first; `replay` is the last.
fn every_layer(
    path: &Path,
    after: Option<&Path>,
    coverage: &mut Coverage,
    replay: impl FnOnce(&Claimed, &mut Coverage) -> Result<Option<NotConfirmed>, Stop>,
) -> Result<Finding, Stop> {
    if !path.join(MANIFEST).exists() && !path.join(RESULTS).exists() {
        return Err(VerifyError::NoTournament(path.into()).into());
    }
    let names = files::list(path)?;
    let (definition, plan, file) = begun(path, coverage)?;
    let uncommitted = seed::committed(&definition, after, coverage)?;
    let frozen = entrants(path, &plan, &definition)?;
    let mut course = Course::of(&plan);
    coverage.games = course.settled.len();
    let journal = read_journal(path, &file, &plan, &mut course, coverage)?;
    coverage.games = course.settled.len();
    coverage.void = course.settled.void().count();
    let claimed = Claimed { definition, frozen, plan, file, journal, course };
    let unfinished = derived(path, names, &claimed, coverage)?;
    Ok(match (replay(&claimed, coverage)?, unfinished) {
        (Some(not_confirmed), _) => Finding::NotConfirmed(Box::new(not_confirmed)),
        (None, Some(why)) => Finding::Incomplete(why),
        (None, None) if uncommitted => Finding::Incomplete(Incomplete::NoCommitment),
        (None, None) if coverage.by_rules > 0 => Finding::Sampled,
        (None, None) => Finding::Identical,
    })
}

/// A game as the files of its tournament have it. It is checked against the schedule that follows from the manifest
/// and, in later rounds, from the results in the journal; whether bots played like this is not known, and their files
/// are not read. `None` if it has no record.
pub(super) fn game(path: &Path, number: usize) -> Result<Option<Record>, Stop> {
    let mut coverage = Coverage::default();
    let (_, plan, file) = begun(path, &mut coverage)?;
    let mut course = Course::of(&plan);
    let journal = read_journal(path, &file, &plan, &mut course, &mut coverage)?;
    let Some(at) = journal.places.get(number) else { return Ok(None) };
    let ended = game_at(&OnDisk(&file), at, number).map_err(|error| Stop::content(JOURNAL, error))?;
    Ok(ended.into_record().ok())
}

/// Checks the manifest, the definition and the changes of the organiser, and makes the plan. Also returns the journal.
fn begun(path: &Path, coverage: &mut Coverage) -> Result<(Definition, Plan, File), Stop> {
    let (manifest, definition, mut plan) = start(path)?;
    coverage.note_build(&manifest.build);
    let file = open_journal(path)?;
    change(&OnDisk(&file), &mut plan, manifest.hash()).map_err(|error| in_journal(path, error))?;
    coverage.changes = plan.changes.iter().map(|(_, change)| change.clone()).collect();
    coverage.entrants.clone_from(&plan.entrants);
    Ok((definition, plan, file))
}

/// Checks the manifest and the definition, and makes the plan.
fn start(path: &Path) -> Result<(Manifest, Definition, Plan), Stop> {
    let wrong = |error: ManifestError| match error {
        ManifestError::OtherForm { theirs, build } => {
            Stop::Found(Finding::OtherForm { theirs: shown(&theirs), build: shown(&build) })
        }
        error => Stop::content(MANIFEST, error),
    };
    let text = files::read_text(path, MANIFEST, MANIFEST_BYTES_MAX)?;
    let manifest = Manifest::parse(&text).map_err(wrong)?;
    manifest.check_seal().map_err(wrong)?;
    if manifest.to_text() != text {
        return Err(Stop::damaged(MANIFEST, Flaw::Spelling));
    }
    let ours = semantics_id(&manifest.ruleset);
    if manifest.semantics != ours {
        let (theirs, build) = (shown(&manifest.semantics), shown(&manifest.build));
        return Err(Stop::Found(Finding::OtherSemantics { theirs, ours, build }));
    }
    let text = files::read_text(path, DEFINITION, limits::DEFINITION_BYTES_MAX as u64)?;
    if !manifest.is_of(text.as_bytes()) {
        return Err(Stop::damaged(DEFINITION, Flaw::OtherHash));
    }
    let definition = Definition::parse(&text).map_err(|error| Stop::content(DEFINITION, error))?;
    if definition.to_toml() != text {
        return Err(Stop::damaged(DEFINITION, Flaw::Spelling));
    }
    let plan = manifest.plan(&definition, &build_id()).map_err(wrong)?;
    Ok((manifest, definition, plan))
}

/// Checks the entrants' bytes.
fn entrants(path: &Path, plan: &Plan, definition: &Definition) -> Result<Frozen, Stop> {
    let name = |file: &Path| shown(&file.strip_prefix(path).unwrap_or(file).to_string_lossy());
    Frozen::read(path, &plan.entrants, definition).map_err(|error| match error {
        FolderError::Damaged { path: file, why } => Stop::content(&name(&file), why),
        FolderError::Io { path: file, source, .. } if is_missing(&source) => Stop::damaged(&name(&file), Flaw::Missing),
        error => VerifyError::Folder(error).into(),
    })
}

fn open_journal(path: &Path) -> Result<File, Stop> {
    let name = path.join(JOURNAL);
    open(&name).map_err(|error| unreadable(&name, error))
}

fn unreadable(name: &Path, error: io::Error) -> Stop {
    if is_missing(&error) { Stop::damaged(JOURNAL, Flaw::Missing) } else { cannot("read", name)(error) }
}

/// An error of the journal.
fn in_journal(path: &Path, wrong: Wrong) -> Stop {
    match wrong {
        Wrong::Io(error) => unreadable(&path.join(JOURNAL), error),
        Wrong::Damaged { line, why } => Stop::content(JOURNAL, format!("line {line}: {why}")),
        Wrong::Game { line, number, why } => Stop::content(JOURNAL, format!("line {line}, game {number}: {why}")),
        Wrong::Change { line, why } => Stop::content(JOURNAL, format!("line {line}, a change: {why}")),
    }
}

/// Reads the games of the journal; each must be in the schedule and occur once.
fn read_journal(
    path: &Path,
    file: &File,
    plan: &Plan,
    course: &mut Course,
    coverage: &mut Coverage,
) -> Result<Journalled, Stop> {
    let read = journalled(&OnDisk(file), plan, course, |ended| {
        ended.record().into_iter().for_each(|record| drop(coverage.note_build(&record.header.build)));
        Ok(())
    });
    read.map_err(|wrong| in_journal(path, wrong))
}
