//! The interpreter comes to what Wasmtime does.

mod slow {
    mod scripts;
}

use std::path::Path;

use arena_conformance::{Vectors, all_agree};
use arena_interpreter::Interpreter;
use arena_record::Budgets;
use arena_referee::{Failure, Player, Reply, Started};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer};

#[test]
fn the_vectors_of_the_meter_hold() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../meter/tests/golden/meter");
    let reports = Vectors::read(&golden).expect("vectors").check(&Sandbox::of(Interpreter::new()));
    assert!(all_agree(&reports), "{reports:#?}");
}

type Played = (Result<Started, Failure>, Option<Result<Reply, Failure>>, Vec<String>, usize);

/// A start and a turn on this fuel, the log, and the memory in bytes.
fn played(bot: &Bot, fuel: u64) -> Played {
    let mut player = SandboxPlayer::new(bot);
    let started = player.start(16, fuel);
    let turn = started.is_ok().then(|| player.turn(&[1; 16], fuel));
    (started, turn, player.left().log.lines().to_vec(), player.memory_bytes())
}

#[test]
fn calls_fail_in_the_same_words() {
    let sandboxes = [Sandbox::new().expect("this machine runs bots"), Sandbox::of(Interpreter::new())];
    let table = "(type $t (func)) (table 2 4 funcref)";
    let tables = "(table 2 funcref) (table 1 funcref) (elem $e func $log)";
    let mut kinds = Vec::new();
    for (fields, body) in [
        ("", "(i64.const 0)"),
        ("", "(i64.const 0x500000000)"),
        ("", "(i64.const 0x1fff_0000_0000)"),
        ("", "(i64.const 0xf0000000)"),
        ("", "(unreachable)"),
        ("", "(loop (br 0)) (i64.const 0)"),
        ("(func $deep (call $deep))", "(call $deep) (i64.const 0)"),
        ("", "(drop (i32.load (i32.const 65533))) (i64.const 0)"),
        ("", "(memory.fill (i32.const 65533) (i32.const 0) (i32.const 4)) (i64.const 0)"),
        ("", "(call $log (i32.const 64) (i32.const 3)) (i64.const 0)"),
        ("", "(call $log (i32.const -1) (i32.const 3)) (i64.const 0)"),
        ("", "(i64.extend_i32_u (i32.div_s (i32.const 1) (i32.const 0)))"),
        ("", "(i64.extend_i32_u (i32.div_s (i32.const 0x80000000) (i32.const -1)))"),
        ("", "(i64.trunc_f64_s (f64.const nan))"),
        ("", "(i64.trunc_f64_s (f64.const 1e30))"),
        (table, "(call_indirect (type $t) (i32.const 0)) (i64.const 0)"),
        (table, "(call_indirect (type $t) (i32.const 2)) (i64.const 0)"),
        (table, "(drop (table.get (i32.const 2))) (i64.const 0)"),
        (table, "(table.set (i32.const 2) (ref.null func)) (i64.const 0)"),
        (table, "(table.fill (i32.const 1) (ref.null func) (i32.const 2)) (i64.const 0)"),
        (table, "(table.copy (i32.const 1) (i32.const 0) (i32.const 2)) (i64.const 0)"),
        (table, "(table.copy (i32.const 0) (i32.const 1) (i32.const 2)) (i64.const 0)"),
        (
            "(table 2 funcref) (elem func $log)",
            "(table.init 0 (i32.const 2) (i32.const 0) (i32.const 1)) (i64.const 0)",
        ),
        (
            "(table 2 funcref) (elem func $log)",
            "(table.init 0 (i32.const 0) (i32.const 1) (i32.const 1)) (i64.const 0)",
        ),
        ("", "(memory.copy (i32.const 65533) (i32.const 0) (i32.const 4)) (i64.const 0)"),
        ("", "(memory.copy (i32.const 0) (i32.const 65533) (i32.const 4)) (i64.const 0)"),
        ("(data \"ab\")", "(memory.init 0 (i32.const 65535) (i32.const 0) (i32.const 2)) (i64.const 0)"),
        ("(data \"ab\")", "(memory.init 0 (i32.const 0) (i32.const 1) (i32.const 2)) (i64.const 0)"),
        ("", "(i64.store (i32.const -1) (i64.const 0)) (i64.const 0)"),
        (table, "(i64.extend_i32_u (table.grow (ref.null func) (i32.const 3)))"),
        (table, "(i64.extend_i32_u (table.grow (ref.null func) (i32.const 2)))"),
        (table, "(table.fill (i32.const 1) (ref.null func) (i32.const 2)) (i64.const 0)"),
        (table, "(table.copy (i32.const 0) (i32.const 1) (i32.const 2)) (i64.const 0)"),
        (tables, "(table.copy 1 0 (i32.const 0) (i32.const 0) (i32.const 2)) (i64.const 0)"),
        (tables, "(table.init 0 $e (i32.const 0) (i32.const 0) (i32.const 2)) (i64.const 0)"),
        (tables, "(table.set (i32.const 2) (ref.null func)) (i64.const 0)"),
        ("", "(memory.copy (i32.const 0) (i32.const 65533) (i32.const 4)) (i64.const 0)"),
        ("(data $d \"ab\")", "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 3)) (i64.const 0)"),
        ("", "(i64.extend_i32_u (memory.grow (i32.const 63)))"),
        ("", "(i64.extend_i32_u (memory.grow (i32.const 64)))"),
        (
            "(type $t (func)) (table 2 funcref) (elem (i32.const 1) func $log)",
            "(call_indirect (type $t) (i32.const 1)) (i64.const 0)",
        ),
        ("(table 2 funcref) (elem (i32.const 1) func $log $log)", "(i64.const 0)"),
        ("(data (i32.const 65535) \"ab\")", "(i64.const 0)"),
        ("(func $first (unreachable)) (start $first)", "(i64.const 0)"),
    ] {
        let text = format!(
            r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1) {fields}
            (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
            (func (export "arena_turn") (param i32) (result i64) {body}))"#
        );
        let module = wat::parse_str(text).expect("a module");
        let bots = sandboxes.each_ref().map(|sandbox| sandbox.load(&module, &Budgets::DEFAULT).expect("a bot"));
        for fuel in [2, 10, 400, 1_000_000] {
            let [compiled, interpreted] = bots.each_ref().map(|bot| played(bot, fuel));
            assert_eq!(compiled, interpreted, "{fields} {body} on {fuel}");
            let (started, turn, ..) = compiled;
            let failure = turn.and_then(Result::err).or(started.err());
            assert!(!matches!(failure, Some(Failure::Platform(_))), "{failure:?}");
            kinds.extend(failure.map(|failure| format!("{failure:?}")));
        }
    }
    kinds.sort();
    kinds.dedup();
    assert!(kinds.len() >= 14, "{kinds:#?}");
}
