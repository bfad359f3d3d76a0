//! What must run before a bot's first call: it runs once, or the module is refused.

use arena_record::ForfeitCode::{FuelExhausted, Trap};
use arena_referee::{Player, Started};
use arena_sandbox::RefusalCode::{Command, MissingExport};

use super::bots::{CONTRACT, OBSERVATION, PLENTY, own, player, refusal, start, started, wasm};

const MEMORY: &str = r#"(memory (export "memory") 1)"#;

/// A bot that answers with the four bytes at address 0, and counts there what happens to it: each hundred is a start
/// function, each ten an initialiser, each one a question for the buffer.
fn counting(exports: &str) -> Vec<u8> {
    let add =
        |number: u32| format!("(i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const {number})))");
    wasm(&format!(
        r#"{MEMORY} (func $first {}) (start $first) (func $initialise {})
        (func (export "arena_observation") (param i32) (result i32) {} (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0x4_0000_0000)) {exports}"#,
        add(100),
        add(10),
        add(1)
    ))
}

#[test]
fn an_initialiser_runs_once_in_each_game_after_the_start_function_and_before_all_else() {
    let counted = |bytes: &[u8]| {
        let mut player = started(bytes);
        let turns = [(); 3].map(|()| player.turn(&OBSERVATION, PLENTY).map(|reply| reply.action));
        turns.map(|action| u32::from_le_bytes(action.expect("an answer").try_into().expect("four bytes")))
    };
    assert_eq!(counted(&counting(r#"(export "_initialize" (func $initialise))"#)), [111; 3]);
    assert_eq!(counted(&counting("")), [101; 3]);
    // It may be the start function, too: then it is called twice, as its toolchain would.
    assert_eq!(counted(&counting(r#"(export "_initialize" (func $first))"#)), [201; 3]);
    // A second game begins from nothing.
    let bytes = counting(r#"(export "_initialize" (func $initialise))"#);
    assert_eq!((counted(&bytes), counted(&bytes)), ([111; 3], [111; 3]));
    // It sees what was written before: the memory as the module defines it.
    let order = r#"(func $later (i32.store (i32.const 0) (i32.mul (i32.load (i32.const 0)) (i32.const 2))))
        (export "_initialize" (func $later))"#;
    assert_eq!(counted(&counting(order)), [201; 3]);
}

fn initialising(deed: &str) -> Vec<u8> {
    wasm(&format!(r#"{MEMORY} {CONTRACT} (func $recurse (call $recurse)) (func (export "_initialize") {deed})"#))
}

#[test]
fn an_initialiser_is_part_of_the_start() {
    let used = |bytes: &[u8]| match start(&mut player(bytes)) {
        Ok(Started { fuel: Some(fuel), .. }) => fuel,
        other => panic!("{other:?}"),
    };
    let (idle, busy) = (used(&initialising("")), used(&initialising("(drop (i32.const 1))")));
    assert_eq!(busy, idle + 1, "its operators are charged to the start");
    assert!(idle > used(&wasm(&format!("{MEMORY} {CONTRACT}"))), "so is the call");
    assert_eq!(own(start(&mut player(&initialising("(loop (br 0))")))).code, FuelExhausted);
    let mut failed = player(&initialising("(unreachable)"));
    assert_eq!(own(start(&mut failed)).code, Trap);
    assert_eq!(failed.left().frames.len(), 1, "the functions that were running are known");
}

#[test]
fn an_initialiser_of_another_type_is_refused() {
    for export in [
        r#"(func (export "_initialize") (param i32))"#,
        r#"(func (export "_initialize") (result i32) (i32.const 0))"#,
        r#"(global (export "_initialize") i32 (i32.const 0))"#,
        r#"(export "_initialize" (memory 0))"#,
    ] {
        let refusal = refusal(&wasm(&format!("{MEMORY} {CONTRACT} {export}"))).expect(export);
        assert_eq!(
            (refusal.code, refusal.message.english().contains("`_initialize`")),
            (MissingExport, true),
            "{refusal}"
        );
    }
}

/// What linkers make of exports when there are constructors and nobody calls them: each export calls all of them first,
/// and perhaps destructors last. An initialiser is an export, too.
fn wrapped(observation: &str, turn: &str, initialiser: &str, last: &str) -> Vec<u8> {
    wasm(&format!(
        r#"{MEMORY} (func $constructors (global.set $book (i32.const 4242))) (global $book (mut i32) (i32.const 0))
        (func $others) (func $destructors) (func $reset (param i32))
        (func $mark (param i32) (i32.store (local.get 0) (i32.const 1)))
        (func $asks (if (i32.gt_s (i32.load (i32.const 32)) (i32.const 7)) (then
            (i32.store (i32.const 64) (i32.load (i32.const 32))))))
        (func $once (if (i32.load (i32.const 8)) (then return)) (i32.store (i32.const 8) (i32.const 1)))
        (func $filled (i32.store (i32.const 8) (i32.const 3)) (loop $more
            (i32.store (i32.const 8) (i32.sub (i32.load (i32.const 8)) (i32.const 1)))
            (br_if $more (i32.load (i32.const 8)))))
        (func $table (local $n i32) (loop $more
            (i32.store (local.get $n) (i32.mul (local.get $n) (i32.const 4242)))
            (local.set $n (i32.add (local.get $n) (i32.const 4))) (br_if $more (i32.lt_u (local.get $n) (i32.const 400)))))
        (func $rows (local $n i32) (block $all (loop $more
            (br_if $all (i32.ge_u (local.get $n) (i32.const 400)))
            (i32.store (local.get $n) (local.get $n)) (local.set $n (i32.add (local.get $n) (i32.const 4))) (br $more))))
        (func $observation (param i32) (result i32) (i32.const 1024))
        (func $turn (param i32) (result i64) (i64.const 0))
        (func (export "arena_observation") (param i32) (result i32)
            {observation} (call $observation (local.get 0)) {last})
        (func (export "arena_turn") (param i32) (result i64) {turn} (call $turn (local.get 0)) {last})
        {initialiser}"#
    ))
}

#[test]
fn what_would_not_run_or_would_run_in_every_call_is_refused_with_the_way_out() {
    let export =
        |name: &str| wasm(&format!("{MEMORY} {CONTRACT} (func (export \"{name}\") (call 0 (i32.const 0)) drop)"));
    let both = |name: &str| {
        wasm(&format!("{MEMORY} {CONTRACT} (func (export \"{name}\") nop) (func (export \"_initialize\"))"))
    };
    let all = "(call $constructors)";
    for (bytes, words) in [
        (export("_start"), "-fno-entry"),
        (both("_start"), "-fno-entry"),
        (export("__wasm_call_ctors"), "ARENA_CONSTRUCTORS"),
        (wrapped(all, all, "", ""), "ARENA_CONSTRUCTORS"),
        (wrapped(all, all, "", "(call $destructors)"), "-mexec-model=reactor"),
        // An initialiser of somebody's own is wrapped like the others, and helps nothing.
        (wrapped(all, all, "(func (export \"_initialize\") (call $constructors) (call $others))", ""), "ARENA_CONST"),
        // What optimisers leave of them.
        (wrapped(all, all, "(func (export \"_initialize\") (call $constructors))", "nop"), "ARENA_CONSTRUCTORS"),
        (wrapped(all, "(call $constructors) (local.set 0 (i32.const 7))", "", "nop"), "ARENA_CONSTRUCTORS"),
        (wrapped("(call $filled)", "(call $filled)", "", ""), "ARENA_CONSTRUCTORS"),
    ] {
        let refusal = refusal(&bytes).expect(words);
        assert_eq!(
            (refusal.code, refusal.hint.english().contains(words)),
            (Command, true),
            "{refusal}: {}",
            refusal.hint
        );
    }
    // With an initialiser, constructors are called by it.
    assert_eq!(refusal(&both("__wasm_call_ctors")), None);
    // Linkers that export everything export constructors when there are none.
    assert_eq!(refusal(&wasm(&format!("{MEMORY} {CONTRACT} (func (export \"__wasm_call_ctors\"))"))), None);
    // Other functions that call two are none of the linker's.
    assert_eq!(refusal(&wrapped(all, "(call $others)", "", "")), None);
    assert_eq!(refusal(&wrapped(all, "(drop (local.get 0)) (call $constructors)", "", "")), None);
    assert_eq!(refusal(&wrapped("(call $reset (i32.const 1))", "(call $reset (i32.const 1))", "", "")), None);
    // A set-up that runs once may begin both, and so may a check that there was one; TinyGo has such a check.
    assert_eq!(refusal(&wrapped("(call $once)", "(call $once)", "", "")), None);
    assert_eq!(refusal(&wrapped(all, all, "(func (export \"_initialize\") (call $others))", "")), None);
    // An export of that name that is no function is nobody's start.
    assert_eq!(refusal(&wasm(&format!("{MEMORY} {CONTRACT} (global (export \"_start\") i32 (i32.const 0))"))), None);
}

/// Optimisers put small constructors into each export, and conditions of them, too.
#[test]
fn constructors_are_seen_however_they_were_inlined() {
    let book = "(i32.store (i32.const 64) (i32.load (i32.const 32)))";
    let on_the_stack =
        format!("(i32.store offset=12 (local.tee 0 (i32.sub (global.get $book) (i32.const 16))) (i32.const 4)) {book}");
    let asks = "(if (i32.gt_s (i32.load (i32.const 32)) (i32.const 7)) (then
        (i32.store (i32.const 64) (i32.load (i32.const 32)))))";
    let (called, itself) = ("(call $asks)", r#"(export "_initialize" (func $asks))"#);
    let more = |first: &str| format!("{first} (local.set 0 (i32.const 0)) (i32.store (i32.const 80) (i32.const 1))");
    for (first, initialiser) in [
        (book, ""),
        (&on_the_stack, ""),
        (asks, ""),
        (called, ""),
        (called, itself),
        (asks, itself),
        (called, r#"(func (export "_initialize") (call $asks))"#),
        ("(call $others) (call $asks)", r#"(func (export "_initialize") (call $others))"#),
        ("(call $table)", ""),
        ("(call $rows)", r#"(func (export "_initialize") (call $rows) (call $others))"#),
    ] {
        for turn in [first, &more(first)] {
            let refusal = refusal(&wrapped(first, turn, initialiser, "")).expect(turn);
            assert_eq!(refusal.code, Command, "{turn}: {refusal}");
        }
    }
    // What is none of a linker's, though all exports begin with it.
    for honest in [
        // A set-up that runs once: by a flag, by one that is set elsewhere, by one that a library is given.
        "(if (i32.eqz (i32.load8_u (i32.const 8))) (then
            (i32.store (i32.const 64) (i32.const 5)) (i32.store16 (i32.const 7) (i32.const 256))))",
        "(if (i32.eqz (i32.load (i32.const 96))) (then
            (i32.store (i32.const 64) (i32.const 5)) (call $mark (i32.const 96))))",
        "(if (i32.eqz (global.get $book)) (then (i32.store (i32.const 64) (i32.const 5)) (call $constructors)))",
        // A count of calls, and a copy of the argument.
        "(i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))",
        "(i32.store (i32.const 64) (local.get 0))",
        // What is cleared in each call.
        "(i32.store (i32.const 64) (i32.const 0)) (i32.store (i32.const 68) (i32.const 1024))",
        // A frame on the stack, as in builds without optimisation.
        "(global.set $book (local.tee 0 (i32.sub (global.get $book) (i32.const 16))))
            (i32.store offset=12 (local.get 0) (i32.const 4))",
    ] {
        assert_eq!(refusal(&wrapped(honest, honest, "", "")), None, "{honest}");
    }
    // Each writes something else, or elsewhere.
    let writes = |at: u32, from: u32| format!("(i32.store (i32.const {at}) (i32.load (i32.const {from})))");
    for other in [writes(64, 36), writes(68, 32)] {
        assert_eq!(refusal(&wrapped(&writes(64, 32), &other, "", "")), None, "{other}");
    }
}
