//! Checks what is derived from a journal: the index, and every byte of the results; and the names in the folder.

use std::collections::BTreeSet;
use std::path::Path;

use arena_files::Parting;
use arena_ledger::{
    Summary, Tail, index_text,
    layout::{self, INDEX, INDEX_NEW, RESULTS, RESULTS_NEW, RESULTS_OLD},
};
use arena_limits::counted;
use arena_referee::compare::shown;

use super::claimed::Claimed;
use super::{Coverage, Difference, Incomplete, Stop, files};

/// Checks that the folder has the files it should have, and that its results follow from the journal. Returns why not
/// everything can be checked, if that is so; files that are not the tournament's are one reason.
pub(super) fn derived(
    path: &Path,
    mut names: BTreeSet<String>,
    claimed: &Claimed,
    coverage: &mut Coverage,
) -> Result<Option<Incomplete>, Stop> {
    let bots = claimed.plan.entrants.iter().filter_map(|entrant| Some(layout::bot_file(entrant.id.hash()?)));
    let entrants = format!("{}/", layout::ENTRANTS);
    let own = [layout::DEFINITION, layout::MANIFEST, layout::JOURNAL, &entrants].map(String::from);
    for name in own.into_iter().chain(bots) {
        names.remove(&name);
    }
    let (played, total) = (claimed.course.played(), claimed.course.total());
    let is_within = |name: &str, folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let has_results = names.iter().any(|name| is_within(name, RESULTS));
    let mut unfinished = None;
    if has_results || names.contains(INDEX) {
        if played < total {
            let why = format!("there are results, but only {played} of {}", counted(total, "game"));
            return Err(Stop::content(layout::JOURNAL, why));
        }
        if claimed.journal.end.tail == Tail::Cut {
            return Err(Stop::content(layout::JOURNAL, "bytes follow its last line"));
        }
        index_agrees(path, &mut names, claimed)?;
    }
    if has_results {
        results_agree(path, &mut names, claimed)?;
    } else if played < total {
        unfinished = Some(Incomplete::Unfinished { played, total });
    } else {
        unfinished = Some(Incomplete::NoResults);
    }
    let all = names.len();
    names.retain(|name| name != INDEX_NEW && !is_within(name, RESULTS_NEW) && !is_within(name, RESULTS_OLD));
    let (leftovers, foreign) = (all - names.len(), names.len());
    coverage.foreign = names.iter().map(|name| shown(name)).collect();
    let left_over = (leftovers > 0).then_some(Incomplete::Leftovers { files: leftovers });
    Ok(unfinished.or(left_over).or((foreign > 0).then_some(Incomplete::Foreign { files: foreign })))
}

/// Checks the index against the journal.
fn index_agrees(path: &Path, names: &mut BTreeSet<String>, claimed: &Claimed) -> Result<(), Stop> {
    let Claimed { course, journal, .. } = claimed;
    agrees(path, INDEX, [index_text(course.settled.len(), course.counted(), &journal.places)])?;
    names.remove(INDEX);
    Ok(())
}

/// Checks every file in `results/` against the journal, and removes the checked names.
fn results_agree(path: &Path, names: &mut BTreeSet<String>, claimed: &Claimed) -> Result<(), Stop> {
    names.remove(&format!("{RESULTS}/"));
    let summary = Summary::of(&claimed.plan, &claimed.course);
    for (name, pieces) in summary.files() {
        let name = format!("{RESULTS}/{name}");
        agrees(path, &name, pieces)?;
        names.remove(&name);
    }
    Ok(())
}

/// Checks that a derived file has the right bytes.
fn agrees(path: &Path, name: &str, expected: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<(), Stop> {
    let Some(Parting { at, expected, found }) = files::parting(path, name, expected)? else { return Ok(()) };
    let bytes = |bytes: &[u8]| match bytes {
        [] => "the end of the file".into(),
        some => shown(&String::from_utf8_lossy(some)),
    };
    Err(Stop::differs(Difference {
        file: format!("{name} against the journal"),
        game: None,
        turn: None,
        seat: None,
        what: format!("byte {at}"),
        expected: bytes(&expected),
        found: bytes(&found),
        build: None,
    }))
}
