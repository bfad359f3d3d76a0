//! The study's tables, and what they show in words.

use std::io::{self, Write};

use arena_baselines::conquerors::Tier;
use serde::Serialize;

use super::reference::{FAIR_GAMES, Figures, MATCHUPS, References, SHARED_HOME_GAMES};
use super::{Matchup, Row, Variant};

/// Figures differ when they are further apart than this many standard errors of their difference.
const ERRORS_MAX: f64 = 4.0;
/// Normal quantile of a two-sided 95 % interval.
const Z95: f64 = 1.96;
const NAMES: [&str; 6] = ["P1 %", "P2 %", "draw %", "extinct %", "round", "margin"];

fn values(figures: &Figures) -> [f64; 6] {
    let Figures { first, second, draw, extinction, round, margin } = *figures;
    [first, second, draw, extinction, round, margin]
}

/// Standard errors of a row's figures: binomial for percentages, from the deviations of a game for means.
fn errors(figures: &Figures, deviation: (f64, f64), games: f64) -> [f64; 6] {
    let mut errors = values(figures).map(|percent| (percent * (100.0 - percent) / games).max(0.0).sqrt());
    errors[4] = deviation.0 / games.sqrt();
    errors[5] = deviation.1 / games.sqrt();
    errors
}

fn references(matchup: Matchup) -> Option<&'static References> {
    MATCHUPS.iter().find(|(row, _)| *row == matchup).map(|(_, references)| references)
}

/// How many standard errors of the difference each figure of a row is from its reference; `None` for a row without one.
/// A percentage's error on both sides is that of the pooled share.
fn distances(row: &Row) -> Option<[f64; 6]> {
    let references = references(row.matchup)?;
    let (reference, deviation, games) = match row.variant {
        Variant::Fair => (&references.fair, references.fair_deviation, FAIR_GAMES),
        Variant::SharedHome => (&references.shared_home, row.sample.deviation(), SHARED_HOME_GAMES),
    };
    let (ours, own_games) = (row.sample.figures(), row.sample.games);
    let mut pooled = ours;
    let pool = |a: f64, b: f64| (a * own_games + b * games) / (own_games + games);
    pooled.first = pool(ours.first, reference.first);
    pooled.second = pool(ours.second, reference.second);
    pooled.draw = pool(ours.draw, reference.draw);
    pooled.extinction = pool(ours.extinction, reference.extinction);
    let own = errors(&pooled, row.sample.deviation(), own_games);
    let theirs = errors(&pooled, deviation, games);
    let (ours, reference) = (values(&ours), values(reference));
    Some(std::array::from_fn(|figure| {
        let error = own[figure].hypot(theirs[figure]);
        (ours[figure] - reference[figure]).abs() / error.max(f64::EPSILON)
    }))
}

/// Whether a row is one that must agree: all in fair seats; with the shared home those without hard.
fn is_bound(row: &Row) -> bool {
    row.variant == Variant::Fair || !row.matchup.name().contains("hard")
}

/// One sentence for every figure that must agree and does not.
pub(super) fn disagreements(rows: &[Row]) -> Vec<String> {
    let bound = rows.iter().filter(|row| is_bound(row)).filter_map(|row| Some((row, distances(row)?)));
    bound
        .flat_map(|(row, distances)| {
            let far = NAMES.iter().zip(distances).filter(|(_, distance)| *distance > ERRORS_MAX);
            far.map(|(name, distance)| {
                format!("{} ({}): {name} is {distance:.1} standard errors off", row.matchup.name(), row.variant.name())
            })
        })
        .collect()
}

/// All rows as one JSON object.
pub(super) fn json(rows: &[Row]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct JsonRow {
        matchup: String,
        variant: &'static str,
        games: u64,
        p1: f64,
        p2: f64,
        draw: f64,
        extinction: f64,
        round: f64,
        margin: f64,
    }

    #[derive(Serialize)]
    struct Json {
        rows: Vec<JsonRow>,
    }

    let row = |row: &Row| {
        let Figures { first, second, draw, extinction, round, margin } = row.sample.figures();
        let (matchup, variant) = (row.matchup.name(), row.variant.name());
        JsonRow {
            matchup,
            variant,
            games: row.sample.games as u64,
            p1: first,
            p2: second,
            draw,
            extinction,
            round,
            margin,
        }
    };
    serde_json::to_string(&Json { rows: rows.iter().map(row).collect() })
}

