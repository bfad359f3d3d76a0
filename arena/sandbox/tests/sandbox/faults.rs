//! Every way a bot can lose its own game.

use arena_record::ForfeitCode::{self, BadOutput, BadPointer, FuelExhausted, StackOverflow, Trap};
use arena_referee::{Failure, Player};
use arena_sandbox::ACTION_BYTES_MAX;

use crate::bots::{CONTRACT, OBSERVATION, PLENTY, action, doing, own, player, start, started, turn, turning, wasm};

/// Fields that fixtures share: a table with one wrong function and an empty element, and something to recurse.
const FIELDS: &str = r#"(table 2 funcref) (elem (i32.const 0) func $wrong) (func $wrong (param f32))
    (func $recurse (call $recurse)) (data $data "1234") (elem $elements func $wrong)"#;

#[test]
fn faults_in_a_turn() {
    let fixtures = [
        ("an infinite loop", "(loop (br 0))", FuelExhausted, "used up"),
        ("an infinite loop that works", "(loop (drop (i32.load (i32.const 0))) (br 0))", FuelExhausted, "used up"),
        ("an infinite recursion", "(call $recurse)", StackOverflow, "nested too deeply"),
        ("unreachable", "(unreachable)", Trap, "unreachable"),
        ("i32 division by zero", "(drop (i32.div_s (i32.const 1) (i32.const 0)))", Trap, "divided by zero"),
        ("i64 division by zero", "(drop (i64.div_u (i64.const 1) (i64.const 0)))", Trap, "divided by zero"),
        ("a remainder by zero", "(drop (i32.rem_u (i32.const 1) (i32.const 0)))", Trap, "divided by zero"),
        ("a division that overflows", "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", Trap, "overflowed"),
        ("NaN as an integer", "(drop (i32.trunc_f32_s (f32.const nan)))", Trap, "no integer"),
        ("a float too large", "(drop (i32.trunc_f64_s (f64.const 1e10)))", Trap, "overflowed"),
        ("a load just past the end", "(drop (i32.load8_u (i32.const 65536)))", Trap, "memory was accessed"),
        ("a load across the end", "(drop (i64.load (i32.const 65529)))", Trap, "memory was accessed"),
        ("a load far past the end", "(drop (i32.load offset=0xffffffff (i32.const -1)))", Trap, "memory was accessed"),
        ("a store past the end", "(i32.store (i32.const 65533) (i32.const 1))", Trap, "memory was accessed"),
        (
            "a fill past the end",
            "(memory.fill (i32.const 65535) (i32.const 0) (i32.const 2))",
            Trap,
            "memory was accessed",
        ),
        (
            "a copy past the end",
            "(memory.copy (i32.const 0) (i32.const 1) (i32.const 65536))",
            Trap,
            "memory was accessed",
        ),
        (
            "an init past the data",
            "(memory.init $data (i32.const 0) (i32.const 3) (i32.const 2))",
            Trap,
            "memory was accessed",
        ),
        (
            "dropped data",
            "(data.drop $data) (memory.init $data (i32.const 0) (i32.const 0) (i32.const 1))",
            Trap,
            "memory was accessed",
        ),
        ("an indirect call of nothing", "(call_indirect (i32.const 1))", Trap, "empty table element"),
        ("an indirect call of another type", "(call_indirect (i32.const 0))", Trap, "another type"),
        ("an indirect call past the table", "(call_indirect (i32.const 2))", Trap, "table was accessed"),
        ("table.get past the table", "(drop (table.get 0 (i32.const 2)))", Trap, "table was accessed"),
        (
            "table.init past the table",
            "(table.init $elements (i32.const 2) (i32.const 0) (i32.const 1))",
            Trap,
            "table was accessed",
        ),
        (
            "a bad log",
            "(call $log (i32.const 65530) (i32.const 7))",
            BadPointer,
            "arena.log was given 7 bytes at address 65530",
        ),
        ("a log from the last address", "(call $log (i32.const -1) (i32.const 1))", BadPointer, "address 4294967295"),
    ];
    for (what, instructions, code, detail) in fixtures {
        let mut player = started(&doing(FIELDS, instructions));
        let fault = own(player.turn(&OBSERVATION, PLENTY));
        assert_eq!(fault.code, code, "{what}: {}", fault.detail);
        assert!(fault.detail.contains(detail), "{what}: {}", fault.detail);
        // Whoever failed is gone: it holds no memory and is not called again.
        assert_eq!(player.memory_bytes(), 0, "{what}");
        assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Platform(_))), "{what}");
    }
}

#[test]
fn addresses_and_lengths_of_actions() {
    let most = ACTION_BYTES_MAX;
    assert_eq!(most, 4_096);
    let fixtures: [(u32, u32, Result<(), ForfeitCode>); 14] = [
        (0, 0, Ok(())),
        (0, 1, Ok(())),
        (0, most, Ok(())),
        (65_536 - most, most, Ok(())),
        (65_536, 0, Ok(())),
        (65_535, 1, Ok(())),
        (65_537, 0, Err(BadPointer)),
        (65_535, 2, Err(BadPointer)),
        (65_536 - most + 1, most, Err(BadPointer)),
        (u32::MAX, 1, Err(BadPointer)),
        (u32::MAX, most, Err(BadPointer)),
        (0, most + 1, Err(BadOutput)),
        (0, u32::MAX, Err(BadOutput)),
        (u32::MAX, u32::MAX, Err(BadOutput)),
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
fn starting(first: &str, buffer: &str, fields: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(memory (export "memory") 1) {fields} (func $recurse (call $recurse)) (func $first {first}) (start $first)
        (func (export "arena_observation") (param i32) (result i32) {buffer})
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#
    ))
}

#[test]
fn faults_before_the_first_turn() {
    let here = "(i32.const 0)";
    let fixtures = [
        ("a start that loops", "(loop (br 0))", here, "", FuelExhausted),
        ("a start that traps", "(unreachable)", here, "", Trap),
        ("a start that recurses", "(call $recurse)", here, "", StackOverflow),
        ("a start that divides by zero", "(drop (i32.div_u (i32.const 1) (i32.const 0)))", here, "", Trap),
        ("a buffer call that loops", "", "(loop (br 0)) (unreachable)", "", FuelExhausted),
        ("a buffer call that traps", "", "(unreachable)", "", Trap),
        ("a buffer call that recurses", "", "(call $recurse) (i32.const 0)", "", StackOverflow),
        ("a buffer that ends past the memory", "", "(i32.const 65521)", "", BadPointer),
        ("a buffer past the memory", "", "(i32.const 65536)", "", BadPointer),
        ("a buffer at the last address", "", "(i32.const -1)", "", BadPointer),
        ("data past the memory", "", here, "(data (i32.const 65535) \"xy\")", Trap),
        ("data at the last address", "", here, "(data (i32.const -1) \"x\")", Trap),
        ("elements past the table", "", here, "(table 1 funcref) (elem (i32.const 1) func $first)", Trap),
    ];
    for (what, first, buffer, fields, code) in fixtures {
        let mut player = player(&starting(first, buffer, fields));
        let fault = own(start(&mut player));
        assert_eq!(fault.code, code, "{what}: {}", fault.detail);
        assert_eq!(player.memory_bytes(), 0, "{what}");
        assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Platform(_))), "{what}");
    }
    // The buffer may end where the memory does.
    let mut last = player(&starting("", "(i32.const 65520)", ""));
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
