//! Tests whether two samples can come from the same source.

/// Wins of player 1, wins of player 2, draws.
pub(super) type Results = [f64; 3];

/// Degrees of freedom for comparing two [`Results`] with given sums.
pub(super) const DEGREES: u32 = 2;

/// Pearson's statistic of homogeneity for two samples a and b of the sizes A and B, over the kinds that occur at all: the sum of
/// (sqrt(B/A) a - sqrt(A/B) b)^2 / (a + b). Both are samples, so the published counts are no exact expectation.
/// Source: Numerical Recipes, "Are two distributions different?", the case of unequal sizes.
pub(super) fn of_two_samples(ours: Results, theirs: Results) -> f64 {
    let [size, their_size] = [ours, theirs].map(|results| results.iter().sum::<f64>());
    let ratio = (their_size / size).sqrt();
    let term = |(ours, theirs): (f64, f64)| (ratio * ours - theirs / ratio).powi(2) / (ours + theirs);
    ours.into_iter().zip(theirs).filter(|(ours, theirs)| ours + theirs > 0.0).map(term).sum()
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
