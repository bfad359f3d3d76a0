//! Bradley-Terry strengths with intervals, by arithmetic that is the same on every machine.
//!
//! An entrant of strength a beats one of strength b with probability 1 / (1 + exp(b - a)); a draw is half a win for each.
//! Strengths maximise the likelihood of all counted games and of **one pseudo-draw per entrant** against a phantom of
//! strength 0, which gives an entrant that loses every game a finite place. Ratings are strengths above the field's
//! mean, in which each entrant weighs as much as its games say about it, multiplied by 400 / ln 10: Elo points.
//!
//! Intervals treat the pair (two games, equal seed, seats exchanged) as the unit: the covariance is the sandwich of the
//! inverse Hessian around the pairs' squared residuals. Where one side wins everything residuals vanish and the sandwich would
//! claim certainty, so a variance is at least the model's own, which follows from the inverse Hessian alone. That holds for an
//! entrant against the field and for the difference of two.
//!
//! Who won every game has no upper end: the likelihood grows for ever. Then the rating is a bound: the strength at which winning
//! them all has a probability of 2.5 %, against opponents as strong as they were estimated. So it is for who lost every game. The
//! difference of two has a bound where one of them has, and none where both are open on the same side. Who has no game has no rating.
//!
//! Only `libm` and the four operations in a fixed order are used; results are rounded to a tenth before they leave.

use std::collections::BTreeMap;

use crate::matrix::{Matrix, Root, Sparse};

/// Elo points of one unit of strength: 400 / ln 10.
pub(crate) const ELO: f64 = 173.717_792_761_300_73;
/// Normal quantile of a two-sided 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
/// What is left on one side of such an interval, and beyond a one-sided bound.
pub(crate) const TAIL: f64 = 0.025;
/// Newton's method ends when no strength moves by more than this, or after so many steps.
const TOLERANCE: f64 = 1e-12;
const STEPS_MAX: usize = 200;
/// No step moves a strength by more than this: far from the solution Newton's steps overshoot.
const STEP_MAX: f64 = 2.0;
/// Bounds are looked for within this strength of 0, by halving so often.
const BOUND_MAX: f64 = 64.0;
const HALVINGS: usize = 80;

/// What pairs between two entrants came to, seen from the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PairResult {
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Counted games of the pair: 1 or 2.
    pub(crate) games: u32,
    /// Half points of `first` in them.
    pub(crate) half_points: u32,
}

/// A rating, or a difference of two, with what games say of it, in tenths of an Elo point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rating {
    /// Nothing is known of it: no game counts, or both ends are open.
    Unknown,
    /// Known within a 95 % interval.
    Estimate {
        /// The estimate.
        tenths: i64,
        /// Half the width of the interval.
        half_interval_tenths: i64,
    },
    /// At least this, one-sidedly sure to 97.5 %: the rating of who won every game.
    AtLeast {
        /// The bound.
        low: i64,
    },
    /// At most this: the rating of who lost every game.
    AtMost {
        /// The bound.
        high: i64,
    },
}

impl Rating {
    /// The estimate, where there is one.
    pub fn tenths(self) -> Option<i64> {
        match self {
            Rating::Estimate { tenths, .. } => Some(tenths),
            _ => None,
        }
    }

    /// The lower end of the interval, where it has one.
    pub fn low(self) -> Option<i64> {
        match self {
            Rating::Estimate { tenths, half_interval_tenths } => Some(tenths - half_interval_tenths),
            Rating::AtLeast { low } => Some(low),
            Rating::AtMost { .. } | Rating::Unknown => None,
        }
    }

    /// The upper end of the interval, where it has one.
    pub fn high(self) -> Option<i64> {
        match self {
            Rating::Estimate { tenths, half_interval_tenths } => Some(tenths + half_interval_tenths),
            Rating::AtLeast { .. } | Rating::Unknown => None,
            Rating::AtMost { high } => Some(high),
        }
    }
}

/// What two entrants' games came to together, the smaller index first.
#[derive(Clone, Copy, Default, Debug)]
struct Bout {
    games: f64,
    points: f64,
}

