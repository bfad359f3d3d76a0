//! Bradley-Terry strengths with intervals, by arithmetic that is the same on every machine.
//!
//! An entrant of strength a beats one of strength b with probability 1 / (1 + exp(b - a)); a draw is half a win for
//! each. Strengths maximise the likelihood of all counted games and of **one pseudo-draw per entrant** against a
//! phantom of strength 0, which gives an entrant that loses every game a finite place. Ratings are strengths above the
//! field's mean, in which each entrant weighs as much as its games say about it, multiplied by 400 / ln 10: Elo points.
//!
//! Intervals treat the pair (two games, equal seed, seats swapped) as the unit: the covariance is the sandwich of the
//! inverse Hessian around the pairs' squared residuals. A few pairs say little about their scatter, and nothing if one
//! side wins every game. So each pairing's scatter is supplemented by that of some pairs that scatter as in the whole
//! tournament, and the tournament's by some that scatter as the model predicts. Draws and strong seats make pairs
//! scatter less than the model predicts.
//!
//! An interval reaches to the farther of two ends: of the normal interval, with the quantile of Student's distribution,
//! and of the likelihood interval ([`likelihood`]). The two differ if an entrant lost hardly any game: the pseudo-draws
//! pull it towards the field, but its games allow it to be much stronger. The same applies to the difference of two
//! entrants.
//!
//! An entrant that won every game has no upper end: the likelihood grows without limit. Its rating is a bound: the
//! strength at which winning them all has a probability of 2.5 %, against opponents as strong as estimated. Losing
//! every game is treated in the same way.
//!
//! Only `libm` and the four operations in a fixed order are used; results are rounded to a tenth before they leave.

mod likelihood;

use std::collections::BTreeMap;

use self::likelihood::Likelihood;
use crate::matrix::{Matrix, Root, Sparse, dot};
use crate::student::student;

/// Elo points of one unit of strength: 400 / ln 10.
pub(crate) const ELO: f64 = 173.717_792_761_300_73;
/// Normal quantile of a two-sided 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
/// The probability on one side of such an interval, and beyond a one-sided bound.
pub(crate) const TAIL: f64 = 0.025;
/// Scatter, in squared points, added to each pairing's own, in proportion to the whole tournament's: that of sixteen
/// pairs of even games.
const SCATTER_OF_ALL: f64 = 8.0;
/// Scatter added to the tournament's, in proportion to the model's: that of eight pairs of even games, which also count
/// as degrees of freedom.
const SCATTER_OF_MODEL: f64 = 4.0;
const PAIRS_OF_MODEL: f64 = 8.0;
/// Newton's method ends when no strength changes by more than this, or after a number of steps.
const TOLERANCE: f64 = 1e-12;
const STEPS_MAX: usize = 200;
/// No step changes a strength by more than this: far from the solution Newton's steps overshoot.
const STEP_MAX: f64 = 2.0;
/// Bounds are searched within this strength of 0, by this many bisections.
const BOUND_MAX: f64 = 64.0;
const HALVINGS: usize = 80;

/// The result of a pair between two entrants, seen from the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PairResult {
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Counted games of the pair: 1 or 2.
    pub(crate) games: u32,
    /// Half points of `first` in them.
    pub(crate) half_points: u32,
}

/// A rating with its uncertainty, in tenths of an Elo point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rating {
    /// Known within a 95 % interval.
    Estimate {
        /// The estimate.
        tenths: i64,
        /// The interval's lower end, which may be nearer or farther than the upper one.
        low: i64,
        /// The interval's upper end.
        high: i64,
    },
    /// Won every game: at least this, with a one-sided confidence of 97.5 %.
    WonAll {
        /// The bound.
        low: i64,
    },
    /// Lost every game: at most this.
    LostAll {
        /// The bound.
        high: i64,
    },
}

impl Default for Rating {
    fn default() -> Rating {
        Rating::Estimate { tenths: 0, low: 0, high: 0 }
    }
}

impl Rating {
    /// The estimate, if there is one.
    pub fn tenths(self) -> Option<i64> {
        match self {
            Rating::Estimate { tenths, .. } => Some(tenths),
            _ => None,
        }
    }

