//! The tests from outside, `web/tests`: what they need is made ready, then Node runs them.
//!
//! They need Node's packages (as the lock file says, in `web/tests/node_modules`), Chromium, and the arena's binary. What a
//! person has is used; Chromium is installed only by root where there is `apt-get`.
//!
//! It knows nothing of what is tested.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::process::{find_program, output, run, run_within};
use crate::workspace::{BOTS, ENGINE, Workspace};

const TESTS: &str = "web/tests";

/// Tests of modules by themselves: folders, and the files in them are `NAME.test.mjs`.
const MODULES: [&str; 2] = ["web/tests/unit", "web/engine/tests"];

/// Pages mostly wait, for turns to be shown and games to be played, so two files at once take half the time on any machine.
const FILES_AT_ONCE: &str = "--test-concurrency=2";

/// Said to the tests: the browser. Said to us: which one to take.
const CHROMIUM: &str = "ARENA_CHROMIUM";

/// What Chromium is called, in the order in which it is looked for.
const CHROMIUM_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// In a folder with packages: a copy of the lock file by which they were installed.
const INSTALLED: &str = "node_modules/.installed";

/// How long npm may take for a few packages, and how long apt for its lists and for a browser of 100 MB.
const NPM_SECONDS_MAX: u64 = 180;
const APT_LISTS_SECONDS_MAX: u64 = 120;
const APT_SECONDS_MAX: u64 = 600;

/// What the scripts of `web/tests` run against.
pub(crate) struct Scripts<'a> {
    workspace: &'a Workspace,
    binary: PathBuf,
    chromium: Option<PathBuf>,
}

impl<'a> Scripts<'a> {
    /// For scripts without a browser.
    ///
    /// # Errors
    /// There is no Node or npm, or npm fails.
    pub(crate) fn ready(workspace: &'a Workspace, binary: PathBuf) -> Result<Self> {
        install_packages(&workspace.root.join(TESTS))?;
        Ok(Self { workspace, binary, chromium: None })
    }

    /// For scripts with a browser.
    ///
    /// # Errors
    /// As [`Scripts::ready`]; or there is no Chromium and we cannot install it.
    pub(crate) fn with_browser(mut self) -> Result<Self> {
        self.chromium = Some(chromium()?);
        Ok(self)
    }

    /// Runs all `*.test.mjs` of a folder of `web/tests`.
    pub(crate) fn test_folder(&self, folder: &str) -> Result<()> {
        let files = test_files(&self.workspace.root.join(TESTS).join(folder))?;
        run(self.node()?.args(["--test", "--test-reporter=spec", FILES_AT_ONCE]).args(files))
    }

    /// Runs one file of tests.
    pub(crate) fn test_file(&self, file: &str) -> Result<()> {
        run(self.node()?.args(["--test", "--test-reporter=spec"]).arg(Path::new(TESTS).join(file)))
    }

    /// Runs a script that is no test; `out` is for what it makes.
    pub(crate) fn script(&self, file: &str, out: &Path) -> Result<()> {
        run(self.node()?.env("ARENA_OUT", out).arg(Path::new(TESTS).join(file)))
    }

    fn node(&self) -> Result<Command> {
        let mut command = node(self.workspace)?;
        command.env("ARENA_BINARY", &self.binary).env(BOTS, self.workspace.bots());
        if let Some(chromium) = &self.chromium {
            command.env(CHROMIUM, chromium);
        }
        Ok(command)
    }
}

/// Tests the modules of the pages, and the rules in WebAssembly, in Node alone.
///
/// # Errors
/// There is no Node, or a test fails.
pub(crate) fn test_modules(workspace: &Workspace) -> Result<()> {
    let mut files = Vec::new();
    for folder in MODULES {
        files.extend(test_files(&workspace.root.join(folder))?);
    }
    run(node(workspace)?.args(["--test", "--test-reporter=spec"]).args(files))
}

/// Tests the layers for bots in other languages by their probes, in Node.
///
/// # Errors
/// There is no Node, or a test fails.
pub(crate) fn test_layers(workspace: &Workspace, probes: &Path) -> Result<()> {
    let files = test_files(&workspace.root.join("sdk/tests"))?;
    run(node(workspace)?.env("ARENA_PROBES", probes).args(["--test", "--test-reporter=spec"]).args(files))
}

