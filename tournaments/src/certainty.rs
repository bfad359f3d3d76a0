//! The certainty of an order: rank intervals, the lead over the next entrant, and when the first places are settled.
//!
//! All of it follows from the differences of pairs of entrants and their standard errors, which take into account that both are estimated
//! from the same games. Estimates are assumed to be normally distributed.
//!
//! **Rank intervals.** An entrant is shown to be above another if the difference is larger than a quantile times its standard error. The
//! quantile is that of 5 % divided by the number of the others (Bonferroni): with a probability of 95 % everything shown about an entrant
//! is true, and its rank lies in the interval, from 1 plus the number shown to be above it to the number of all entrants minus those shown
//! to be below it.
//! Source: the joint intervals of M. Mogstad, J. Romano, A. Shaikh, D. Wilhelm, \"Inference for Ranks\" (2024), in their
//! simplest form.
//!
//! **When the first places are settled.** Their order, and that no other entrant belongs among them, takes as many comparisons as there are
//! other entrants. They share the permitted probability of error, and so do the looks after each round: look l has 6 / (pi l)^2 of it.

use crate::rating::{Difference, Fit};

/// The probability of error of rank intervals: they hold with a probability of 95 %.
const WRONG: f64 = 0.05;
/// Quantiles lie below this; one beyond has a probability of 1e-300.
const QUANTILE_MAX: f64 = 37.0;
/// The number of bisections that find a quantile to the last bit.
const HALVINGS: usize = 64;

/// Estimates by which entrants are compared.
pub(crate) trait Compared {
    /// The difference of `one` to `other`.
    fn difference(&self, one: usize, other: usize) -> Difference;
}

impl Compared for Fit {
    fn difference(&self, one: usize, other: usize) -> Difference {
        Fit::difference(self, one, other)
    }
}

/// The range of an entrant's possible ranks, from 1, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranks {
    /// The best possible rank.
    pub best: u32,
    /// The worst possible rank.
    pub worst: u32,
}

/// The rank intervals of all entrants, 95 % for each.
pub(crate) fn ranks(entrants: usize, compared: &impl Compared) -> Vec<Ranks> {
    let mut ranks = vec![Ranks { best: 1, worst: entrants as u32 }; entrants];
    let enough = quantile(WRONG / entrants.saturating_sub(1).max(1) as f64);
    for one in 0..entrants {
        for other in one + 1..entrants {
            let Difference { estimate, error } = compared.difference(one, other);
            if libm::fabs(estimate) <= enough * error {
                continue;
            }
            let (above, below) = if estimate > 0.0 { (one, other) } else { (other, one) };
            ranks[below].best += 1;
            ranks[above].worst -= 1;
        }
    }
    ranks
}

/// The probability, in ten-thousandths, that the first entrant is the better one; 5,000 if nothing is known.
pub(crate) fn superiority(difference: Difference) -> u32 {
    let Difference { estimate, error } = difference;
    if error <= 0.0 {
        return 5_000;
    }
    libm::round(10_000.0 * upper_tail(-estimate / error)) as u32
}

/// Whether the first `top` of an order, best first, are shown to be in this order and above all others, at look number `look`, from 1.
pub(crate) fn is_settled(order: &[usize], top: usize, wrong: f64, look: u32, compared: &impl Compared) -> bool {
    let top = top.min(order.len().saturating_sub(1));
    let spent = wrong * 6.0 / (core::f64::consts::PI * core::f64::consts::PI * f64::from(look) * f64::from(look));
    let enough = quantile(spent / order.len().saturating_sub(1).max(1) as f64);
    let shown = |one: usize, other: usize| {
        let Difference { estimate, error } = compared.difference(one, other);
        estimate > enough * error
    };
    (1..top).all(|place| shown(order[place - 1], order[place]))
        && (top == 0 || order[top..].iter().all(|other| shown(order[top - 1], *other)))
}

/// The probability that a standard normal value is above `value`.
pub(crate) fn upper_tail(value: f64) -> f64 {
    0.5 * libm::erfc(value * core::f64::consts::FRAC_1_SQRT_2)
}

