//! Tests whether two samples can come from the same source.

use crate::fisher;

/// Wins of player 1, wins of player 2, draws.
pub(super) type Results = [f64; 3];

/// Degrees of freedom for comparing two [`Results`] with given sums.
pub(super) const DEGREES: u32 = 2;

/// Pearson's statistic of homogeneity for two samples a and b of the sizes A and B, over the kinds that occur at all:
/// the sum of (sqrt(B/A) a - sqrt(A/B) b)^2 / (a + b). Both are samples, so the published counts are no exact
/// expectation. Source: Numerical Recipes, "Are two distributions different?", the case of unequal sizes.
pub(super) fn of_two_samples(ours: Results, theirs: Results) -> f64 {
    let [size, their_size] = [ours, theirs].map(|results| results.iter().sum::<f64>());
    let ratio = (their_size / size).sqrt();
    let term = |(ours, theirs): (f64, f64)| (ratio * ours - theirs / ratio).powi(2) / (ours + theirs);
    ours.into_iter().zip(theirs).filter(|(ours, theirs)| ours + theirs > 0.0).map(term).sum()
}

/// The probability that two samples of one source differ as much in some kind by chance, at most: Fisher's exact test
/// of each kind against all others, times the number of kinds. It holds for rare kinds, too, of which a chi-square says
/// too much.
pub(super) fn chance_of_some_kind(ours: Results, theirs: Results) -> f64 {
    let [size, their_size] = [ours, theirs].map(|results| results.iter().sum::<f64>() as usize);
    let chance = |(ours, theirs): (f64, f64)| {
        let found = ours as usize;
        let all = fisher::by_chance([[found, size], [theirs as usize, their_size]]);
        let all: Vec<(usize, f64)> = all.map(|(count, log)| (count, log.exp())).collect();
        let sum = |is_counted: &dyn Fn(usize) -> bool| {
            all.iter().filter(|(count, _)| is_counted(*count)).map(|(_, chance)| chance).sum::<f64>()
        };
        2.0 * sum(&|count| count <= found).min(sum(&|count| count >= found))
    };
    let least = ours.into_iter().zip(theirs).map(chance).fold(1.0, f64::min);
    (ours.len() as f64 * least).min(1.0)
}

/// The probability that a chi-square variable with this even number of degrees of freedom is above `x`:
/// exp(-x/2) times the sum of (x/2)^k / k! for k below half the degrees.
pub(super) fn chance_above(x: f64, degrees: u32) -> f64 {
    let half = x / 2.0;
    let terms = (1..=degrees / 2).scan(1.0, |term, k| {
        let this = *term;
        *term *= half / f64::from(k);
        Some(this)
    });
    (-half).exp() * terms.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_hardly_occurs_rejects_nothing_by_itself() {
        // Of 20 games one is lost, of 500 none: 20 of 520 times by chance.
        let (ours, theirs) = ([18.0, 1.0, 1.0], [444.0, 0.0, 56.0]);
        assert!(chance_above(of_two_samples(ours, theirs), DEGREES) < 0.001);
        assert!((chance_of_some_kind(ours, theirs) - 3.0 * 2.0 * 20.0 / 520.0).abs() < 1e-9);
        // Computed by hand, Fisher's tea: three of four cups right, on either side 17 of 70.
        assert!((chance_of_some_kind([3.0, 1.0, 0.0], [1.0, 3.0, 0.0]) - 1.0).abs() < 1e-9);
        assert!((chance_of_some_kind([4.0, 0.0, 0.0], [0.0, 4.0, 0.0]) - 3.0 * 2.0 / 70.0).abs() < 1e-9);
        assert!(chance_of_some_kind([9_970.0, 20.0, 10.0], [444.0, 0.0, 56.0]) < 1e-9);
    }

    /// Source: any table of the distribution, column 0.001.
    #[test]
    fn the_critical_values_are_those_of_tables() {
        for (degrees, critical) in [(2, 13.816), (4, 18.467), (32, 62.487)] {
            assert!((chance_above(critical, degrees) - 0.001).abs() < 1e-6, "{degrees}");
        }
    }

    #[test]
    fn equal_shares_do_not_differ_and_the_statistic_is_pearsons() {
        assert!(of_two_samples([50.0, 30.0, 20.0], [500.0, 300.0, 200.0]) < 1e-9);
        assert!(of_two_samples([50.0, 50.0, 0.0], [20.0, 20.0, 0.0]) < 1e-9);
        // Computed by hand: expected counts 15, 15 in both rows.
        assert!((of_two_samples([10.0, 20.0, 0.0], [20.0, 10.0, 0.0]) - 4.0 * 25.0 / 15.0).abs() < 1e-9);
    }
}
