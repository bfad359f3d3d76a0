//! Bradley-Terry strengths with intervals, by arithmetic that is the same on every machine.
//!
//! An entrant of strength a beats one of strength b with probability 1 / (1 + exp(b - a)); a draw is half a win for each.
//! Strengths maximise the likelihood of all counted games and of **one pseudo-draw per entrant** against a phantom of
//! strength 0, which gives an entrant that loses every game a finite place. Ratings are strengths above the field's
//! mean, in which each entrant weighs as much as its games say about it, multiplied by 400 / ln 10: Elo points.
//!
//! Intervals treat the pair (two games, equal seed, seats exchanged) as the unit: the covariance is the sandwich of the
//! inverse Hessian around the pairs' squared residuals. Where one side wins everything residuals vanish and the sandwich would
//! claim certainty, so an entrant's variance is at least the model's own, the inverse Hessian's diagonal.
//!
//! Only `libm` and the four operations in a fixed order are used; results are rounded to a tenth before they leave.

/// Elo points of one unit of strength: 400 / ln 10.
const ELO: f64 = 173.717_792_761_300_73;
/// Normal quantile of a two-sided 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
/// Newton's method ends when no strength moves by more than this, or after so many steps.
const TOLERANCE: f64 = 1e-12;
const STEPS_MAX: usize = 200;
/// No step moves a strength by more than this: far from the solution Newton's steps overshoot.
const STEP_MAX: f64 = 2.0;

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

/// A rating and its 95 % interval, in tenths of an Elo point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rating {
    /// The estimate.
    pub tenths: i64,
    /// Half the width of the interval.
    pub half_interval_tenths: i64,
}

impl Rating {
    /// The lower end of the interval.
    pub fn low(self) -> i64 {
        self.tenths - self.half_interval_tenths
    }

    /// The upper end of the interval.
    pub fn high(self) -> i64 {
        self.tenths + self.half_interval_tenths
    }
}

/// The ratings of all entrants from the results of their pairs. The order of the pairs does not matter.
pub(crate) fn ratings(entrants: usize, pairs: &[PairResult]) -> Vec<Rating> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    let strengths = strengths(entrants, &pairs);
    let hessian = hessian(&strengths, &pairs);
    let weights = information_shares(&hessian);
    let field = |values: &[f64]| values.iter().zip(&weights).fold(0.0, |sum, (value, weight)| sum + value * weight);
    // What moves all entrants alike (only the phantom holds it) is no one's strength: everything relative to the field.
    let relative = above(inverse(hessian), field);
    let sandwich = sandwich(&strengths, &pairs, &relative);
    let middle = field(&strengths);
    let tenths = |value: f64| libm::round(value * ELO * 10.0) as i64;
    (0..entrants)
        .map(|entrant| {
            let model = relative[entrant][entrant] - field(&relative[entrant]);
            let half_interval_tenths = tenths(Z95 * libm::sqrt(libm::fmax(sandwich[entrant], model)));
            Rating { tenths: tenths(strengths[entrant] - middle), half_interval_tenths }
        })
        .collect()
}

/// How much each entrant's games say about its strength, as shares of one. An entrant that always wins says little.
fn information_shares(hessian: &[Vec<f64>]) -> Vec<f64> {
    let information: Vec<f64> = hessian.iter().enumerate().map(|(entrant, row)| row[entrant]).collect();
    let all = information.iter().fold(0.0, |sum, information| sum + information);
    information.iter().map(|information| information / all).collect()
}

/// A symmetric matrix with the field's mean of each column taken away from it.
fn above(mut matrix: Vec<Vec<f64>>, field: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    // Symmetric, so the mean of a column is the mean of the row with its number.
    let means: Vec<f64> = matrix.iter().map(|row| field(row)).collect();
    for row in &mut matrix {
        row.iter_mut().zip(&means).for_each(|(value, mean)| *value -= mean);
    }
    matrix
}

/// The probability that the first of two beats the second.
fn expected(first: f64, second: f64) -> f64 {
    1.0 / (1.0 + libm::exp(second - first))
}

fn strengths(entrants: usize, pairs: &[PairResult]) -> Vec<f64> {
    let mut strengths = vec![0.0; entrants];
    for _ in 0..STEPS_MAX {
        let mut gradient: Vec<f64> = strengths.iter().map(|strength| 0.5 - expected(*strength, 0.0)).collect();
        for pair in pairs {
            let surplus = residual(&strengths, pair);
            gradient[pair.first] += surplus;
            gradient[pair.second] -= surplus;
        }
        let step = solve(&cholesky(hessian(&strengths, pairs)), &gradient);
        let mut moved = 0.0;
        for (strength, step) in strengths.iter_mut().zip(step) {
            let step = libm::fmin(libm::fmax(step, -STEP_MAX), STEP_MAX);
            *strength += step;
            moved = libm::fmax(moved, libm::fabs(step));
        }
        if moved <= TOLERANCE {
            break;
        }
    }
    strengths
}

/// Points of the first in a pair above what was expected.
fn residual(strengths: &[f64], pair: &PairResult) -> f64 {
    let expected = expected(strengths[pair.first], strengths[pair.second]);
    f64::from(pair.half_points) / 2.0 - f64::from(pair.games) * expected
}

