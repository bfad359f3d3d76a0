//! Runs the tests from outside, `web/tests`: prepares what they need, then runs them in Node.
//!
//! They need Node packages (by the lock file, in `web/tests/node_modules`), Chromium, and the arena's binary. Installed
//! programs are used; Chromium is installed only by root, if there is `apt-get`.
//!
//! It does not know what is tested.

mod chromium;
pub(crate) mod node;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use arena_text::Catalogue;

use crate::files;
use crate::memory;
use crate::process::run;
use crate::workspace::{BOTS, Workspace};

const TESTS: &str = "web/tests";

/// Folders with unit tests of modules, in files `NAME.test.mjs`.
const MODULES: [&str; 2] = ["web/tests/unit", "web/engine/tests"];

/// The messages of pages, and where scripts find theirs.
const MESSAGES: &str = "web/text";
const MODULES_OF_MESSAGES: &str = "web/static/text";

/// Set where tests are to run at full length.
const NIGHT: &str = "ARENA_NIGHT";

/// Pages wait about a third of the time, for turns to be shown and games to be played: three files at once keep two
/// cores busy.
const FILES_AT_ONCE: &str = "3";

/// What the scripts of `web/tests` run with.
pub(crate) struct Scripts<'a> {
    workspace: &'a Workspace,
    binary: PathBuf,
    chromium: Option<PathBuf>,
    /// Whether all pages, widths and inputs are tested, and for as long as it takes.
    is_night: bool,
}

impl<'a> Scripts<'a> {
    /// The set-up for scripts without a browser.
    ///
    /// # Errors
    /// As [`install_packages`].
    pub(crate) fn ready(workspace: &'a Workspace, binary: PathBuf) -> Result<Self> {
        install_packages(workspace)?;
        Ok(Self { workspace, binary, chromium: None, is_night: false })
    }

    /// The set-up for scripts with a browser.
    ///
    /// # Errors
    /// As [`Scripts::ready`]; or if there is no Chromium and we cannot install it.
    pub(crate) fn with_browser(mut self) -> Result<Self> {
        self.chromium = Some(chromium::ready()?);
        Ok(self)
    }

    /// Runs all `*.test.mjs` of a folder of `web/tests`, the largest first: those take longest, and none shall be left
    /// alone at the end.
    pub(crate) fn test_folder(&self, folder: &str) -> Result<()> {
        let mut files = test_files(&self.workspace.root.join(TESTS).join(folder))?;
        files.sort_by_cached_key(|file| Reverse(file.metadata().map_or(0, |file| file.len())));
        run(self.node()?.arg(Path::new(TESTS).join("run.mjs")).arg(FILES_AT_ONCE).args(files))
    }

    /// Runs one test file.
    pub(crate) fn test_file(&self, file: &str) -> Result<()> {
        // A client that was cut off may try again for ever; when all tests have ended, so does the program.
        let options = ["--test", "--test-force-exit", "--test-reporter=spec"];
        run(self.node()?.args(options).arg(Path::new(TESTS).join(file)))
    }

    /// The same scripts, at full length.
    pub(crate) fn at_length(&self) -> Self {
        Self { binary: self.binary.clone(), chromium: self.chromium.clone(), is_night: true, ..*self }
    }

    /// Runs a script that is not a test; `out` is for its output.
    pub(crate) fn script(&self, file: &str, out: &Path) -> Result<()> {
        run(self.node()?.env("ARENA_OUT", out).arg(Path::new(TESTS).join(file)))
    }

    fn node(&self) -> Result<Command> {
        let mut command = node(self.workspace)?;
        command.env("ARENA_BINARY", &self.binary).env(BOTS, self.workspace.bots());
        if let Some(chromium) = &self.chromium {
            command.env(chromium::CHOICE, chromium);
        }
        if self.is_night {
            command.env(NIGHT, "1");
        } else {
            command.envs(memory::temporary());
        }
        Ok(command)
    }
}

/// Installs the Node packages of tests, which bundle the pages' scripts, too.
///
/// # Errors
/// If there is no Node or npm, or npm fails.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<()> {
    node::install_packages(&workspace.root.join(TESTS))
}

/// Checks that the scripts of pages are formatted, where prettier can be had.
///
/// # Errors
/// If one is not.
pub(crate) fn check_format(workspace: &Workspace) -> Result<()> {
    if let Err(error) = install_packages(workspace) {
        println!("    skipped: the scripts of pages: {error:#}");
        return Ok(());
    }
    run_script(workspace, "check-format")
}

/// Bundles the scripts of pages for the server's build, after their messages are compiled.
///
/// # Errors
/// As [`install_packages`]; or if a message is refused, or esbuild refuses a script.
pub(crate) fn bundle(workspace: &Workspace) -> Result<()> {
    Catalogue::read(&workspace.root.join(MESSAGES))?.write_javascript(&workspace.root.join(MODULES_OF_MESSAGES))?;
    install_packages(workspace)?;
    run_script(workspace, "bundle")
}

/// Runs a script of the tests' `package.json`.
fn run_script(workspace: &Workspace, name: &str) -> Result<()> {
    let mut npm = Command::new(node::program("npm")?);
    run(npm.current_dir(workspace.root.join(TESTS)).args(["run", "--silent", name]))
}

/// Tests the modules of the pages, and the rules in WebAssembly, in Node alone.
///
/// # Errors
/// If there is no Node, or a test fails.
pub(crate) fn test_modules(workspace: &Workspace) -> Result<()> {
    let mut files = Vec::new();
    for folder in MODULES {
        files.extend(test_files(&workspace.root.join(folder))?);
    }
    run(node(workspace)?.args(["--test", "--test-reporter=spec"]).args(files))
}

/// Runs one of these files with these settings for the number of repetitions.
///
/// # Errors
/// If there is no Node, or a test fails.
pub(crate) fn repeat_module(workspace: &Workspace, file: &str, how_often: [(&str, u64); 2]) -> Result<()> {
    let how_often = how_often.map(|(name, value)| (format!("ARENA_{name}"), value.to_string()));
    run(node(workspace)?.args(["--test", "--test-reporter=spec", file]).envs(how_often))
}

/// Tests the layers for bots in other languages by their probes, and the released interpreters of scripts, in Node.
///
/// # Errors
/// If there is no Node, or a test fails.
pub(crate) fn test_layers(workspace: &Workspace, probes: &Path) -> Result<()> {
    let mut files = test_files(&workspace.root.join("sdk/tests"))?;
    for interpreter in ["sdk/javascript/tests", "sdk/python/tests"] {
        files.extend(test_files(&workspace.root.join(interpreter))?);
    }
    run(node(workspace)?.env("ARENA_PROBES", probes).args(["--test", "--test-reporter=spec"]).args(files))
}

/// Node in the workspace's root.
fn node(workspace: &Workspace) -> Result<Command> {
    let mut command = Command::new(node::program("node")?);
    command.current_dir(&workspace.root);
    Ok(command)
}

/// The test files of a folder, sorted by name. Listed here, because versions of Node treat folders differently.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = files::ending_in(folder, ".test.mjs")?;
    if files.is_empty() {
        bail!("{} has no tests: without one Node would look for them everywhere", folder.display());
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;
    use fs_err as fs;

    use super::*;

    #[test]
    fn a_folder_without_tests_is_an_error() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("helper.mjs"), "")?;
        assert!(test_files(folder.path()).is_err());
        fs::write(folder.path().join("a.test.mjs"), "")?;
        assert_eq!(test_files(folder.path())?, [folder.path().join("a.test.mjs")]);
        Ok(())
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
