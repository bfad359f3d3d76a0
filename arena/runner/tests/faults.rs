//! Failures of the machine are not charged to any bot.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use arena_record::{Budgets, ForfeitCode};
use arena_rules::BySeat;
use arena_runner::{Contender, Host, InProcess, Terms};
use arena_sandbox::{Sandbox, Wall};

/// Never answers.
const ENDLESS: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
    (func (export "arena_turn") (param i32) (result i64) (loop (br 0)) (i64.const 0)))"#;

#[test]
fn a_game_the_wall_strikes_is_played_again_and_decided_by_fuel() {
    // Seconds of fuel against a wall of a tick: the wall always comes first, until it is taken away.
    let budgets = Budgets { fuel_per_move: 1_000_000_000, ..Budgets::DEFAULT };
    let host = InProcess::new(Sandbox::new().unwrap());
    let endless = host.load(&wat::parse_str(ENDLESS).unwrap(), &budgets).unwrap();
    let terms = Terms::new("conquerors@2", "chain_needs_home,weighted_majority", budgets, Wall::Milliseconds(10));
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let finished = host.play(&terms.game([1; 32], &BySeat::from([&endless, &easy]))).unwrap();
    assert_eq!(finished.platform_faults, 2);
    let record = finished.ended.into_record().unwrap();
    assert_eq!(record.forfeits[0].code, ForfeitCode::FuelExhausted);
    assert_eq!(record.outcome.winner, Some(1));
}
