//! The points a won game is worth.

use crate::params::Tier;

/// Whom the game was won against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// A baseline.
    Baseline(Tier),
    /// A baseline of a name nobody knows.
    UnknownBaseline,
    /// Another person.
    Person,
}

/// What the points of a win depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Whom it was won against.
    pub rival: Rival,
    /// Won by extinction rather than by majority.
    pub by_extinction: bool,
    /// The round counter at the end.
    pub round: i64,
    /// How long the game took; `None` where nobody measured it.
    pub elapsed_s: Option<i64>,
    /// By how many cells it was won.
    pub margin: i64,
}

/// The points of a win, at least 1: base, extinction, time, margin and round, each rounded half up.
/// Source: RR-001 §4.3 and the shipped leaderboard.
pub fn points(finish: &Finish) -> i64 {
    let base = match finish.rival {
        Rival::Baseline(Tier::Easy) => 30,
        Rival::Baseline(Tier::Normal) | Rival::UnknownBaseline => 70,
        Rival::Baseline(Tier::Hard) => 120,
        Rival::Person => 100,
    };
    let time = match finish.elapsed_s {
        Some(elapsed_s) if elapsed_s >= 0 => rounded(50 * (600 - elapsed_s).clamp(0, 540), 540),
        _ => 0,
    };
    let margin = if finish.margin > 0 { rounded(3 * finish.margin, 2).min(45) } else { 0 };
    let (extinction, round) =
        if finish.by_extinction { (40, rounded(25 * (12 - finish.round).clamp(0, 11), 11)) } else { (0, 0) };
    (base + extinction + time + margin + round).max(1)
}

/// `numerator / denominator` for values from 0, rounded half up.
fn rounded(numerator: i64, denominator: i64) -> i64 {
    (2 * numerator + denominator) / (2 * denominator)
}
