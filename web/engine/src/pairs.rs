//! What pairs of games, with one seed and the seats swapped, say of who is stronger.

use arena_tournaments::{Difference, MatchVerdict, PairCounts};
use serde_json::json;

/// The verdict (`too_few`, `level`, `stronger` or `weaker`) on so many pairs, by half points of the first one, and its
/// lead in whole Elo points with the 95 % interval, in JSON: `verdict`, `elo`, `low` and `high`. The interval may have
/// no end on a side; without an estimate all games went one way.
pub fn pairs(counts: [u32; 5]) -> String {
    let counts = PairCounts(counts);
    let verdict = match counts.verdict() {
        MatchVerdict::TooFew { .. } => "too_few",
        MatchVerdict::Level { .. } => "level",
        MatchVerdict::Stronger { is_second: false, .. } => "stronger",
        MatchVerdict::Stronger { is_second: true, .. } => "weaker",
    };
    let (elo, low, high) = match counts.difference() {
        Difference::Between(elo, [low, high]) => (Some(elo), Some(low), Some(high)),
        Difference::Above(elo, low) => (Some(elo), Some(low), None),
        Difference::Below(elo, high) => (Some(elo), None, Some(high)),
        Difference::Open(elo) => (Some(elo), None, None),
        Difference::WonAll(low) => (None, Some(low), None),
        Difference::LostAll(high) => (None, None, Some(high)),
        Difference::Unknown => (None, None, None),
    };
    json!({ "verdict": verdict, "elo": elo, "low": low, "high": high }).to_string()
}
