//! The bots of the tree as modules, for tests: a file that they include.
//!
//! `cargo xtask bots` builds them, and `cargo xtask test` says in `ARENA_BOTS_DIR` where they are. In plain `cargo test` a test that
//! needs one is left out, and a line says so.

use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;

/// The folder of the bots, if the environment names one.
///
/// # Panics
/// When there are no bots in it.
pub(crate) fn folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ARENA_BOTS_DIR").map(PathBuf::from) else {
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        // Not `eprintln`: of a test that passes, the harness shows nothing that was printed that way.
        writeln!(io::stderr(), "left out: {test} needs the bots; `cargo xtask test tests` builds them")
            .expect("written");
        return None;
    };
    assert!(folder.join("scatter.wasm").is_file(), "{} has no bots: `cargo xtask bots`", folder.display());
    Some(folder)
}
