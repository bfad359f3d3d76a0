//! `arena tournament`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_runner::{Folder, Progress, read_at_most};
use arena_tournaments::Definition;
use clap::{Args, Subcommand};

use crate::exit::{Exit, program};
use crate::parallel::Threads;
use crate::{bots, progress};

/// The longest definition that is read: far more than 64 entrants need.
const DEFINITION_BYTES_MAX: u64 = 1 << 20;

#[derive(Subcommand)]
pub(crate) enum Tournament {
    /// Play the tournament of a definition to its final standings, or go on with it where it was stopped.
    ///
    /// Everything is in the folder --out: the bots' bytes, the journal of finished games, and results/ with standings and
    /// the record of every game. The same definition and seed give the same bytes in results/, whatever the threads and
    /// however often it was stopped.
    Run(Run),
}

#[derive(Args)]
pub(crate) struct Run {
    /// The definition, a .toml file; tournaments/definitions/opening.toml is one to copy from.
    definition: PathBuf,
    /// The tournament's folder [default: the definition's name in out/].
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Another seed than the definition's.
    #[arg(long)]
    seed: Option<u64>,
    /// Print the standings as JSON instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(tournament: &Tournament, out: &mut dyn Write) -> Result<Exit> {
    let Tournament::Run(args) = tournament;
    let file = args.definition.display();
    let bytes = read_at_most(&args.definition, DEFINITION_BYTES_MAX);
    let bytes = bytes.with_context(|| format!("cannot read the definition {file}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{file} is not text"))?;
    let mut definition = Definition::parse(&text).with_context(|| format!("{file} is not a tournament"))?;
    if let Some(seed) = args.seed {
        definition = definition.with_seed(seed)?;
    }
    let stem = args.definition.file_stem().unwrap_or_default();
    let folder_path = args.out.clone().unwrap_or_else(|| Path::new("out").join(stem));
    let base = args.definition.parent().unwrap_or(Path::new(""));
    let host = bots::host(args.threads.count())?;
    let (mut folder, changed) = Folder::open(&folder_path, &definition, base, &host)?;
    for bot in changed {
        tell(&format!(
            "the file of {} has changed since this tournament started; the version from then plays on",
            bot.name
        ));
    }
    let Progress { played, total } = folder.progress();
    if played > 0 {
        tell(&format!("going on with {}: {played} of {total} games are played", folder_path.display()));
    }
    let bar = progress::bar(total as u64, "games");
    bar.set_position(played as u64);
    bar.reset_eta();
    let finished = folder.run(args.threads.count(), |progress| bar.set_position(progress.played as u64))?;
    bar.finish_and_clear();
    if args.json {
        write!(out, "{}", finished.standings.to_json())?;
        return Ok(Exit::Yes);
    }
    writeln!(out, "{}\n", definition.name)?;
    write!(out, "{}", finished.standings.to_table())?;
    let void = finished.standings.void;
    writeln!(out, "\ngames lost to the machine: {void} of {}{}", finished.games, again(finished.platform_faults))?;
    writeln!(out, "standings, records and bots: {}", folder_path.display())?;
    writeln!(out, "watch a game: {} replay {}", program(), folder_path.join("results/games/00000.json").display())?;
    Ok(Exit::Yes)
}

fn again(platform_faults: u64) -> String {
    if platform_faults == 0 { String::new() } else { format!(" ({platform_faults} were played again)") }
}

/// A note for whoever watches; standard output is for results.
fn tell(note: &str) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = writeln!(err, "note: {note}");
    }
}
