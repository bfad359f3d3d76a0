//! The binary of a release: static, so that it runs on any Linux with the same processor architecture, whatever its
//! libraries.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use super::product::{is_static, machine};
use crate::bots::guests::remapped_paths;
use crate::process::{find_on_path, run};
use crate::wasm::make_library_ready;
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
    make_library_ready(&target)?;
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
