//! A match that stops once it is decided: the sequential probability ratio test over pairs.
//!
//! A pair is two games with one seed and the seats swapped; its result is one of five, from two losses to two wins (the
//! *pentanomial* counts). Games of a pair are not independent, but pairs are, so pairs are counted. A pair's score is
//! in 0..1, with mean m and variance v over N pairs. The log-likelihood ratio of the hypothesis that the expected score
//! is s1, against the hypothesis that it is s0, is
//!
//! ```text
//! LLR = N (s1 - s0) (2 m - s0 - s1) / (2 v)
//! ```
//!
//! where s = 1 / (1 + 10^(-elo / 400)). Source: the generalised test of M. Van den Bergh, "A practical introduction to
//! the GSPRT", formula for the normal approximation; testers of chess engines use the same. The test ends when the
//! ratio leaves ln(beta) .. ln(1 / alpha): with these bounds the error rates are at most the nominal ones (A. Wald,
//! "Sequential Tests of Statistical Hypotheses", 1945, inequality 3.24); with the usual bounds only their sum is
//! limited.
//!
//! The formula trusts the observed variance, and a few pairs can be all alike: nearly equal deterministic bots play
//! most pairs to one win each. So the variance, and only the variance, includes one pair of every result before the
//! first real pair, and is taken around (s0 + s1) / 2, between the hypotheses. This makes a test some pairs longer.
//! Without it such matches ended wrongly in half of all cases; with it in at most one of ten for any sequence of pairs,
//! and as rarely as promised if games are won by chance (see the tests). In the mean, these pairs would pull every test
//! towards 0, which costs most if few pairs decide.

use crate::rating::{TAIL, Z95};

/// Pairs of every result that are added before the first one played.
const BEFORE: f64 = 1.0;
/// No decision on fewer pairs: the normal approximation needs some.
pub const PAIRS_MIN: u32 = 8;
/// The score of a pair's results.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Larger Elo differences are not shown: this one is a score of 99.99 %.
const ELO_MAX: f64 = 1_600.0;

/// Pairs by their result, from the first entrant's side: half points 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PairCounts(pub [u32; 5]);

/// A test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Invalid parameters of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// Hypotheses in the wrong order, equal, or absurdly large.
    #[error("the test needs two Elo differences, the smaller first, within -1600..1600, for example 0,20")]
    Hypotheses,
    /// Invalid error rates.
    #[error("an error rate is above 0 and below a half")]
    Rates,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The difference is elo0 or less.
    Lower,
    /// The difference is elo1 or more.
    Upper,
    /// Neither yet.
    Open,
}

/// An Elo difference with its 95 % interval, in tenths of a point. If the interval reaches a score of 0 or 1, it has no
/// end on that side. If one side won every game there is no estimate, and the interval has one end: the exact bound of
/// Clopper and Pearson, with a confidence of 97.5 %. Without a pair all are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EloDifference {
    /// The estimate.
    pub tenths: Option<i64>,
    /// The interval's lower end.
    pub low: Option<i64>,
    /// The interval's upper end.
    pub high: Option<i64>,
}

impl PairCounts {
    /// Counts a pair.
    ///
    /// # Panics
    /// If two games gave more than four half points.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }

    /// All pairs.
    pub fn pairs(self) -> u32 {
        self.0.iter().sum()
    }

    /// The other side's counts.
    pub fn swapped(self) -> PairCounts {
        let [a, b, c, d, e] = self.0;
        PairCounts([e, d, c, b, a])
    }

    /// Number, mean and variance of pair scores, including the added pairs.
    fn moments(self) -> (f64, f64, f64) {
        let counts = self.0.map(|count| BEFORE + f64::from(count));
        let all = counts.iter().fold(0.0, |sum, count| sum + count);
        let weighted = |value: fn(f64, f64) -> f64, mean: f64| {
            counts.iter().zip(SCORES).fold(0.0, |sum, (count, score)| sum + count * value(score, mean)) / all
        };
        let mean = weighted(|score, _| score, 0.0);
        (all, mean, weighted(|score, mean| (score - mean) * (score - mean), mean))
    }

    /// The score of the pairs played; a half before the first.
    fn score(self) -> f64 {
        if self.pairs() == 0 {
            return 0.5;
        }
        let sum = self.0.iter().zip(SCORES).fold(0.0, |sum, (count, score)| sum + f64::from(*count) * score);
        sum / f64::from(self.pairs())
    }