/// All rows beside their references, then what that shows.
pub(super) fn text(out: &mut dyn Write, rows: &[Row], shipped: bool) -> io::Result<()> {
    writeln!(
        out,
        "Conway's Conquerors, report RR-001 section 6.6. Our figures with 95 % intervals; round = min(12, counter),"
    )?;
    writeln!(out, "margin = lead in weighted score. P1 is blue and moves first.\n")?;
    for (matchup, references) in &MATCHUPS {
        writeln!(out, "{:<44}{}", matchup.name(), NAMES.map(|name| format!("{name:>14}")).concat())?;
        reference_line(out, "published (150-200 games)", &references.published)?;
        reference_line(out, "reference A: fair seats (28,000)", &references.fair)?;
        own_line(out, "  ours in fair seats", rows, *matchup, Variant::Fair)?;
        if matchup.first != matchup.second {
            let label = format!("  ours, seats exchanged ({})", matchup.swapped().name());
            own_line(out, &label, rows, matchup.swapped(), Variant::Fair)?;
        }
        reference_line(out, "reference B: colours swapped only (1,080)", &references.shared_home)?;
        own_line(out, "  ours with shared_home", rows, *matchup, Variant::SharedHome)?;
        writeln!(out)?;
    }
    if !shipped {
        writeln!(
            out,
            "The references were made with the shipped numbers, so figures with the report's are not compared."
        )?;
        return Ok(());
    }
    conclusions(out, rows)
}

fn reference_line(out: &mut dyn Write, label: &str, figures: &Figures) -> io::Result<()> {
    writeln!(out, "  {label:<42}{}", values(figures).map(|value| format!("{value:>7.1}       ")).concat())
}

fn own_line(out: &mut dyn Write, label: &str, rows: &[Row], matchup: Matchup, variant: Variant) -> io::Result<()> {
    let Some(row) = rows.iter().find(|row| row.matchup == matchup && row.variant == variant) else { return Ok(()) };
    let figures = row.sample.figures();
    let errors = errors(&figures, row.sample.deviation(), row.sample.games);
    let cells =
        values(&figures).into_iter().zip(errors).map(|(value, error)| format!("{value:>7.1} ± {:<4.1}", Z95 * error));
    writeln!(out, "  {label:<42}{}", cells.collect::<String>())
}

fn conclusions(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let disagreements = disagreements(rows);
    let bound: Vec<_> = rows.iter().filter(|row| is_bound(row)).filter_map(distances).collect();
    let farthest = bound.iter().flatten().copied().fold(0.0, f64::max);
    if disagreements.is_empty() {
        writeln!(
            out,
            "Reproduced: every figure in fair seats agrees with reference A, and with shared_home the three rows without"
        )?;
        writeln!(
            out,
            "hard agree with reference B, within {ERRORS_MAX} standard errors of the difference (the farthest is {farthest:.1} off)."
        )?;
    } else {
        writeln!(out, "NOT reproduced, more than {ERRORS_MAX} standard errors off:")?;
        disagreements.iter().try_for_each(|sentence| writeln!(out, "  {sentence}"))?;
    }
    let stronger_wins = |row: &&Row| {
        let figures = row.sample.figures();
        let first_is_stronger = Tier::ALL.iter().position(|tier| *tier == row.matchup.first)
            > Tier::ALL.iter().position(|tier| *tier == row.matchup.second);
        if first_is_stronger { figures.first > figures.second } else { figures.second > figures.first }
    };
    let mut unequal = rows.iter().filter(|row| row.variant == Variant::Fair && row.matchup.first != row.matchup.second);
    match unequal.find(|row| !stronger_wins(row)) {
        None => writeln!(out, "The order of the tiers holds in fair seats, in either seating: easy < normal < hard.")?,
        Some(row) => writeln!(out, "The order of the tiers does NOT hold: see {}.", row.matchup.name())?,
    }
    writeln!(
        out,
        "Not reproduced, and not expected to be: the published table itself. It fits games in which both colonies sit in"
    )?;
    writeln!(out, "red's home (reference B) in the rows without hard; its rows with hard fit neither way of seating.")
}
