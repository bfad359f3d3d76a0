//! What a match has shown, in words.

use arena_tournaments::{Decision, EloDifference, PAIRS_MIN, PairCounts, Pairs, Sprt};

/// What a match shows without a test, in a sentence.
pub(crate) fn sentence([a, b]: [&str; 2], counts: PairCounts) -> String {
    let pairs = counts.pairs();
    if pairs < PAIRS_MIN {
        return format!(
            "too few to tell which of {a} and {b} is stronger: {} played; play at least {PAIRS_MIN} that differ",
            number(pairs)
        );
    }
    let EloDifference { low, high, .. } = counts.elo();
    let (winner, loser, seen) = if high < 0 { (b, a, counts.swapped()) } else { (a, b, counts) };
    if low <= 0 && high >= 0 {
        let elo = elo(counts);
        return format!(
            "not shown who is stronger: {a} is at {elo} against {b} after {}; play more games to tell",
            number(pairs)
        );
    }
    if is_one_sided(seen) {
        return format!(
            "{winner} is stronger than {loser}: it won every game of {pairs} pairs, which does not say by how much"
        );
    }
    format!("{winner} is stronger than {loser}: {} after {pairs} pairs", elo(seen))
}

/// What a test has come to, in a sentence.
pub(crate) fn decision([a, b]: [&str; 2], sprt: &Sprt, counts: PairCounts) -> String {
    let (elo0, elo1) = sprt.hypotheses();
    let pairs = counts.pairs();
    match sprt.decide(counts) {
        Decision::Upper => {
            let claim = if elo0 >= 0.0 {
                format!("{a} is stronger than {b}")
            } else {
                format!("{a} is not weaker than {b} by {} Elo", -elo0)
            };
            format!("{claim}: at least {elo1} Elo is accepted over at most {elo0} after {pairs} pairs")
        }
        Decision::Lower => {
            let claim = if elo1 <= 0.0 {
                format!("{a} is weaker than {b}")
            } else {
                format!("{a} is not stronger than {b} by {elo1} Elo")
            };
            format!("{claim}: at most {elo0} Elo is accepted over at least {elo1} after {pairs} pairs")
        }
        Decision::Open => format!(
            "undecided whether {a} is at most {elo0} or at least {elo1} Elo above {b}, after {}; play more games to \
             tell",
            number(pairs)
        ),
    }
}

/// What is said of pairs that do not count.
pub(crate) fn repeated(pairs: &Pairs) -> String {
    format!("{} not counted: a game of theirs was played before", number(pairs.repeated()))
}

fn number(pairs: u32) -> String {
    if pairs == 1 { "1 pair".into() } else { format!("{pairs} pairs") }
}

/// The ratio of a test between its bounds.
pub(crate) fn ratio(sprt: &Sprt, counts: PairCounts) -> String {
    let (low, high) = sprt.bounds_hundredths();
    let [llr, low, high] = [sprt.llr_hundredths(counts), low, high].map(|hundredths| hundredths as f64 / 100.0);
    format!("LLR {llr:.2} ({low:.2} to {high:.2})")
}

/// An Elo difference with its interval, from the first's side; words, where all games went one way.
pub(crate) fn elo(counts: PairCounts) -> String {
    let EloDifference { low, high, .. } = counts.elo();
    match none_or_one_sided(counts) {
        Some(words) => words.into(),
        None => format!("{} (95 %: {:+} to {:+})", estimate(counts), whole(low), whole(high)),
    }
}

/// The difference alone, in few columns.
pub(crate) fn estimate(counts: PairCounts) -> String {
    none_or_one_sided(counts).map_or_else(|| format!("{:+} Elo", whole(counts.elo().tenths)), str::to_owned)
}

/// A number of tenths, rounded.
fn whole(tenths: i64) -> i64 {
    (tenths + 5).div_euclid(10)
}

/// What is said instead of a difference, where there is none.
fn none_or_one_sided(counts: PairCounts) -> Option<&'static str> {
    if counts.pairs() == 0 {
        return Some("no pair yet");
    }
    let one_sided = |counts, words| is_one_sided(counts).then_some(words);
    one_sided(counts, "all games won").or_else(|| one_sided(counts.swapped(), "all games lost"))
}

/// Whether the first won every game: then the difference has no upper end, and its estimate says nothing.
fn is_one_sided(counts: PairCounts) -> bool {
    counts.pairs() > 0 && counts.0[4] == counts.pairs()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["mine", "easy"];

    #[test]
    fn who_is_stronger_is_said_only_when_it_is_shown() {
        let say = |counts| sentence(NAMES, PairCounts(counts));
        assert!(say([0, 0, 0, 0, 7]).contains("too few"));
        assert!(say([0, 0, 0, 0, 8]).starts_with("mine is stronger than easy: it won every game of 8 pairs"));
        assert!(say([8, 0, 0, 0, 0]).starts_with("easy is stronger than mine: it won every game of 8 pairs"));
        assert!(
            say([10, 20, 40, 20, 10]).starts_with("not shown who is stronger: mine is at +0 Elo (95 %: -38 to +38)")
        );
        let (ahead, behind) = (say([0, 5, 20, 20, 5]), say([5, 20, 20, 5, 0]));
        assert!(ahead.starts_with("mine is stronger than easy: +"), "{ahead}");
        assert_eq!(behind, ahead.replace("mine is stronger than easy", "easy is stronger than mine"));
    }

    #[test]
    fn a_decision_claims_no_more_than_what_was_accepted() {
        let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        let say = |elo0, elo1, counts| decision(NAMES, &sprt(elo0, elo1), PairCounts(counts));
        let (won, lost) = ([0, 0, 10, 30, 20], [20, 30, 10, 0, 0]);
        let stronger = "mine is stronger than easy: at least 10 Elo is accepted over at most 0 after 60 pairs";
        assert_eq!(say(0.0, 10.0, won), stronger);
        assert!(say(-10.0, 0.0, won).starts_with("mine is not weaker than easy by 10 Elo: "));
        assert!(say(0.0, 10.0, lost).starts_with("mine is not stronger than easy by 10 Elo: at most 0 Elo"));
        assert!(say(-10.0, 0.0, lost).starts_with("mine is weaker than easy: "));
        assert!(say(0.0, 10.0, [5, 5, 5, 5, 5]).starts_with("undecided"));
    }
}
