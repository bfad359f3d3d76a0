//! `arena study`: reproducing published results.

mod reference;
mod report;
mod sample;
mod war_of_life;

use std::io::Write;

use anyhow::Result;
use arena_baselines::conquerors::{Params, Tier};
use arena_rules::conquerors::Options;
use clap::{Args, Subcommand, ValueEnum};

use crate::exit::Exit;
use crate::parallel::{self, Threads};
use reference::MATCHUPS;
use sample::Sample;

/// Which published study to reproduce.
#[derive(Subcommand)]
pub(crate) enum Study {
    /// The balance study of Conway's Conquerors (report RR-001 §6.6): easy, normal and hard against each other.
    ///
    /// Plays every matchup in fair seats and compares it with reference A (28,000 games a row by an independent engine),
    /// the same with the seats exchanged, and once more with `shared_home`, the flaw the published study most likely had,
    /// compared with reference B. Exit code 1 if any figure that should agree does not.
    #[command(name = "rr-001")]
    Rr001(Rr001),
    /// The evaluation of War of Life's strategies against each other (25 pairings, published with the game).
    ///
    /// Plays every pairing from random starts and compares wins, losses and draws with the published table; those with
    /// minimax twice: with clean values, and with the quirk that the published program most likely had. Exit code 1 if the
    /// pairings without minimax, taken together, do not fit the table.
    #[command(name = "war-of-life")]
    WarOfLife(war_of_life::WarOfLife),
}

#[derive(Args)]
pub(crate) struct Rr001 {
    /// Games of each row.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the whole study; the same seed gives the same figures.
    #[arg(long, default_value_t = 4242)]
    seed: u64,
    /// Numbers the baselines play with.
    #[arg(long, value_enum, default_value_t = ParamSet::Shipped)]
    params: ParamSet,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// The two sets of numbers for the baselines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ParamSet {
    /// What the released game plays with; the references were made with it.
    Shipped,
    /// What the report gives, the shipped number where it gives none.
    Report,
}

/// Which seats a row was played in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Both players see the board from their own side: reference A.
    Fair,
    /// Blue reaches from red's home: reference B.
    SharedHome,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Fair => "A",
            Variant::SharedHome => "B",
        }
    }

    fn options(self) -> Options {
        Options { shared_home: self == Variant::SharedHome, ..Options::V2 }
    }
}

/// Player 1 (blue, first) against player 2.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matchup {
    first: Tier,
    second: Tier,
}

impl Matchup {
    fn name(self) -> String {
        format!("{}-{}", self.first.name(), self.second.name())
    }

    fn swapped(self) -> Matchup {
        Matchup { first: self.second, second: self.first }
    }
}

/// One row of the study.
pub(crate) struct Row {
    matchup: Matchup,
    variant: Variant,
    sample: Sample,
}

pub(crate) fn run(study: &Study, out: &mut dyn Write) -> Result<Exit> {
    match study {
        Study::Rr001(args) => run_rr_001(args, out),
        Study::WarOfLife(args) => war_of_life::run(args, out),
    }
}

fn run_rr_001(args: &Rr001, out: &mut dyn Write) -> Result<Exit> {
    let params = match args.params {
        ParamSet::Shipped => Params::SHIPPED,
        ParamSet::Report => Params::REPORT,
    };
    let plan = MATCHUPS.iter().flat_map(|(matchup, _)| {
        let swapped = (matchup.first != matchup.second).then(|| (matchup.swapped(), Variant::Fair));
        [Some((*matchup, Variant::Fair)), swapped, Some((*matchup, Variant::SharedHome))].into_iter().flatten()
    });
    let plan: Vec<(Matchup, Variant)> = plan.collect();
    let progress = crate::progress::bar(plan.len() as u64 * u64::from(args.games), "games");
    let rows: Vec<Row> = plan
        .into_iter()
        .map(|(matchup, variant)| {
            let play = |game| sample::play(matchup, variant, &params, args.seed, game);
            let samples = parallel::map(args.games, args.threads.count(), &progress, play);
            Row { matchup, variant, sample: samples.into_iter().collect() }
        })
        .collect();
    progress.finish_and_clear();
    if args.json {
        writeln!(out, "{}", report::json(&rows)?)?;
    } else {
        report::text(out, &rows, args.params == ParamSet::Shipped)?;
    }
    let agrees = args.params == ParamSet::Report || report::disagreements(&rows).is_empty();
    Ok(if agrees { Exit::Yes } else { Exit::No })
}
