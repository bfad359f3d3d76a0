//! The bots of the tree as modules, for tests: a file that they include.
//!
//! `cargo xtask bots` builds them, and `cargo xtask test` says in `ARENA_BOTS_DIR` where they are. In plain `cargo test` a test that
//! needs one is left out, and a line says so.

#[path = "../arena/tests/left_out.rs"]
mod left_out;

use std::path::PathBuf;
use std::thread;

use left_out::left_out;

/// The folder of the bots, if the environment names one.
///
/// # Panics
/// When there are no bots in it.
pub(crate) fn folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ARENA_BOTS_DIR").map(PathBuf::from) else {
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        left_out(&format!("{test} needs the bots; `cargo xtask test tests` builds them"));
        return None;
    };
    assert!(folder.join("scatter.wasm").is_file(), "{} has no bots: `cargo xtask bots`", folder.display());
    Some(folder)
}
