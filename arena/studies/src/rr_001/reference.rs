//! Measurements of the V2 campaign by an independent engine, and the comparison with ours.

use arena_baselines::conquerors::Tier;

use super::Row;
use super::campaign::{Campaign, Matchup, Seating};
use super::figures::{Figures, NAMES, SHARES};
use crate::fisher;
use crate::verdict::Verdict;

/// Figures differ if their distance is larger than this many standard errors of the difference.
pub(super) const ERRORS_MAX: f64 = 4.0;

/// The probability that chance alone puts a normal figure farther than that.
const CHANCE_MIN: f64 = 6.334e-5;

/// Games of each row in fair seats, and with the shared home.
const FAIR_GAMES: f64 = 28_000.0;
const SHARED_HOME_GAMES: f64 = 1_080.0;

/// Games of a row below which agreement shows nothing: so many standard errors of a share are ten points.
pub(super) const GAMES_MIN: f64 = 400.0;

/// The thresholds of its verdict, in a sentence.
pub(super) fn thresholds() -> String {
    format!(
        "V2 is played as by the other engine if no figure is more than {ERRORS_MAX} standard errors of the difference off (a share only if \
         Fisher's exact test, too, gives that a chance below {:.4} %), in rows of at least {GAMES_MIN} games.",
        100.0 * CHANCE_MIN
    )
}

/// One row of a reference.
pub(super) struct Reference {
    pub(super) figures: [f64; NAMES.len()],
    /// Standard deviations of a game's round and margin; with the shared home, where none are known, those in fair
    /// seats.
    deviation: [f64; 2],
    pub(super) games: f64,
}

/// The reference for a row in one of the [seatings](Seating); `None` for a row without a reference.
pub(super) fn of(row: &Row) -> Option<Reference> {
    if row.key.campaign != Campaign::V2 {
        return None;
    }
    let at = Matchup::PUBLISHED.iter().position(|matchup| *matchup == row.key.matchup)?;
    Some(match row.key.seating {
        Seating::Fair => {
            let (figures, deviation) = FAIR[at];
            Reference { figures, deviation, games: FAIR_GAMES }
        }
        Seating::SharedHome => Reference { figures: SHARED_HOME[at], deviation: FAIR[at].1, games: SHARED_HOME_GAMES },
    })
}

/// By rows of the published table: the figures, and the deviations of a game's round and margin.
const FAIR: [([f64; NAMES.len()], [f64; 2]); 6] = [
    ([49.2, 49.2, 1.7, 59.5, 8.87, 10.2], [3.27, 7.7]),
    ([44.8, 53.4, 1.8, 15.8, 11.20, 14.4], [2.17, 10.7]),
    ([35.4, 62.6, 2.0, 40.8, 11.17, 14.9], [1.42, 10.7]),
    ([17.0, 82.0, 1.0, 41.1, 9.95, 17.3], [3.02, 12.5]),
    ([6.8, 92.4, 0.8, 70.9, 9.41, 21.4], [2.72, 12.2]),
    ([23.7, 74.7, 1.6, 31.7, 11.14, 17.6], [1.90, 12.2]),
];

/// The same with colours swapped and nothing mirrored.
const SHARED_HOME: [[f64; NAMES.len()]; 6] = [
    [59.7, 38.2, 2.1, 45.1, 10.1, 15.3],
    [62.7, 35.5, 1.9, 4.9, 11.8, 19.6],
    [39.6, 55.1, 5.3, 73.6, 9.9, 14.0],
    [15.3, 83.1, 1.7, 25.3, 11.1, 19.8],
    [0.9, 98.6, 0.5, 78.2, 9.1, 24.9],
    [9.8, 89.0, 1.2, 42.8, 10.9, 20.6],
];

/// The distance of each figure of a row from its reference, in standard errors of the difference.
fn distances(row: &Row) -> Option<[f64; NAMES.len()]> {
    let reference = of(row)?;
    let ours: Figures = row.sample.figures();
    Some(std::array::from_fn(|figure| {
        let (ours, theirs) = (ours[figure], reference.figures[figure]);
        let (own_games, games) = (ours.games, reference.games);
        let error = if figure < SHARES {
            let pooled = (ours.value * own_games + theirs * games) / (own_games + games);
            let count = |share: f64, games: f64| [(share * games / 100.0).round(), games].map(|count| count as usize);
            let is_chance = chance([count(ours.value, own_games), count(theirs, games)]) >= CHANCE_MIN;
            let error = (pooled * (100.0 - pooled)).max(0.0).sqrt() * (1.0 / own_games + 1.0 / games).sqrt();
            // Few rare games are not normal.
            if is_chance { error.max((ours.value - theirs).abs() / ERRORS_MAX) } else { error }
        } else {
            // A few games may last equally long: their own deviation says nothing.
            let deviation = ours.deviation.max(reference.deviation[figure - SHARES]);
            deviation * (1.0 / own_games + 1.0 / games).sqrt()
        };
        (ours.value - theirs).abs() / error.max(f64::EPSILON)
    }))
}

