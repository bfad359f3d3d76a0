//! What is derived from a journal: the names in a folder, and every byte of the results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arena_record::Record;

use super::claimed::Claimed;
use super::compare::{Parting, first, shown};
use super::{Difference, Flaw, Incomplete, Stop, files};
use crate::folder::Manifest;
use crate::journal::Tail;
use crate::layout::{self, RESULTS, RESULTS_NEW, RESULTS_OLD};
use crate::results::Summary;

/// Whether the folder has the files that it must have and no others, and its results are what the journal makes them. Why the
/// tournament is not finished, where it is not.
pub(super) fn derived(
    path: &Path,
    mut names: BTreeSet<String>,
    manifest: &Manifest,
    claimed: &Claimed,
) -> Result<Option<Incomplete>, Stop> {
    let bots = manifest.entrants.iter().filter_map(|entrant| Some(layout::bot_file(entrant.id.hash()?)));
    let entrants = format!("{}/", layout::ENTRANTS);
    let own = [layout::DEFINITION, layout::MANIFEST, layout::JOURNAL, &entrants].map(String::from);
    for name in own.into_iter().chain(bots) {
        names.remove(&name);
    }
    let (played, total) = (claimed.course.played(), claimed.course.total());
    let is_within = |name: &str, folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let mut unfinished = None;
    if names.iter().any(|name| is_within(name, RESULTS)) {
        if played < total {
            let why = format!("there are results, but only {played} of {total} games");
            return Err(Stop::content(layout::JOURNAL, why));
        }
        if claimed.journal.tail == Tail::Cut {
            return Err(Stop::content(layout::JOURNAL, "bytes follow its last line"));
        }
        results_agree(path, &mut names, claimed)?;
    } else if played < total {
        unfinished = Some(Incomplete::Unfinished { played, total });
    } else {
        unfinished = Some(Incomplete::NoResults);
    }
    let all = names.len();
    names.retain(|name| !is_within(name, RESULTS_NEW) && !is_within(name, RESULTS_OLD));
    let leftovers = all - names.len();
    match names.first() {
        Some(strange) => Err(Stop::damaged(&shown(strange), Flaw::Unknown)),
        None => Ok(unfinished.or((leftovers > 0).then_some(Incomplete::Leftovers { files: leftovers }))),
    }
}

/// Every file in `results/` is what the journal makes it; takes their names away.
fn results_agree(path: &Path, names: &mut BTreeSet<String>, claimed: &Claimed) -> Result<(), Stop> {
    let Claimed { plan, course, journal, .. } = claimed;
    let record = |number: &usize| Some((*number, journal.games.get(number)?.ended.record()?));
    let records: BTreeMap<usize, &Record> = course.settled.counted.iter().filter_map(record).collect();
    names.remove(&format!("{RESULTS}/"));
    names.remove(&format!("{RESULTS}/{}/", layout::GAMES));
    for (number, record) in &records {
        let name = layout::record_file(*number);
        agrees(path, &name, &record.to_text(), Some((*number, record)))?;
        names.remove(&name);
    }
    let summary = Summary::of(plan, course, |number| records.get(&number).copied());
    for (name, text) in summary.files() {
        let name = format!("{RESULTS}/{name}");
        agrees(path, &name, &text, None)?;
        names.remove(&name);
    }
    Ok(())
}

/// A derived file has the bytes it must have.
fn agrees(path: &Path, name: &str, expected: &str, game: Option<(usize, &Record)>) -> Result<(), Stop> {
    // One byte more is enough to see that there are more.
    let found = files::read(path, name, expected.len() as u64 + 1)?;
    if found == expected.as_bytes() {
        return Ok(());
    }
    let record = std::str::from_utf8(&found).ok().and_then(|text| Record::parse(text).ok());
    let parting = game.zip(record.as_ref()).and_then(|((_, expected), found)| first(expected, found));
    let at = expected.bytes().zip(&found).take_while(|(expected, found)| expected == *found).count();
    let bytes = |bytes: &[u8]| match bytes.get(at..) {
        None | Some([]) => "the end of the file".into(),
        Some(rest) => shown(&String::from_utf8_lossy(&rest[..rest.len().min(24)])),
    };
    let (expected, found) = (bytes(expected.as_bytes()), bytes(&found));
    let parting = parting.unwrap_or(Parting { turn: None, seat: None, what: "", expected, found });
    let what = if parting.what.is_empty() { format!("byte {at}") } else { parting.what.into() };
    let Parting { turn, seat, expected, found, .. } = parting;
    let game = game.map(|(number, _)| number);
    Err(Stop::differs(Difference {
        file: format!("{name} against the journal"),
        game,
        turn,
        seat,
        what,
        expected,
        found,
        build: None,
    }))
}
