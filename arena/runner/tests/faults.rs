//! The machine's failures are nobody's.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use arena_record::{Budgets, ForfeitCode};
use arena_rules::BySeat;
use arena_runner::{Contender, Table};
use arena_sandbox::{Sandbox, Wall};

/// Never answers.
const ENDLESS: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
    (func (export "arena_turn") (param i32) (result i64) (loop (br 0)) (i64.const 0)))"#;

#[test]
fn a_game_the_wall_strikes_is_played_again_and_decided_by_fuel() {
    let sandbox = Sandbox::new().unwrap();
    // Seconds of fuel against a wall of a tick: the wall always comes first, until it is taken away.
    let budgets = Budgets { fuel_per_move: 1_000_000_000, ..Budgets::DEFAULT };
    let bot = sandbox.load(&wat::parse_str(ENDLESS).unwrap(), &budgets).unwrap();
    let table = Table::new("conquerors@2", "chain_needs_home,weighted_majority", budgets, Wall::Milliseconds(10));
    let (endless, easy) = (Contender::Bot(bot), Contender::baseline("conquerors@2", "easy").unwrap());
    let record = table.play([1; 32], &BySeat::from([&endless, &easy])).unwrap();
    assert_eq!(table.platform_faults(), 2);
    assert_eq!(record.forfeits[0].code, ForfeitCode::FuelExhausted);
    assert_eq!(record.outcome.winner, Some(1));
}
