//! Replays RR-001's three campaigns. Not here: the players (`arena_baselines`) and the verdicts' thresholds
//! (`verdict.rs`).

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
mod stress;

use std::io::Write;

use anyhow::Result;
use arena_baselines::conquerors::Params;
use clap::{Args, ValueEnum};

use crate::{Common, Games};
use campaign::{Campaign, Campaigns, Matchup, Play, RowKey, Seating, Seatings};
use sample::Sample;
use stress::Stress;

/// Its options.
#[derive(Args)]
pub struct Rr001 {
    /// The campaign to play.
    #[arg(long, value_enum, default_value_t = Campaigns::V2)]
    campaign: Campaigns,
    /// How the players are seated.
    #[arg(long, value_enum, default_value_t = Seatings::Both)]
    seating: Seatings,
    /// Games per row.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the whole study; the same seed gives the same figures.
    #[arg(long, default_value_t = 4242)]
    seed: u64,
    /// The parameters of the players in the V2 campaign.
    #[arg(long, value_enum, default_value_t = ParamSet::Shipped)]
    params: ParamSet,
    /// Instead, play what the reports leave open about the players, each point at both ends of its plausible range, and
    /// show how much the figures move.
    #[arg(long, conflicts_with_all = ["json", "params"])]
    open_points: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The two sets of numbers for the players of V2.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ParamSet {
    /// Those of the released game, which the references were made with.
    Shipped,
    /// Those in the report, with the shipped ones where it gives none.
    Report,
}

/// One row of the study.
struct Row {
    key: RowKey,
    sample: Sample,
}

impl Row {
    /// Whether it belongs to a campaign in a seating.
    fn is_of(&self, campaign: Campaign, seating: Seating) -> bool {
        (self.key.campaign, self.key.seating) == (campaign, seating)
    }
}

/// The row with these keys, if it was played.
fn find(rows: &[Row], campaign: Campaign, seating: Seating, matchup: Matchup) -> Option<&Sample> {
    let key = RowKey { campaign, seating, matchup };
    rows.iter().find(|row| row.key == key).map(|row| &row.sample)
}

impl Rr001 {
    /// Plays one row.
    fn row(&self, key: RowKey, play: &Play, games: &Games) -> Row {
        let played = games.play(self.games, |game| sample::play(&key, play, self.seed, game));
        Row { key, sample: played.into_iter().collect() }
    }

    /// The command that plays these campaigns again, without threads and folder.
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

pub(super) fn run(args: &Rr001, games: &Games, out: &mut dyn Write) -> Result<bool> {
    if args.open_points {
        return open_points::run(args, games, out);
    }
    let (rows, stress) = play(args, games);
    let stress = stress.as_ref();
    let Common { json, out: folder, .. } = &args.common;
    let mut files = document::all(&rows, stress, args);
    if *json {
        writeln!(out, "{}", report::json(&rows, stress)?)?;
    } else {
        let documents = files.iter().filter(|(name, _)| name.ends_with(".md"));
        documents.map(|(_, text)| text).try_for_each(|text| writeln!(out, "{text}"))?;
    }
    // Those of one campaign are no more than a part.
    files.retain(|(name, _)| args.campaign == Campaigns::All || name != document::FINDINGS);
    args.common.write(&files)?;
    if let Some(folder) = folder.as_ref().filter(|_| !json) {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(out, "written to {}: {}", folder.display(), names.join(", "))?;
    }
    Ok(args.params == ParamSet::Report || reference::disagreements(&rows).is_empty())
}

/// The verdicts of a study of all campaigns.
#[cfg(test)]
pub(super) fn verdicts(games: u32, seed: u64) -> Vec<(String, super::verdict::Verdict)> {
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Rr001,
    }

    let [games, seed] = [u64::from(games), seed].map(|number| number.to_string());
    let words = ["rr-001", "--campaign", "all", "--threads", "1", "--games", &games, "--seed", &seed];
    let args = Command::parse_from(words).args;
    let (rows, stress) = play(&args, &Games::new(&args.common, indicatif::ProgressBar::hidden()));
    let findings = findings::all(&rows, stress.as_ref());
    findings.into_iter().map(|finding| (finding.name.to_owned(), finding.verdict)).collect()
}

/// The parameters of V2's players.
fn params_of_v2(args: &Rr001) -> Params {
    match args.params {
        ParamSet::Shipped => Params::SHIPPED,
        ParamSet::Report => Params::REPORT,
    }
}

/// Plays all requested rows, campaign by campaign, then the stress test, which belongs to V2 in fair seats.
fn play(args: &Rr001, games: &Games) -> (Vec<Row>, Option<Stress>) {
    let (campaigns, seatings) = (args.campaign.list(), args.seating.list());
    let plan = campaigns.iter().flat_map(|campaign| seatings.iter().map(move |seating| (*campaign, *seating)));
    let plan: Vec<RowKey> = plan
        .flat_map(|(campaign, seating)| {
            Matchup::rows(seating).map(move |matchup| RowKey { campaign, seating, matchup })
        })
        .collect();
    let has_stress = campaigns.contains(&Campaign::V2) && seatings.contains(&Seating::Fair);
    let total = (plan.len() + usize::from(has_stress)) as u64 * u64::from(args.games);
    let params = params_of_v2(args);
    let row = |key: RowKey| {
        let mut play = key.campaign.play(key.seating);
        if key.campaign == Campaign::V2 {
            play.params = params;
        }
        args.row(key, &play, games)
    };
    games.counted(total, || {
        let rows = plan.into_iter().map(row).collect();
        let stress = || games.play(args.games, |game| stress::play(&params, args.seed, game));
        (rows, has_stress.then(|| stress().into_iter().collect()))
    })
}