    /// The lower end of the interval, if it has one.
    pub fn low(self) -> Option<i64> {
        match self {
            Rating::Estimate { low, .. } | Rating::WonAll { low } => Some(low),
            Rating::LostAll { .. } => None,
        }
    }

    /// The same on a scale on which everything is this many tenths higher.
    fn moved(self, by: i64) -> Rating {
        match self {
            Rating::Estimate { tenths, low, high } => {
                Rating::Estimate { tenths: tenths + by, low: low + by, high: high + by }
            }
            Rating::WonAll { low } => Rating::WonAll { low: low + by },
            Rating::LostAll { high } => Rating::LostAll { high: high + by },
        }
    }

    /// The upper end of the interval, if it has one.
    pub fn high(self) -> Option<i64> {
        match self {
            Rating::Estimate { high, .. } | Rating::LostAll { high } => Some(high),
            Rating::WonAll { .. } => None,
        }
    }
}

/// The combined result of two entrants' games, the smaller index first.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Bout {
    pub(crate) games: f64,
    pub(crate) points: f64,
}

/// The most likely strengths.
#[derive(Default)]
pub(crate) struct Strengths {
    /// By entrant; the phantom's is 0.
    pub(crate) of: Vec<f64>,
    /// The information matrix: how much each entrant's games and pseudo-draw say about its strength, and those between
    /// two about both.
    information: Sparse,
}

impl Strengths {
    /// The uncertainty of these strengths by the model: the root of their covariance.
    pub(crate) fn certainty(&self) -> Root {
        self.information.dense().root()
    }

    /// The strengths after these pairs, whose order does not matter.
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

    /// The weight of each entrant in the field.
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

/// Strengths with their uncertainty.
pub(crate) struct Fit {
    strengths: Vec<f64>,
    /// The strength of the field.
    middle: f64,
    /// What is added to ratings above the field, in tenths: whole ones, so that an anchor changes no difference by
    /// rounding.
    moved: i64,
    /// The covariance of the strengths, by the model and with the pairs' scatter.
    model: Matrix,
    covariance: Matrix,
    /// By the model: the covariance of each with the zero of ratings (the field or the anchor), and each entrant's
    /// variance against it.
    with_zero: Vec<f64>,
    model_against_zero: Vec<f64>,
    /// Each entrant's variance against the zero.
    against_zero: Vec<f64>,
    /// The range of strengths that the games allow.
    likelihood: Likelihood,
    /// The number of standard errors on either side of a normal interval.
    quantile: f64,
    /// The bounds of entrants that won or lost all of their games.
    bounds: Vec<Option<Bound>>,
}

/// A strength that is only bounded on one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bound {
    Low(f64),
    High(f64),
}

/// The difference in strength of two entrants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Difference {
    /// The estimate, in units of the compared quantity.
    pub(crate) estimate: f64,
    /// Its standard error.
    pub(crate) error: f64,
}

impl Fit {
    /// With the field's mean as zero.
    pub(crate) fn of(entrants: usize, pairs: &[PairResult]) -> Fit {
        let bouts = bouts(pairs);
        let fitted = Strengths::after(entrants, &bouts);
        let weights = fitted.weights();
        Fit::with(fitted, &bouts, pairs, &weights, 0)
    }

    /// With these entrants, of which there is one at least, at `rating` Elo points in their mean.
    pub(crate) fn anchored(entrants: usize, pairs: &[PairResult], anchor: &[usize], rating: i32) -> Fit {
        let bouts = bouts(pairs);
        let fitted = Strengths::after(entrants, &bouts);
        let mut weights = vec![0.0; entrants];
        anchor.iter().for_each(|entrant| weights[*entrant] = 1.0 / anchor.len() as f64);
        let moved = 10 * i64::from(rating) - tenths(dot(&fitted.of, &weights) - fitted.middle());
        Fit::with(fitted, &bouts, pairs, &weights, moved)
    }

