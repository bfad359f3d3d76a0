//! Node's programs, and Node packages in a folder of the tree.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use fs_err as fs;

use crate::process::{find_on_path, output, within};

/// In a folder with packages: a copy of the lock file from which they were installed.
const INSTALLED: &str = "node_modules/.installed";

/// The time limit of npm, for a few packages.
const NPM_MAX: Duration = Duration::from_secs(180);

/// A program of Node's.
///
/// # Errors
/// If it is not on `PATH`.
pub(super) fn program(name: &str) -> Result<PathBuf> {
    find_on_path(name).with_context(|| {
        format!(
            "there is no {name} on PATH: install Node.js 20 or newer with npm (Debian: `apt-get install nodejs npm`)"
        )
    })
}

/// Installs exactly the packages of the folder's lock file, unless they are installed.
///
/// # Errors
/// If there is no npm, or it fails.
pub(crate) fn install_packages(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    if packages_are_installed(folder, &lock)? {
        return Ok(());
    }
    output(within(NPM_MAX, program("npm")?).current_dir(folder).args(["ci", "--no-audit", "--no-fund"]))?;
    let note = folder.join(INSTALLED);
    fs::copy(&lock, &note)?;
    Ok(())
}

/// Whether a folder has the packages of a lock file.
///
/// # Errors
/// If there is no such lock file.
pub(crate) fn packages_are_installed(folder: &Path, lock: &Path) -> Result<bool> {
    let lock = fs::read(lock)?;
    Ok(fs::read(folder.join(INSTALLED)).is_ok_and(|installed| installed == lock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_is_not_installed_again() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("node_modules"))?;
        fs::write(folder.path().join("package-lock.json"), "{}")?;
        fs::write(folder.path().join("node_modules/.installed"), "{}")?;
        // npm would fail: there is no package here.
        install_packages(folder.path())
    }
}
