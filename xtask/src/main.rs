//! The project's chores, run as `cargo xtask <command>`; `cargo xtask help` lists them.
//!
//! It is not a build system: cargo decides what is stale. It does the rest.
//!
//! ```text
//! cargo xtask test --quick
//! ```
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line edge")]

// Parsing and running commands.
mod commands;
mod tasks;
mod unknown;

// The subjects, each with a folder of its own: `bots` builds the bots of the tree in every language, and acts as a
// newcomer; `guide` follows the guide like a reader; `packages` builds the static binary and packages for it, and
// installs them; `web` runs the tests from outside; `count` counts lines of code.
mod bots;
mod count;
mod guide;
mod packages;
mod web;

// Subjects in a single file: Rust's library for WebAssembly, the targets of the folder `fuzz`, the layers of the
// workspace, those of the files in a crate, the features of compiled packages, and how tests wait.
#[cfg(test)]
mod circles;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod features;
mod fuzz;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod waits;
mod wasm;
#[cfg(test)]
mod workflows;

// Shared helpers.
mod apt;
mod cost;
mod files;
mod memory;
mod nextest;
mod process;
mod steps;
mod workspace;

use std::process::ExitCode;

use unknown::Unknown;

/// The exit code for an unknown name.
const UNKNOWN: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = arguments.collect();
    match commands::run(&command, &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<Unknown>() { ExitCode::from(UNKNOWN) } else { ExitCode::FAILURE }
        }
    }
}