/// Node in the root, told where the engine is.
fn node(workspace: &Workspace) -> Result<Command> {
    let mut command = Command::new(needed("node")?);
    command.current_dir(&workspace.root).env(ENGINE, workspace.engine());
    Ok(command)
}

/// A program of Node's.
fn needed(name: &str) -> Result<PathBuf> {
    match find_program(name, &path()) {
        Some(program) => Ok(program),
        None => bail!(
            "there is no {name} on PATH: install Node.js 20 or newer with npm (Debian: `apt-get install nodejs npm`)"
        ),
    }
}

fn path() -> OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

/// The tests of a folder by name. Listed here, because versions of Node differ in what they make of a folder.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(".test.mjs")) {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("{} has no tests: without one Node would look for them everywhere", folder.display());
    }
    files.sort();
    Ok(files)
}

/// Installs exactly what the folder's lock file says, unless that is there.
pub(crate) fn install_packages(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    if packages_are_installed(folder, &lock)? {
        return Ok(());
    }
    let mut npm = Command::new(needed("npm")?);
    npm.current_dir(folder).args(["ci", "--no-audit", "--no-fund"]);
    run_within(&mut npm, Duration::from_secs(NPM_SECONDS_MAX))?;
    let note = folder.join(INSTALLED);
    fs::copy(&lock, &note).with_context(|| format!("cannot write {}", note.display()))?;
    Ok(())
}

/// Whether a folder has the packages of a lock file.
pub(crate) fn packages_are_installed(folder: &Path, lock: &Path) -> Result<bool> {
    let lock = fs::read(lock).with_context(|| format!("cannot read {}", lock.display()))?;
    Ok(fs::read(folder.join(INSTALLED)).is_ok_and(|installed| installed == lock))
}

/// The browser: the one that is asked for, or found, or else installed.
fn chromium() -> Result<PathBuf> {
    if let Some(asked) = std::env::var_os(CHROMIUM) {
        return Ok(PathBuf::from(asked));
    }
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    match find_program("apt-get", &path()) {
        Some(apt) if is_root() => {
            println!("    installing Chromium");
            apt_get(&apt, &["update"], APT_LISTS_SECONDS_MAX)?;
            apt_get(&apt, &["install", "--yes", "--no-install-recommends", "chromium"], APT_SECONDS_MAX)?;
        }
        _ => {}
    }
    match find_chromium() {
        Some(found) => Ok(found),
        None => bail!(
            "there is no Chromium on PATH: install it (Debian: `apt-get install chromium`), or say where it is by {CHROMIUM}"
        ),
    }
}

fn find_chromium() -> Option<PathBuf> {
    CHROMIUM_NAMES.iter().find_map(|name| find_program(name, &path()))
}

/// Whether we may install packages; not known is no.
fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|said| said.trim_end() == "0")
}

fn apt_get(apt: &Path, arguments: &[&str], seconds_max: u64) -> Result<()> {
    let mut command = Command::new(apt);
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet").args(arguments);
    run_within(&mut command, Duration::from_secs(seconds_max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_a_folder_are_found_by_name_and_none_is_an_error() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("README.md"), "")?;
        assert!(test_files(folder.path()).is_err());
        for name in ["b.test.mjs", "a.test.mjs", "helper.mjs"] {
            fs::write(folder.path().join(name), "")?;
        }
        let names = ["a.test.mjs", "b.test.mjs"].map(|name| folder.path().join(name));
        assert_eq!(test_files(folder.path())?, names);
        Ok(())
    }

    #[test]
    fn what_is_installed_is_not_installed_again() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("node_modules"))?;
        fs::write(folder.path().join("package-lock.json"), "{}")?;
        fs::write(folder.path().join("node_modules/.installed"), "{}")?;
        // npm would fail: there is no package here.
        install_packages(folder.path())
    }

    #[test]
    fn lock_files_name_no_host() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask stands in the root")?;
        for folder in [TESTS, "sdk/templates/assemblyscript"] {
            let lock = fs::read_to_string(root.join(folder).join("package-lock.json"))?;
            assert!(!lock.contains("resolved"), "install with --omit-lockfile-registry-resolved");
            assert!(lock.contains("\"integrity\""));
        }
        Ok(())
    }
}
