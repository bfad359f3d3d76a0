//! Whether one number for each entrant explains the results.
//!
//! Each pairing has the points expected from its entrants' strengths, and a variance. The sum of the squared deviations
//! over the variances is a chi-square whose degrees of freedom are the pairings beyond those that fix the strengths. If
//! it is far above its expectation, some entrant beats another that it should lose to: strengths are then a summary,
//! not an explanation. Pairings in which less than [`EXPECTED_MIN`] points were expected for either side are left out:
//! there the normal approximation fails.

use std::fmt::Write as _;

use arena_limits::counted;
use serde::Serialize;

use crate::Entrant;
use crate::names::Names;
use crate::rating::{Bout, PairResult, Strengths, bouts, expected};

/// The minimum number of points expected for both sides of a counted pairing.
const EXPECTED_MIN: f64 = 1.0;
/// Results with a smaller probability, in millionths, are not explained by chance.
const UNLIKELY_MILLIONTHS: u32 = 10_000;
/// The number of pairings listed.
const WORST_MAX: usize = 5;
/// The maximum number of terms of a series or of a continued fraction: both end much earlier.
const TERMS_MAX: usize = 10_000;
/// They end when a term no longer changes the result.
const TINY: f64 = 1e-15;

/// The deviation of results from those expected by strengths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Transitivity {
    /// The chi-square, in hundredths.
    pub chi_square_hundredths: u64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: u32,
    /// The probability of a chi-square this large if strengths explained everything, in millionths.
    pub probability_millionths: u32,
    /// The pairings with the largest deviations, worst first.
    pub worst: Vec<Deviation>,
}

/// A pairing compared with its expected result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Deviation {
    /// The two entrants; the one with more points than expected comes first.
    pub entrants: [String; 2],
    /// Points of the first, in hundredths.
    pub points_hundredths: u64,
    /// The first entrant's expected points, in hundredths.
    pub expected_hundredths: u64,
    /// The difference in standard deviations, in hundredths.
    pub deviations_hundredths: u64,
}

impl Transitivity {
    /// Whether chance hardly explains the deviations.
    pub(crate) fn is_misfit(&self) -> bool {
        self.probability_millionths < UNLIKELY_MILLIONTHS
    }

    /// A paragraph of a report: the result, and a line for each of the worst pairings.
    pub(crate) fn to_text(&self, names: &Names<'_>) -> String {
        let Transitivity { chi_square_hundredths, degrees_of_freedom, probability_millionths, worst } = self;
        let hundredths = |value: u64| format!("{}.{:02}", value / 100, value % 100);
        let said =
            if self.is_misfit() { "ratings do not explain who beat whom" } else { "ratings explain who beat whom" };
        let mut text = format!(
            "\n{said}: chi-square {} with {} of freedom, probability {:.6}\n",
            hundredths(*chi_square_hundredths),
            counted(*degrees_of_freedom, "degree"),
            f64::from(*probability_millionths) / 1e6
        );
        for Deviation { entrants: [one, other], points_hundredths, expected_hundredths, deviations_hundredths } in worst
        {
            let [one, other] = [one, other].map(|name| names.called(name));
            let _ = writeln!(
                text,
                "  {one} - {other}: {} points where {} were expected, {} standard deviations",
                hundredths(*points_hundredths),
                hundredths(*expected_hundredths),
                hundredths(*deviations_hundredths)
            );
        }
        text
    }
}

