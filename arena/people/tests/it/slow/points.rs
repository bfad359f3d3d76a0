//! What a win is worth.

use arena_baselines::Opponent;
use arena_people::worth;
use arena_record::Hex;
use arena_rules::{BySeat, Outcome, Reason, Seat};
use serde_json::Value;

use crate::games::{account, built_in, game};

/// Source: runs of the original leaderboard; see `sdk/rules/tests/golden/README.md`.
const VECTORS: &str = include_str!("../../../../../sdk/rules/tests/golden/conquerors/score.jsonl");

#[test]
fn rr_001_section_4_3_every_vector_agrees() {
    let mut lines = 0;
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).expect("JSON");
        let number = |name: &str| u32::try_from(vector[name].as_u64().expect("a number")).expect("a small one");
        let loser = match (vector["mode"].as_str(), vector["difficulty"].as_str()) {
            (Some("online"), None) => account(2, 2),
            (Some("cpu"), Some(name)) => built_in(name),
            other => panic!("{other:?}"),
        };
        // The winner has either seat.
        for winner in [Seat(0), Seat(1)] {
            let mut sides = BySeat::from([account(1, 1), account(1, 1)]);
            sides[winner.opponent()] = loser.clone();
            let mut tally = BySeat::from([5; 2]);
            tally[winner] += number("margin");
            let reason = if vector["byExtinction"] == true { Reason::Extinction } else { Reason::Majority };
            let mut finished = game(1, [account(1, 1), account(1, 1)]);
            finished.sides = sides;
            finished.outcome = Outcome { winner: Some(winner), reason, tally };
            finished.round = Some(number("round"));
            finished.elapsed_s = number("elapsedSec");
            assert_eq!(worth(&finished), number("points"), "{line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 914);
}

#[test]
fn a_draw_and_a_game_of_three_are_worth_nothing() {
    let mut drawn = game(1, [account(1, 1), account(2, 2)]);
    drawn.outcome = Outcome { winner: None, reason: Reason::Agreed, tally: BySeat::from([30, 20]) };
    assert_eq!(worth(&drawn), 0);
    assert_eq!(worth(&game(1, [account(1, 1), account(2, 2), account(3, 3)])), 0);
}

#[test]
fn who_wins_with_fewer_cells_has_no_margin_and_nothing_overflows() {
    let mut resigned = game(1, [account(1, 1), account(2, 2)]);
    resigned.outcome = Outcome { winner: Some(Seat(0)), reason: Reason::Forfeit, tally: BySeat::from([3, 90]) };
    resigned.elapsed_s = u32::MAX;
    assert_eq!(worth(&resigned), 100);
    resigned.digest = Hex([0; 32]);
    resigned.outcome.tally = BySeat::from([u32::MAX / 8, 0]);
    resigned.round = None;
    assert_eq!(worth(&resigned), 145);
}

/// A win against somebody stronger is never worth less, in every game that has built-in opponents.
#[test]
fn the_stronger_a_built_in_opponent_the_more_a_win_is_worth() {
    for ruleset in ["conquerors@2", "war-of-life@1", "game-of-game-of-life@1"] {
        let against = |opponent: Opponent| {
            let mut won = game(1, [account(1, 1), built_in(opponent.name())]);
            won.ruleset = ruleset.into();
            worth(&won)
        };
        let points: Vec<u32> = Opponent::usual(ruleset).map(against).collect();
        assert!(points.len() >= 3 && points.is_sorted(), "{ruleset}: {points:?}");
        assert_eq!((points[0], points[1], points.last()), (73, 113, Some(&163)), "{ruleset}");
    }
}
