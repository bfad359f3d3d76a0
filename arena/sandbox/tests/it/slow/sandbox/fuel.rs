//! What is charged, exactly, and where the edge of the budget is.

use arena_record::Budgets;
use arena_referee::Player;
use arena_sandbox::SandboxPlayer;

use super::bots::{OBSERVATION, PLENTY, doing, fuel_of, is_out_of_fuel, load, turn_on, wasm};

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
fn the_edge_is_where_it_was_each_time() {
    for (what, bytes) in edges() {
        let need = turn_on(&load(&bytes), PLENTY).ok().and_then(|reply| reply.fuel).expect(what);
        // Compiled anew, and played anew.
        for bot in [load(&bytes), load(&bytes)] {
            for game in 0..200 {
                assert!(is_out_of_fuel(&turn_on(&bot, need - 1)), "{what}, game {game}");
                for fuel in [need, need + 1] {
                    assert_eq!(turn_on(&bot, fuel).map(|reply| reply.fuel), Ok(Some(need)), "{what}, game {game}");
                }
            }
        }
    }
}

#[test]
fn a_turn_of_exactly_the_usual_budget_is_in_time() {
    let budget = Budgets::DEFAULT.fuel_per_move;
    // A round costs 5, what is around them 6, a constant 1.
    let turns = |more: u64| {
        let count = (budget - 6) / 5;
        let rest = "(drop (i32.const 0))".repeat((budget - 6 - 5 * count + more) as usize);
        load(&doing("", &format!("{} {rest}", rounds(count as u32, ""))))
    };
    let (exact, over) = (turns(0), turns(1));
    for game in 0..5 {
        assert_eq!(turn_on(&exact, budget).map(|reply| reply.fuel), Ok(Some(budget)), "game {game}");
        assert_eq!(turn_on(&over, budget + 1).map(|reply| reply.fuel), Ok(Some(budget + 1)), "game {game}");
        assert!(is_out_of_fuel(&turn_on(&exact, budget - 1)), "game {game}");
        assert!(is_out_of_fuel(&turn_on(&over, budget)), "game {game}");
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
        let start = |fuel| SandboxPlayer::new(&bot).start(OBSERVATION.len(), fuel);
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
    let mut player = SandboxPlayer::new(&load(&bytes));
    player.start(OBSERVATION.len(), PLENTY).expect("it starts");
    for _ in 0..20 {
        assert_eq!(player.turn(&OBSERVATION, need).map(|reply| reply.fuel), Ok(Some(need)));
    }
    assert!(is_out_of_fuel(&player.turn(&OBSERVATION, need - 1)));
}

const FIELDS: &str = "(func $leaf) (type $nothing (func)) (table 60 100 funcref) (elem (i32.const 0) func $leaf)
    (global $g (mut i32) (i32.const 0)) (elem $elements func $leaf) (elem $none func)
    (data $data \"1234\") (data $never \"5\")";

/// Groups of operators with what ten rounds of a loop with them cost: a change here is a change of the price table or
/// of the engine, and with it of the semantics id. Ten rounds of nothing cost 56.
const GOLDEN: &[(&str, &str, u64)] = &[
    ("nothing", "", 56),
    ("what makes no code", "(nop) (drop (local.get 0)) (drop (i32.const 0))", 76),
    ("blocks", "(block) (block (block))", 86),
    ("loops", "(loop) (loop (loop))", 116),
    ("branches", "(block (br_if 0 (i32.const 0)) (br 0)) (if (i32.const 1) (then (nop)) (else (nop)))", 116),
    ("a branch table", "(block (block (br_table 0 1 (i32.const 1))))", 96),
    ("a call", "(call $leaf)", 316),
    ("an indirect call", "(call_indirect (type $nothing) (i32.const 0))", 376),
    ("locals and globals", "(global.set $g (global.get $g)) (local.set 0 (local.tee 0 (local.get 0)))", 106),
    (
        "choosing",
        "(drop (select (i32.const 1) (i32.const 2) (i32.const 3))) (drop (select (result i32) (i32.const 1) (i32.const 2) (i32.const 3)))",
        136,
    ),
    (
        "integer arithmetic",
        "(drop (i32.add (i32.mul (local.get 0) (i32.const 3)) (i32.xor (local.get 0) (i32.clz (local.get 0)))))",
        136,
    ),
    (
        "32-bit division",
        "(drop (i32.div_s (i32.const 7) (i32.const 2))) (drop (i32.rem_u (i32.const 7) (i32.const 2)))",
        176,
    ),
    (
        "64-bit division",
        "(drop (i64.div_u (i64.const 7) (i64.const 2))) (drop (i64.rem_s (i64.const 7) (i64.const 2)))",
        216,
    ),
    (
        "floating-point sums",
        "(drop (f64.add (f64.const 1) (f64.neg (f64.const 2)))) (drop (f32.sub (f32.const 1) (f32.const 2)))",
        126,
    ),
    (
        "floating-point products",
        "(drop (f64.mul (f64.const 1) (f64.const 2))) (drop (f32.mul (f32.const 1) (f32.const 2)))",
        216,
    ),
    (
        "floating-point quotients",
        "(drop (f64.div (f64.const 1) (f64.const 2))) (drop (f32.div (f32.const 1) (f32.const 2)))",
        296,
    ),
    ("roots", "(drop (f64.sqrt (f64.const 2))) (drop (f32.sqrt (f32.const 2)))", 236),
    ("rounding", "(drop (f64.ceil (f64.floor (f64.const 2)))) (drop (f32.trunc (f32.nearest (f32.const 2))))", 156),
    (
        "conversions",
        "(drop (i32.trunc_f64_s (f64.promote_f32 (f32.convert_i32_u (i32.const 3))))) (drop (i32.trunc_sat_f32_u (f32.const 1)))",
        116,
    ),
    (
        "loads",
        "(drop (i32.load8_u (i32.const 4))) (drop (i64.load (i32.const 8))) (drop (f32.load (i32.const 8)))",
        266,
    ),
    (
        "stores",
        "(i32.store (i32.const 0) (i32.const 4)) (i64.store32 (i32.const 0) (i64.const 8)) (f64.store (i32.const 0) (f64.const 1))",
        236,
    ),
    (
        "vector loads",
        "(drop (v128.load (i32.const 0))) (drop (v128.load8_splat (i32.const 0))) (drop (v128.load64_zero (i32.const 0)))",
        266,
    ),
    (
        "vector lanes of memory",
        "(drop (v128.load32_lane 1 (i32.const 0) (v128.const i64x2 0 0))) (v128.store16_lane 2 (i32.const 0) (v128.const i64x2 0 0))",
        196,
    ),
    ("vector stores", "(v128.store (i32.const 0) (v128.const i64x2 1 2))", 116),
    (
        "vector integers",
        "(drop (i8x16.add (v128.const i64x2 1 2) (i64x2.mul (v128.const i64x2 1 2) (v128.const i64x2 1 2))))",
        106,
    ),
    (
        "vector products",
        "(drop (f32x4.mul (f64x2.mul (v128.const i64x2 1 2) (v128.const i64x2 1 2)) (v128.const i64x2 1 2)))",
        206,
    ),
    (
        "vector quotients and roots",
        "(drop (f32x4.div (f64x2.div (v128.const i64x2 1 2) (v128.const i64x2 1 2)) (f32x4.sqrt (f64x2.sqrt (v128.const i64x2 1 2)))))",
        486,
    ),
    ("vector rounding", "(drop (f32x4.ceil (f64x2.nearest (v128.const i64x2 1 2))))", 106),
    (
        "vector extremes",
        "(drop (f32x4.min (f64x2.max (v128.const i64x2 1 2) (v128.const i64x2 1 2)) (v128.const i64x2 1 2)))",
        126,
    ),
    (
        "vector conversions",
        "(drop (i32x4.trunc_sat_f64x2_u_zero (f32x4.convert_i32x4_u (f64x2.promote_low_f32x4 (v128.const i64x2 1 2)))))",
        156,
    ),
    ("sizes", "(drop (memory.size)) (drop (table.size 0))", 76),
    ("growing a memory", "(drop (memory.grow (i32.const 1)))", 3616),
    ("growing a memory in vain", "(drop (memory.grow (i32.const 64)))", 164266),
    ("filling memory", "(memory.fill (i32.const 0) (i32.const 1) (i32.const 1000))", 11586),
    ("filling no memory", "(memory.fill (i32.const 0) (i32.const 1) (i32.const 0))", 1586),
    ("copying memory", "(memory.copy (i32.const 0) (i32.const 9) (i32.const 500))", 6586),
    ("initialising memory", "(memory.init $data (i32.const 0) (i32.const 0) (i32.const 4))", 1626),
    ("references", "(drop (ref.is_null (ref.null func))) (drop (ref.is_null (ref.func $leaf)))", 286),
    ("elements", "(table.set 0 (i32.const 5) (table.get 0 (i32.const 0)))", 96),
    ("growing a table", "(drop (table.grow 0 (ref.null func) (i32.const 10)))", 1276),
    ("filling a table", "(table.fill 0 (i32.const 10) (ref.null func) (i32.const 50))", 2086),
    ("copying a table", "(table.copy (i32.const 0) (i32.const 10) (i32.const 20))", 2386),
    ("initialising a table", "(table.init $elements (i32.const 0) (i32.const 0) (i32.const 1))", 1596),
    ("dropping segments", "(data.drop $never) (elem.drop $none)", 456),
    ("a log", "(call $log (i32.const 0) (i32.const 10))", 2526),
];

/// What a turn costs that goes round a loop ten times.
fn ten_rounds(code: &str) -> u64 {
    fuel_of(&doing(FIELDS, &rounds(10, code)))
}

#[test]
fn prices_are_what_they_were() {
    let found: Vec<_> = GOLDEN.iter().map(|(what, code, _)| (*what, ten_rounds(code))).collect();
    let wanted: Vec<_> = GOLDEN.iter().map(|(what, _, fuel)| (*what, *fuel)).collect();
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
