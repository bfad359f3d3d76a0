//! The arena on the command line.
//!
//! ```text
//! arena play mybot.wasm hard --games 100
//! ```

#[cfg(feature = "site")]
mod admin;
mod assemble;
mod bots;
mod bundle;
mod check;
mod conformance;
mod contest;
mod debug;
mod doctor;
mod engine;
mod exit;
mod file_type;
mod game;
mod guests;
#[cfg(feature = "site")]
mod guide;
mod interrupt;
#[cfg(feature = "site")]
mod limits;
mod logging;
#[cfg(feature = "site")]
mod login;
mod manual;
mod missing_file;
mod names;
mod new;
mod output;
mod overwrite;
#[cfg(feature = "site")]
mod pack;
mod paint;
mod parallel;
mod play;
mod progress;
mod record;
mod recorded;
#[cfg(feature = "site")]
mod remote;
mod replay;
mod script;
#[cfg(feature = "site")]
mod serve;
mod span;
mod strength;
#[cfg(feature = "site")]
mod submit;
#[cfg(test)]
mod terminal;
mod tools;
mod tournament;
mod verify;
mod version;
mod watch;
mod window;
#[cfg(feature = "site")]
mod worker;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use arena_worker::{Lack, Needed};
use clap::{Parser, Subcommand};

use crate::exit::Exit;

/// Life Arena: bots that play strategy games on Conway's Game of Life.
///
/// Bots are WebAssembly modules, or scripts in JavaScript or Python. Every game is a pure function of its record, and
/// verdicts come from fuel and rules, never from a clock: anyone can recompute a result, bit for bit. Start with `arena
/// play easy normal`, create a bot with `arena new my-bot --lang javascript`, check it with `arena check bot.js`, then
/// run a tournament.
#[derive(Parser)]
#[command(name = "arena", version, long_version = version::version(), after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a new bot: a project that already builds and plays.
    New(new::New),
    /// Find the tools for each language, and try them out on a bot.
    Doctor(doctor::Doctor),
    /// Assemble WebAssembly text into a module.
    Assemble(assemble::Assemble),
    /// Bundle a script with its interpreter into a module. Other commands do it by themselves.
    Bundle(script::Bundle),
    /// Check whether a bot is accepted, and what it uses.
    Check(check::Check),
    /// Play a match between two bots.
    Play(play::Play),
    /// Check and play a bot whenever it changes.
    Watch(watch::Watch),
    /// Run a tournament, or resume one.
    #[command(subcommand)]
    Tournament(tournament::Tournament),
    /// Show a recorded game in the terminal, turn by turn.
    Replay(replay::Replay),
    /// Convert a recorded game: to words, to and from notation, to a table.
    ///
    /// These forms are for Conway's Conquerors. `to-json` prints the record of any game.
    #[command(subcommand)]
    Record(record::Record),
    /// Replay a recorded game up to a turn, ask a bot for its move, and show its log and fuel.
    Debug(debug::Debug),
    /// Recompute a tournament or a game, and compare every byte.
    Verify(verify::Verify),
    /// Reproduce a published study.
    #[command(subcommand)]
    Study(arena_studies::Study),
    /// Compare this implementation with a folder of test vectors.
    Conformance(conformance::Conformance),
    #[cfg(feature = "site")]
    /// Print the guide of sites, chapter by chapter, as Markdown.
    Guide(guide::Guide),
    #[cfg(feature = "site")]
    /// List every limit of bots, tournaments and sites, and its reason.
    Limits(limits::Limits),
    #[cfg(feature = "site")]
    /// Run a site: submissions, standing tournaments, live games.
    Serve(serve::Serve),
    #[cfg(feature = "site")]
    /// Back up, restore, check and clean a site's data.
    #[command(subcommand)]
    Admin(admin::Admin),
    #[cfg(feature = "site")]
    /// Log in to a site with your player code or a token.
    Login(login::Login),
    #[cfg(feature = "site")]
    /// Submit a bot to a site and print the verdict.
    Submit(submit::Submit),
    #[cfg(not(feature = "site"))]
    /// Not in this build, as `admin`, `guide`, `limits`, `login`, `submit` and `worker`.
    #[command(name = "serve", aliases = ["admin", "guide", "limits", "login", "submit", "worker"])]
    OfSites {
        /// What is ignored.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        rest: Vec<std::ffi::OsString>,
    },
    /// Print completions for a shell.
    Completions(manual::Completions),
    /// Print a page of the manual, for `man`.
    Man(manual::Man),
    #[cfg(feature = "site")]
    /// Play a site's tournament games on this machine.
    Worker(worker::Worker),
    /// Play bots for another process of the arena.
    #[command(hide = true)]
    Guests(guests::Guests),
}