/// The most likely strengths.
#[derive(Default)]
pub(crate) struct Strengths {
    /// Of each entrant, the phantom's being 0.
    pub(crate) of: Vec<f64>,
    /// How much each entrant's games, and its pseudo-draw, say about its strength, and those of two against each other about both.
    information: Sparse,
}

impl Strengths {
    /// What the model says of how sure these strengths are: the root of their covariance.
    pub(crate) fn certainty(&self) -> Root {
        self.information.dense().root()
    }

    /// Those after these pairs, whose order does not matter.
    pub(crate) fn of(entrants: usize, pairs: &[PairResult]) -> Strengths {
        Strengths::after(entrants, &bouts(pairs))
    }

    fn after(entrants: usize, bouts: &BTreeMap<[usize; 2], Bout>) -> Strengths {
        let mut of = vec![0.0; entrants];
        for _ in 0..STEPS_MAX {
            let mut gradient: Vec<f64> = of.iter().map(|strength| 0.5 - expected(*strength, 0.0)).collect();
            for ([first, second], Bout { games, points }) in bouts {
                let surplus = points - games * expected(of[*first], of[*second]);
                gradient[*first] += surplus;
                gradient[*second] -= surplus;
            }
            let step = hessian(&of, bouts).solve(&gradient);
            let mut moved = 0.0;
            for (strength, step) in of.iter_mut().zip(step) {
                let step = libm::fmin(libm::fmax(step, -STEP_MAX), STEP_MAX);
                *strength += step;
                moved = libm::fmax(moved, libm::fabs(step));
            }
            if moved <= TOLERANCE {
                break;
            }
        }
        let information = hessian(&of, bouts);
        Strengths { of, information }
    }

    /// The strength of the field.
    fn middle(&self) -> f64 {
        dot(&self.of, &self.weights())
    }

    /// What each entrant weighs in the field.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let own = &self.information.diagonal;
        let all = own.iter().fold(0.0, |sum, information| sum + information);
        own.iter().map(|information| information / all).collect()
    }

    /// The strength of each in tenths of an Elo point above the field.
    pub(crate) fn tenths(&self) -> Vec<i64> {
        let middle = self.middle();
        self.of.iter().map(|strength| tenths(strength - middle)).collect()
    }
}

/// Strengths with how sure they are.
pub(crate) struct Fit {
    strengths: Vec<f64>,
    /// The strength of the field.
    middle: f64,
    /// Of the strengths, by the model and by the pairs' residuals.
    model: Matrix,
    sandwich: Matrix,
    /// Each entrant's variance against the field.
    against_field: Vec<f64>,
    /// What each entrant's games say of its strength.
    known: Vec<Known>,
}

/// What games say of a strength.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    /// There are none.
    Nothing,
    /// Where it is.
    Within,
    /// All were won: at least this.
    AtLeast(f64),
    /// All were lost: at most this.
    AtMost(f64),
}

/// How much stronger one entrant is than another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Difference {
    /// The estimate, in units of what is compared.
    pub(crate) estimate: f64,
    /// Its standard error.
    pub(crate) error: f64,
}

impl Fit {
    pub(crate) fn of(entrants: usize, pairs: &[PairResult]) -> Fit {
        let bouts_of = bouts(pairs);
        let fitted = Strengths::after(entrants, &bouts_of);
        let (middle, weights, model) = (fitted.middle(), fitted.weights(), fitted.certainty().squared());
        let strengths = fitted.of;
        let mut squares: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        for pair in &sorted {
            let residual = residual(&strengths, pair);
            *squares.entry([pair.first, pair.second]).or_default() += residual * residual;
        }
        let sandwich = model.around(&squares);
        let (by_model, by_pairs) = (model.against(&weights), sandwich.against(&weights));
        let against_field = by_model.iter().zip(&by_pairs).map(|(model, pairs)| libm::fmax(*model, *pairs)).collect();
        let known = (0..entrants).map(|entrant| known(entrant, &strengths, &bouts_of)).collect();
        Fit { strengths, middle, model, sandwich, against_field, known }
    }

