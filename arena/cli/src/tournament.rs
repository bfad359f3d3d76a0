//! `arena tournament`.

#[cfg(feature = "site")]
mod export;
mod live;
mod openings;
mod organise;
mod plan;
mod status;
#[cfg(feature = "site")]
mod submit;
mod warn;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use arena_files::read_text;
use arena_limits::counted;
use arena_runner::{Folder, Progress, Proof, SOURCES_MAX, layout};
use arena_tournaments::limits::DEFINITION_BYTES_MAX;
use arena_tournaments::{Definition, DefinitionError};
use clap::{Args, Subcommand};

use crate::exit::{Exit, program};
use crate::interrupt::Interrupt;
use crate::missing_file::{self, Wanted};
use crate::parallel::Threads;
use crate::{bots, output};

#[cfg(feature = "site")]
use export::Export;
use live::Live;
use organise::{Add, Leave};
use plan::Plan;
use status::Look;
#[cfg(feature = "site")]
use submit::Submit;

pub(crate) use organise::{Changed, sentence};

/// The answer to Ctrl-C.
const STOPPING: &str = "stopping after the current games; Ctrl-C again stops at once, and nothing is lost either way";

#[derive(Subcommand)]
pub(crate) enum Tournament {
    /// Run a tournament, or resume one.
    ///
    /// Everything is in the folder --out: the bots' bytes, the journal with the record of every game, and results/ with
    /// the standings. Other commands take game N of it as DIR#N. The same definition and seed give the same bytes in
    /// results/, with any number of threads and interruptions: by Ctrl-C, a kill or a power cut.
    Run(Run),
    /// Resume a tournament from its folder alone.
    Resume(Resume),
    /// Estimate what a tournament costs before it is played: games, fuel, time.
    Plan(Plan),
    /// Add a late entrant, from the next round on.
    ///
    /// The format decides how late: a round robin and a gauntlet take it at any time, a Swiss tournament and a ladder
    /// before the last round, the others before the first game.
    Add(Add),
    /// Withdraw an entrant, from the next round on. Its games count, and decide its place.
    Withdraw(Leave),
    /// Disqualify an entrant, from the next round on. Its games stand as played and count for its opponents; it is
    /// placed last.
    Disqualify(Leave),
    /// Show a tournament's progress, and what its organiser changed.
    Status(Look),
    /// Print the standings after the games so far.
    Standings(Look),
    #[cfg(feature = "site")]
    /// Write a tournament into one file: a page with all games, tables, notation, an archive.
    Export(Export),
    #[cfg(feature = "site")]
    /// Start a tournament on a site.
    ///
    /// The site draws the seed and plays with the game's budgets. Built-in opponents of the definition have reserved
    /// seats.
    Submit(Submit),
}

#[derive(Args)]
pub(crate) struct Run {
    /// The definition, a .toml file; tournaments/definitions/opening.toml is a good start.
    definition: PathBuf,
    /// The tournament's folder [default: the definition's name in out/].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Override the definition's seed.
    #[arg(long)]
    seed: Option<u64>,
    /// Start games of Conquerors from the positions in this file instead of generated ones: one per line, in notation.
    /// The pairs of two entrants use them in turn. The folder keeps them.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    playing: Playing,
}

#[derive(Args)]
pub(crate) struct Resume {
    /// The tournament's folder.
    folder: PathBuf,
    #[command(flatten)]
    playing: Playing,
}

/// How a tournament is played.
#[derive(Args)]
struct Playing {
    #[command(flatten)]
    threads: Threads,
    /// Print the standings as JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a line on standard error when a game begins.
    #[arg(long)]
    verbose: bool,
    /// Reuse games from the tournament in this folder if bots, seats, seed and options are the same.
    /// May be given more than once.
    /// They are replayed by the rules; whether their bots played like this is not checked without --prove.
    #[arg(long, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// With --from: play the reused games again, too, and stop at the first that differs.
    #[arg(long, requires = "from")]
    prove: bool,
}

pub(crate) fn run(tournament: &Tournament, out: &mut dyn Write) -> Result<Exit> {
    let args = match tournament {
        Tournament::Run(args) => args,
        Tournament::Plan(args) => return plan::run(args, out),
        #[cfg(feature = "site")]
        Tournament::Export(args) => return export::run(args, out),
        #[cfg(feature = "site")]
        Tournament::Submit(args) => return submit::run(args, out),
        Tournament::Add(args) => return organise::add(args, out),
        Tournament::Withdraw(args) => return organise::withdraw(args, out),
        Tournament::Disqualify(args) => return organise::disqualify(args, out),
        Tournament::Status(args) => return status::status(args, out),
        Tournament::Standings(args) => return status::standings(args, out),
        Tournament::Resume(Resume { folder: path, playing }) => {
            let host = bots::host(playing.threads.count())?;
            let (folder, definition) = Folder::resume(path, &host)?;
            return play(folder, path, &definition.name, playing, out);
        }
    };
    let (mut definition, base) = playable(&args.definition, args.openings.as_deref())?;
    if let Some(seed) = args.seed {
        definition = definition.with_seed(seed)?;
    }
    let stem = args.definition.file_stem().unwrap_or_default();
    let path = args.out.clone().unwrap_or_else(|| Path::new("out").join(stem));
    let host = bots::host(args.playing.threads.count())?;
    if !path.join(layout::MANIFEST).exists() {
        for warning in warn::warnings(&definition, base, &*host)? {
            writeln!(std::io::stderr(), "warning: {warning}")?;
        }
    }
    let (folder, changed) = Folder::open(&path, &definition, base, &host)?;
    for bot in changed {
        tell(&format!(
            "the bot of {} has changed since this tournament started; the tournament keeps its first version",
            bot.name
        ));
    }
    play(folder, &path, &definition.name, &args.playing, out)
}

