//! The inputs of the choice of a toolchain.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process::{find_program, output};
use crate::workspace::Workspace;

/// If set, rustup is skipped.
pub(super) const NO_RUSTUP: &str = "ARENA_WASM_NO_RUSTUP";

/// The folder of the private toolchain, if not `target/wasm-toolchain`.
pub(super) const FOLDER: &str = "ARENA_WASM_DIR";

/// The time limit of rustup: it fetches about 20 MB, and waits long for servers that do not answer.
const RUSTUP_SECONDS_MAX: u64 = 180;

/// Whether rustup is used.
#[derive(Clone, Copy)]
pub(super) enum Rustup {
    Within(Duration),
    PassedOver,
}

/// The inputs of the choice between the three ways.
pub(super) struct Setup {
    /// The search path of programs, like `PATH`.
    pub(super) path: OsString,
    /// The active rustc, if it is not the one on `path`.
    pub(super) rustc: Option<PathBuf>,
    pub(super) cargo: PathBuf,
    /// The current folder of programs: rustup and rustc may choose a toolchain by it.
    pub(super) root: PathBuf,
    /// The private toolchain's folder, which need not exist. Absolute, or relative to `root`.
    pub(super) folder: PathBuf,
    pub(super) rustup: Rustup,
}

impl Setup {
    /// The setup of this machine and its environment.
    pub(super) fn here(workspace: &Workspace) -> Self {
        let folder = std::env::var_os(FOLDER).map(PathBuf::from);
        let rustup = match std::env::var_os(NO_RUSTUP) {
            Some(_) => Rustup::PassedOver,
            None => Rustup::Within(Duration::from_secs(RUSTUP_SECONDS_MAX)),
        };
        Self {
            path: std::env::var_os("PATH").unwrap_or_default(),
            rustc: std::env::var_os("RUSTC").map(PathBuf::from),
            cargo: workspace.cargo.clone(),
            root: workspace.root.clone(),
            folder: folder.unwrap_or_else(|| workspace.target.join("wasm-toolchain")),
            rustup,
        }
    }

    pub(super) fn active_sysroot(&self) -> Result<PathBuf> {
        let on_path = || find_program("rustc", &self.path);
        let Some(rustc) = self.rustc.clone().or_else(on_path) else {
            bail!("there is no rustc on PATH: install Rust from https://rustup.rs");
        };
        let said = output(self.command(&rustc).args(["--print", "sysroot"]))?;
        Ok(PathBuf::from(said.trim_end()))
    }

    /// A program that sees the same programs as we do.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", &self.path);
        command
    }
}
