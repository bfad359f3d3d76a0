//! A newcomer's environment: a shell that finds `arena` and the available compilers, without our settings for cargo.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::languages::Compilers;
use crate::wasm::WasmToolchain;
use crate::workspace::Workspace;

/// A newcomer's machine.
pub(crate) struct Newcomer<'a> {
    pub(crate) workspace: &'a Workspace,
    /// The arena's binary.
    pub(crate) arena: &'a Path,
    pub(crate) toolchain: &'a WasmToolchain,
    pub(crate) compilers: &'a Compilers,
}

impl Newcomer<'_> {
    /// The environment in which the shell finds the arena and the available compilers.
    ///
    /// # Errors
    /// If the new `PATH` is not valid.
    pub(crate) fn env(&self) -> Result<Vec<(&'static str, OsString)>> {
        let toolchain = self.toolchain.env().map(|(name, value)| (name, value.clone()));
        Ok(toolchain.chain(self.compilers.env()).chain([("PATH", path_with(self.arena)?)]).collect())
    }
}

/// A shell in a folder, with a script to run.
pub(crate) fn shell<K: AsRef<OsStr>>(folder: &Path, script: &str, env: &[(K, OsString)]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(folder).env_remove("RUSTFLAGS").env_remove("CARGO_TARGET_DIR");
    shell.envs(env.iter().map(|(name, value)| (name, value)));
    shell
}

/// `PATH` with the arena's folder first, because READMEs call `arena`.
///
/// # Errors
/// If the new `PATH` is not valid.
pub(crate) fn path_with(arena: &Path) -> Result<OsString> {
    let own = arena.parent().context("a program is in a folder")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)))?)
}
