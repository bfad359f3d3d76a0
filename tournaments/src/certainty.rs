//! The certainty of an order: rank intervals, the lead over the next entrant, and when the first places are settled.
//!
//! All of it follows from a doubt about each two entrants: how probable such a difference would be if they were equal.
//! For ratings it takes into account that both are estimated from the same games, and assumes that estimates are
//! normally distributed.
//!
//! **Rank intervals.** An entrant is shown to be above another if the doubt is below 5 % divided by the number of the
//! others (Bonferroni): with a probability of 95 % everything shown about an entrant is true, and its rank lies in the
//! interval, from 1 plus the number shown to be above it to the number of all entrants minus those shown to be below
//! it. Who is placed last for another reason is not compared with the others, and who has no place is compared with
//! nobody. Source: the joint intervals of M. Mogstad, J. Romano, A. Shaikh, D. Wilhelm, \"Inference for Ranks\" (2024),
//! in their simplest form.
//!
//! **When the first places are settled.** Their order, and that no other entrant belongs among them, takes as many
//! comparisons as there are other entrants. They share the permitted probability of error, and so do the looks after
//! each round: look l has 6 / (pi l)^2 of it.

use crate::rating::{Difference, Fit};

/// The probability of error of rank intervals: they hold with a probability of 95 %.
const WRONG: f64 = 0.05;

/// Estimates by which entrants are compared.
pub(crate) trait Compared {
    /// The probability that two equal entrants differ at least as much in favour of `one`: below a half if it is ahead
    /// of `other`.
    fn doubt(&self, one: usize, other: usize) -> f64;
}

impl Compared for Fit {
    fn doubt(&self, one: usize, other: usize) -> f64 {
        doubt(self.difference(one, other))
    }
}

/// The doubt about a normally distributed difference; a half if it is 0.
pub(crate) fn doubt(Difference { estimate, error }: Difference) -> f64 {
    if estimate == 0.0 { 0.5 } else { upper_tail(estimate / error) }
}

/// How an entrant may be placed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Placing {
    /// By its games.
    #[default]
    ByGames,
    /// Below all that are placed by their games: it is disqualified or quarantined.
    Last,
    /// Not at all: it withdrew after less than half of its games.
    Nowhere,
}

/// The range of an entrant's possible ranks, from 1, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranks {
    /// The best possible rank.
    pub best: u32,
    /// The worst possible rank.
    pub worst: u32,
}

/// The rank intervals of all entrants, 95 % for each. Those that are placed last are compared with each other alone,
/// for the last ranks.
pub(crate) fn ranks(placings: &[Placing], compared: &impl Compared) -> Vec<Option<Ranks>> {
    let count = |wanted: Placing| placings.iter().filter(|placing| **placing == wanted).count() as u32;
    let (ahead, last) = (count(Placing::ByGames), count(Placing::Last));
    let all = |placing: &Placing| match placing {
        Placing::ByGames => Some(Ranks { best: 1, worst: ahead }),
        Placing::Last => Some(Ranks { best: ahead + 1, worst: ahead + last }),
        Placing::Nowhere => None,
    };
    let mut ranks: Vec<Option<Ranks>> = placings.iter().map(all).collect();
    for (one, placing) in placings.iter().enumerate() {
        let Some(Ranks { best, worst }) = all(placing) else { continue };
        for other in (one + 1..placings.len()).filter(|other| placings[*other] == *placing) {
            let doubt = compared.doubt(one, other);
            if libm::fmin(doubt, 1.0 - doubt) >= WRONG / f64::from(worst - best) {
                continue;
            }
            let (above, below) = if doubt < 0.5 { (one, other) } else { (other, one) };
            ranks[below].iter_mut().for_each(|ranks| ranks.best += 1);
            ranks[above].iter_mut().for_each(|ranks| ranks.worst -= 1);
        }
    }
    ranks
}

/// The probability, in ten-thousandths, that the first of two entrants is the better one; 5,000 if nothing is known.
pub(crate) fn superiority(doubt: f64) -> u32 {
    libm::round(10_000.0 * (1.0 - doubt)) as u32
}

