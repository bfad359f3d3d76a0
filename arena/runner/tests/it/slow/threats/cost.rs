//! A5 to A8 and A12: modules that cost too much to compile, or to start.

use arena_record::ForfeitCode::{FuelExhausted, StackOverflow, Trap};
use arena_sandbox::RefusalCode::{TooComplex, TooMany};

use super::bots::{MEMORY, doing, leb, section, wasm, with};
use super::rows::Wanted::{Forfeits, Refused};
use super::rows::{Case, Proof, Row, When, case, cases};

pub(crate) fn rows() -> Vec<Row> {
    let compile_budget = Proof::Elsewhere {
        text: include_str!("../../../../../cli/tests/it/heavy/worker.rs"),
        test: "compiling_has_so_much_processor_time_and_no_more",
    };
    vec![
        cases("A5", locals_and_branches()),
        cases("A6", many_functions()),
        cases("A7", locals_and_nesting()),
        Row { id: "A8", proof: compile_budget },
        cases("A12", starts()),
    ]
}

/// Locals that stay alive across branches: what register allocation is slow at.
fn locals_and_branches() -> Vec<Case> {
    let locals = " i32".repeat(1_000);
    let ifs: String = (0..4_000)
        .map(|at| format!("(if (local.get 0) (then (local.set {} (local.get {}))))", at % 1_000, (at * 7) % 1_000))
        .collect();
    let loops = format!("{} {} {}", "loop ".repeat(500), "local.get 0 br_if 0", "end ".repeat(500));
    vec![
        case("1,000 locals and 4,000 ifs", with(&format!("(func (local{locals}) {ifs})")), Refused(TooComplex, "")),
        case(
            "500 nested loops and 1,000 locals",
            with(&format!("(func (local{locals}) {loops})")),
            Refused(TooComplex, ""),
        ),
    ]
}

fn many_functions() -> Vec<Case> {
    let exported: String = (0..60_000).map(|number| format!("(func (export \"{number}\"))")).collect();
    vec![
        case("60,000 empty functions", with(&"(func)".repeat(60_000)), Refused(TooMany, "60002 functions")),
        case("60,000 exported ones", with(&exported), Refused(TooMany, "60002 functions")),
    ]
}

fn locals_and_nesting() -> Vec<Case> {
    // Locals as one group, in a function of some seven bytes, beside the contract's.
    let tiny = |locals: usize| {
        let group = [&[1][..], &leb(locals), &[0x7f, 0x0b]].concat();
        let bodies = [&[3, 4, 0, 0x41, 0, 0x0b, 4, 0, 0x42, 0, 0x0b][..], &leb(group.len()), &group].concat();
        let exports = [&b"\x03\x06memory\x02\0\x11arena_observation\0\0\x0aarena_turn\0\x01"[..]].concat();
        let types = section(1, &[3, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7e, 0x60, 0, 0]);
        let functions = section(3, &[3, 0, 1, 2]);
        let memory = section(5, &[1, 0, 1]);
        [&b"\0asm\x01\0\0\0"[..], &types, &functions, &memory, &section(7, &exports), &section(10, &bodies)].concat()
    };
    let targets: String = (0..900).map(|target| format!(" {target}")).collect();
    let nested = format!("(func {} i32.const 0 br_table{targets} {})", "block ".repeat(900), "end ".repeat(900));
    let tables = format!("(block (br_table{} 0 (i32.const 0)))", " 0".repeat(100));
    let tables = format!("(func {})", tables.repeat(500)).repeat(4);
    vec![
        case("49,000 locals in a few bytes", tiny(49_000), Refused(TooComplex, "49000 locals")),
        case("4 billion locals", tiny(u32::MAX as usize), Refused(TooComplex, "4294967295 locals")),
        case("900 nested blocks and a table of all", with(&nested), Refused(TooComplex, "nested")),
        case("2,000 tables of 100", with(&tables), Refused(TooComplex, "branch tables")),
    ]
}

fn starts() -> Vec<Case> {
    let start = |what: &str, deed: &str, code, words| {
        let fields = format!("(func $recurse (call $recurse)) (func $first {deed}) (start $first)");
        case(what, doing(&fields, ""), Forfeits(code, words, When::AtStart))
    };
    let initialiser = |what: &str, deed: &str, code| {
        let fields = format!("(func $recurse (call $recurse)) (func (export \"_initialize\") {deed})");
        case(what, doing(&fields, ""), Forfeits(code, "", When::AtStart))
    };
    let buffer = |what: &str, deed: &str, code| {
        let observation = r#"(func (export "arena_observation") (param i32) (result i32)"#;
        let turn = r#"(func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;
        let fields = format!("{MEMORY} (func $recurse (call $recurse)) {observation} {deed} (i32.const 0)) {turn}");
        case(what, wasm(&fields), Forfeits(code, "", When::AtStart))
    };
    vec![
        start("a start that loops", "(loop (br 0))", FuelExhausted, "used up"),
        start(
            "a start that works for ever",
            "(loop (call $log (i32.const 0) (i32.const 9)) (br 0))",
            FuelExhausted,
            "",
        ),
        start("a start that traps", "(unreachable)", Trap, "unreachable"),
        start(
            "a start that divides by zero",
            "(drop (i32.div_u (i32.const 1) (i32.const 0)))",
            Trap,
            "divided by zero",
        ),
        start("a start that recurses", "(call $recurse)", StackOverflow, "nested too deeply"),
        initialiser("an initialiser that loops", "(loop (br 0))", FuelExhausted),
        initialiser("an initialiser that traps", "(unreachable)", Trap),
        initialiser("an initialiser that recurses", "(call $recurse)", StackOverflow),
        buffer("a buffer call that loops", "(loop (br 0))", FuelExhausted),
        buffer("a buffer call that traps", "(unreachable)", Trap),
        buffer("a buffer call that recurses", "(call $recurse)", StackOverflow),
    ]
}
