//! What is charged, exactly, and where the edge of the budget is.

use arena_referee::Player;
use arena_sandbox::{SandboxPlayer, Wall};

use crate::bots::{OBSERVATION, PLENTY, doing, fuel_of, is_out_of_fuel, load, turn_on, wasm};

/// A loop of so many rounds.
fn rounds(count: u32, body: &str) -> String {
    format!(
        "(local.set 0 (i32.const {count})) (loop {body} (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))"
    )
}

/// The fixtures of the edge: code with and without anything that looks at the fuel on its way.
fn edges() -> Vec<(&'static str, Vec<u8>)> {
    let fields = "(func $leaf) (func $down (param i32) (if (local.get 0) (then
        (call $down (i32.sub (local.get 0) (i32.const 1))))))";
    let straight = "(drop (i32.load (i32.const 0)))".repeat(50);
    vec![
        ("nothing", doing(fields, "")),
        ("straight-line code", doing(fields, &straight)),
        ("a loop", doing(fields, &rounds(25, "(i32.store (i32.const 0) (local.get 0))"))),
        ("a loop and straight-line code after it", doing(fields, &format!("{} {straight}", rounds(9, "")))),
        ("calls", doing(fields, &"(call $leaf)".repeat(20))),
        ("a recursion", doing(fields, "(call $down (i32.const 20))")),
        ("a log", doing(fields, "(call $log (i32.const 0) (i32.const 7))")),
        (
            "a log and straight-line code after it",
            doing(fields, &format!("(call $log (i32.const 0) (i32.const 7)) {straight}")),
        ),
        ("growing", doing(fields, "(drop (memory.grow (i32.const 1)))")),
        ("filling", doing(fields, "(memory.fill (i32.const 0) (i32.const 1) (i32.const 100))")),
    ]
}

#[test]
fn a_turn_is_in_time_on_exactly_what_it_needs() {
    for (what, bytes) in edges() {
        let bot = load(&bytes);
        let need = turn_on(&bot, PLENTY).ok().and_then(|reply| reply.fuel).expect(what);
        for fuel in [need, need + 1, need + 1_000, u64::MAX - 1, u64::MAX] {
            assert_eq!(turn_on(&bot, fuel).map(|reply| reply.fuel), Ok(Some(need)), "{what} on {fuel}");
        }
        // Every smaller budget is too small, without a gap.
        for fuel in 0..need {
            assert!(is_out_of_fuel(&turn_on(&bot, fuel)), "{what} on {fuel} of {need}");
        }
    }
}