    fn with(
        fitted: Strengths,
        bouts_of: &BTreeMap<[usize; 2], Bout>,
        pairs: &[PairResult],
        weights: &[f64],
        moved: i64,
    ) -> Fit {
        let entrants = fitted.of.len();
        let (middle, model) = (fitted.middle(), fitted.certainty().squared());
        let strengths = fitted.of;
        let of_phantom: Vec<f64> = strengths.iter().map(|strength| spread(expected(*strength, 0.0))).collect();
        let covariance = model.around(&of_phantom, &scatter(&strengths, &model, pairs));
        let bounds = (0..entrants).map(|entrant| bound(entrant, &strengths, bouts_of)).collect();
        let freedom = pairs.len().saturating_sub(entrants.saturating_sub(1)) as f64 + PAIRS_OF_MODEL;
        Fit {
            with_zero: model.times(weights),
            model_against_zero: model.against(weights),
            against_zero: covariance.against(weights),
            likelihood: Likelihood::of(&strengths, bouts_of),
            quantile: student(Z95, freedom),
            strengths,
            middle,
            moved,
            model,
            covariance,
            bounds,
        }
    }

    /// The rating of each entrant.
    pub(crate) fn rating(&self, entrant: usize) -> Rating {
        // With two entrants, each is half their difference away from the middle.
        let halved = if self.strengths.len() == 2 { Some(self.strengths[1 - entrant]) } else { None };
        let above = |strength: f64| match halved {
            Some(other) => tenths((strength - other) / 2.0),
            None => tenths(strength - self.middle),
        };
        let rating = match self.bounds[entrant] {
            Some(Bound::Low(low)) => Rating::WonAll { low: above(low) },
            Some(Bound::High(high)) => Rating::LostAll { high: above(high) },
            None => within(self.strengths[entrant] - self.middle, self.ends(entrant, None)),
        };
        rating.moved(self.moved)
    }

    /// How much higher ratings are than strengths above the field, in tenths.
    pub(crate) fn moved(&self) -> i64 {
        self.moved
    }

    /// The difference in strength of `one` and `other`, in units of strength.
    pub(crate) fn difference(&self, one: usize, other: usize) -> Difference {
        let variance = self.covariance.of_difference(one, other);
        Difference { estimate: self.strengths[one] - self.strengths[other], error: libm::sqrt(variance) }
    }

    /// The difference of two as a rating: it is a bound if one of them has a bound.
    pub(crate) fn difference_rating(&self, one: usize, other: usize) -> Rating {
        match (self.bounds[one], self.bounds[other]) {
            (Some(Bound::Low(low)), _) => Rating::WonAll { low: tenths(low - self.strengths[other]) },
            (_, Some(Bound::High(high))) => Rating::WonAll { low: tenths(self.strengths[one] - high) },
            (Some(Bound::High(high)), _) => Rating::LostAll { high: tenths(high - self.strengths[other]) },
            (_, Some(Bound::Low(low))) => Rating::LostAll { high: tenths(self.strengths[one] - low) },
            (None, None) => within(self.strengths[one] - self.strengths[other], self.ends(one, Some(other))),
        }
    }

    /// How far the strength of `one` above another one, or above the zero, may deviate from its estimate.
    fn ends(&self, one: usize, other: Option<usize>) -> [f64; 2] {
        let (less, model, variance) = match other {
            None => (&self.with_zero[..], self.model_against_zero[one], self.against_zero[one]),
            Some(other) => {
                let [model, all] = [&self.model, &self.covariance].map(|by| by.of_difference(one, other));
                (self.model.row(other), model, all)
            }
        };
        // The anchor itself.
        if model <= 0.0 {
            return [0.0; 2];
        }
        let direction: Vec<f64> =
            self.model.row(one).iter().zip(less).map(|(own, less)| (own - less) / model).collect();
        let half = self.quantile * libm::sqrt(variance);
        let [low, high] = self.likelihood.ends(&direction, half, half * half / (2.0 * model));
        [libm::fmin(low, -half), libm::fmax(high, half)]
    }
}

/// An estimate, with its interval's ends relative to it.
fn within(estimate: f64, ends: [f64; 2]) -> Rating {
    let [low, high] = ends.map(|end| tenths(estimate + end));
    Rating::Estimate { tenths: tenths(estimate), low, high }
}

fn tenths(strength: f64) -> i64 {
    libm::round(strength * ELO * 10.0) as i64
}

/// The probability that the first of two beats the second.
pub(crate) fn expected(first: f64, second: f64) -> f64 {
    1.0 / (1.0 + libm::exp(second - first))
}

