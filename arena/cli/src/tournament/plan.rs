//! The cost of a tournament before it is played: `arena tournament plan`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arena_runner::{Folder, Progress};
use arena_tournaments::Definition;
use arena_wire::Game;
use clap::Args;
use serde::Serialize;

use super::playable;
use crate::bots;
use crate::exit::Exit;
use crate::output::{self, grouped};
use crate::parallel::Threads;

/// How long the first games are played to measure the time of one.
const SAMPLE: Duration = Duration::from_secs(3);

#[derive(Args)]
pub(crate) struct Plan {
    /// The definition, a .toml file.
    definition: PathBuf,
    /// Positions to start from, as for `run`.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Estimate {
    entrants: usize,
    /// An upper bound: there may be fewer if later rounds depend on earlier ones, or a stop ends it.
    games_at_most: usize,
    fuel_at_most: u128,
    /// The same for readers whose numbers have 53 bits.
    fuel_at_most_text: String,
    /// The number of measured games, which are not kept.
    sampled: usize,
    seconds: f64,
    threads: usize,
}

pub(super) fn run(args: &Plan, out: &mut dyn Write) -> Result<Exit> {
    let (definition, base) = playable(&args.definition, args.openings.as_deref())?;
    let threads = args.threads.count();
    let estimate = estimate(&definition, base, threads)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&estimate)?)?;
        return Ok(Exit::Yes);
    }
    let Estimate { entrants, games_at_most, fuel_at_most, sampled, seconds, threads, .. } = estimate;
    let format = definition.format.name();
    writeln!(out, "{}: {format}, {}", output::text(&definition.name), output::count(entrants, "entrant"))?;
    writeln!(out, "games at most  {}", grouped(games_at_most as u64))?;
    writeln!(out, "fuel at most   {:.3e}, if every bot uses its whole budget", fuel_at_most as f64)?;
    let time = indicatif::HumanDuration(Duration::from_secs_f64(seconds));
    let (threads, sampled) = (output::count(threads, "thread"), output::count(sampled, "game"));
    writeln!(out, "time           about {time} on {threads}, judging by {sampled} played for this and not kept")?;
    Ok(Exit::Yes)
}

fn estimate(definition: &Definition, base: &Path, threads: usize) -> Result<Estimate> {
    let place = tempfile::tempdir().context("cannot create a folder for the first games")?;
    let host = bots::host(threads)?;
    let (mut folder, _) = Folder::open(&place.path().join("plan"), definition, base, &host)?;
    let Progress { total, .. } = folder.progress();
    let (start, mut sampled) = (Instant::now(), 0);
    // The time is only reported; no result depends on it.
    let _ = folder.run_until(threads, |_| {
        sampled += 1;
        if start.elapsed() < SAMPLE { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let seconds = start.elapsed().as_secs_f64() / f64::from(sampled.max(1)) * total as f64;
    let (games_at_most, sampled) = (total, sampled as usize);
    let fuel_at_most = fuel_at_most(definition)? * games_at_most as u128;
    let (entrants, fuel_at_most_text) = (definition.entrants.len(), fuel_at_most.to_string());
    Ok(Estimate { entrants, games_at_most, fuel_at_most, fuel_at_most_text, sampled, seconds, threads })
}

/// Fuel of one game, if every bot uses all that it may.
fn fuel_at_most(definition: &Definition) -> Result<u128> {
    let game = Game::named(&definition.ruleset)?;
    let (shape, budgets) = (game.shape(&definition.options)?, &definition.budgets);
    let seats = u64::from(shape.seats);
    let answers = u64::from(game.turns_max).div_ceil(if shape.alternates { seats } else { 1 });
    let turns = answers.saturating_mul(budgets.fuel_per_move).min(budgets.fuel_per_game.unwrap_or(u64::MAX));
    Ok(u128::from(seats) * u128::from(budgets.fuel_at_start.saturating_add(turns)))
}
