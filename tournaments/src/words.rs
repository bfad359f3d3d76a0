//! The result of a match's pairs in words.

use std::fmt;

use arena_limits::counted;

use crate::{EloDifference, PAIRS_MIN, PairCounts};

/// Which of two entrants is stronger, according to their pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchVerdict {
    /// Fewer than [`PAIRS_MIN`] pairs were played.
    TooFew {
        /// Their number.
        pairs: u32,
    },
    /// The interval includes zero.
    Level {
        /// The first one's lead.
        by: Difference,
        /// The number of pairs.
        pairs: u32,
    },
    /// One is stronger.
    Stronger {
        /// Whether it is the second one.
        is_second: bool,
        /// Its lead.
        by: Difference,
        /// The number of pairs.
        pairs: u32,
    },
}

/// A difference in whole Elo points with its 95 % interval, whose ends may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    /// An estimate and both ends.
    Between(i64, [i64; 2]),
    /// An estimate and the lower end.
    Above(i64, i64),
    /// An estimate and the upper end.
    Below(i64, i64),
    /// An estimate alone.
    Open(i64),
    /// All games were won: at least this.
    WonAll(i64),
    /// All games were lost: at most this.
    LostAll(i64),
    /// No pair yet.
    Unknown,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Between(elo, [low, high]) => write!(f, "{elo:+} Elo (95 %: {low:+} to {high:+})"),
            Difference::Above(elo, low) => write!(f, "{elo:+} Elo (95 %: above {low:+})"),
            Difference::Below(elo, high) => write!(f, "{elo:+} Elo (95 %: below {high:+})"),
            Difference::Open(elo) => write!(f, "{elo:+} Elo"),
            Difference::WonAll(low) => write!(f, "> {low} Elo, won all"),
            Difference::LostAll(high) => write!(f, "< {high} Elo, lost all"),
            Difference::Unknown => f.write_str("no pair yet"),
        }
    }
}

impl PairCounts {
    /// Which of two entrants is stronger according to these pairs.
    pub fn verdict(self) -> MatchVerdict {
        let pairs = self.pairs();
        if pairs < PAIRS_MIN {
            return MatchVerdict::TooFew { pairs };
        }
        let EloDifference { low, high, .. } = self.elo();
        if low.is_none_or(|low| low <= 0) && high.is_none_or(|high| high >= 0) {
            return MatchVerdict::Level { by: self.difference(), pairs };
        }
        let is_second = high.is_some_and(|high| high < 0);
        let seen = if is_second { self.swapped() } else { self };
        MatchVerdict::Stronger { is_second, by: seen.difference(), pairs }
    }

    /// The same of entrants with these names, in a sentence with one figure.
    pub fn sentence(self, [a, b]: [&str; 2]) -> String {
        match self.verdict() {
            MatchVerdict::TooFew { pairs } => format!(
                "too few to tell which of {a} and {b} is stronger: {} played; play at least {PAIRS_MIN} that differ",
                counted(pairs, "pair")
            ),
            MatchVerdict::Level { by, pairs } => format!(
                "no significant difference: {a} is at {by} against {b} after {}; play more games",
                counted(pairs, "pair")
            ),
            MatchVerdict::Stronger { is_second, by, pairs } => {
                let (winner, loser) = if is_second { (b, a) } else { (a, b) };
                match by {
                    Difference::WonAll(low) => {
                        format!("{winner} is stronger than {loser}: > {low} Elo, won every game of {pairs} pairs")
                    }
                    by => format!("{winner} is stronger than {loser}: {by} after {pairs} pairs"),
                }
            }
        }
    }

    /// The Elo difference with its 95 % interval, from the first entrant's side; a bound, if all games went one way.
    pub fn difference(self) -> Difference {
        match self.elo() {
            EloDifference { tenths: Some(elo), low: Some(low), high: Some(high) } => {
                Difference::Between(up(elo), [up(low), up(high)])
            }
            EloDifference { tenths: Some(elo), low: Some(low), .. } => Difference::Above(up(elo), up(low)),
            EloDifference { tenths: Some(elo), high: Some(high), .. } => Difference::Below(up(elo), up(high)),
            EloDifference { tenths: Some(elo), .. } => Difference::Open(up(elo)),
            EloDifference { tenths: None, low: Some(low), .. } => Difference::WonAll(down(low)),
            EloDifference { tenths: None, high: Some(high), .. } => Difference::LostAll(-down(-high)),
            EloDifference { .. } => Difference::Unknown,
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
