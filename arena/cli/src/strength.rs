//! The result of a match's sequential test, in words.

use arena_limits::counted;
use arena_tournaments::{Decision, PairCounts, Pairs, Sprt};

use crate::output;

/// The decision of a test, in a sentence.
pub(crate) fn decision([a, b]: [&str; 2], sprt: &Sprt, counts: PairCounts) -> String {
    let (elo0, elo1) = sprt.hypotheses();
    let pairs = counted(counts.pairs(), "pair");
    // A true difference between the two may lead to either decision.
    let after = format!("after {pairs}");
    match sprt.decide(counts) {
        Decision::Upper => {
            let claim = if elo0 >= 0.0 {
                format!("{a} is stronger than {b}")
            } else {
                format!("{a} is not weaker than {b} by {} Elo", -elo0)
            };
            format!("{claim}: {elo1} Elo is accepted as the likelier of {elo0} and {elo1} {after}")
        }
        Decision::Lower => {
            let claim = if elo1 <= 0.0 {
                format!("{a} is weaker than {b}")
            } else {
                format!("{a} is not stronger than {b} by {elo1} Elo")
            };
            format!("{claim}: {elo0} Elo is accepted as the likelier of {elo0} and {elo1} {after}")
        }
        Decision::Open => format!(
            "undecided which of {elo0} and {elo1} Elo {a} is likelier to be above {b}, {after}; play more games to tell"
        ),
    }
}

/// The caveat about a difference that is estimated from a match which a test stopped.
pub(crate) const STOPPED: &str =
    "the difference and its interval are those of a match of fixed length; after a test they are biased away from 0";

/// The note on pairs that do not count.
pub(crate) fn repeated(pairs: &Pairs) -> String {
    not_counted(pairs.repeated(), "pair")
}

/// The same for a number of pairs or openings.
pub(crate) fn not_counted(number: u32, thing: &str) -> String {
    format!("{} not counted: a game of theirs was played before", output::count(number as usize, thing))
}

/// The test's likelihood ratio between its bounds.
pub(crate) fn ratio(sprt: &Sprt, counts: PairCounts) -> String {
    let (low, high) = sprt.bounds_hundredths();
    let [llr, low, high] = [sprt.llr_hundredths(counts), low, high].map(|hundredths| hundredths as f64 / 100.0);
    format!("LLR {llr:.2} ({low:.2} to {high:.2})")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["mine", "easy"];

    #[test]
    fn a_decision_claims_no_more_than_what_was_accepted() {
        let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        let say = |elo0, elo1, counts| decision(NAMES, &sprt(elo0, elo1), PairCounts(counts));
        let (won, lost) = ([0, 0, 20, 60, 40], [40, 60, 20, 0, 0]);
        let stronger = "mine is stronger than easy: 10 Elo is accepted as the likelier of 0 and 10 after 120 pairs";
        assert_eq!(say(0.0, 10.0, won), stronger);
        assert!(say(-10.0, 0.0, won).starts_with("mine is not weaker than easy by 10 Elo: "));
        assert!(say(0.0, 10.0, lost).starts_with("mine is not stronger than easy by 10 Elo: 0 Elo is accepted"));
        assert!(say(-10.0, 0.0, lost).starts_with("mine is weaker than easy: "));
        assert!(say(0.0, 10.0, [5, 5, 5, 5, 5]).starts_with("undecided"));
    }
}