#[test]
fn a_start_is_in_time_on_exactly_what_it_needs() {
    let work = rounds(30, "");
    for (what, first, buffer) in
        [("the start function", &work[..], ""), ("the buffer's call", "", &work[..]), ("both", &work, &work)]
    {
        let bot = load(&wasm(&format!(
            r#"(memory (export "memory") 1) (func $first (local i32) {first}) (start $first)
            (func (export "arena_observation") (param i32) (result i32) {buffer} (i32.const 0))
            (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#
        )));
        let start = |fuel| SandboxPlayer::new(&bot, Wall::None).start(OBSERVATION.len(), fuel);
        let need = start(PLENTY).ok().and_then(|started| started.fuel).expect(what);
        assert!(need > 100, "{what} takes {need}");
        for fuel in [need, need + 1] {
            assert_eq!(start(fuel).map(|started| started.fuel), Ok(Some(need)), "{what} on {fuel}");
        }
        for fuel in 0..need {
            assert!(is_out_of_fuel(&start(fuel)), "{what} on {fuel} of {need}");
        }
    }
}

#[test]
fn every_turn_has_the_whole_budget() {
    let bytes = doing("", &rounds(100, ""));
    let need = fuel_of(&bytes);
    let mut player = SandboxPlayer::new(&load(&bytes), Wall::None);
    player.start(OBSERVATION.len(), PLENTY).expect("it starts");
    for _ in 0..20 {
        assert_eq!(player.turn(&OBSERVATION, need).map(|reply| reply.fuel), Ok(Some(need)));
    }
    assert!(is_out_of_fuel(&player.turn(&OBSERVATION, need - 1)));
}

const FIELDS: &str = "(func $leaf) (type $nothing (func)) (table 60 100 funcref) (elem (i32.const 0) func $leaf)
    (global $g (mut i32) (i32.const 0)) (elem $elements func $leaf) (data $data \"1234\")";

/// Groups of operators with what a turn with them costs: a change here is a change of the price table or of the engine, and
/// with it of the semantics id.
const GOLDEN: [(&str, &str, u64); 18] = [
    ("nothing", "", 2),
    ("what makes no code", "(block (nop)) (drop (i32.const 0)) (local.set 0 (local.get 0))", 5),
    (
        "integer arithmetic",
        "(drop (i32.add (i32.mul (local.get 0) (i32.const 3)) (i32.xor (local.get 0) (i32.clz (local.get 0)))))",
        10,
    ),
    (
        "integer division",
        "(drop (i32.div_s (i32.const 7) (i32.const 2))) (drop (i64.rem_u (i64.const 7) (i64.const 2)))",
        16,
    ),
    (
        "floating point",
        "(drop (f64.sqrt (f64.div (f64.const 1) (f64.add (f64.const 1) (f64.const 2))))) (drop (f32.sqrt (f32.const 2)))",
        27,
    ),
    (
        "loads and stores",
        "(i32.store (i32.const 0) (i32.load8_u (i32.const 4))) (i64.store32 (i32.const 0) (i64.load (i32.const 8)))",
        14,
    ),
    ("SIMD", "(v128.store (i32.const 0) (i8x16.add (v128.load (i32.const 16)) (v128.const i64x2 1 2)))", 10),
    (
        "globals and branches",
        "(global.set $g (global.get $g)) (block (br_if 0 (i32.const 0)) (br 0)) (if (i32.const 1) (then (nop)))",
        9,
    ),
    ("a branch table", "(block (block (br_table 0 1 (i32.const 1))))", 4),
    ("calls", "(call $leaf) (call_indirect (type $nothing) (i32.const 0))", 11),
    (
        "a loop of 100 rounds",
        "(local.set 0 (i32.const 100)) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))",
        504,
    ),
    ("growing a memory", "(drop (memory.grow (i32.const 1)))", 358),
    ("growing a memory in vain", "(drop (memory.grow (i32.const 64)))", 16423),
    (
        "filling and copying memory",
        "(memory.fill (i32.const 0) (i32.const 1) (i32.const 1000)) (memory.copy (i32.const 0) (i32.const 9) (i32.const 500))",
        1808,
    ),
    ("initialising memory", "(memory.init $data (i32.const 0) (i32.const 0) (i32.const 4))", 159),
    (
        "tables",
        "(table.set 0 (i32.const 5) (table.get 0 (i32.const 0))) (drop (table.grow 0 (ref.null func) (i32.const 10)))",
        128,
    ),
    (
        "filling and copying tables",
        "(table.fill 0 (i32.const 10) (ref.null func) (i32.const 50)) (table.copy (i32.const 0) (i32.const 10) (i32.const 20))",
        378,
    ),
    ("a log", "(call $log (i32.const 0) (i32.const 10))", 226),
];

#[test]
fn prices_are_what_they_were() {
    let found: Vec<_> = GOLDEN.into_iter().map(|(what, code, _)| (what, fuel_of(&doing(FIELDS, code)))).collect();
    let wanted: Vec<_> = GOLDEN.into_iter().map(|(what, _, fuel)| (what, fuel)).collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_thousand_games_cost_the_same() {
    let body = "(i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.rem_u (local.get 0) (i32.const 7))))
        (call $leaf) (call_indirect (type $nothing) (i32.const 0)) (call $log (i32.const 0) (i32.const 3))";
    let bot = load(&doing(FIELDS, &rounds(50, body)));
    let costs: std::collections::BTreeSet<_> =
        (0..1_000).map(|_| turn_on(&bot, PLENTY).map(|reply| reply.fuel).ok()).collect();
    assert_eq!(costs.len(), 1, "{costs:?}");
    assert!(costs.iter().all(Option::is_some));
    // Also when it is compiled anew.
    let again = load(&doing(FIELDS, &rounds(50, body)));
    assert!(costs.contains(&turn_on(&again, PLENTY).map(|reply| reply.fuel).ok()));
}
