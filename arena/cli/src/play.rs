//! `arena play`: a match between two bots.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_record::Record;
use arena_rules::BySeat;
use arena_runner::{Contender, Table};
use arena_sandbox::{WALL_MS_DEFAULT, Wall};
use arena_tournaments::{Entrant, GameResult, ScheduledGame, Standings, schedule, standings};
use arena_wire::{Protocol, Visitor};
use clap::Args;

use crate::exit::{Exit, program};
use crate::game::{GameChoice, match_options};
use crate::parallel::{self, Threads};
use crate::{bots, progress};

#[derive(Args)]
pub(crate) struct Play {
    /// The first bot: a .wasm file, or a built-in opponent of the game such as easy, normal, hard.
    a: PathBuf,
    /// The second bot.
    b: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    /// Options of the game, for example `chain_needs_home,weighted_majority` for the empty board [default: those of
    /// tournaments].
    #[arg(long)]
    options: Option<String>,
    /// Games to play. Two games with the same seed and the seats exchanged make a pair; an odd number is rounded up.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Seed of the match; the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the record of every game into this folder.
    #[arg(long)]
    records: Option<PathBuf>,
    /// Print one JSON object, the standings of the two, instead of words.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Play, out: &mut dyn Write) -> Result<Exit> {
    let host = bots::host(args.threads.count())?;
    let names = [&args.a, &args.b];
    let (game, budgets) = (args.choice.game, args.choice.budgets());
    let options = args.options.clone().unwrap_or_else(|| match_options(game));
    arena_wire::start(game.ruleset, &options, &[0; 32], TwoSeats)?.then_some(()).context("a match has two seats")?;
    let contender = |path| bots::contender(path, game.ruleset, &host, &budgets);
    let contenders = [contender(&args.a)?, contender(&args.b)?];
    let entrants = entrants(names, &contenders);
    let games = schedule(args.seed, &entrants, args.games.div_ceil(2));
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    let table = Table::new(game.ruleset, &options, budgets, wall);
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let bar = progress::bar(games.len() as u64, "games");
    let play = |number: u32| {
        let game = &games[number as usize];
        let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &contenders[entrant]);
        table.play(game.seed, &seats)
    };
    let records: Vec<Record> = parallel::map(games.len() as u32, args.threads.count(), play, || bar.inc(1))
        .into_iter()
        .collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    if let Some(folder) = &args.records {
        write_records(folder, &records)?;
    }
    let results: Vec<(ScheduledGame, GameResult)> =
        games.into_iter().zip(&records).map(|(game, record)| (game, GameResult::of(record))).collect();
    let standings = standings(&entrants, &results);
    if args.json {
        write!(out, "{}", standings.to_json())?;
    } else {
        explain(out, args, &standings, &records)?;
    }
    Ok(Exit::Yes)
}

/// Whether a game has two seats.
struct TwoSeats;

impl Visitor for TwoSeats {
    type Out = bool;

    fn visit<P: Protocol>(self, start: P) -> bool {
        start.seats() == 2
    }
}

/// Two entrants with different names, also when a bot plays itself.
fn entrants(names: [&PathBuf; 2], contenders: &[Contender; 2]) -> Vec<Entrant> {
    let [a, b] = names.map(|name| bots::label(name));
    let b = if a == b { format!("{b}-2") } else { b };
    [a, b].into_iter().zip(contenders).map(|(name, contender)| Entrant { name, id: contender.id() }).collect()
}

fn write_records(folder: &Path, records: &[Record]) -> Result<()> {
    for (number, record) in records.iter().enumerate() {
        let path = folder.join(format!("{number:05}.json"));
        fs::write(&path, record.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn explain(out: &mut dyn Write, args: &Play, standings: &Standings, records: &[Record]) -> Result<()> {
    write!(out, "{}", standings.to_table())?;
    let turns: usize = records.iter().map(|record| record.turns.len()).sum();
    if let [best, _] = &standings.rows[..] {
        // Two ratings add up to nothing, so their difference is twice the better one's, and so is its interval.
        let [gap, half] = [best.rating.tenths, best.rating.half_interval_tenths].map(|tenths| (2 * tenths + 5) / 10);
        let verdict = if gap > half { "is stronger" } else { "is not shown to be stronger, play more games to tell" };
        writeln!(out, "\n{} {verdict}: {gap} ± {half} Elo (95 %)", best.name)?;
    }
    writeln!(out, "mean length {:.1} turns", turns as f64 / records.len().max(1) as f64)?;
    let forfeits = records.iter().enumerate().flat_map(|(number, record)| {
        record.forfeits.iter().map(move |forfeit| (number, forfeit, &record.header.entrants[usize::from(forfeit.seat)]))
    });
    for (number, forfeit, id) in forfeits.take(3) {
        writeln!(out, "forfeit in game {number}: {id:.20} {forfeit}")?;
    }
    match &args.records {
        Some(folder) => writeln!(out, "watch a game: {} replay {}", program(), folder.join("00000.json").display())?,
        None => writeln!(out, "add --records DIR to keep the games, then watch one with `{} replay`", program())?,
    }
    Ok(())
}