/// Reads a definition from a file; also returns the folder that its other files are relative to.
pub(crate) fn definition(path: &Path) -> Result<(Definition, &Path)> {
    let (text, base) = text_of(path)?;
    Ok((parsed(path, Definition::parse_with(&text, reading(base)))?, base))
}

/// The same for a tournament that is played here: with the openings of a file, if there is one, and only if its games
/// exist and suit it.
fn playable<'a>(path: &'a Path, openings: Option<&Path>) -> Result<(Definition, &'a Path)> {
    let (text, base) = text_of(path)?;
    let mut definition = parsed(path, Definition::parse_with(&text, reading(base)))?;
    if let Some(file) = openings {
        let openings = openings::openings(file, &definition.ruleset, &definition.options)?;
        definition = definition.with_openings(openings).with_context(|| file.display().to_string())?;
    }
    definition.to_format_in(&text).with_context(|| format!("{} is not a tournament", path.display()))?;
    Ok((definition, base))
}

/// A definition's text, and the folder that its other files are relative to.
fn text_of(path: &Path) -> Result<(String, &Path)> {
    missing_file::ensure_file(path, Wanted::Definition)?;
    let text = read_text(path, DEFINITION_BYTES_MAX as u64);
    let text = text.with_context(|| format!("cannot read the definition {}", path.display()))?;
    Ok((text, path.parent().unwrap_or(Path::new(""))))
}

/// Gives the text of a file that a definition names, or the reason why it cannot.
fn reading(base: &Path) -> impl Fn(&str) -> Result<String, String> {
    |name| read_text(&base.join(name), DEFINITION_BYTES_MAX as u64).map_err(|error| error.to_string())
}

/// What was parsed from a definition's text.
fn parsed<T>(path: &Path, parsed: Result<T, DefinitionError>) -> Result<T> {
    parsed.with_context(|| format!("{} is not a tournament", path.display()))
}

/// Plays the missing games and shows the standings.
fn play(mut folder: Folder, path: &Path, name: &str, playing: &Playing, out: &mut dyn Write) -> Result<Exit> {
    let Progress { played, total } = folder.progress();
    if played > 0 {
        tell(&format!("resuming {}: {played} of {} already played", path.display(), counted(total, "game")));
    }
    ensure!(playing.from.len() <= SOURCES_MAX, "--from may be given at most {SOURCES_MAX} times");
    let proof = if playing.prove { Proof::Played } else { Proof::Rules };
    folder.reuse(&playing.from, proof).context("games cannot be taken from another tournament")?;
    if playing.verbose {
        // One write per line, so that lines of several threads stay whole.
        folder.on_begin(|number| {
            let _ = std::io::stderr().write_all(format!("game {number} begins\n").as_bytes());
        });
    }
    let interrupt = Interrupt::listen(STOPPING)?;
    let mut live = Live::begin(folder.progress(), folder.standings(), folder.entrants().to_vec());
    let ran = folder.watch_until(playing.threads.count(), |sight| {
        live.see(sight);
        if interrupt.is_heard() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    live.end();
    let finished = match ran {
        ControlFlow::Continue(finished) => finished,
        ControlFlow::Break(()) => {
            let Progress { played, total } = folder.progress();
            let mut err = std::io::stderr();
            writeln!(err, "interrupted: {played} of {} kept; resume with", counted(total, "game"))?;
            writeln!(err, "  {} tournament resume {}", program(), path.display())?;
            return Ok(Exit::Interrupted);
        }
    };
    if playing.json {
        write!(out, "{}", finished.standings.to_json())?;
        return Ok(Exit::Yes);
    }
    writeln!(out, "{name}\n")?;
    write!(out, "{}", finished.standings.to_table())?;
    let void = finished.standings.void;
    writeln!(out, "\ngames lost to the machine: {void} of {}{}", finished.games, again(finished.platform_faults))?;
    if !playing.from.is_empty() {
        let taken = output::count(finished.taken, "game");
        let proof = if playing.prove {
            "each played again here, and the same"
        } else {
            "replayed by the rules alone; --prove plays them again with the bots' bytes"
        };
        writeln!(out, "taken from other folders: {taken}, {proof}")?;
    }
    writeln!(out, "standings, records and bots: {}", path.display())?;
    if let Some(number) = folder.counted().next() {
        writeln!(out, "watch a game: {} replay {}#{number}", program(), path.display())?;
    }
    writeln!(out, "compute it again: {} verify {}", program(), path.display())?;
    Ok(Exit::Yes)
}

fn again(platform_faults: u64) -> String {
    if platform_faults == 0 { String::new() } else { format!(" ({platform_faults} were played again)") }
}

/// A note for a person at the terminal; standard output is for results.
fn tell(note: &str) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = writeln!(err, "note: {note}");
    }
}
