//! The bots of the tree as modules, for tests, which include this file.
//!
//! `cargo xtask bots` builds them, and `cargo xtask test` passes their folder in `ARENA_BOTS_DIR`. In plain `cargo test` tests that
//! need one are skipped, with a line that says so.

#[path = "../arena/tests/left_out.rs"]
pub(crate) mod left_out;

use std::path::PathBuf;
use std::thread;

use left_out::left_out;

/// The folder of the bots, if the environment variable is set.
///
/// # Panics
/// When the folder has no bots.
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