/// The games of each two bots that met, and the points of the first of them.
pub(crate) fn bouts(pairs: &[PairResult]) -> BTreeMap<[usize; 2], Bout> {
    let mut bouts: BTreeMap<[usize; 2], Bout> = BTreeMap::new();
    for PairResult { first, second, games, half_points } in pairs {
        let bout = bouts.entry([*first, *second]).or_default();
        bout.games += f64::from(*games);
        bout.points += f64::from(*half_points) / 2.0;
    }
    bouts
}

/// The scatter of two entrants' pairs around the expected results, in squared points.
#[derive(Clone, Copy, Default)]
struct Scatter {
    pairs: f64,
    seen: f64,
    /// By the model.
    expected: f64,
}

/// The scatter of each pairing: from its own pairs to the extent that they show it, otherwise from all pairs.
fn scatter(strengths: &[f64], model: &Matrix, pairs: &[PairResult]) -> BTreeMap<[usize; 2], f64> {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    let mut of: BTreeMap<[usize; 2], Scatter> = BTreeMap::new();
    for PairResult { first, second, games, half_points } in sorted {
        let chance = expected(strengths[first], strengths[second]);
        let residual = f64::from(half_points) / 2.0 - f64::from(games) * chance;
        let scatter = of.entry([first, second]).or_default();
        scatter.pairs += 1.0;
        scatter.seen += residual * residual;
        scatter.expected += f64::from(games) * spread(chance);
    }
    // Strengths were fitted to the pairs, so residuals are smaller than the scatter by the fraction that the fit
    // explains.
    let left = |[one, other]: [usize; 2], scatter: &Scatter| {
        scatter.expected * (1.0 - scatter.expected * model.of_difference(one, other) / scatter.pairs)
    };
    let (mut seen, mut expected) = (SCATTER_OF_MODEL, SCATTER_OF_MODEL);
    for (both, scatter) in &of {
        seen += scatter.seen;
        expected += left(*both, scatter);
    }
    let all = seen / expected;
    let shrunk = |(both, scatter): ([usize; 2], Scatter)| {
        let own = (scatter.seen + SCATTER_OF_ALL * all) / (left(both, &scatter) + SCATTER_OF_ALL);
        (both, scatter.expected * own)
    };
    of.into_iter().map(shrunk).collect()
}

/// The variance of a game with this chance of winning.
fn spread(chance: f64) -> f64 {
    chance * (1.0 - chance)
}

