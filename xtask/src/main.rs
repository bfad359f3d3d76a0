//! The project's chores, run as `cargo xtask <command>`: see [`HELP`].
//!
//! It is not a build system: cargo decides what is stale. What cargo cannot do stands here: making the
//! wasm32 target available ([`wasm`]), gathering the guest bots in one folder ([`guests`]) with the
//! compilers of other languages ([`languages`]), doing what a newcomer does ([`newcomer`]) and what a reader of
//! the guide does ([`guide`]), building a static binary ([`dist`]), making packages of it ([`packages`]) and
//! installing them ([`installing`]), doing the steps of a command in order ([`steps`]), running the tests from outside ([`web`]), running the targets of
//! `fuzz` ([`fuzz`]), and judging the layers of the workspace ([`tidy`]) and of the files in a crate ([`circles`]).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line edge")]

#[cfg(test)]
mod circles;
mod dist;
mod fuzz;
mod guests;
mod guide;
mod installing;
mod languages;
mod newcomer;
mod packages;
mod process;
mod steps;
mod tasks;
#[cfg(test)]
mod tidy;
mod wasm;
mod web;
#[cfg(test)]
mod workflows;
mod workspace;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const HELP: &str = "\
Usage: cargo xtask <command>

  demo [arguments]   set up, build, and play the opening tournament into target/demo;
                     arguments go to `arena tournament run`
  build              the arena (release) and every guest bot (target/bots/*.wasm)
  bots               only the guest bots; `build` and `test` do it, too: compilers for bots in C, Zig and AssemblyScript that
                     are missing are fetched from PyPI and npm into target/tools, and what cannot be had is skipped
  test               everything CI runs: guests, tests, formatting, lints, pure crates on wasm32, bots in every language, the
                     packages installed, the guide's commands, the server in a browser
  guide              run every command of guide/, as `test` does
  dist               a static binary, and the packages for pip, npm and cargo around it, into target/packages; needs musl's
                     compiler (Debian: musl-tools)
  installing         make the packages around the binary of the tests, install each from its files, try it out; `test` does it
  bench              guests, then the benchmarks
  prices             what a unit of fuel buys at worst, for every operator: --all shows each, names of operators only those
  load               many rooms and spectators on one server, measured
  kill-tournament    kill tournaments at random moments and go on with them: --kills N (1000), --seed S (1)
  tamper             change random bytes of a tournament's folder and verify it: --mutations N (10000), --seed S (1)
  fuzz               upload made-up, mutated and broken modules: --uploads N (1000000), --seed S (1); says how memory grows
  fuzz-smoke         run the targets of fuzz/ under libFuzzer: --seconds N (30) for each, --seed S (1); installs cargo-fuzz
                     into target/tools, needs a C++ compiler, but no nightly toolchain: there is no sanitizer in it
  screenshots        every page of the server, into target/screenshots
  setup              only make Rust able to build for wasm32-unknown-unknown
  prove-toolchain    run both ways `setup` can take, in fresh folders, and build a guest with each
  help               this text

Tests of pages and `screenshots` need Node.js 20 with npm, and Chromium.

Environment: ARENA_WASM_NO_RUSTUP=1 makes `setup` pass over rustup; ARENA_WASM_DIR=<folder> says where a
private wasm toolchain is kept (default: target/wasm-toolchain); ARENA_CHROMIUM=<program> says which browser is used.";

const COMMANDS: &str = "demo, build, bots, test, guide, dist, installing, bench, prices, load, kill-tournament, tamper, fuzz, fuzz-smoke, screenshots, setup, prove-toolchain, help";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_str() {
        "demo" => tasks::demo(&rest),
        "build" => no_more(&rest).and_then(|()| tasks::build()),
        "bots" => no_more(&rest).and_then(|()| tasks::bots()),
        "test" => no_more(&rest).and_then(|()| tasks::test()),
        "dist" => no_more(&rest).and_then(|()| tasks::dist()),
        "installing" => no_more(&rest).and_then(|()| tasks::installing()),
        "guide" => no_more(&rest).and_then(|()| tasks::guide()),
        "bench" => tasks::bench(&rest),
        "prices" => tasks::prices(&rest),
        "load" => no_more(&rest).and_then(|()| tasks::load()),
        "kill-tournament" => repeats(&rest, "--kills", 1_000).and_then(|(kills, seed)| tasks::kill(kills, seed)),
        "tamper" => repeats(&rest, "--mutations", 10_000).and_then(|(count, seed)| tasks::tamper(count, seed)),
        "fuzz" => repeats(&rest, "--uploads", 1_000_000).and_then(|(uploads, seed)| tasks::fuzz(uploads, seed)),
        "fuzz-smoke" => repeats(&rest, "--seconds", 30).and_then(|(seconds, seed)| tasks::fuzz_smoke(seconds, seed)),
        "screenshots" => no_more(&rest).and_then(|()| tasks::screenshots()),
        "setup" => no_more(&rest).and_then(|()| tasks::setup()),
        "prove-toolchain" => no_more(&rest).and_then(|()| tasks::prove_toolchain()),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        unknown => {
            eprintln!("error: no command `{unknown}`; there are: {COMMANDS}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// How often something is to be done (`name N`), and the seed it is done with (`--seed S`).
fn repeats(rest: &[String], name: &str, default: u64) -> Result<(u64, u64)> {
    let (mut count, mut seed) = (default, 1);
    for argument in rest.chunks(2) {
        let [option, value] = argument else { bail!("`{}` wants a number", argument[0]) };
        let value = value.parse().with_context(|| format!("`{option}` wants a whole number, not `{value}`"))?;
        match option.as_str() {
            "--seed" => seed = value,
            option if option == name => count = value,
            option => bail!("this command takes {name} and --seed, but got `{option}`"),
        }
    }
    Ok((count, seed))
}

/// For commands that take nothing more: an argument that would be ignored is a mistake worth telling.
fn no_more(rest: &[String]) -> Result<()> {
    match rest.first() {
        None => Ok(()),
        Some(argument) => bail!("this command takes no arguments, but got `{argument}`"),
    }
}
