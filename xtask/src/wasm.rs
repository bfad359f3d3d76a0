//! Makes `cargo build --target wasm32-unknown-unknown` possible: rustc needs its own library for each target, and
//! rustup fetches it.
//!
//! It does not choose rustc's version.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::process::{output, within};

/// The target of guests.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The time limit of rustup: it fetches about 20 MB, and waits long for servers that do not answer.
const RUSTUP_MAX: Duration = Duration::from_secs(180);

/// Has rustup fetch Rust's own library for a target, unless it is installed.
///
/// # Errors
/// If there is no rustc, or the library is missing and rustup does not bring it; the error says what to install.
pub(crate) fn make_library_ready(target: &str) -> Result<()> {
    let find = || output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    let folder = PathBuf::from(find().context("there is no rustc: install Rust from https://rustup.rs")?.trim());
    if !folder.is_dir() {
        println!("    asking rustup for {target}");
        output(within(RUSTUP_MAX, "rustup").args(["target", "add", target])).with_context(|| {
            format!(
                "Rust's library for {target} is missing: add it to this Rust, or install Rust from https://rustup.rs"
            )
        })?;
        ensure!(folder.is_dir(), "rustup is not in charge of the rustc on PATH: add the target {target} to it");
    }
    Ok(())
}

/// Whether rustup has the target of guests: then it can be asked for it without fetching anything.
pub(crate) fn is_by_rustup() -> bool {
    let list = output(Command::new("rustup").args(["target", "list", "--installed"]));
    list.is_ok_and(|installed| installed.lines().any(|target| target == TARGET))
}
