//! How far a difference of strengths may be from its estimate before the games become too improbable.
//!
//! A normal interval is symmetric. The likelihood is not: an entrant that won 63 of 64 games may be far stronger than
//! it looks, but hardly weaker. So the likelihood is followed along the line on which the difference changes while the
//! likelihood falls least: its direction is the model's covariance times the contrast. The interval ends where the
//! logarithm has fallen from its maximum by half the square of a quantile. The pseudo-draws are left out. Source: the
//! least favourable direction of C. Stein, "Efficient Nonparametric Testing and Estimation" (1956); scaling the fall by
//! the ratio of two variances: R. Chandler, S. Bate, "Inference for clustered data using the independence
//! loglikelihood" (2007).

use std::collections::BTreeMap;

use super::{BOUND_MAX, Bout, expected};

/// Two entrants whose difference changes by at most this fraction of the whole difference are approximated by a
/// parabola.
const SMALL: f64 = 1.0 / 16.0;
/// A search for a zero ends when a step is smaller than this, or after a number of steps.
const TOLERANCE: f64 = 1e-9;
const STEPS_MAX: usize = 100;

/// The likelihood of all games, with a term for each two entrants.
pub(super) struct Likelihood(Vec<Term>);

/// The games of two entrants.
struct Term {
    entrants: [usize; 2],
    /// The first entrant's lead by the estimates.
    ahead: f64,
    games: f64,
    points: f64,
    /// The first derivative of the logarithm by `ahead`, and the negated second one.
    surplus: f64,
    information: f64,
}

/// The likelihood on a line through the estimates.
struct Line<'a> {
    /// Terms that are computed exactly, each with the rate at which the two entrants move apart.
    bent: Vec<(&'a Term, f64)>,
    /// The sums of the other terms' derivatives, at the estimates.
    surplus: f64,
    information: f64,
}

impl Likelihood {
    pub(super) fn of(strengths: &[f64], bouts: &BTreeMap<[usize; 2], Bout>) -> Likelihood {
        let term = |([first, second], Bout { games, points }): (&[usize; 2], &Bout)| {
            let chance = expected(strengths[*first], strengths[*second]);
            Term {
                entrants: [*first, *second],
                ahead: strengths[*first] - strengths[*second],
                games: *games,
                points: *points,
                surplus: points - games * chance,
                information: games * chance * (1.0 - chance),
            }
        };
        Likelihood(bouts.iter().map(term).collect())
    }

    /// The distances below and above the estimate at which the logarithm has fallen by `fall`, if the strengths change
    /// by `direction` for each unit. If the games set no end, the distance is `half`, where the search also starts.
    pub(super) fn ends(&self, direction: &[f64], half: f64, fall: f64) -> [f64; 2] {
        let line = self.along(direction);
        let is_far = |place: f64| libm::fabs(place) > BOUND_MAX / 2.0;
        let summit = zero([-BOUND_MAX, BOUND_MAX], 0.0, |place| {
            let [_, slope, bend] = line.at(place);
            [-slope, bend]
        });
        if line.bent.is_empty() || is_far(summit) {
            return [-half, half];
        }
        let ([top, ..], wanted) = (line.at(summit), libm::sqrt(fall));
        [-1.0, 1.0].map(|side| {
            let distance = zero([0.0, BOUND_MAX], half, |distance| {
                let [value, slope, _] = line.at(summit + side * distance);
                let root = libm::sqrt(libm::fmax(top - value, 0.0));
                [root - wanted, -side * slope / (2.0 * root)]
            });
            if is_far(distance) { side * half } else { summit + side * distance }
        })
    }

    fn along(&self, direction: &[f64]) -> Line<'_> {
        let mut line = Line { bent: Vec::new(), surplus: 0.0, information: 0.0 };
        for term in &self.0 {
            let [first, second] = term.entrants;
            let speed = direction[first] - direction[second];
            if libm::fabs(speed) > SMALL {
                line.bent.push((term, speed));
            } else {
                line.surplus += speed * term.surplus;
                line.information += speed * speed * term.information;
            }
        }
        line
    }
}

