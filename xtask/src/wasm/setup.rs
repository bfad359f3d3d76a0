//! All that the choice of a toolchain depends on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process::{find_program, output};
use crate::workspace::Workspace;

/// Set to anything, it makes us pass over rustup.
pub(super) const NO_RUSTUP: &str = "ARENA_WASM_NO_RUSTUP";

/// The folder of the private toolchain, if not `target/wasm-toolchain`.
pub(super) const FOLDER: &str = "ARENA_WASM_DIR";

/// How long rustup may take: it fetches about 20 MB, and waits long for servers that do not answer.
const RUSTUP_SECONDS_MAX: u64 = 180;

/// Whether rustup is asked.
#[derive(Clone, Copy)]
pub(super) enum Rustup {
    Within(Duration),
    PassedOver,
}

/// All that the choice between the three ways depends on.
pub(super) struct Setup {
    /// Where programs are looked for, like `PATH`.
    pub(super) path: OsString,
    /// The active rustc, if it is not the one on `path`.
    pub(super) rustc: Option<PathBuf>,
    pub(super) cargo: PathBuf,
    /// Where programs run: rustup and rustc may choose a toolchain by folder.
    pub(super) root: PathBuf,
    /// The private toolchain's, whether it is there or not. Absolute, or relative to `root`.
    pub(super) folder: PathBuf,
    pub(super) rustup: Rustup,
}

impl Setup {
    /// As this machine and its environment have it.
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
