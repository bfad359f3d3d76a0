//! The paths of the workspace, as `cargo metadata` describes it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::Value;

use crate::process::{self, find_on_path};

/// The folder in which the server's build and the tests of pages find the rules for the page, relative to the root.
pub(crate) const ENGINE: &str = "web/engine/built";

/// The folder in which the server's build finds the scripts of pages, bundled, relative to the root.
pub(crate) const BUNDLED: &str = "web/bundled";

/// A module with rules for the page.
pub(crate) struct EngineModule {
    /// Its file.
    pub(crate) file: &'static str,
    /// The feature of `web/engine` with which it is built.
    pub(crate) feature: &'static str,
    /// Its games: `narrow` or `wide`, by their frames (`sdk/wire/src/games.rs`), or `all`.
    pub(crate) games: &'static str,
}

/// All of them. A page loads those of its game (`arena/server/src/engines.rs`).
pub(crate) const ENGINE_MODULES: [EngineModule; 10] = [
    EngineModule { file: "arena_engine.wasm", feature: "pages", games: "narrow" },
    EngineModule { file: "arena_opponents.wasm", feature: "opponents", games: "narrow" },
    EngineModule { file: "arena_meter.wasm", feature: "meter", games: "narrow" },
    EngineModule { file: "arena_texts.wasm", feature: "texts", games: "narrow" },
    EngineModule { file: "arena_python.wasm", feature: "python", games: "narrow" },
    EngineModule { file: "arena_ledger.wasm", feature: "ledger", games: "all" },
    EngineModule { file: "arena_archive.wasm", feature: "archives", games: "narrow" },
    EngineModule { file: "arena_world.wasm", feature: "worlds", games: "narrow" },
    EngineModule { file: "arena_engine_wide.wasm", feature: "pages", games: "wide" },
    EngineModule { file: "arena_opponents_wide.wasm", feature: "opponents", games: "wide" },
];

/// The feature of tokio that tests need: a paused clock. Their arena is compiled with it, so that both share one tokio;
/// a release is not.
pub(crate) const ONE_TOKIO: &str = "tokio/test-util";

/// For cargo: the folder of intermediate files, separate from that of the results.
pub(crate) const BUILD: &str = "CARGO_BUILD_BUILD_DIR";
pub(crate) const TARGET_DIR: &str = "CARGO_TARGET_DIR";

/// The compiler with lints, and its arguments as `cargo clippy -- -D warnings` hands them over.
const CLIPPY: &str = "clippy-driver";
const DENY_WARNINGS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// How the variables begin that `cargo run` sets for the program's package.
const OF_OUR_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// The folder in which tests and benchmarks find the guests: an absolute path.
pub(crate) const BOTS: &str = "ARENA_BOTS_DIR";

/// The checked-out workspace and the cargo that builds it.
pub(crate) struct Workspace {
    /// The folder of the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder: `target`, unless the environment says otherwise.
    pub(crate) target: PathBuf,
    /// The cargo program: the one that started us, if any.
    pub(crate) cargo: PathBuf,
    /// The output of `cargo metadata --no-deps`.
    pub(crate) metadata: Value,
}