/// The probability that two samples differ as much as these, `[found, games]` each, if the shares are equal: Fisher's
/// exact test.
fn chance(samples: [[usize; 2]; 2]) -> f64 {
    let all: Vec<(usize, f64)> = fisher::by_chance(samples).collect();
    // Rounding must not leave out what is exactly as likely.
    let seen = all.iter().find(|(own, _)| *own == samples[0][0]).map_or(0.0, |(_, log)| log + 1e-7);
    all.iter().filter(|(_, log)| *log <= seen).map(|(_, log)| log.exp()).sum()
}

/// Whether a row must agree: in fair seats all rows, with the shared home those without hard.
fn is_bound(row: &Row) -> bool {
    let has_hard = [row.key.matchup.first, row.key.matchup.second].contains(&Tier::Hard);
    row.key.seating == Seating::Fair || !has_hard
}

/// Whether the rows with a reference agree with it, in a sentence; `None` if no row has one.
pub(super) fn verdict(rows: &[Row]) -> Option<(Verdict, String)> {
    let bound: Vec<&Row> = rows.iter().filter(|row| is_bound(row) && of(row).is_some()).collect();
    let farthest = bound.iter().filter_map(|row| distances(row)).flatten().reduce(f64::max)?;
    let far = disagreements(rows);
    Some(if !far.is_empty() {
        (
            Verdict::DoesNotHold,
            format!("more than {ERRORS_MAX} standard errors of the difference off: {}.", far.join("; ")),
        )
    } else if bound.iter().any(|row| row.sample.games() < GAMES_MIN) {
        let text = format!(
            "no figure is more than {ERRORS_MAX} standard errors of the difference off, but below {GAMES_MIN} games a row these are ten points \
             and more."
        );
        (Verdict::TooFew, text)
    } else {
        let text = format!(
            "every figure agrees, in fair seats with {FAIR_GAMES} games a row of the other engine, and in the three rows without hard with \
             {SHARED_HOME_GAMES} games a row with the shared home, within {ERRORS_MAX} standard errors of the difference (the farthest is \
             {farthest:.1} off)."
        );
        (Verdict::Holds, text)
    })
}

/// A sentence for every figure that must agree and does not.
pub(super) fn disagreements(rows: &[Row]) -> Vec<String> {
    let bound = rows.iter().filter(|row| is_bound(row)).filter_map(|row| Some((row, distances(row)?)));
    bound
        .flat_map(|(row, distances)| {
            let far = NAMES.iter().zip(distances).filter(|(_, distance)| *distance > ERRORS_MAX);
            far.map(|(name, distance)| {
                format!("{} ({}): {name} by {distance:.1}", row.key.matchup.name(), row.key.seating.words())
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lady who tasted tea, and equal shares.
    #[test]
    fn chance_is_that_of_published_tables() {
        let rounded = |samples| (chance(samples) * 1e4).round() / 1e4;
        assert_eq!(rounded([[3, 4], [1, 4]]), 0.4857);
        assert_eq!(rounded([[4, 4], [0, 4]]), 0.0286);
        assert_eq!(rounded([[10, 20], [10, 20]]), 1.0);
    }

    /// Two draws in twenty games, where one game in two hundred is a draw, are more than four standard errors off, and
    /// chance.
    #[test]
    fn two_rare_games_of_twenty_are_no_other_engine() {
        assert!(chance([[2, 20], [5, 1_080]]) > CHANCE_MIN);
        assert!(chance([[6, 20], [5, 1_080]]) < CHANCE_MIN);
        // In long rows it is the normal distance: 4.0 standard errors.
        let near = |own| chance([[own, 10_000], [13_972, 28_000]]);
        assert!(near(5_180) > CHANCE_MIN && near(5_250) < CHANCE_MIN, "{} {}", near(5_180), near(5_250));
    }
}