    /// The rating of each entrant.
    pub(crate) fn rating(&self, entrant: usize) -> Rating {
        // Of two, each is half their difference away from the middle.
        let halved = if self.strengths.len() == 2 { Some(self.strengths[1 - entrant]) } else { None };
        let above = |strength: f64| match halved {
            Some(other) => tenths((strength - other) / 2.0),
            None => tenths(strength - self.middle),
        };
        match self.known[entrant] {
            Known::Nothing => Rating::Unknown,
            Known::AtLeast(low) => Rating::AtLeast { low: above(low) },
            Known::AtMost(high) => Rating::AtMost { high: above(high) },
            Known::Within => Rating::Estimate {
                tenths: self.tenths(entrant),
                half_interval_tenths: tenths(Z95 * libm::sqrt(self.against_field[entrant])),
            },
        }
    }

    /// The estimate alone, which also those have whose rating is a bound.
    pub(crate) fn tenths(&self, entrant: usize) -> i64 {
        tenths(self.strengths[entrant] - self.middle)
    }

    /// How much stronger `one` is than `other`, in units of strength. Without a game of each nothing is shown.
    pub(crate) fn difference(&self, one: usize, other: usize) -> Difference {
        let variance = libm::fmax(self.model.of_difference(one, other), self.sandwich.of_difference(one, other));
        let is_known = ![one, other].iter().any(|entrant| self.known[*entrant] == Known::Nothing);
        let error = if is_known { libm::sqrt(variance) } else { f64::INFINITY };
        Difference { estimate: self.strengths[one] - self.strengths[other], error }
    }

    /// The difference of two as a rating: where one of them has a bound, it is a bound, too.
    pub(crate) fn difference_rating(&self, one: usize, other: usize) -> Rating {
        match (self.known[one], self.known[other]) {
            (Known::Nothing, _) | (_, Known::Nothing) => Rating::Unknown,
            // Both strengths may be anything on the same side, and so may their difference on both.
            (Known::AtLeast(_), Known::AtLeast(_)) | (Known::AtMost(_), Known::AtMost(_)) => Rating::Unknown,
            (Known::AtLeast(low), _) => Rating::AtLeast { low: tenths(low - self.strengths[other]) },
            (_, Known::AtMost(high)) => Rating::AtLeast { low: tenths(self.strengths[one] - high) },
            (Known::AtMost(high), _) => Rating::AtMost { high: tenths(high - self.strengths[other]) },
            (_, Known::AtLeast(low)) => Rating::AtMost { high: tenths(self.strengths[one] - low) },
            (Known::Within, Known::Within) => {
                let Difference { estimate, error } = self.difference(one, other);
                Rating::Estimate { tenths: tenths(estimate), half_interval_tenths: tenths(Z95 * error) }
            }
        }
    }
}

fn tenths(strength: f64) -> i64 {
    libm::round(strength * ELO * 10.0) as i64
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).fold(0.0, |sum, (one, other)| sum + one * other)
}

/// The probability that the first of two beats the second.
pub(crate) fn expected(first: f64, second: f64) -> f64 {
    1.0 / (1.0 + libm::exp(second - first))
}

fn bouts(pairs: &[PairResult]) -> BTreeMap<[usize; 2], Bout> {
    let mut bouts: BTreeMap<[usize; 2], Bout> = BTreeMap::new();
    for PairResult { first, second, games, half_points } in pairs {
        let bout = bouts.entry([*first, *second]).or_default();
        bout.games += f64::from(*games);
        bout.points += f64::from(*half_points) / 2.0;
    }
    bouts
}

/// Points of the first in a pair above what was expected.
fn residual(strengths: &[f64], pair: &PairResult) -> f64 {
    let expected = expected(strengths[pair.first], strengths[pair.second]);
    f64::from(pair.half_points) / 2.0 - f64::from(pair.games) * expected
}

/// Minus the second derivatives of the log-likelihood; positive definite thanks to the pseudo-draws.
fn hessian(strengths: &[f64], bouts: &BTreeMap<[usize; 2], Bout>) -> Sparse {
    let spread = |probability: f64| probability * (1.0 - probability);
    let mut diagonal: Vec<f64> = strengths.iter().map(|strength| spread(expected(*strength, 0.0))).collect();
    let mut beside = Vec::with_capacity(bouts.len());
    for ([first, second], Bout { games, .. }) in bouts {
        let weight = games * spread(expected(strengths[*first], strengths[*second]));
        diagonal[*first] += weight;
        diagonal[*second] += weight;
        beside.push(([*first, *second], -weight));
    }
    Sparse { diagonal, beside }
}