impl Line<'_> {
    /// The logarithm up to a constant, its derivative, and the negated second derivative.
    fn at(&self, place: f64) -> [f64; 3] {
        let slope = self.surplus - self.information * place;
        let rest = [place * (self.surplus - self.information * place / 2.0), slope, self.information];
        self.bent.iter().fold(rest, |[value, slope, bend], (term, speed)| {
            let ahead = term.ahead + speed * place;
            let chance = expected(ahead, 0.0);
            let rare = libm::log1p(libm::exp(-libm::fabs(ahead)));
            let (won, lost) = if ahead > 0.0 { (rare, rare + ahead) } else { (rare - ahead, rare) };
            [
                value - term.points * won - (term.games - term.points) * lost,
                slope + speed * (term.points - term.games * chance),
                bend + speed * speed * term.games * chance * (1.0 - chance),
            ]
        })
    }
}

/// The zero of an increasing function with the value and derivative given by `of`; without a zero, the nearer end of
/// the range. Newton's method, with bisection if it would leave the range.
fn zero([mut low, mut high]: [f64; 2], start: f64, of: impl Fn(f64) -> [f64; 2]) -> f64 {
    let mut place = start;
    for _ in 0..STEPS_MAX {
        let [value, slope] = of(place);
        if value == 0.0 {
            break;
        }
        if value < 0.0 {
            low = place;
        } else {
            high = place;
        }
        let next = place - value / slope;
        let next = if next > low && next < high { next } else { (low + high) / 2.0 };
        let moved = libm::fabs(next - place);
        place = next;
        if moved <= TOLERANCE {
            break;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Z95;

    /// Where the logarithm for 63 wins of 64 games has fallen by half the square of [`Z95`]. Source: its formula and
    /// bisection, in Python.
    const PROFILE: [f64; 2] = [2.633_821_651_766_519, 7.014_250_129_094_755];

    fn one_pairing(games: f64, points: f64, ahead: f64) -> Likelihood {
        Likelihood::of(&[ahead, 0.0], &BTreeMap::from([([0, 1], Bout { games, points })]))
    }

    #[test]
    fn the_ends_are_those_of_the_profile_of_a_binomial() {
        // For any estimate: 4.143, ln 63, is the most likely one.
        for ahead in [3.0, 4.143] {
            let ends = one_pairing(64.0, 63.0, ahead).ends(&[0.5, -0.5], 1.0, Z95 * Z95 / 2.0);
            for (end, wanted) in ends.into_iter().zip(PROFILE) {
                assert!((ahead + end - wanted).abs() < 1e-6, "{ahead}: {} {wanted}", ahead + end);
            }
        }
    }

    #[test]
    fn where_games_set_no_end_it_is_the_normal_one() {
        assert_eq!(one_pairing(64.0, 64.0, 5.0).ends(&[0.5, -0.5], 1.5, 1.92), [-1.5, 1.5]);
        assert_eq!(Likelihood(Vec::new()).ends(&[0.5, -0.5], 1.5, 1.92), [-1.5, 1.5]);
        // Two entrants that hardly move apart on the line contribute nothing.
        assert_eq!(one_pairing(64.0, 40.0, 0.0).ends(&[0.01, 0.0], 1.5, 1.92), [-1.5, 1.5]);
    }

    #[test]
    fn a_zero_is_found_from_anywhere_and_without_one_the_end_is() {
        let cube = |place: f64| [place * place * place - 8.0, 3.0 * place * place];
        for start in [-60.0, 0.0, 0.001, 63.0] {
            assert!((zero([-64.0, 64.0], start, cube) - 2.0).abs() < 1e-6, "{start}");
        }
        assert!(zero([-64.0, 64.0], 0.0, |_| [-1.0, 0.0]) > 63.9);
        assert!(zero([-64.0, 64.0], 0.0, |_| [1.0, 0.0]) < -63.9);
    }
}
