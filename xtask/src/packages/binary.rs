//! The binary of a release: static, so that it runs on any Linux with the same processor architecture, whatever its
//! libraries.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::product::{is_static, machine};
use crate::bots::guests::remapped_paths;
use crate::process::{find_on_path, output, run};
use crate::workspace::Workspace;

/// The C compiler for musl, on Debian in `musl-tools`: SQLite and the cryptography of `arena login` have parts in C.
const COMPILER: &str = "musl-gcc";

/// Builds the binary for this machine against musl, and returns its path.
///
/// # Errors
/// If no packages are made for this system, musl's compiler or Rust's library for it is not available, or the build
/// fails.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    let target = machine()?.static_target();
    if find_on_path(COMPILER).is_none() {
        bail!("there is no {COMPILER} on PATH: install musl's compiler (Debian: `apt-get install musl-tools`)");
    }
    make_std_ready(&target)?;
    run(workspace
        .cargo()
        .args(["build", "--profile", "dist", "--package", "arena", "--target", &target])
        .env(format!("CC_{}", target.replace('-', "_")), COMPILER)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", remapped_paths(workspace).join("\u{1f}")))?;
    let binary = workspace.target.join(target).join("dist").join("arena");
    ensure!(is_static(&binary)?, "{} loads shared libraries", workspace.shown(&binary));
    Ok(binary)
}

/// Has rustup fetch Rust's own library for a target, unless it is installed.
fn make_std_ready(target: &str) -> Result<()> {
    let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))?;
    if PathBuf::from(folder.trim()).is_dir() {
        return Ok(());
    }
    run(Command::new("rustup").args(["target", "add", target]))
        .with_context(|| format!("Rust's library for {target} is missing, and rustup cannot fetch it"))
}
