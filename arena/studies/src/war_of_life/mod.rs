//! Replays the published results of War of Life's strategies against each other. Not here: the strategies
//! (`arena_baselines`) and the verdicts' thresholds (`verdict.rs`).

mod chi_square;
mod published;
mod report;
mod sample;

use std::io::Write;

use anyhow::Result;
use arena_baselines::war_of_life::{Strategy, Terminals};
use clap::Args;

use crate::{Common, Games};
use published::{PAIRINGS, Pairing};
use sample::Sample;

/// Its options.
#[derive(Args)]
pub struct WarOfLife {
    /// Games per row.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the whole study; the same seed gives the same figures.
    #[arg(long, default_value_t = 2013)]
    seed: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The name of the result file.
const FILE: &str = "war-of-life.md";

/// A pairing as we played it. Pairings with minimax are played with both of its variants.
struct Row {
    pairing: &'static Pairing,
    minimax: Option<Terminals>,
    sample: Sample,
}

impl Row {
    /// The distance of the played results from the published ones.
    fn chi_square(&self) -> f64 {
        chi_square::of_two_samples(self.sample.results(), self.pairing.results())
    }

    /// How likely the two are to differ as much by chance.
    fn chance(&self) -> f64 {
        chi_square::chance_of_some_kind(self.sample.results(), self.pairing.results())
    }
}

/// The strategies of a pairing, with one variant of minimax.
fn players(pairing: &Pairing, minimax: Option<Terminals>) -> [Strategy; 2] {
    [pairing.first, pairing.second].map(|strategy| match (strategy, minimax) {
        (Strategy::Minimax(_), Some(terminals)) => Strategy::Minimax(terminals),
        (other, _) => other,
    })
}

/// Plays all rows.
fn play(args: &WarOfLife, games: &Games) -> Vec<Row> {
    let plan = PAIRINGS.iter().flat_map(|pairing| {
        let ways: &[Option<Terminals>] =
            if pairing.has_minimax() { &[Some(Terminals::Coursework), Some(Terminals::Clean)] } else { &[None] };
        ways.iter().map(move |way| (pairing, *way))
    });
    let plan: Vec<_> = plan.collect();
    let total = plan.len() as u64 * u64::from(args.games);
    let row = |(pairing, minimax)| {
        let players = players(pairing, minimax);
        let played = games.play(args.games, |game| sample::play(players, args.seed, game));
        Row { pairing, minimax, sample: played.into_iter().collect() }
    };
    games.counted(total, || plan.into_iter().map(row).collect())
}

/// The verdicts of a study.
#[cfg(test)]
pub(super) fn verdicts(games: u32, seed: u64) -> Vec<(String, super::verdict::Verdict)> {
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: WarOfLife,
    }

    let [games, seed] = [u64::from(games), seed].map(|number| number.to_string());
    let args = Command::parse_from(["war-of-life", "--threads", "1", "--games", &games, "--seed", &seed]).args;
    report::verdicts(&play(&args, &Games::new(&args.common, indicatif::ProgressBar::hidden())))
}

pub(super) fn run(args: &WarOfLife, games: &Games, out: &mut dyn Write) -> Result<bool> {
    let rows = play(args, games);
    let document = report::markdown(&rows, args.games, args.seed)?;
    if args.common.json {
        writeln!(out, "{}", report::json(&rows)?)?;
    } else {
        write!(out, "{document}")?;
    }
    args.common.write(&[(FILE.into(), document)])?;
    Ok(!report::fit(&rows).is_rejected())
}
