//! Folders as values, for comparing them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder, by its path from there.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = PathBuf::from(path.file_name().expect("a name"));
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}
