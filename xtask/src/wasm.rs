//! Makes `cargo build --target wasm32-unknown-unknown` possible.
//!
//! Three ways, the first that holds:
//!
//! 1. the active rustc has the target's std: nothing to do;
//! 2. `rustup target add`: the normal case on a developer's machine;
//! 3. only Debian packages can be had: Debian's rustc-web with its own std sources, unpacked into a private
//!    folder, std built there once ([`debian`]). Needs no root, installs nothing, is used for guests only.
//!
//! A private toolchain that stands is used without asking rustup again. What decides is in [`setup`], so
//! that tests can put their own programs in the place of the real ones; [`prove`] runs the real ones.
//!
//! It does not choose rustc's version, and never changes the rustc that builds the arena itself.

mod choice;
mod debian;
pub(crate) mod prove;
mod setup;
#[cfg(all(test, unix))]
mod tests;
mod toolchain;

use anyhow::Result;

use self::setup::Setup;
pub(crate) use self::toolchain::{TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// The toolchain for guests, set up first if need be.
///
/// # Errors
/// None of the three ways is open; the error says what to install.
pub(crate) fn toolchain(workspace: &Workspace) -> Result<WasmToolchain> {
    choice::run(Setup::here(workspace))
}

/// Whether it is rustup that gave the active rustc the target: then it can be asked for it, and has nothing to fetch.
///
/// # Errors
/// There is no rustc.
pub(crate) fn is_by_rustup(workspace: &Workspace) -> Result<bool> {
    choice::is_by_rustup(&Setup::here(workspace))
}
