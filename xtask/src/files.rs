//! File operations besides reading and writing; for those, `fs_err` names the file in every error.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;

/// The files of a folder with a suffix, sorted by name.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn ending_in(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Writes a file unless it has these bytes already, so that its date changes only with its bytes. Returns whether it
/// was written.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(false);
    }
    fs::write(path, bytes)?;
    Ok(true)
}

/// Makes a file executable for everybody, whatever this machine's umask.
///
/// # Errors
/// If it belongs to another user.
pub(crate) fn make_executable(path: &Path) -> Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Removes a folder with its contents, if it exists.
///
/// # Errors
/// If it exists and cannot be removed.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_the_end_of_their_names() -> Result<()> {
        let folder = tempfile::tempdir()?;
        for name in ["b.test.mjs", "a.test.mjs", "helper.mjs"] {
            fs::write(folder.path().join(name), "")?;
        }
        let names = ["a.test.mjs", "b.test.mjs"].map(|name| folder.path().join(name));
        assert_eq!(ending_in(folder.path(), ".test.mjs")?, names);
        assert!(ending_in(&folder.path().join("nowhere"), "").is_err());
        Ok(())
    }

    #[test]
    fn equal_bytes_are_not_written_again() -> Result<()> {
        let root = tempfile::tempdir()?;
        let file = root.path().join("bot.wasm");
        assert!(write_if_changed(&file, b"one")?);
        assert!(!write_if_changed(&file, b"one")?);
        assert!(write_if_changed(&file, b"two")?);
        assert_eq!(fs::read(&file)?, b"two");
        Ok(())
    }
}
