//! Checks what is derived from a journal: the index, and every byte of the results; and the names in the folder.

use std::path::Path;

use arena_files::Parting;
use arena_ledger::{Incomplete, Names, layout};
use arena_referee::compare::shown;

use super::claimed::Claimed;
use super::{Coverage, Difference, Stop, files};

/// Checks that the folder has the files it should have, and that its results follow from the journal. Returns why not
/// everything can be checked, if that is so; files that are not the tournament's are one reason.
pub(super) fn derived(
    path: &Path,
    names: Names,
    Claimed { plan, course, journal, .. }: &Claimed,
    coverage: &mut Coverage,
) -> Result<Option<Incomplete>, Stop> {
    let unfit = |why: String| Stop::content(layout::JOURNAL, why);
    let (incomplete, foreign) =
        names.derived(plan, course, journal, unfit, |name, pieces| agrees(path, name, pieces))?;
    coverage.foreign = foreign.iter().map(|name| shown(name)).collect();
    Ok(incomplete)
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
        what: format!("byte {at}"),
        expected: bytes(&expected),
        found: bytes(&found),
        ..Difference::default()
    }))
}
