//! RR-001's three campaigns, played again.

mod campaign;
mod chart;
mod document;
mod figures;
mod findings;
mod fit;
mod open_points;
mod plots;
mod reference;
mod report;
mod sample;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena_baselines::conquerors::Params;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use crate::exit::Exit;
use crate::parallel::{self, Threads};
use campaign::{Campaign, Campaigns, Matchup, Seating, Seatings};
use sample::Sample;

#[derive(Args)]
pub(crate) struct Rr001 {
    /// The campaign to play.
    #[arg(long, value_enum, default_value_t = Campaigns::V2)]
    campaign: Campaigns,
    /// How the players are seated.
    #[arg(long, value_enum, default_value_t = Seatings::Both)]
    seating: Seatings,
    /// Games of each row.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the whole study; the same seed gives the same figures.
    #[arg(long, default_value_t = 4242)]
    seed: u64,
    /// Numbers that the players of the V2 campaign play with.
    #[arg(long, value_enum, default_value_t = ParamSet::Shipped)]
    params: ParamSet,
    /// Play instead what the reports leave open about versions 5.4 and 5.5, each point at both ends of its plausible range, and
    /// show how much the figures move. Takes the campaign v5.4, v5.5, or all, which is both.
    #[arg(long, conflicts_with_all = ["json", "params"])]
    open_points: bool,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Also write the results as Markdown with plots (SVG) into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The two sets of numbers for the players of V2.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ParamSet {
    /// What the released game plays with; the references were made with it.
    Shipped,
    /// What the report gives, the shipped number where it gives none.
    Report,
}

/// One row of the study.
struct Row {
    campaign: Campaign,
    seating: Seating,
    matchup: Matchup,
    sample: Sample,
}

/// The row of these, if it was played.
fn find(rows: &[Row], campaign: Campaign, seating: Seating, matchup: Matchup) -> Option<&Sample> {
    let is = |row: &&Row| (row.campaign, row.seating, row.matchup) == (campaign, seating, matchup);
    rows.iter().find(is).map(|row| &row.sample)
}

impl Rr001 {
    fn params(&self, campaign: Campaign) -> Params {
        match (campaign, self.params) {
            (Campaign::V2, ParamSet::Report) => Params::REPORT,
            _ => campaign.params(),
        }
    }

    /// Plays one row with these numbers.
    fn sample(
        &self,
        campaign: Campaign,
        seating: Seating,
        matchup: Matchup,
        params: &Params,
        progress: &ProgressBar,
    ) -> Sample {
        let play = |game| sample::play(campaign, seating, matchup, params, self.seed, game);
        parallel::map(self.games, self.threads.count(), progress, play).into_iter().collect()
    }

    /// The command that plays these campaigns again, threads and folder aside.
    fn command(&self, campaign: &str) -> String {
        let what = if self.open_points { " --open-points" } else { "" };
        let seating = self.seating.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        let params = if self.params == ParamSet::Report { " --params report" } else { "" };
        let (games, seed) = (self.games, self.seed);
        format!(
            "arena study rr-001 --campaign {campaign}{what} --seating {seating} --games {games} --seed {seed}{params} \\\n  --out docs/studies"
        )
    }
}

pub(super) fn run(args: &Rr001, out: &mut dyn Write) -> Result<Exit> {
    if args.open_points {
        return open_points::run(args, out);
    }
    let rows = play(args);
    if args.json {
        writeln!(out, "{}", report::json(&rows)?)?;
    } else {
        report::text(out, &rows, args)?;
    }
    if let Some(folder) = &args.out {
        let written = document::write(folder, &rows, args)
            .with_context(|| format!("cannot write the results into {}", folder.display()))?;
        if !args.json {
            writeln!(out, "\nwritten to {}: {}", folder.display(), written.join(", "))?;
        }
    }
    let agrees = args.params == ParamSet::Report || reference::disagreements(&rows).is_empty();
    Ok(if agrees { Exit::Yes } else { Exit::No })
}

/// All rows that were asked for, campaign by campaign.
fn play(args: &Rr001) -> Vec<Row> {
    let seatings = args.seating.list().iter();
    let plan: Vec<(Campaign, Seating, Matchup)> = args
        .campaign
        .list()
        .iter()
        .flat_map(|campaign| {
            seatings.clone().flat_map(|seating| Matchup::rows(*seating).map(|matchup| (*campaign, *seating, matchup)))
        })
        .collect();
    let progress = crate::progress::bar(plan.len() as u64 * u64::from(args.games), "games");
    let rows = plan.into_iter().map(|(campaign, seating, matchup)| {
        let sample = args.sample(campaign, seating, matchup, &args.params(campaign), &progress);
        Row { campaign, seating, matchup, sample }
    });
    let rows = rows.collect();
    progress.finish_and_clear();
    rows
}
