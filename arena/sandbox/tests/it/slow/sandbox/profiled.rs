//! A bot that is profiled: the same fuel, and calls that end in the function that used it up.

use std::collections::BTreeMap;

use arena_record::Budgets;
use arena_referee::{Failure, Player};
use arena_sandbox::{Bot, SandboxPlayer};

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
            let innermost = player.frames().first().expect("a call that fails ends in a function");
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
