//! Points of a win.

use arena_oracle::{Finish, Rival, Tier, points};

use super::vectors::{for_each_line, integer, same};

#[test]
fn score() {
    for_each_line("score.jsonl", 914, |line| {
        let rival = match (line.get("mode").as_str(), line.get("difficulty").as_str()) {
            (Some("online"), _) => Rival::Person,
            (_, Some("easy")) => Rival::Baseline(Tier::Easy),
            (_, Some("normal")) => Rival::Baseline(Tier::Normal),
            (_, Some("hard")) => Rival::Baseline(Tier::Hard),
            _ => Rival::UnknownBaseline,
        };
        let finish = Finish {
            rival,
            by_extinction: line.get("byExtinction") == true,
            round: integer(line.get("round")),
            elapsed_s: line.get("elapsedSec").as_i64(),
            margin: integer(line.get("margin")),
        };
        same("points", points(&finish), integer(line.get("points")))
    });
}