impl Workspace {
    /// The workspace of this program.
    ///
    /// # Errors
    /// If cargo cannot be run, or rejects a manifest.
    pub(crate) fn here() -> Result<Self> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self::at(own.parent().context("xtask stands in the root")?)
    }

    /// The workspace rooted in a folder.
    ///
    /// # Errors
    /// If cargo cannot be run, or rejects a manifest.
    pub(crate) fn at(root: &Path) -> Result<Self> {
        let cargo = PathBuf::from(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let said = process::output(Command::new(&cargo).current_dir(root).args([
            "metadata",
            "--format-version=1",
            "--no-deps",
        ]))?;
        let metadata: Value = serde_json::from_str(&said).context("cargo metadata is not JSON")?;
        let folder = |key: &str| {
            metadata[key].as_str().map(PathBuf::from).with_context(|| format!("cargo metadata has no {key}"))
        };
        Ok(Self { root: folder("workspace_root")?, target: folder("target_directory")?, cargo, metadata })
    }

    /// The metadata of a member.
    ///
    /// # Errors
    /// If there is no such member.
    pub(crate) fn package(&self, name: &str) -> Result<&Value> {
        let packages = self.metadata["packages"].as_array().context("cargo metadata has packages")?;
        packages.iter().find(|package| package["name"] == name).with_context(|| format!("no member is called {name}"))
    }

    /// Cargo, to be run in the root.
    pub(crate) fn cargo(&self) -> Command {
        self.cargo_in(&self.root)
    }

    /// `cargo` in another folder.
    pub(crate) fn cargo_in(&self, folder: &Path) -> Command {
        let mut command = self.builds(&self.cargo);
        command.current_dir(folder);
        command
    }

    /// A program that has cargo build in the root. What cargo tells us of our own package is left out: build scripts
    /// look at it, so cargo would compile some dependencies again, and all that needs them, when it was started by us
    /// and when it was not.
    pub(crate) fn builds(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in names.filter(|name| OF_OUR_PACKAGE.iter().any(|start| name.starts_with(start))) {
            command.env_remove(name);
        }
        command
    }

    /// A program that has cargo build for tests, with clippy as the compiler of our own crates. Linting them apart
    /// would check each of them, and all dependencies, once more: six minutes of processor time.
    ///
    /// # Errors
    /// If there is no clippy.
    pub(crate) fn lints(&self, program: &Path) -> Result<Command> {
        let clippy = find_on_path(CLIPPY).context("there is no clippy: `rustup component add clippy` brings it")?;
        let mut command = self.builds(program);
        command.env("RUSTC_WORKSPACE_WRAPPER", clippy).env("CLIPPY_ARGS", DENY_WARNINGS);
        Ok(command)
    }

    /// The folder of the modules with the rules for the page.
    pub(crate) fn engine(&self) -> PathBuf {
        self.root.join(ENGINE)
    }

    /// The folder of guest bots: one `NAME.wasm` each.
    pub(crate) fn bots(&self) -> PathBuf {
        self.target.join("bots")
    }

    /// The arena's release binary.
    pub(crate) fn arena(&self) -> PathBuf {
        self.arena_of("release")
    }

    /// The arena's binary of a profile.
    pub(crate) fn arena_of(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(format!("arena{}", std::env::consts::EXE_SUFFIX))
    }

    /// Whether a folder has results of the files as they are now, which can be added to. If not, it is made to be one
    /// for them: what a commit has passed says nothing about another. Changes that are in no commit never resume.
    ///
    /// # Errors
    /// If git fails, or the folder cannot be written.
    pub(crate) fn resumes(&self, folder: &Path) -> Result<bool> {
        let mut git = Command::new("git");
        git.current_dir(&self.root).args(["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]);
        let state = process::output(&mut git)?;
        fs::create_dir_all(folder)?;
        let of = folder.join("commit");
        let resumes = !state.trim_end().ends_with("-dirty") && fs::read_to_string(&of).is_ok_and(|of| of == state);
        fs::write(of, state)?;
        Ok(resumes)
    }

    /// A path as a person in the root would write it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_to_on_the_same_commit_alone() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("tree");
        fs::create_dir(&root)?;
        let target = folder.path().join("target");
        let workspace =
            Workspace { root: root.clone(), target: target.clone(), cargo: "cargo".into(), metadata: Value::Null };
        let git = |arguments: &[&str]| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
            process::output(Command::new("git").current_dir(&root).args(identity).args(arguments))
        };
        git(&["init", "--quiet"])?;
        let results = target.join("night");
        let resumes = || workspace.resumes(&results);
        let mut seen = Vec::new();
        for text in ["first", "second"] {
            fs::write(root.join("file"), text)?;
            git(&["add", "file"])?;
            git(&["commit", "--quiet", "--message", text])?;
            seen.extend([resumes()?, resumes()?]);
        }
        assert_eq!(seen, [false, true, false, true]);
        fs::write(root.join("file"), "changed")?;
        assert_eq!([resumes()?, resumes()?], [false, false]);
        Ok(())
    }
}