fn main() -> ExitCode {
    // Asked first, by a function with a small frame: with less, the program would end as it reads its arguments.
    if let Some(lack) = Lack::of(Needed::Stack) {
        let _ = writeln!(io::stderr(), "arena: cannot run here: {lack}");
        return ExitCode::from(exit::UNUSABLE);
    }
    with_a_stack()
}

#[inline(never)]
fn with_a_stack() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = run(&cli.command, &mut out);
    let done = done.and_then(|exit| out.flush().map(|()| exit).map_err(Into::into));
    match done {
        Ok(exit) => exit.into(),
        // The reader has seen enough (`arena ... | head`).
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "arena: {error:#}");
            ExitCode::from(exit::UNUSABLE)
        }
    }
}

fn run(command: &Command, out: &mut dyn Write) -> Result<Exit> {
    match command {
        // It runs foreign code and logs nothing.
        Command::Guests(_) => {}
        // These have their own flags for logging.
        #[cfg(feature = "site")]
        Command::Serve(_) | Command::Worker(_) => {}
        _ => logging::set_up_from_environment()?,
    }
    match command {
        Command::New(new) => new::run(new, out),
        Command::Doctor(doctor) => doctor::run(doctor, out),
        Command::Assemble(assemble) => assemble::run(assemble, out),
        Command::Bundle(bundle) => script::run(bundle, out),
        Command::Check(check) => check::run(check, out),
        Command::Play(play) => play::run(play, out),
        Command::Watch(watch) => watch::run(watch, out),
        Command::Tournament(tournament) => tournament::run(tournament, out),
        Command::Replay(replay) => replay::run(replay, out),
        Command::Record(record) => record::run(record, out),
        Command::Debug(debug) => debug::run(debug, out),
        Command::Verify(verify) => verify::run(verify, out),
        Command::Study(study) => {
            let agrees = arena_studies::run(study, progress::bar(0, "games"), out)?;
            Ok(if agrees { Exit::Yes } else { Exit::No })
        }
        Command::Conformance(conformance) => conformance::run(conformance, out),
        #[cfg(feature = "site")]
        Command::Guide(guide) => guide::run(guide, out),
        #[cfg(feature = "site")]
        Command::Limits(limits) => limits::run(limits, out),
        #[cfg(feature = "site")]
        Command::Serve(serve) => serve::run(serve, out),
        #[cfg(feature = "site")]
        Command::Admin(admin) => admin::run(admin, out),
        #[cfg(feature = "site")]
        Command::Login(login) => login::run(login, out),
        #[cfg(feature = "site")]
        Command::Submit(submit) => submit::run(submit, out),
        #[cfg(not(feature = "site"))]
        Command::OfSites { rest: _ } => anyhow::bail!(
            "this build has no site, and none of its commands: `cargo xtask demo` builds all of the arena at its end, \
             and so does `cargo build`"
        ),
        Command::Completions(completions) => manual::completions(completions, out),
        Command::Man(man) => manual::man(man, out),
        Command::Guests(guests) => guests::run(guests),
        #[cfg(feature = "site")]
        Command::Worker(worker) => worker::run(worker, out),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
