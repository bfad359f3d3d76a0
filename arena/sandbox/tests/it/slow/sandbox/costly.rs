//! What compiling costs is what weights say: pieces of code that compile slowly, and bots, which weigh a fraction of
//! what they may.
#![expect(clippy::print_stdout, reason = "what a test measured")]

use std::fs;

use arena_record::Budgets;
use arena_sandbox::{BODY_BYTES_MAX, COMPILE_WEIGHT_MAX, COMPILE_WEIGHT_TOTAL_MAX, RefusalCode, check, compile_weight};

use super::bots::{CONTRACT, wasm};
use crate::guests;
use crate::pieces::{COSTLY, DECLARED, Piece, function};

/// Processor time that compiling a module may take in a release build, in microseconds.
const MICROS_MAX: f64 = 10_000_000.0;
/// How many times as much as the heaviest bot of the tree a module may weigh, at least.
const ROOM: u64 = 8;

/// A bot with a function of so many pieces.
fn with(piece: &str, times: usize) -> Vec<u8> {
    wasm(&format!(r#"(memory (export "memory") 1) {CONTRACT} {DECLARED} {}"#, function(piece, times)))
}

#[test]
fn what_compiles_slowly_weighs_what_it_takes() {
    for Piece { piece, micros } in COSTLY {
        let (one, none) = (with(piece, 1), with(piece, 0));
        let (weight, bytes) = (compile_weight(&one) - compile_weight(&none), one.len() - none.len());
        let by_weight = COMPILE_WEIGHT_TOTAL_MAX / weight;
        let by_bytes = Budgets::DEFAULT.module_bytes / bytes as u64;
        let most = by_weight.min(by_bytes);
        let takes = most as f64 * micros;
        println!("{most} pieces take {:.1} s: {piece}", takes / 1e6);
        assert!(takes <= MICROS_MAX, "{piece}: {takes:.0} microseconds for {most}");
        // No more of it passes in one function, either.
        let past = (COMPILE_WEIGHT_MAX / weight + 1) as usize;
        if past * bytes < BODY_BYTES_MAX as usize {
            let refused = check(&with(piece, past), &Budgets::DEFAULT).map_err(|refusal| refusal.code);
            assert_eq!(refused, Err(RefusalCode::TooComplex), "{piece}");
        }
    }
}

/// Locals that are set from each other.
fn rotation(locals: usize) -> String {
    let one = |at: usize| format!("(local.set {at} (i32.add (local.get {}) (local.get {at})))", (at + 1) % locals);
    (0..locals).map(one).collect()
}

/// Functions of which each took seconds in a release build while it passed, because values of many locals met in many
/// places; and one that took as little as it seems to.
#[test]
fn many_values_that_meet_in_many_places_are_refused() {
    let nested = |open: &str, depth: usize, inner: &str, close: &str| {
        format!("{} {inner} {}", open.repeat(depth), close.repeat(depth))
    };
    let branches: String = (0..400).map(|at| format!("{} (br_if {} (local.get 0))", rotation(20), at % 100)).collect();
    let (loops, ifs) = ("loop ", "local.get 0 if ");
    for (what, locals, body, is_refused) in [
        ("50 loops, 26 seconds", 990, nested(loops, 50, &rotation(990), "local.get 0 br_if 0 end "), true),
        ("100 loops", 990, nested(loops, 100, &rotation(990), "local.get 0 br_if 0 end "), true),
        ("100 ifs, 2.2 seconds", 300, nested(ifs, 100, &rotation(300), "end "), true),
        ("400 branches out of 100 blocks", 300, nested("block ", 100, &(rotation(300) + &branches), "end "), true),
        ("10 loops, 0.02 seconds", 100, nested(loops, 10, &rotation(100), "local.get 0 br_if 0 end "), false),
    ] {
        let function = format!("(func (param i32) (local{}) {body})", " i32".repeat(locals - 1));
        let bytes = wasm(&format!(r#"(memory (export "memory") 1) {CONTRACT} {function}"#));
        let refused = check(&bytes, &Budgets::DEFAULT).map_err(|refusal| refusal.code);
        assert_eq!(refused, if is_refused { Err(RefusalCode::TooComplex) } else { Ok(()) }, "{what}");
    }
}

/// A local that is changed in place at many ifs: the register allocator's time grows with the square of their number.
/// Seven functions of 5,600 such pieces were one module that passed the check, and took 10.8 seconds in a release
/// build.
#[test]
fn a_local_that_is_changed_in_place_at_many_ifs_is_refused() {
    for operator in ["i64.sub", "i64.mul", "i64.xor"] {
        let changed = format!("(local.set 1 ({operator} (local.get 1) (i64.const 2)))");
        let piece = format!("{changed} (if (local.get 0) (then {changed} (local.set 0 (i32.const 1))))");
        let module = |pieces: usize| {
            let function = format!("(func (param i32) (local i64) {})", piece.repeat(pieces));
            wasm(&format!(r#"(memory (export "memory") 1) {CONTRACT} {}"#, function.repeat(7)))
        };
        let code = |pieces| check(&module(pieces), &Budgets::DEFAULT).map_err(|refusal| refusal.code);
        assert_eq!(code(5_600), Err(RefusalCode::TooComplex), "{operator}");
        assert_eq!(code(500), Ok(()), "{operator}");
    }
}

#[test]
fn every_bot_of_the_tree_weighs_a_fraction_of_what_it_may() {
    let Some(bots) = guests::folder() else { return };
    let mut heaviest = (0, String::new());
    for entry in fs::read_dir(bots).expect("a folder of bots") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            let bytes = fs::read(&path).expect("a bot");
            heaviest = heaviest.max((compile_weight(&bytes), path.display().to_string()));
        }
    }
    let (weight, path) = heaviest;
    println!("the heaviest bot weighs {weight} of {COMPILE_WEIGHT_TOTAL_MAX}: {path}");
    assert!(ROOM * weight <= COMPILE_WEIGHT_TOTAL_MAX, "{path} weighs {weight}");
}
