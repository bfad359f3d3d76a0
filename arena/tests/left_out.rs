//! A line for what tests leave out on this machine: a file that they include.

use std::io::{self, Write};

/// Says what is left out, and what it needs.
///
/// # Panics
/// When standard error is closed.
pub(crate) fn left_out(what: &str) {
    // Not `eprintln`: of a test that passes, the harness shows nothing that was printed that way.
    writeln!(io::stderr(), "left out: {what}").expect("written");
}
