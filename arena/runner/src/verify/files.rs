//! Reading folders of any origin.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use arena_files::{Parting, read_at_most};
use arena_tournaments::limits::ENTRANTS_MAX;

use super::compare::shown;
use super::{Flaw, Stop, VerifyError};

/// Files that a folder may have: a bot for each entrant, and less than 30 others.
const FILES_MAX: usize = ENTRANTS_MAX + 30;
/// How deep folders within folders are searched: one level more than there are, to name whatever is unknown.
const DEPTH_MAX: usize = 3;

/// Every file below `folder` by its path, with `/` as separator. Links, pipes and devices count as damage and are
/// not read.
pub(super) fn list(folder: &Path) -> Result<BTreeSet<String>, Stop> {
    let mut files = BTreeSet::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((within, depth)) = folders.pop() {
        let path = folder.join(&within);
        for entry in fs::read_dir(&path).map_err(cannot("read", &path))? {
            let entry = entry.map_err(cannot("read", &path))?;
            let Some(name) = entry.file_name().to_str().map(|name| format!("{within}{name}")) else {
                return Err(Stop::damaged(&shown(&entry.file_name().to_string_lossy()), Flaw::Unknown));
            };
            let kind = entry.file_type().map_err(cannot("read", &path))?;
            if kind.is_dir() && depth + 1 < DEPTH_MAX {
                folders.push((format!("{name}/"), depth + 1));
                // An empty folder, recognisable by its slash: it is as unexpected as an unknown file.
                files.insert(format!("{name}/"));
            } else if kind.is_file() {
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
