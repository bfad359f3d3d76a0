//! The study's tables in the terminal and as JSON, and their meaning in words.

use std::io::{self, Write};

use arena_baselines::conquerors::Tier;
use arena_rules::Seat;
use serde::Serialize;

use super::campaign::{Campaign, Matchup, RowKey, Seating};
use super::figures::{Figures, NAMES, published};
use super::reference::{self, ERRORS_MAX};
use super::{ParamSet, Row, Rr001, find, findings, fit};

/// All rows as one JSON object.
pub(super) fn json(rows: &[Row]) -> serde_json::Result<String> {
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
    serde_json::to_string(&Json { rows: rows.iter().map(row).collect() })
}

/// All rows beside the published figures and the references, then what they show.
pub(super) fn text(out: &mut dyn Write, rows: &[Row], args: &Rr001) -> io::Result<()> {
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
    references(out, rows)?;
    let findings = findings::all(rows);
    if !findings.is_empty() {
        writeln!(out, "\nWhat holds of the report's findings:")?;
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
    fit::nearer(&fits).map_or(Ok(()), |(_, conclusion)| writeln!(out, "{conclusion}"))
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
    let cells = figures.map(|figure| format!("{:>7.1} ± {:<4.1}", figure.value, figure.half()));
    writeln!(out, "  {:<42}{}", format!("  ours: {label}"), cells.concat().trim_end())
}

/// The agreement of the V2 campaign with the references.
fn references(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let Some(farthest) = reference::farthest(rows) else { return Ok(()) };
    let disagreements = reference::disagreements(rows);
    if disagreements.is_empty() && reference::are_too_few(rows) {
        writeln!(
            out,
            "\nToo few games to tell whether v2 is reproduced: no figure is more than {ERRORS_MAX} standard errors of the difference off, \
             but below {} games a row these are ten points and more.",
            reference::GAMES_MIN
        )?;
    } else if disagreements.is_empty() {
        writeln!(
            out,
            "\nReproduced: every figure of v2 in fair seats agrees with reference A, and with shared_home the three rows without"
        )?;
        writeln!(
            out,
            "hard agree with reference B, within {ERRORS_MAX} standard errors of the difference (the farthest is {farthest:.1} off)."
        )?;
    } else {
        writeln!(out, "\nNOT reproduced, more than {ERRORS_MAX} standard errors off:")?;
        disagreements.iter().try_for_each(|sentence| writeln!(out, "  {sentence}"))?;
    }
    let place = |tier: Tier| Tier::ALL.iter().position(|other| *other == tier);
    let stronger_wins = |row: &&Row| {
        let [first, second, ..] = row.sample.figures().map(|figure| figure.value);
        if place(row.key.matchup.first) > place(row.key.matchup.second) { first > second } else { second > first }
    };
    let in_fair_seats = |row: &&Row| row.is_of(Campaign::V2, Seating::Fair);
    let mut unequal = rows.iter().filter(in_fair_seats).filter(|row| !row.key.matchup.is_mirror()).peekable();
    if unequal.peek().is_none() {
        return Ok(());
    }
    match unequal.find(|row| !stronger_wins(row)) {
        None => writeln!(out, "The order of the tiers holds in fair seats, in either seating: easy < normal < hard."),
        Some(row) => writeln!(out, "The order of the tiers does NOT hold: see {}.", row.key.matchup.name()),
    }
}
