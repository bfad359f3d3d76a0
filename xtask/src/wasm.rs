//! Makes `cargo build --target wasm32-unknown-unknown` possible.
//!
//! There are three ways; the first that works is taken:
//!
//! 1. the active rustc has the target's std: nothing has to be done;
//! 2. `rustup target add`: the normal case on a developer's machine;
//! 3. only Debian packages are available: Debian's rustc-web with its own std sources, unpacked into a private folder,
//!    where std is built once ([`debian`]). Needs no root, installs nothing, is used for guests only.
//!
//! An existing private toolchain is used without asking rustup again. [`setup`] holds the inputs of the decision, so
//! that tests can replace the real programs.
//!
//! It does not choose rustc's version, and never changes the rustc that builds the arena itself.

mod choice;
mod debian;
mod setup;
#[cfg(all(test, unix))]
mod tests;
mod toolchain;

use anyhow::Result;

use self::setup::Setup;
pub(crate) use self::toolchain::{TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// The toolchain for guests, set up first if necessary.
///
/// # Errors
/// If none of the three ways works; the error says what to install.
pub(crate) fn toolchain(workspace: &Workspace) -> Result<WasmToolchain> {
    choice::run(Setup::here(workspace))
}

/// Whether rustup provided the target of the active rustc: then `rustup` can be asked for it without fetching anything.
///
/// # Errors
/// If there is no rustc.
pub(crate) fn is_by_rustup(workspace: &Workspace) -> Result<bool> {
    choice::is_by_rustup(&Setup::here(workspace))
}
