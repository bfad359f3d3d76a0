//! What is left of a bot that failed, and where the edge of its memory is. Every way to lose a game stands with the
//! other hostile inputs in `arena/runner/tests/it/slow/threats`.

use arena_record::ForfeitCode::{self, BadOutput, BadPointer, FuelExhausted, StackOverflow, Trap};
use arena_referee::{Failure, Player};
use arena_sandbox::ACTION_BYTES_MAX;

use super::bots::{CONTRACT, OBSERVATION, PLENTY, action, doing, own, player, start, started, turn, turning, wasm};

/// Something to recurse.
const FIELDS: &str = "(func $recurse (call $recurse))";

#[test]
fn a_failed_bot_is_gone() {
    let fixtures = [
        ("(loop (br 0))", FuelExhausted),
        ("(call $recurse)", StackOverflow),
        ("(unreachable)", Trap),
        ("(call $log (i32.const 65530) (i32.const 7))", BadPointer),
    ];
    for (instructions, code) in fixtures {
        let mut player = started(&doing(FIELDS, instructions));
        assert_eq!(own(player.turn(&OBSERVATION, PLENTY)).code, code, "{instructions}");
        // It holds no memory and is not called again.
        assert_eq!(player.memory_bytes(), 0, "{instructions}");
        assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Platform(_))), "{instructions}");
    }
}

#[test]
fn addresses_and_lengths_of_actions() {
    let most = ACTION_BYTES_MAX;
    assert_eq!(most, 4_096);
    let fixtures: [(u32, u32, Result<(), ForfeitCode>); 10] = [
        (0, 0, Ok(())),
        (0, 1, Ok(())),
        (0, most, Ok(())),
        (65_536 - most, most, Ok(())),
        (65_536, 0, Ok(())),
        (65_535, 1, Ok(())),
        (65_537, 0, Err(BadPointer)),
        (65_535, 2, Err(BadPointer)),
        (65_536 - most + 1, most, Err(BadPointer)),
        (0, most + 1, Err(BadOutput)),
    ];
    for (address, length, wanted) in fixtures {
        let answer = turn(&turning("", &action(address, length)));
        match wanted {
            Ok(()) => assert_eq!(answer.map(|reply| reply.action.len()), Ok(length as usize)),
            Err(code) => assert_eq!(own(answer).code, code, "{length} bytes at {address}"),
        }
    }
}

/// A bot whose start does `first` and whose observation buffer is where `buffer` says.
fn starting(first: &str, buffer: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(memory (export "memory") 1) {FIELDS} (func $first {first}) (start $first)
        (func (export "arena_observation") (param i32) (result i32) {buffer})
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#
    ))
}

#[test]
fn a_bot_that_failed_before_the_first_turn_is_gone_too() {
    let here = "(i32.const 0)";
    let fixtures = [
        ("(loop (br 0))", here, FuelExhausted),
        ("(unreachable)", here, Trap),
        ("", "(loop (br 0)) (unreachable)", FuelExhausted),
        ("", "(unreachable)", Trap),
        ("", "(call $recurse) (i32.const 0)", StackOverflow),
        ("", "(i32.const 65521)", BadPointer),
    ];
    for (first, buffer, code) in fixtures {
        let mut player = player(&starting(first, buffer));
        assert_eq!(own(start(&mut player)).code, code, "{first} {buffer}");
        assert_eq!(player.memory_bytes(), 0, "{first} {buffer}");
        assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Platform(_))), "{first} {buffer}");
    }
    // The buffer may end where the memory does.
    let mut last = player(&starting("", "(i32.const 65520)"));
    assert!(start(&mut last).is_ok());
    assert!(last.turn(&OBSERVATION, PLENTY).is_ok());
}

#[test]
fn a_player_that_was_never_started_is_not_at_fault() {
    let mut player = player(&wasm(&format!("(memory (export \"memory\") 1) {CONTRACT}")));
    assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Platform(_))));
}

#[test]
fn details_are_the_same_every_time_and_name_no_address_of_the_host() {
    for instructions in ["(unreachable)", "(call $recurse)", "(loop (br 0))", "(drop (i32.load (i32.const -1)))"] {
        let faults: Vec<_> = (0..5).map(|_| own(turn(&doing(FIELDS, instructions)))).collect();
        assert!(faults.windows(2).all(|pair| pair[0] == pair[1]), "{faults:?}");
        assert!(!faults[0].detail.contains("0x"), "{faults:?}");
    }
}