/// What an entrant's games say of its strength. If it won or lost every game, that is the one at which this has a probability of
/// [`TAIL`].
fn known(entrant: usize, strengths: &[f64], bouts: &BTreeMap<[usize; 2], Bout>) -> Known {
    let own = bouts.iter().filter_map(|([first, second], Bout { games, points })| match entrant {
        one if one == *first => Some((*second, *games, *points)),
        one if one == *second => Some((*first, *games, games - points)),
        _ => None,
    });
    let own: Vec<(usize, f64, f64)> = own.collect();
    let won = own.iter().all(|(_, games, points)| points == games);
    let lost = own.iter().all(|(_, _, points)| *points == 0.0);
    if own.is_empty() {
        return Known::Nothing;
    }
    if !(won || lost) {
        return Known::Within;
    }
    // The logarithm of the probability of all results, which grows with the strength if all were won, and falls otherwise.
    let of_all = |strength: f64| {
        own.iter().fold(0.0, |sum, (other, games, _)| {
            let behind = if won { strengths[*other] - strength } else { strength - strengths[*other] };
            sum - games * libm::log1p(libm::exp(behind))
        })
    };
    let (mut low, mut high) = (-BOUND_MAX, BOUND_MAX);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if (of_all(middle) < libm::log(TAIL)) == won { low = middle } else { high = middle }
    }
    if won { Known::AtLeast(low) } else { Known::AtMost(high) }
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;

    fn ratings(entrants: usize, pairs: &[PairResult]) -> Vec<Rating> {
        let fit = Fit::of(entrants, pairs);
        (0..entrants).map(|entrant| fit.rating(entrant)).collect()
    }

    /// An estimate and half of its interval.
    fn estimate(rating: Rating) -> (i64, i64) {
        match rating {
            Rating::Estimate { tenths, half_interval_tenths } => (tenths, half_interval_tenths),
            other => panic!("{other:?}"),
        }
    }

    fn pair(first: usize, second: usize, half_points: u32) -> PairResult {
        PairResult { first, second, games: 2, half_points }
    }

    #[test]
    fn two_entrants_match_the_closed_form() {
        // 75 %: half the pairs are 2:0, half 1:1. Far from the pseudo-draws' reach the gap is 400 log10(3).
        let pairs: Vec<_> = (0..20_000).map(|number| pair(0, 1, if number % 2 == 0 { 4 } else { 2 })).collect();
        let [(a, half), (b, _)] = ratings(2, &pairs).into_iter().map(estimate).collect::<Vec<_>>()[..] else {
            panic!("two")
        };
        assert_eq!(a, -b);
        assert!((a - b - 1908).abs() <= 2, "{a} {b}");
        assert!(half > 0);
    }

    #[test]
    fn exchanging_all_points_turns_the_ratings_around() {
        let points = [(0, 1, 3), (0, 2, 4), (1, 2, 1), (1, 2, 2)];
        let straight: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, *half)).collect();
        let turned: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, 4 - half)).collect();
        for (one, other) in ratings(3, &straight).iter().zip(ratings(3, &turned)) {
            let turned = match other {
                Rating::Estimate { tenths, half_interval_tenths } => {
                    Rating::Estimate { tenths: -tenths, half_interval_tenths }
                }
                Rating::AtLeast { low } => Rating::AtMost { high: -low },
                Rating::AtMost { high } => Rating::AtLeast { low: -high },
                Rating::Unknown => Rating::Unknown,
            };
            assert_eq!(*one, turned);
        }
    }

    #[test]
    fn who_won_or_lost_everything_has_a_bound_on_one_side() {
        // 240 games won: 0.025^(1/240) is a chance of 0.98475, which is 724.0 Elo. Source: the exact interval of Clopper and Pearson.
        let pairs: Vec<_> = (0..120).map(|_| pair(0, 1, 4)).collect();
        let fit = Fit::of(2, &pairs);
        assert_eq!(fit.difference_rating(0, 1), Rating::AtLeast { low: 7240 });
        assert_eq!(fit.difference_rating(1, 0), Rating::AtMost { high: -7240 });
        assert_eq!([0, 1].map(|one| fit.rating(one)), [Rating::AtLeast { low: 3620 }, Rating::AtMost { high: -3620 }]);
        // Against a field it is the same, if the field is even.
        let mut pairs: Vec<_> = (0..120).map(|number| pair(0, 1 + number % 3, 4)).collect();
        pairs.extend((0..300).map(|number| pair(1 + number % 2, 3 - number % 2 / 2, 2)));
        let Rating::AtLeast { low } = Fit::of(4, &pairs).rating(0) else { panic!("it won all") };
        assert!((low - 7240).abs() < 60, "{low}");
        assert_eq!(Fit::of(4, &pairs).rating(0).high(), None);
    }

    #[test]
    fn a_difference_has_no_bound_where_both_are_open_on_the_same_side() {
        // 0 beats 1 and 2, which never meet, and loses to 3 and 4, which never meet, too; 5 has no game.
        let mut pairs: Vec<_> = (0..20).flat_map(|_| [pair(0, 1, 4), pair(0, 2, 4)]).collect();
        let fit = Fit::of(6, &pairs);
        assert_eq!((fit.difference_rating(1, 2), fit.difference_rating(2, 1)), (Rating::Unknown, Rating::Unknown));
        pairs.extend((0..20).flat_map(|_| [pair(0, 3, 0), pair(0, 4, 0)]));
        let fit = Fit::of(6, &pairs);
        assert_eq!([fit.difference_rating(1, 2), fit.difference_rating(3, 4)], [Rating::Unknown; 2]);
        for (above, below) in [(3, 0), (0, 1), (3, 1)] {
            let Rating::AtLeast { low } = fit.difference_rating(above, below) else { panic!("{above} {below}") };
            assert_eq!(fit.difference_rating(below, above), Rating::AtMost { high: -low });
            assert!(low > 3_000, "{above} {below}: {low}");
        }
        assert_eq!([fit.rating(5), fit.difference_rating(0, 5), fit.difference_rating(5, 3)], [Rating::Unknown; 3]);
        assert!(fit.difference(3, 5).error.is_infinite() && fit.difference(3, 1).error.is_finite());
    }

    #[test]
    fn entrants_who_never_met_are_rated_all_the_same() {
        let fit = Fit::of(4, &[pair(0, 1, 4), pair(2, 3, 2)]);
        assert!(fit.tenths(0) > fit.tenths(2) && fit.tenths(2) > fit.tenths(1));
        assert_eq!((fit.tenths(2), fit.tenths(3)), (0, 0));
        assert!(fit.difference(0, 2).error > fit.difference(2, 3).error);
    }

    #[test]
    fn the_order_of_pairs_does_not_matter() {
        let mut pairs: Vec<_> = (0..60).map(|n| pair(n % 5, 5 + n % 3, (n % 5) as u32)).collect();
        let straight = ratings(8, &pairs);
        Rng::new(&[3; 32], 0).shuffle(&mut pairs);
        assert_eq!(straight, ratings(8, &pairs));
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_say() {
        // Symmetric, so that the field's mean is 0 whatever the weights.
        let truth = [0.6, 0.2, -0.2, -0.6];
        let (trials, mut covered) = (200, 0);
        for trial in 0..trials {
            let mut rng = Rng::new(&[9; 32], trial);
            let mut pairs = Vec::new();
            for (first, second) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let chance = expected(truth[first], truth[second]);
                for _ in 0..40 {
                    let mut win = || u32::from(f64::from(rng.word()) < chance * 4_294_967_296.0) * 2;
                    pairs.push(pair(first, second, win() + win()));
                }
            }
            for (rating, truth) in ratings(4, &pairs).iter().zip(truth) {
                let (tenths, half) = estimate(*rating);
                let error = tenths as f64 / 10.0 - truth * ELO;
                covered += u32::from(error.abs() <= half as f64 / 10.0);
            }
        }
        let intervals = trials as u32 * 4;
        assert!((intervals * 92 / 100..=intervals * 98 / 100).contains(&covered), "{covered} of {intervals}");
    }
}
