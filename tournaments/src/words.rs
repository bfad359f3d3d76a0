//! The result of a match's pairs in words.

use arena_limits::counted;

use crate::{EloDifference, PAIRS_MIN, PairCounts};

impl PairCounts {
    /// Which of two entrants is stronger according to these pairs, in a sentence with one figure.
    pub fn sentence(self, [a, b]: [&str; 2]) -> String {
        let pairs = self.pairs();
        if pairs < PAIRS_MIN {
            return format!(
                "too few to tell which of {a} and {b} is stronger: {} played; play at least {PAIRS_MIN} that differ",
                counted(pairs, "pair")
            );
        }
        let EloDifference { low, high, .. } = self.elo();
        let is_behind = high.is_some_and(|high| high < 0);
        let (winner, loser, seen) = if is_behind { (b, a, self.swapped()) } else { (a, b, self) };
        if low.is_none_or(|low| low <= 0) && high.is_none_or(|high| high >= 0) {
            let (elo, pairs) = (self.difference(), counted(pairs, "pair"));
            return format!("no significant difference: {a} is at {elo} against {b} after {pairs}; play more games");
        }
        match seen.elo() {
            EloDifference { tenths: None, low: Some(low), .. } => {
                format!("{winner} is stronger than {loser}: > {} Elo, won every game of {pairs} pairs", down(low))
            }
            _ => format!("{winner} is stronger than {loser}: {} after {pairs} pairs", seen.difference()),
        }
    }

    /// The Elo difference with its 95 % interval, from the first entrant's side; a bound, if all games went one way.
    pub fn difference(self) -> String {
        match self.elo() {
            EloDifference { tenths: Some(_), low: Some(low), high: Some(high) } => {
                format!("{} (95 %: {:+} to {:+})", self.estimate(), up(low), up(high))
            }
            EloDifference { tenths: Some(_), low: Some(low), .. } => {
                format!("{} (95 %: above {:+})", self.estimate(), up(low))
            }
            EloDifference { tenths: Some(_), high: Some(high), .. } => {
                format!("{} (95 %: below {:+})", self.estimate(), up(high))
            }
            _ => self.estimate(),
        }
    }

    /// The difference alone, in a few characters.
    pub fn estimate(self) -> String {
        match self.elo() {
            EloDifference { tenths: Some(tenths), .. } => format!("{:+} Elo", up(tenths)),
            EloDifference { low: Some(low), .. } => format!("> {} Elo, won all", down(low)),
            EloDifference { high: Some(high), .. } => format!("< {} Elo, lost all", -down(-high)),
            _ => "no pair yet".into(),
        }
    }
}

/// Tenths as a whole number, rounded half up.
fn up(tenths: i64) -> i64 {
    (tenths + 5).div_euclid(10)
}

/// Tenths as a whole number, rounded down: a bound must hold.
fn down(tenths: i64) -> i64 {
    tenths.div_euclid(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_stronger_is_said_only_when_it_is_shown() {
        let say = |counts| PairCounts(counts).sentence(["mine", "easy"]);
        assert!(say([0, 0, 0, 0, 7]).contains("too few"));
        // 16 games won: 0.025^(1/16) is a chance of 0.794, which is 234.5 Elo.
        assert_eq!(say([0, 0, 0, 0, 8]), "mine is stronger than easy: > 234 Elo, won every game of 8 pairs");
        assert_eq!(say([8, 0, 0, 0, 0]), "easy is stronger than mine: > 234 Elo, won every game of 8 pairs");
        assert!(
            say([10, 20, 40, 20, 10]).starts_with("no significant difference: mine is at +0 Elo (95 %: -38 to +38)")
        );
        let (ahead, behind) = (say([0, 5, 20, 20, 5]), say([5, 20, 20, 5, 0]));
        assert!(ahead.starts_with("mine is stronger than easy: +"), "{ahead}");
        assert_eq!(behind, ahead.replace("mine is stronger than easy", "easy is stronger than mine"));
        assert_eq!(
            [[8, 0, 0, 0, 0], [0; 5]].map(|counts| PairCounts(counts).estimate()),
            ["< -234 Elo, lost all", "no pair yet"]
        );
    }
}