/// The value that a standard normal one exceeds with this probability, which is below a half.
pub(crate) fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, QUANTILE_MAX);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if upper_tail(middle) > probability { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{ELO, PairResult, Z95};

    /// Values with equal errors.
    struct Line(Vec<f64>, f64);

    impl Compared for Line {
        fn difference(&self, one: usize, other: usize) -> Difference {
            Difference { estimate: self.0[one] - self.0[other], error: self.1 }
        }
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        // Source: scipy.stats.norm.isf.
        for (probability, wanted) in
            [(0.025, 1.959963984540054), (0.05 / 23.0, 2.8517574605969527), (1e-9, 5.9978070150076865)]
        {
            assert!((quantile(probability) - wanted).abs() < 1e-9, "{probability}: {}", quantile(probability));
        }
    }

    #[test]
    fn a_rank_interval_leaves_out_only_what_is_shown() {
        let all = |low, high| Ranks { best: low, worst: high };
        assert_eq!(ranks(3, &Line(vec![3.0, 0.0, -3.0], 1.0)), [all(1, 1), all(2, 2), all(3, 3)]);
        assert_eq!(ranks(3, &Line(vec![3.0, 0.0, -0.5], 1.0)), [all(1, 1), all(2, 3), all(2, 3)]);
        assert_eq!(ranks(3, &Line(vec![3.0, 1.5, 0.0], 1.0)), [all(1, 2), all(1, 3), all(2, 3)]);
        assert_eq!(ranks(2, &Line(vec![0.0, 0.0], 0.0)), [all(1, 2), all(1, 2)]);
        assert_eq!(ranks(1, &Line(vec![0.0], 1.0)), [all(1, 1)]);
    }

    #[test]
    fn what_is_settled_takes_more_the_oftener_one_looks() {
        let line = Line(vec![9.0, 6.0, 0.0, -0.1], 1.0);
        let order = [0, 1, 2, 3];
        assert!(is_settled(&order, 2, 0.05, 1, &line) && !is_settled(&order, 2, 0.05, 30, &line));
        assert!(!is_settled(&order, 3, 0.05, 1, &line) && !is_settled(&order, 4, 0.05, 1, &line));
        assert!(is_settled(&order, 0, 0.05, 1, &line));
    }

    #[test]
    fn superiority_is_a_half_where_nothing_is_known() {
        let of = |estimate, error| superiority(Difference { estimate, error });
        assert_eq!([of(0.0, 1.0), of(0.0, 0.0), of(1.0, 1.0), of(-1.0, 1.0)], [5_000, 5_000, 8_413, 1_587]);
    }

    /// Source: choix, numpy and scipy, by `tests/vectors/make.py`.
    #[test]
    fn other_programs_find_the_same_strengths_and_errors() {
        let vectors = include_str!("../tests/vectors/ratings.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(vectors).expect("JSON");
        assert_eq!(cases.len(), 5);
        for case in cases {
            let entrants = case["entrants"].as_u64().expect("a number") as usize;
            let pairs: Vec<(usize, usize, u32)> = serde_json::from_value(case["pairs"].clone()).expect("pairs");
            let pairs: Vec<PairResult> = pairs
                .into_iter()
                .map(|(first, second, half_points)| PairResult { first, second, games: 2, half_points })
                .collect();
            let wanted: Vec<[f64; 3]> = serde_json::from_value(case["differences"].clone()).expect("differences");
            let fit = Fit::of(entrants, &pairs);
            for (one, [tenths, half, chance]) in wanted.into_iter().enumerate() {
                let found = fit.difference(one, one + 1);
                assert!(
                    (found.estimate * ELO * 10.0 - tenths).abs() < 0.05,
                    "{one} of {entrants}: {found:?}, {tenths}"
                );
                assert!((Z95 * found.error * ELO * 10.0 - half).abs() < 0.05, "{one} of {entrants}: {found:?}, {half}");
                let likelier = f64::from(superiority(found));
                assert!((likelier - chance).abs() <= 1.0, "{one} of {entrants}: {likelier}, {chance}");
            }
        }
    }
}