    /// The Elo difference and its 95 % interval, which is wide for few pairs, even if they are all alike.
    pub fn elo(self) -> EloDifference {
        let pairs = self.pairs();
        if pairs == 0 {
            return EloDifference::default();
        }
        let tenths = |score: f64| libm::round(10.0 * elo_of(score)) as i64;
        let bound = || tenths(libm::pow(TAIL, 1.0 / f64::from(2 * pairs)));
        if self.0[4] == pairs {
            return EloDifference { low: Some(bound()), ..EloDifference::default() };
        }
        if self.0[0] == pairs {
            return EloDifference { high: Some(-bound()), ..EloDifference::default() };
        }
        let (score, (_, _, variance)) = (self.score(), self.moments());
        let half = Z95 * libm::sqrt(variance / f64::from(pairs));
        // A score beyond 0 or 1 has no difference: that end is open.
        let end = |score: f64| (score > 0.0 && score < 1.0).then(|| tenths(score));
        EloDifference { tenths: Some(tenths(score)), low: end(score - half), high: end(score + half) }
    }
}

/// The Elo difference of an expected score, limited to the shown range.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        return -ELO_MAX;
    }
    if score >= 1.0 {
        return ELO_MAX;
    }
    libm::fmin(libm::fmax(-400.0 * libm::log10(1.0 / score - 1.0), -ELO_MAX), ELO_MAX)
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

