//! Reading folders of any origin.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use arena_files::{Parting, has_other_line_ends, read_at_most};
use arena_ledger::layout::{self, DEFINITION, INDEX, JOURNAL, MANIFEST, RESULTS};
use arena_record::RECORD_BYTES_MAX;
use arena_referee::compare::shown;
use arena_tournaments::limits::ENTRANTS_MAX;

use super::{Finding, Flaw, Stop, VerifyError};

/// Files that a folder may have: a bot for each entrant, and less than 30 others.
const FILES_MAX: usize = ENTRANTS_MAX + 30;

/// Bytes in which the first line of a text ends: the longest line is a journal's.
const LINE_BYTES_MAX: u64 = RECORD_BYTES_MAX as u64 + 64;

/// The byte order mark, with which some editors begin a file, and what is said of it.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";
pub(super) const BEGUN_OTHERWISE: &str = "an editor put a byte order mark before it: get the file again as it was";

/// Every file below `folder` by its path, with `/` as separator. What has no name of a tournament's is only named;
/// links, pipes and devices in the place of its files count as damage and are not read.
pub(super) fn list(folder: &Path) -> Result<BTreeSet<String>, Stop> {
    let mut files = BTreeSet::new();
    let mut folders = vec![String::new()];
    while let Some(within) = folders.pop() {
        let path = folder.join(&within);
        for entry in fs::read_dir(&path).map_err(cannot("read", &path))? {
            let entry = entry.map_err(cannot("read", &path))?;
            let name = entry.file_name();
            // A name that is not UTF-8 is none of a tournament's either way.
            let name = format!("{within}{}", name.to_string_lossy());
            let kind = entry.file_type().map_err(cannot("read", &path))?;
            let is_foreign = !layout::is_own(&name);
            if kind.is_dir() {
                // Recognisable by its slash: an empty one is as unexpected as an unknown file.
                let name = format!("{name}/");
                folders.extend((within.is_empty() && !is_foreign).then(|| name.clone()));
                files.insert(name);
            } else if kind.is_file() || is_foreign {
                files.insert(name);
            } else {
                return Err(Stop::damaged(&shown(&name), Flaw::NotAFile));
            }
            if files.len() > FILES_MAX {
                return Err(Stop::damaged(".", Flaw::TooMany));
            }
        }
    }
    Ok(files)
}

/// The bytes of a required file; at most one more than allowed are read.
pub(super) fn read(folder: &Path, name: &str, bytes_max: u64) -> Result<Vec<u8>, Stop> {
    let path = folder.join(name);
    match read_at_most(&path, bytes_max) {
        Ok(bytes) if bytes.len() as u64 <= bytes_max => Ok(bytes),
        Ok(_) => Err(Stop::damaged(name, Flaw::TooLong)),
        Err(error) if is_missing(&error) => Err(Stop::damaged(name, Flaw::Missing)),
        Err(source) => Err(cannot("read", &path)(source)),
    }
}

/// The position where a required file differs from its expected bytes.
pub(super) fn parting(
    folder: &Path,
    name: &str,
    expected: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<Option<Parting>, Stop> {
    let path = folder.join(name);
    match arena_files::parting(&path, expected) {
        Err(error) if is_missing(&error) => Err(Stop::damaged(name, Flaw::Missing)),
        parting => parting.map_err(cannot("read", &path)),
    }
}

/// Names what an editor or git changed, if that is why a folder contradicts itself: everything is compared byte by
/// byte.
pub(super) fn edited(folder: &Path, stop: Stop) -> Stop {
    let Stop::Found(Finding::Damaged { .. } | Finding::Differs(_)) = &stop else { return stop };
    let results = fs::read_dir(folder.join(RESULTS)).into_iter().flatten().flatten().take(FILES_MAX);
    let results = results.filter_map(|entry| Some(format!("{RESULTS}/{}", entry.file_name().to_str()?)));
    let texts = [MANIFEST, DEFINITION, JOURNAL, INDEX].map(String::from).into_iter().chain(results);
    let edit = |name: String| {
        let bytes = read_at_most(&folder.join(&name), LINE_BYTES_MAX).ok()?;
        if has_other_line_ends(&bytes) {
            return Some(Stop::Found(Finding::LineEnds { file: shown(&name) }));
        }
        bytes.starts_with(BYTE_ORDER_MARK.as_bytes()).then(|| Stop::content(&shown(&name), BEGUN_OTHERWISE))
    };
    texts.into_iter().find_map(edit).unwrap_or(stop)
}

/// Whether a file is missing, or something else is in its place.
pub(super) fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory | ErrorKind::NotADirectory)
}

/// The text of a required file.
pub(super) fn read_text(folder: &Path, name: &str, bytes_max: u64) -> Result<String, Stop> {
    String::from_utf8(read(folder, name, bytes_max)?).map_err(|_| Stop::damaged(name, Flaw::NotText))
}

pub(super) fn cannot(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Stop + use<> {
    let path = path.into();
    move |source| Stop::Cannot(VerifyError::Io { action, path, source })
}
