//! The study's tables in the terminal and as JSON, and their meaning in words.

use std::io::{self, Write};

use arena_rules::Seat;
use serde::Serialize;

use super::campaign::{Campaign, Matchup, RowKey, Seating};
use super::figures::{Figures, NAMES, published, shown};
use super::{ParamSet, Row, Rr001, Stress, find, findings, fit, reference};

/// All rows as one JSON object.
pub(super) fn json(rows: &[Row], stress: Option<&Stress>) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct JsonRow {
        campaign: &'static str,
        seating: &'static str,
        matchup: String,
        games: u64,
        p1: f64,
        p2: f64,
        draw: f64,
        extinction: f64,
        round: f64,
        margin: f64,
        bombs: f64,
        p1_invaded: f64,
        p2_invaded: f64,
        p1_without_home: usize,
        p2_without_home: usize,
    }

    #[derive(Serialize)]
    struct Json {
        rows: Vec<JsonRow>,
        #[serde(skip_serializing_if = "Option::is_none")]
        stress: Option<JsonStress>,
    }

    /// The stress test of hard.
    #[derive(Serialize)]
    struct JsonStress {
        games: u32,
        turns: u64,
        games_without_home: usize,
        generations_without_home: u64,
    }

    let row = |row: &Row| {
        let [p1, p2, draw, extinction, round, margin] = row.sample.figures().map(|figure| figure.value);
        JsonRow {
            campaign: row.key.campaign.name(),
            seating: row.key.seating.name(),
            matchup: row.key.matchup.name(),
            games: row.sample.games() as u64,
            p1,
            p2,
            draw,
            extinction,
            round,
            margin,
            bombs: row.sample.bombs().value,
            p1_invaded: row.sample.invaded(Seat(0)).value,
            p2_invaded: row.sample.invaded(Seat(1)).value,
            p1_without_home: row.sample.unanchored(Seat(0)),
            p2_without_home: row.sample.unanchored(Seat(1)),
        }
    };
    let stress = stress.map(|stress| JsonStress {
        games: stress.games,
        turns: stress.all.turns,
        games_without_home: stress.lost,
        generations_without_home: stress.all.homeless,
    });
    serde_json::to_string(&Json { rows: rows.iter().map(row).collect(), stress })
}

/// All rows beside the published figures and the references, then what they show.
pub(super) fn text(out: &mut dyn Write, rows: &[Row], stress: Option<&Stress>, args: &Rr001) -> io::Result<()> {
    writeln!(
        out,
        "Conway's Conquerors, report RR-001 section 6. Our figures with 95 % intervals; P1 is blue and moves first."
    )?;
    writeln!(
        out,
        "round = min(12, counter); margin = lead in what decides a full game: cells in v5.4 and v5.5, weighted score in v2."
    )?;
    for campaign in args.campaign.list() {
        campaign_text(out, rows, *campaign)?;
    }
    if args.params == ParamSet::Report {
        writeln!(
            out,
            "The references were made with the shipped numbers, so figures with the report's are not compared."
        )?;
        return Ok(());
    }
    let findings = findings::all(rows, stress);
    if !findings.is_empty() {
        writeln!(out, "\nWhat holds of the report's findings, and of ours:")?;
    }
    for finding in &findings {
        writeln!(out, "  {} {}: {}", finding.name, finding.verdict, finding.text)?;
    }
    if findings.is_empty() { Ok(()) } else { writeln!(out, "{}", findings::thresholds()) }
}

fn campaign_text(out: &mut dyn Write, rows: &[Row], campaign: Campaign) -> io::Result<()> {
    let [fewest, most] = campaign.published_games();
    writeln!(
        out,
        "\nCampaign {}, published in section {} with {fewest} to {most} games a row\n",
        campaign.name(),
        campaign.section()
    )?;
    for matchup in Matchup::PUBLISHED {
        writeln!(out, "{:<44}{}", matchup.name(), NAMES.map(|name| format!("{name:>14}")).concat())?;
        if let Some(published) = published(campaign, matchup) {
            plain_line(out, "published", published)?;
        }
        for seating in Seating::ALL {
            reference_line(out, rows, campaign, seating, matchup)?;
            own_line(out, seating.words(), rows, (campaign, seating, matchup))?;
            if !matchup.is_mirror() {
                let swapped = matchup.swapped();
                let label = format!("{}, exchanged ({})", seating.words(), swapped.name());
                own_line(out, &label, rows, (campaign, seating, swapped))?;
            }
        }
        writeln!(out)?;
    }
    let fits: Vec<_> = Seating::ALL.into_iter().filter_map(|seating| fit::fit(rows, campaign, seating)).collect();
    fits.iter().try_for_each(|fit| writeln!(out, "{}.", fit.sentence(campaign)))?;
    fit::nearer(&fits).map_or(Ok(()), |nearer| writeln!(out, "{}", nearer.text))
}

fn plain_line(out: &mut dyn Write, label: &str, values: &[f64]) -> io::Result<()> {
    let values: String = values.iter().map(|value| format!("{value:>7.1}       ")).collect();
    writeln!(out, "  {label:<42}{}", values.trim_end())
}

fn reference_line(
    out: &mut dyn Write,
    rows: &[Row],
    campaign: Campaign,
    seating: Seating,
    matchup: Matchup,
) -> io::Result<()> {
    let key = RowKey { campaign, seating, matchup };
    let Some(reference) = rows.iter().find(|row| row.key == key).and_then(reference::of) else { return Ok(()) };
    let label = format!("reference {}: {} ({} games)", seating.letter(), seating.words(), reference.games);
    plain_line(out, &label, &reference.figures)
}

fn own_line(
    out: &mut dyn Write,
    label: &str,
    rows: &[Row],
    (campaign, seating, matchup): (Campaign, Seating, Matchup),
) -> io::Result<()> {
    let Some(sample) = find(rows, campaign, seating, matchup) else { return Ok(()) };
    let figures: Figures = sample.figures();
    let cells = figures.map(|figure| {
        let [value, half] = shown(figure.value, figure.half());
        format!("{value:>7} ± {half:<4}")
    });
    writeln!(out, "  {:<42}{}", format!("  ours: {label}"), cells.concat().trim_end())
}
