//! The plots of a campaign.

use super::campaign::{Campaign, Matchup, Seating};
use super::chart::Chart;
use super::figures::{Estimate, SHARES, published};
use super::sample::Sample;
use super::{Row, find};

/// A plot as a file.
pub(super) struct Plot {
    pub(super) file: String,
    /// A description for people who cannot see it.
    pub(super) alt: String,
    pub(super) svg: String,
}

/// Extracts a chart's value from a row of the published table and from one of ours. Also gives the published value's
/// interval for a number of games.
struct Subject {
    name: &'static str,
    axis: &'static str,
    range: std::ops::RangeInclusive<i32>,
    step: i32,
    published: fn(&[f64]) -> f64,
    ours: fn(&Sample) -> Estimate,
}

const LADDER: Subject = Subject {
    name: "ladder",
    axis: "games won by player 2, %",
    range: 0..=100,
    step: 20,
    published: |row| row[1],
    ours: |sample| sample.figures()[1],
};
const SEATS: Subject = Subject {
    name: "seats",
    axis: "games won by player 1 less games won by player 2, %",
    range: -80..=80,
    step: 20,
    published: |row| row[0] - row[1],
    ours: Sample::lead,
};
const EXTINCTION: Subject = Subject {
    name: "extinction",
    axis: "games that end by extinction, %",
    range: 0..=100,
    step: 20,
    published: |row| row[3],
    ours: |sample| sample.figures()[3],
};
const LENGTH: Subject = Subject {
    name: "length",
    axis: "mean round in which games end",
    range: 6..=12,
    step: 1,
    published: |row| row[SHARES],
    ours: |sample| sample.figures()[SHARES],
};

/// The plots of a campaign, in files whose names begin with a stem: the ladder of each seating that was played, then
/// seats, extinctions and lengths.
pub(super) fn all(rows: &[Row], campaign: Campaign, stem: &str) -> Vec<Plot> {
    let played: Vec<Seating> =
        Seating::ALL.into_iter().filter(|seating| rows.iter().any(|row| row.is_of(campaign, *seating))).collect();
    let ladders = played.iter().map(|seating| plot(rows, campaign, stem, &[*seating], &LADDER));
    let others = [SEATS, EXTINCTION, LENGTH].map(|subject| plot(rows, campaign, stem, &played, &subject));
    ladders.chain(others).collect()
}

fn plot(rows: &[Row], campaign: Campaign, stem: &str, seatings: &[Seating], subject: &Subject) -> Plot {
    let matchups = Matchup::PUBLISHED.into_iter().filter(|matchup| subject.name != SEATS.name || matchup.is_mirror());
    let chart_rows = matchups.map(|matchup| {
        let printed = published(campaign, matchup).map(|row| (subject.published)(row));
        let printed = printed.map(|value| (value, 0.0));
        let ours = seatings.iter().map(|seating| {
            let ours = (subject.ours)(find(rows, campaign, *seating, matchup)?);
            Some((ours.value, ours.half()))
        });
        (matchup.name(), std::iter::once(printed).chain(ours).collect())
    });
    let rows = chart_rows.collect();
    let sources = std::iter::once("published".to_owned()).chain(seatings.iter().map(|seating| seating.words().into()));
    let seating = if subject.name == LADDER.name { format!("-{}", seatings[0].name()) } else { String::new() };
    let title = format!("RR-001, campaign {}: {}", campaign.name(), subject.axis);
    let sources: Vec<String> = sources.collect();
    Plot {
        file: format!("{stem}-{}{seating}.svg", subject.name),
        alt: format!("{}: {}", subject.axis, sources.join(", ")),
        svg: Chart { title, axis: subject.axis, range: subject.range.clone(), step: subject.step, sources, rows }.svg(),
    }
}