/// Minus the second derivatives of the log-likelihood; positive definite thanks to the pseudo-draws.
fn hessian(strengths: &[f64], bouts: &BTreeMap<[usize; 2], Bout>) -> Sparse {
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

/// The strength at which an entrant's results, if it won or lost every game, have a probability of [`TAIL`].
fn bound(entrant: usize, strengths: &[f64], bouts: &BTreeMap<[usize; 2], Bout>) -> Option<Bound> {
    let own = bouts.iter().filter_map(|([first, second], Bout { games, points })| match entrant {
        one if one == *first => Some((*second, *games, *points)),
        one if one == *second => Some((*first, *games, games - points)),
        _ => None,
    });
    let own: Vec<(usize, f64, f64)> = own.collect();
    let won = own.iter().all(|(_, games, points)| points == games);
    let lost = own.iter().all(|(_, _, points)| *points == 0.0);
    if own.is_empty() || !(won || lost) {
        return None;
    }
    // The logarithm of the probability of all results: it grows with the strength if all games were won, and falls if
    // all were lost.
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
    Some(if won { Bound::Low(low) } else { Bound::High(high) })
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;

    fn ratings(entrants: usize, pairs: &[PairResult]) -> Vec<Rating> {
        let fit = Fit::of(entrants, pairs);
        (0..entrants).map(|entrant| fit.rating(entrant)).collect()
    }

    /// An estimate and its interval.
    fn estimate(rating: Rating) -> [i64; 3] {
        match rating {
            Rating::Estimate { tenths, low, high } => [low, tenths, high],
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
        let [[low, a, high], [_, b, _]] = ratings(2, &pairs).into_iter().map(estimate).collect::<Vec<_>>()[..] else {
            panic!("two")
        };
        assert_eq!(a, -b);
        assert!((a - b - 1908).abs() <= 2, "{a} {b}");
        assert!(low < a && a < high && (high + low - 2 * a).abs() <= 3, "{low} {a} {high}");
    }

    #[test]
    fn exchanging_all_points_turns_the_ratings_around() {
        let points = [(0, 1, 3), (0, 2, 4), (1, 2, 1), (1, 2, 2)];
        let straight: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, *half)).collect();
        let turned: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, 4 - half)).collect();
        for (one, other) in ratings(3, &straight).iter().zip(ratings(3, &turned)) {
            let turned = match other {
                Rating::Estimate { tenths, low, high } => Rating::Estimate { tenths: -tenths, low: -high, high: -low },
                Rating::WonAll { low } => Rating::LostAll { high: -low },
                Rating::LostAll { high } => Rating::WonAll { low: -high },
            };
            assert_eq!(*one, turned);
        }
    }

    #[test]
    fn who_won_or_lost_everything_has_a_bound_on_one_side() {
        // 240 games won: 0.025^(1/240) is a chance of 0.98475, which is 724.0 Elo. Source: the exact interval of
        // Clopper and Pearson.
        let pairs: Vec<_> = (0..120).map(|_| pair(0, 1, 4)).collect();
        let fit = Fit::of(2, &pairs);
        assert_eq!(fit.difference_rating(0, 1), Rating::WonAll { low: 7240 });
        assert_eq!(fit.difference_rating(1, 0), Rating::LostAll { high: -7240 });
        assert_eq!([0, 1].map(|one| fit.rating(one)), [Rating::WonAll { low: 3620 }, Rating::LostAll { high: -3620 }]);
        // The same against a field, if the field is even.
        let mut pairs: Vec<_> = (0..120).map(|number| pair(0, 1 + number % 3, 4)).collect();
        pairs.extend((0..300).map(|number| pair(1 + number % 2, 3 - number % 2 / 2, 2)));
        let Rating::WonAll { low } = Fit::of(4, &pairs).rating(0) else { panic!("it won all") };
        assert!((low - 7240).abs() < 60, "{low}");
        assert_eq!(Fit::of(4, &pairs).rating(0).high(), None);
    }

    #[test]
    fn who_lost_hardly_a_game_may_be_much_stronger_but_hardly_weaker() {
        // 63 of 64: by the likelihood from 457.5 to 1,218.5 Elo (`likelihood.rs`), scaled by a scatter that is nearly
        // the model's.
        let mut pairs: Vec<_> = (0..31).map(|_| pair(0, 1, 4)).collect();
        pairs.push(pair(0, 1, 2));
        let [low, estimate, high] = estimate(Fit::of(2, &pairs).difference_rating(0, 1));
        assert!((11_500..13_000).contains(&high), "{low} {estimate} {high}");
        assert!(estimate - low < 4_000 && high - estimate > 4_500, "{low} {estimate} {high}");
    }

    #[test]
    fn draws_and_seats_make_intervals_narrower_and_agreement_within_pairs_wider() {
        let half = |points: [u32; 4]| {
            let pairs: Vec<_> = (0..80).map(|number| pair(0, 1, points[number % 4])).collect();
            let [low, _, high] = estimate(Fit::of(2, &pairs).difference_rating(0, 1));
            high - low
        };
        // All pairs shared; as by chance; both games of a pair always alike. Their scatter is 0, the model's, and twice
        // the model's.
        let [shared, chance, alike] = [[2, 2, 2, 2], [0, 2, 2, 4], [0, 4, 0, 4]].map(half);
        assert!(2 * shared < chance && 4 * chance < 3 * alike, "{shared} {chance} {alike}");
    }

    #[test]
    fn entrants_who_never_met_are_rated_all_the_same() {
        let fit = Fit::of(4, &[pair(0, 1, 4), pair(2, 3, 2)]);
        let [first, second, third, fourth] =
            [0, 1, 2, 3].map(|entrant: usize| tenths(fit.strengths[entrant] - fit.middle));
        assert!(first > third && third > second);
        assert_eq!((third, fourth), (0, 0));
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
                let [low, _, high] = estimate(*rating).map(|tenths| tenths as f64 / 10.0);
                covered += u32::from((low..=high).contains(&(truth * ELO)));
            }
        }
        let intervals = trials as u32 * 4;
        assert!((intervals * 92 / 100..=intervals * 98 / 100).contains(&covered), "{covered} of {intervals}");
    }
}