impl Sprt {
    /// A test of elo0 against elo1 with the error rates alpha (elo1 taken for elo0's truth) and beta (the reverse).
    ///
    /// # Errors
    /// If the numbers are not a valid test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let sensible = |elo: f64| (-ELO_MAX..=ELO_MAX).contains(&elo);
        if !sensible(elo0) || !sensible(elo1) || elo0 >= elo1 {
            return Err(SprtError::Hypotheses);
        }
        let rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !rate(alpha) || !rate(beta) {
            return Err(SprtError::Rates);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The two hypotheses, in Elo points.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratio, in hundredths; 0 without a pair.
    pub fn llr_hundredths(&self, counts: PairCounts) -> i64 {
        libm::round(100.0 * self.llr(counts)) as i64
    }

    /// The bounds of the ratio, in hundredths.
    pub fn bounds_hundredths(&self) -> (i64, i64) {
        let (low, high) = self.bounds();
        (libm::round(100.0 * low) as i64, libm::round(100.0 * high) as i64)
    }

    /// The decision after the pairs so far; open below [`PAIRS_MIN`].
    pub fn decide(&self, counts: PairCounts) -> Decision {
        if counts.pairs() < PAIRS_MIN {
            return Decision::Open;
        }
        let ((low, high), llr) = (self.bounds(), self.llr(counts));
        if llr >= high {
            Decision::Upper
        } else if llr <= low {
            Decision::Lower
        } else {
            Decision::Open
        }
    }

    fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta), -libm::log(self.alpha))
    }

    fn llr(&self, counts: PairCounts) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        let (s0, s1) = (score_of(self.elo0), score_of(self.elo1));
        let (pairs, middle) = (f64::from(counts.pairs()), (s0 + s1) / 2.0);
        let square = |score: f64| (score - middle) * (score - middle);
        let squares = counts
            .0
            .iter()
            .zip(SCORES)
            .fold(0.0, |sum, (count, score)| sum + (BEFORE + f64::from(*count)) * square(score));
        let variance = squares / (pairs + BEFORE * SCORES.len() as f64);
        pairs * (s1 - s0) * (counts.score() - middle) / variance
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use arena_rules::Rng;

    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn the_ratio_is_that_of_the_formula() {
        // 10, 20, 40, 20, 10 pairs and one of each: variance (22 * 1/4 + 42 * 1/16) / 105 = 0.0773810 around 1/2. For 0
        // against 20 Elo s1 is 0.5287505, and around 0.5143752 it is 0.0775876: LLR = 100 * 0.0287505 * (1 - 1.0287505)
        // / 0.155175 = -0.533.
        let even = PairCounts([10, 20, 40, 20, 10]);
        assert_eq!(test(0.0, 20.0).llr_hundredths(even), -53);
        assert_eq!(even.elo().tenths, Some(0));
        // The interval: 1.96 * sqrt(0.0773810 / 100) = 0.0545 of a score, 38.0 Elo.
        assert_eq!(even.elo().high, Some(380));
        assert_eq!(test(0.0, 20.0).bounds_hundredths(), (-300, 300));
    }

    #[test]
    fn a_tester_of_chess_engines_finds_the_same_ratios() {
        // Source: fastchess, app/tests/sprt_test.cpp, the logistic cases, with its two counts of pairs at 1:1 added up.
        // In the last two it counts single games, which are scored like pairs without halves. Among so many, the pairs
        // added here weigh nothing.
        for (counts, elo0, elo1, llr) in [
            ([223, 9_863, 20_279 + 1_000, 10_037, 246], 0.5, 2.5, -307),
            ([871, 26_175, 55_003 + 980, 26_678, 821], 0.0, 2.0, -498),
            ([21_184, 0, 40_708, 0, 21_404], 0.5, 2.5, -157),
            ([57_030, 0, 106_593, 0, 57_433], 0.0, 2.0, -259),
        ] {
            assert_eq!(test(elo0, elo1).llr_hundredths(PairCounts(counts)), llr, "{counts:?}");
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let mut rng = Rng::new(&[7; 32], 0);
        for _ in 0..200 {
            let counts = PairCounts(core::array::from_fn(|_| rng.below(50)));
            let (elo, other) = (counts.elo(), counts.swapped().elo());
            let turned = [other.tenths, other.high, other.low].map(|tenths| tenths.map(|tenths| -tenths));
            assert_eq!([elo.tenths, elo.low, elo.high], turned);
            let llr = test(-5.0, 15.0).llr_hundredths(counts);
            assert!((llr + test(-15.0, 5.0).llr_hundredths(counts.swapped())).abs() <= 1);
        }
    }

    #[test]
    fn one_sided_and_empty_matches_have_finite_numbers() {
        for counts in [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [90, 0, 0, 0, 0], [0, 0, 50, 0, 0]].map(PairCounts) {
            let EloDifference { tenths, low, high } = counts.elo();
            let ends: Vec<i64> = [low, tenths, high].into_iter().flatten().collect();
            assert!(ends.is_sorted() && ends.iter().all(|end| end.abs() <= 16_000), "{counts:?}");
            assert_eq!(tenths.is_none(), counts.pairs() == 0 || counts.0[0].max(counts.0[4]) == counts.pairs());
            assert!(test(0.0, 10.0).llr_hundredths(counts).abs() < 100_000_000);
        }
        assert_eq!(test(0.0, 10.0).decide(PairCounts([0, 0, 0, 0, 120])), Decision::Upper);
        assert_eq!(test(0.0, 10.0).decide(PairCounts([120, 0, 0, 0, 0])), Decision::Lower);
        assert_eq!(test(0.0, 10.0).decide(PairCounts::default()), Decision::Open);
    }

    #[test]
    fn a_better_pair_never_lowers_the_estimate() {
        let mut counts = PairCounts([8, 8, 8, 8, 8]);
        let mut before = counts.elo().tenths;
        for _ in 0..30 {
            counts.add(4);
            assert!(counts.elo().tenths >= before);
            before = counts.elo().tenths;
        }
    }

    /// How many of 500 matches are decided wrongly, if pairs have results with these chances in ten thousandths.
    fn wrong(rng: &mut Rng, test: Sprt, chances: [u32; 5], truth: Decision) -> u32 {
        wrong_of(500, rng, test, chances, truth)
    }

    fn wrong_of(matches: u32, rng: &mut Rng, test: Sprt, chances: [u32; 5], truth: Decision) -> u32 {
        assert_eq!(chances.iter().sum::<u32>(), 10_000);
        let mut draw = || {
            let drawn = rng.below(10_000);
            let mut upto = 0;
            chances.iter().take_while(|chance| (upto += *chance, upto <= drawn).1).count() as u32
        };
        let mut wrong = 0;
        for _ in 0..matches {
            let mut counts = PairCounts::default();
            let decision = loop {
                counts.add(draw());
                match test.decide(counts) {
                    Decision::Open => {}
                    decision => break decision,
                }
            };
            wrong += u32::from(decision != truth);
        }
        wrong
    }

    #[test]
    fn wrong_decisions_are_as_rare_as_promised() {
        let mut rng = Rng::new(&[3; 32], 1);
        // 0 Elo is a score of 0.5, 50 Elo of 0.5715. Each game by itself ...
        assert!(wrong(&mut rng, test(0.0, 50.0), [2_500, 0, 5_000, 0, 2_500], Decision::Lower) <= 40);
        assert!(wrong(&mut rng, test(0.0, 50.0), [1_836, 0, 4_898, 0, 3_266], Decision::Upper) <= 40);
    }

    /// The chances of a pair's results, in ten thousandths, between two bots whose games are won by chance: one is
    /// stronger by `elo` Elo points, and the first seat's advantage is `seat` in units of strength. Source: the
    /// logistic model, by bisection.
    fn chances(elo: f64, seat: f64) -> [u32; 5] {
        let chance = |strength: f64| 1.0 / (1.0 + libm::exp(-strength));
        let (mut low, mut high) = (-9.0, 9.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            let score = (chance(middle + seat) + chance(middle - seat)) / 2.0;
            if score < score_of(elo) { low = middle } else { high = middle }
        }
        let (first, second) = (chance(low + seat), chance(low - seat));
        let [lost, won] =
            [(1.0 - first) * (1.0 - second), first * second].map(|part| libm::round(10_000.0 * part) as u32);
        [lost, 0, 10_000 - lost - won, 0, won]
    }

    /// Deterministic bots that differ in few positions: rare results decide, and take long to appear.
    #[test]
    fn wrong_decisions_are_rare_also_where_nearly_all_pairs_are_alike() {
        let mut rng = Rng::new(&[3; 32], 2);
        // 20 Elo is a score of 0.5287, 50 Elo of 0.5715; the number of won pairs, among shared ones.
        for (elo1, won) in [(20.0, 575), (50.0, 1_430)] {
            let wins = wrong(&mut rng, test(0.0, elo1), [0, 0, 10_000 - won, 0, won], Decision::Upper);
            assert!(wins <= 60, "{wins} of 500 wrong at {elo1} Elo, all by wins");
            let mixed = wrong(&mut rng, test(0.0, elo1), [200, 0, 9_600 - won, 0, 200 + won], Decision::Upper);
            assert!(mixed <= 60, "{mixed} of 500 wrong at {elo1} Elo, by wins and losses");
            let nothing = wrong(&mut rng, test(0.0, elo1), [200, 0, 9_600, 0, 200], Decision::Lower);
            assert!(nothing <= 40, "{nothing} of 500 wrong at 0 Elo");
        }
        // Often a little better, seldom much worse, and equal on the whole.
        let skewed = wrong(&mut rng, test(0.0, 20.0), [1_000, 0, 7_000, 2_000, 0], Decision::Lower);
        assert!(skewed <= 60, "{skewed} of 500 wrong at 0 Elo, skewed");
    }

    #[test]
    fn few_pairs_that_are_alike_have_a_wide_interval() {
        for counts in [[0, 0, 8, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 1, 0]].map(PairCounts) {
            let EloDifference { low, high, .. } = counts.elo();
            assert!(high.zip(low).is_none_or(|(high, low)| high - low > 1_500), "{counts:?}: {low:?} to {high:?}");
        }
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        for (elo0, elo1) in [(10.0, 10.0), (20.0, 0.0), (f64::NAN, 1.0), (0.0, 5_000.0)] {
            assert_eq!(Sprt::new(elo0, elo1, 0.05, 0.05), Err(SprtError::Hypotheses));
        }
        for rate in [0.0, 0.5, -1.0, f64::NAN] {
            assert_eq!(Sprt::new(0.0, 1.0, rate, 0.05), Err(SprtError::Rates));
        }
    }

    mod slow {
        use super::*;

        /// `cargo xtask coverage` plays 10,000 matches of each kind.
        #[test]
        #[expect(clippy::print_stdout, reason = "what a command of xtask reports")]
        fn error_rates_are_as_rare_as_promised_also_where_seats_are_strong() {
            let matches =
                std::env::var("ARENA_TOURNAMENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(400_u32);
            let mut rng = Rng::new(&[3; 32], 3);
            for (elo1, seat) in
                [(10.0, 0.0), (10.0, 2.5), (20.0, 0.0), (20.0, 1.0), (100.0, 0.0), (100.0, 1.0), (100.0, 2.5)]
            {
                if matches < 5_000 && elo1 < 20.0 {
                    continue;
                }
                for (truth, told) in [(0.0, Decision::Lower), (elo1, Decision::Upper)] {
                    let mistaken = wrong_of(matches, &mut rng, test(0.0, elo1), chances(truth, seat), told);
                    let percent = 100.0 * f64::from(mistaken) / f64::from(matches);
                    println!(
                        "0 against {elo1} Elo, seats worth {seat}, truth {truth}: {percent:.2} % of {matches} wrong, 5 % promised"
                    );
                    // The allowance for chance in a small sample.
                    let slack = if matches < 5_000 { 3.0 } else { 0.0 };
                    assert!(percent <= 5.0 + slack, "0 against {elo1}, seats {seat}, truth {truth}: {percent} %");
                }
            }
        }
    }
}
