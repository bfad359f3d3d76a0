//! A bot that is profiled: the same fuel, and calls that end in the function that used it up.

use std::collections::BTreeMap;

use arena_record::Budgets;
use arena_referee::{Failure, Player};
use arena_sandbox::{Bot, Calls, FRAMES_MAX, SandboxPlayer};

use super::bots::{OBSERVATION, PLENTY, load, start, wasm};

/// Functions that end in every possible way, after straight code only. Each uses more than half of its caller's fuel.
fn module(leaving: &str) -> Vec<u8> {
    let work = "(local.set 0 (i32.mul (local.get 0) (i32.const 3)))".repeat(200);
    wasm(&format!(
        r#"(memory (export "memory") 1) (table 1 funcref) (elem (i32.const 0) $idle)
        (func $idle (@name "idle"))
        (func $dear (@name "dear") (local i32) (local.set 0 (i32.const 1)) {work} {leaving})
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func $turn (@name "turn") (export "arena_turn") (param i32) (result i64)
            (local.set 0 (i32.const 100))
            (loop $round (call $dear) (call $idle)
                (br_if $round (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
            (i64.const 0x700000000))"#
    ))
}

/// The fuel of a fresh game's first turn on this budget, or the function that was running when that ran out.
fn turn(bot: &Bot, fuel: u64) -> Result<u64, String> {
    let mut player = SandboxPlayer::new(bot);
    start(&mut player).expect("it starts");
    match player.turn(&OBSERVATION, fuel) {
        Ok(reply) => Ok(reply.fuel.expect("it is metered")),
        Err(Failure::Own(_)) => {
            let frames = player.left().frames;
            let innermost = frames.first().expect("a call that fails ends in a function");
            Err(innermost.name.clone().expect("all have names"))
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn fuel_is_seen_in_the_function_that_uses_it_however_it_is_left() {
    for leaving in [
        "",
        "(return)",
        "(br 0)",
        "(block (br 1))",
        "(br_if 0 (local.get 0))",
        "(block (br_table 0 1 (local.get 0)))",
        "(if (local.get 0) (then (return)) (else (call $idle)))",
        "(block (br_if 0 (local.get 0)) (call $idle))",
        "(call $idle)",
        "(call_indirect (i32.const 0))",
    ] {
        let bytes = module(leaving);
        let bot = load(&bytes);
        let profiled = bot.profiled(&bytes, Budgets::DEFAULT.memory_bytes).expect("it compiles again");
        let used = turn(&bot, PLENTY).expect("it answers");
        assert_eq!([turn(&profiled, PLENTY), turn(&profiled, used)], [Ok(used), Ok(used)], "{leaving}");
        // At points all over the fuel, the last unit included.
        let points = 40;
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        for point in (0..points).map(|point| used * (2 * point + 1) / (2 * points)).chain([used - 1]) {
            *seen.entry(turn(&profiled, point).expect_err("a part of what it uses is too little")).or_default() += 1;
        }
        assert!(
            seen.get("dear").is_some_and(|dear| *dear >= 36),
            "{leaving}: {seen:?}, and all but a twentieth is its"
        );
    }
}

/// A bot whose turn is over when so much of its fuel is left, after rounds of work in `$dear` and a call through a
/// table.
const FRUGAL: u64 = 5_000;

fn frugal() -> Vec<u8> {
    wasm(&format!(
        r#"(import "arena" "fuel" (func $fuel (result i64))) (memory (export "memory") 1) (table 1 funcref)
        (elem (i32.const 0) $fuel) (type $left (func (result i64)))
        (func $dear (@name "dear") {})
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (@name "turn") (export "arena_turn") (param i32) (result i64)
            (loop $round (call $dear) (br_if $round (i64.gt_u (call $fuel) (i64.const {FRUGAL}))))
            (i64.store (i32.const 64) (call_indirect (type $left) (i32.const 0)))
            (i64.const 0x800000040))"#,
        "(drop (i32.load (i32.const 0)))".repeat(100)
    ))
}

#[test]
fn withheld_fuel_does_not_change_what_a_bot_is_told() {
    let bytes = frugal();
    let bot = load(&bytes);
    let profiled = bot.profiled(&bytes, Budgets::DEFAULT.memory_bytes).expect("it compiles again");
    let turn = |bot: &Bot, withheld| {
        let mut player = SandboxPlayer::new(bot);
        start(&mut player).expect("it starts");
        player.withhold(withheld);
        let reply = player.turn(&OBSERVATION, PLENTY);
        reply.map(|reply| (reply.fuel, reply.action)).map_err(|_| player.left().frames[0].name.clone())
    };
    let played = turn(&bot, 0).expect("it is in time");
    let told = u64::from_le_bytes(played.1[..].try_into().expect("a number"));
    // The last answer, then: the store, and the constant that is returned.
    let used = played.0.expect("it is metered");
    assert_eq!(told + used, PLENTY + 4 + 1);
    assert!((FRUGAL - 1_000..FRUGAL).contains(&told), "{told}");
    // What it leaves over can be withheld for nothing, and wherever it ends, it has done the same until then.
    for withheld in [0, 1, PLENTY - used] {
        assert_eq!(turn(&profiled, withheld), Ok(played.clone()), "without {withheld}");
    }
    for point in (0..20).map(|point| used * point / 20).chain([used - 1]) {
        let ended = turn(&profiled, PLENTY - point);
        assert!(matches!(&ended, Err(Some(name)) if name == "dear" || name == "turn"), "at {point}: {ended:?}");
    }
}

#[test]
fn the_host_reads_a_word_of_memory_at_each_unit_of_fuel() {
    let place = 64;
    let store = |line: u32| format!("(i32.store (i32.const {place}) (i32.const {line}))");
    let bytes = wasm(&format!(
        r#"(import "arena" "fuel" (func $fuel (result i64))) (memory (export "memory") 1)
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64)
            (local.set 0 (i32.const 3))
            (loop {} (drop (i32.div_u (i32.const 1) (i32.const 1)))
                (block (br_if 0 (i64.eqz (call $fuel))) {})
                (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
            {} (i64.const 0x700000000))"#,
        store(1),
        store(2),
        store(3),
    ));
    let profiled = load(&bytes).profiled(&bytes, Budgets::DEFAULT.memory_bytes).expect("it compiles again");
    let word = |unit: u64| {
        let mut calls = Calls::new(&profiled);
        calls.start(OBSERVATION.len() as u32, PLENTY).expect("it starts");
        let ended = calls.turn_without(&OBSERVATION, PLENTY, PLENTY - unit);
        let bytes = calls.memory()[place..place + 4].try_into().expect("a word");
        (u32::from_le_bytes(bytes), ended.is_ok())
    };
    // The entry, a constant, a local and the loop. A round stores 1 in a piece that ends with the call, asks for the
    // fuel, and stores 2 if any was left; its last piece is the sum. Units are counted by the words of the contract.
    let (before, first, question, condition, second, sum) = (1 + 1 + 1 + 2, 2 + 4 + 2 + 4 + 1 + 25, 15, 2, 6, 5);
    let mut expected = Vec::new();
    let mut unit = before;
    for _ in 0..3 {
        expected.push((unit + first, 1));
        expected.push((unit + first + question + condition + second, 2));
        unit += first + question + condition + second + sum;
    }
    let last = unit + 6 + 1;
    expected.push((last, 3));
    let at = |unit: u64| expected.iter().rev().find(|(from, _)| *from <= unit).map_or(0, |(_, word)| *word);
    for unit in 0..last + 20 {
        assert_eq!(word(unit), (at(unit), unit >= last), "at {unit}");
    }
}

#[test]
fn an_interpreter_says_which_lines_were_running_where_fuel_was_withheld() {
    let running = |lines: &str, withheld| {
        let bytes = wasm(&format!(
            r#"(memory (export "memory") 1)
            (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
            (func (export "arena_turn") (param i32) (result i64)
                (i32.store (i32.const 64) (i32.const 700)) (i32.store (i32.const 68) (i32.const 3))
                (loop (br 0)) (i64.const 0))
            (func (export "arena_lines") (result i64) {lines})"#
        ));
        let profiled = load(&bytes).profiled(&bytes, Budgets::DEFAULT.memory_bytes).expect("it compiles again");
        let mut player = SandboxPlayer::new(&profiled);
        start(&mut player).expect("it starts");
        player.withhold(withheld);
        assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Own(_))), "it never ends");
        player.left().frames.iter().map(|frame| frame.function).collect::<Vec<u32>>()
    };
    assert_eq!(running("(i64.const 0x200000040)", PLENTY - 100), [700, 3]);
    // As many as there may be, and none of what cannot be.
    assert_eq!(running("(i64.const 0x7fffffff00000000)", 1).len(), FRAMES_MAX);
    for lines in ["(unreachable)", "(loop (br 0)) (i64.const 0)", "(i64.const -1)", "(i64.const 0x20000fffd)"] {
        assert!(running(lines, 1).is_empty(), "{lines}");
    }
    assert_eq!(running("(i64.const 0x200000040)", 0), [1], "without it, a function");
}
