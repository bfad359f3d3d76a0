//! Reading folders of any origin.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use arena_files::{Parting, read_at_most};
use arena_ledger::layout::{DEFINITION, INDEX, JOURNAL, MANIFEST, RESULTS};
use arena_ledger::{BEGUN_OTHERWISE, BYTE_ORDER_MARK, Damaged, Entries, FILES_MAX, Kind, Names, has_other_line_ends};
use arena_record::RECORD_BYTES_MAX;
use arena_referee::compare::shown;

use super::{Finding, Flaw, Stop, VerifyError};

/// Bytes in which the first line of a text ends: the longest line is a journal's.
const LINE_BYTES_MAX: u64 = RECORD_BYTES_MAX as u64 + 64;

/// The names of everything below `folder` that can be the tournament's, and of what is beside it.
pub(super) fn list(folder: &Path) -> Result<Names, Stop> {
    let mut names = Names::default();
    let mut folders = vec![String::new()];
    while let Some(within) = folders.pop() {
        let path = folder.join(&within);
        for entry in fs::read_dir(&path).map_err(cannot("read", &path))? {
            let entry = entry.map_err(cannot("read", &path))?;
            let name = entry.file_name();
            // A name that is not UTF-8 is none of a tournament's either way.
            let name = format!("{within}{}", name.to_string_lossy());
            let kind = match entry.file_type().map_err(cannot("read", &path))? {
                kind if kind.is_dir() => Kind::Folder,
                kind if kind.is_file() => Kind::File,
                _ => Kind::Other,
            };
            let taken = names.take(&name, kind);
            if taken.map_err(|Damaged { file, flaw }| Stop::damaged(&shown(&file), flaw))? == Entries::Own {
                folders.push(format!("{name}/"));
            }
        }
    }
    Ok(names)
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