/// Whether the first `top` of an order, best first, are shown to be in this order and above all others, at look number
/// `look`, from 1.
pub(crate) fn is_settled(order: &[usize], top: usize, wrong: f64, look: u32, compared: &impl Compared) -> bool {
    let top = top.min(order.len().saturating_sub(1));
    let spent = wrong * 6.0 / (core::f64::consts::PI * core::f64::consts::PI * f64::from(look) * f64::from(look));
    let enough = spent / order.len().saturating_sub(1).max(1) as f64;
    let shown = |one: usize, other: usize| compared.doubt(one, other) < enough;
    (1..top).all(|place| shown(order[place - 1], order[place]))
        && (top == 0 || order[top..].iter().all(|other| shown(order[top - 1], *other)))
}

/// The probability that a standard normal value is above `value`.
fn upper_tail(value: f64) -> f64 {
    0.5 * libm::erfc(value * core::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{ELO, PairResult, Z95};

    /// Values with equal errors.
    struct Line(Vec<f64>, f64);

    impl Compared for Line {
        fn doubt(&self, one: usize, other: usize) -> f64 {
            doubt(Difference { estimate: self.0[one] - self.0[other], error: self.1 })
        }
    }

    #[test]
    fn doubts_are_those_of_tables() {
        // Source: scipy.stats.norm.isf.
        for (probability, value) in
            [(0.025, 1.959963984540054), (0.05 / 23.0, 2.8517574605969527), (1e-9, 5.9978070150076865)]
        {
            let found = doubt(Difference { estimate: value, error: 1.0 });
            assert!((found / probability - 1.0).abs() < 1e-9, "{probability}: {found}");
        }
    }

    /// The rank intervals of entrants that all have a rank.
    fn ranked(placings: &[Placing], line: &Line) -> Vec<(u32, u32)> {
        let ranks = ranks(placings, line).into_iter();
        ranks.map(|ranks| ranks.map_or((0, 0), |Ranks { best, worst }| (best, worst))).collect()
    }

    #[test]
    fn a_rank_interval_leaves_out_only_what_is_shown() {
        let ranked = |values: &[f64], error| ranked(&vec![Placing::ByGames; values.len()], &Line(values.into(), error));
        assert_eq!(ranked(&[3.0, 0.0, -3.0], 1.0), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(ranked(&[3.0, 0.0, -0.5], 1.0), [(1, 1), (2, 3), (2, 3)]);
        assert_eq!(ranked(&[3.0, 1.5, 0.0], 1.0), [(1, 2), (1, 3), (2, 3)]);
        assert_eq!(ranked(&[0.0, 0.0], 0.0), [(1, 2), (1, 2)]);
        assert_eq!(ranked(&[0.0], 1.0), [(1, 1)]);
    }

    #[test]
    fn who_is_placed_last_has_the_last_ranks_and_takes_none_from_the_others() {
        use Placing::{ByGames, Last, Nowhere};
        let line = Line(vec![9.0, 2.1, 0.0, 5.0], 1.0);
        // 2.1 standard errors have a probability of 1.8 %. Two are told apart below 5 %, and four below 1.7 %.
        assert_eq!(ranked(&[Last, ByGames, ByGames, Last], &line), [(3, 3), (1, 1), (2, 2), (4, 4)]);
        assert_eq!(ranked(&[ByGames; 4], &line), [(1, 1), (3, 4), (3, 4), (2, 2)]);
        assert_eq!(ranked(&[Last; 2], &Line(vec![0.0, 0.0], 0.0)), [(1, 2), (1, 2)]);
        // Who has no place takes none, and is compared with nobody.
        assert_eq!(ranked(&[Nowhere, ByGames, ByGames, Last], &line), [(0, 0), (1, 1), (2, 2), (3, 3)]);
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
        let of = |estimate, error| superiority(doubt(Difference { estimate, error }));
        assert_eq!([of(0.0, 1.0), of(0.0, 0.0), of(1.0, 1.0), of(-1.0, 1.0)], [5_000, 5_000, 8_413, 1_587]);
        assert_eq!([of(1.0, 0.0), of(-1.0, 0.0)], [10_000, 0], "a difference without error is known");
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
                let likelier = f64::from(superiority(doubt(found)));
                assert!((likelier - chance).abs() <= 1.0, "{one} of {entrants}: {likelier}, {chance}");
            }
        }
    }
}