/// Minus the second derivatives of the log-likelihood; positive definite thanks to the pseudo-draws.
fn hessian(strengths: &[f64], pairs: &[PairResult]) -> Vec<Vec<f64>> {
    let spread = |probability: f64| probability * (1.0 - probability);
    let mut hessian = vec![vec![0.0; strengths.len()]; strengths.len()];
    for (entrant, strength) in strengths.iter().enumerate() {
        hessian[entrant][entrant] = spread(expected(*strength, 0.0));
    }
    for PairResult { first, second, games, .. } in pairs {
        let weight = f64::from(*games) * spread(expected(strengths[*first], strengths[*second]));
        hessian[*first][*first] += weight;
        hessian[*second][*second] += weight;
        hessian[*first][*second] -= weight;
        hessian[*second][*first] -= weight;
    }
    hessian
}

/// The diagonal of R x (sum over pairs of the outer square of their gradient) x R', R being the inverse Hessian relative to
/// the field.
fn sandwich(strengths: &[f64], pairs: &[PairResult], relative: &[Vec<f64>]) -> Vec<f64> {
    let mut variances = vec![0.0; strengths.len()];
    for pair in pairs {
        let residual = residual(strengths, pair);
        for (variance, row) in variances.iter_mut().zip(relative) {
            let influence = residual * (row[pair.first] - row[pair.second]);
            *variance += influence * influence;
        }
    }
    variances
}

/// The lower triangle L with L x L' = `matrix`, which is symmetric and positive definite.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for row in 0..matrix.len() {
        for col in 0..=row {
            let products = matrix[row].iter().zip(&matrix[col]).take(col);
            let rest = products.fold(matrix[row][col], |rest, (a, b)| rest - a * b);
            matrix[row][col] = if row == col { libm::sqrt(rest) } else { rest / matrix[col][col] };
        }
    }
    matrix
}

/// Solves L x L' x result = `right`.
fn solve(triangle: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut result = right.to_vec();
    for row in 0..result.len() {
        for col in 0..row {
            result[row] -= triangle[row][col] * result[col];
        }
        result[row] /= triangle[row][row];
    }
    for row in (0..result.len()).rev() {
        for below in row + 1..result.len() {
            result[row] -= triangle[below][row] * result[below];
        }
        result[row] /= triangle[row][row];
    }
    result
}

fn inverse(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let triangle = cholesky(matrix);
    let unit = |one: usize| (0..size).map(|at| f64::from(u8::from(at == one))).collect::<Vec<f64>>();
    (0..size).map(|one| solve(&triangle, &unit(one))).collect()
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;

    fn pair(first: usize, second: usize, half_points: u32) -> PairResult {
        PairResult { first, second, games: 2, half_points }
    }

    #[test]
    fn two_entrants_match_the_closed_form() {
        // 75 %: half the pairs are 2:0, half 1:1. Far from the pseudo-draws' reach the gap is 400 log10(3).
        let pairs: Vec<_> = (0..20_000).map(|number| pair(0, 1, if number % 2 == 0 { 4 } else { 2 })).collect();
        let [a, b] = ratings(2, &pairs)[..] else { panic!("two ratings") };
        assert_eq!(a.tenths, -b.tenths);
        assert!((a.tenths - b.tenths - 1908).abs() <= 2, "{a:?} {b:?}");
        assert!(a.half_interval_tenths > 0);
    }

    #[test]
    fn exchanging_all_points_turns_the_ratings_around() {
        let points = [(0, 1, 3), (0, 2, 4), (1, 2, 1), (1, 2, 2)];
        let straight: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, *half)).collect();
        let turned: Vec<_> = points.iter().map(|(a, b, half)| pair(*a, *b, 4 - half)).collect();
        for (one, other) in ratings(3, &straight).iter().zip(ratings(3, &turned)) {
            assert_eq!(one.tenths, -other.tenths);
            assert_eq!(one.half_interval_tenths, other.half_interval_tenths);
        }
    }

    #[test]
    fn losing_everything_is_finite_and_uncertain() {
        let pairs: Vec<_> = (0..50).map(|_| pair(0, 1, 4)).collect();
        let [winner, loser] = ratings(2, &pairs)[..] else { panic!("two ratings") };
        assert!((3000..20_000).contains(&(winner.tenths - loser.tenths)), "{winner:?} {loser:?}");
        assert!(loser.half_interval_tenths > 1000, "{loser:?}");
    }

    #[test]
    fn entrants_who_never_met_are_rated_all_the_same() {
        let ratings = ratings(4, &[pair(0, 1, 4), pair(2, 3, 2)]);
        assert!(ratings[0].tenths > ratings[2].tenths && ratings[2].tenths > ratings[1].tenths);
        assert_eq!((ratings[2].tenths, ratings[3].tenths), (0, 0));
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
                let error = rating.tenths as f64 / 10.0 - truth * ELO;
                covered += u32::from(error.abs() <= rating.half_interval_tenths as f64 / 10.0);
            }
        }
        let intervals = trials as u32 * 4;
        assert!((intervals * 92 / 100..=intervals * 98 / 100).contains(&covered), "{covered} of {intervals}");
    }
}