/// The result of the pairs between these bots, from which their strengths follow; `None` if there is nothing left to
/// explain.
pub(crate) fn transitivity(
    bots: &[&Entrant],
    Strengths { of, .. }: &Strengths,
    pairs: &[PairResult],
) -> Option<Transitivity> {
    let mut known = vec![false; bots.len()];
    let mut deviations: Vec<(f64, [usize; 2], f64, f64)> = Vec::new();
    for ([one, other], Bout { games, points }) in bouts(pairs) {
        let chance = expected(of[one], of[other]);
        let awaited = games * chance;
        if libm::fmin(awaited, games - awaited) < EXPECTED_MIN {
            continue;
        }
        (known[one], known[other]) = (true, true);
        let deviation = (points - awaited) / libm::sqrt(awaited * (1.0 - chance));
        deviations.push(match deviation < 0.0 {
            true => (-deviation, [other, one], games - points, games - awaited),
            false => (deviation, [one, other], points, awaited),
        });
    }
    let fixed = known.iter().filter(|known| **known).count().saturating_sub(1);
    let degrees = u32::try_from(deviations.len().checked_sub(fixed)?).ok().filter(|degrees| *degrees > 0)?;
    let chi_square = deviations.iter().fold(0.0, |sum, (deviation, ..)| sum + deviation * deviation);
    deviations.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let hundredths = |value: f64| libm::round(100.0 * value) as u64;
    let named = |(deviation, both, points, awaited): &(f64, [usize; 2], f64, f64)| Deviation {
        entrants: both.map(|bot| bots[bot].name.clone()),
        points_hundredths: hundredths(*points),
        expected_hundredths: hundredths(*awaited),
        deviations_hundredths: hundredths(*deviation),
    };
    Some(Transitivity {
        chi_square_hundredths: hundredths(chi_square),
        degrees_of_freedom: degrees,
        probability_millionths: libm::round(1e6 * beyond(chi_square, degrees)) as u32,
        worst: deviations.iter().take(WORST_MAX).map(named).collect(),
    })
}

/// The probability that a chi-square is larger: the upper regularised incomplete gamma function. Source: NIST Digital
/// Library of Mathematical Functions, 8.11.4 (the series) and 8.9.2 (the continued fraction, by the method of Lentz).
fn beyond(chi_square: f64, degrees: u32) -> f64 {
    let (a, x) = (f64::from(degrees) / 2.0, chi_square / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for number in 1..TERMS_MAX {
            term *= x / (a + number as f64);
            sum += term;
            if term < sum * TINY {
                break;
            }
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for number in 1..TERMS_MAX {
        let number = number as f64;
        let numerator = -number * (number - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= c * d;
        if libm::fabs(c * d - 1.0) < TINY {
            break;
        }
    }
    front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::entrants;

    #[test]
    fn the_chi_square_has_the_probabilities_of_tables() {
        // Source: scipy.stats.chi2.sf.
        for (chi_square, degrees, wanted) in [
            (3.841458820694124, 1, 0.05),
            (1.0, 3, 0.801_251_956_901_200_4),
            (30.0, 10, 0.000_856_641_210_775_301),
            (398.0, 253, 1.514_099_266_645_638_3e-8),
            (240.0, 253, 0.711_699_101_764_548_1),
        ] {
            let found = beyond(chi_square, degrees);
            assert!((found - wanted).abs() < 1e-9 + 1e-6 * wanted, "{chi_square} {degrees}: {found}");
        }
    }

    #[test]
    fn a_circle_of_three_is_not_explained_and_an_order_is() {
        let names = entrants(3);
        let names: Vec<&Entrant> = names.iter().collect();
        let pair = |first, second, half_points| PairResult { first, second, games: 2, half_points };
        let circle: Vec<PairResult> = (0..20).flat_map(|_| [pair(0, 1, 3), pair(1, 2, 3), pair(0, 2, 1)]).collect();
        let transitivity =
            |names: &[&Entrant], pairs: &[PairResult]| transitivity(names, &Strengths::of(names.len(), pairs), pairs);
        let found = transitivity(&names, &circle).expect("three pairings fix two strengths");
        // All are level, and in each of 40 games one side scored 3/4: z = (30 - 20) / sqrt(10).
        assert_eq!((found.chi_square_hundredths, found.degrees_of_freedom), (3_000, 1));
        assert_eq!(found.probability_millionths, 0);
        assert_eq!((found.worst.len(), found.worst[0].deviations_hundredths), (3, 316));
        assert_eq!(found.worst[2].entrants, ["bot2".to_string(), "bot0".into()]);
        let order: Vec<PairResult> = (0..20).flat_map(|_| [pair(0, 1, 3), pair(1, 2, 2), pair(0, 2, 3)]).collect();
        assert!(transitivity(&names, &order).expect("as above").probability_millionths > 900_000);
        assert_eq!(transitivity(&names[..2], &[pair(0, 1, 3)]), None);
    }
}
