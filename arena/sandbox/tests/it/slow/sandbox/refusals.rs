//! The smallest bot, any part of it, and what compilers emit. What else is no bot, and the code that says why, stands
//! with the other hostile inputs in `arena/runner/tests/it/slow/threats`.

use arena_sandbox::RefusalCode::{InvalidModule, MissingExport};

use super::bots::{CONTRACT, refusal, wasm};

const MEMORY: &str = r#"(memory (export "memory") 1)"#;

/// The smallest bot there is.
fn smallest() -> Vec<u8> {
    wasm(&format!("{MEMORY} {CONTRACT}"))
}

#[test]
fn the_smallest_bot_is_accepted() {
    assert_eq!(refusal(&smallest()), None);
}

#[test]
fn a_module_that_is_cut_short_anywhere() {
    let whole = smallest();
    for length in 4..whole.len() {
        let refusal = refusal(&whole[..length]).expect("a part is no bot");
        // Between two sections the part is a module, which lacks something.
        assert!([InvalidModule, MissingExport].contains(&refusal.code), "{length} bytes: {refusal}");
        if refusal.code == InvalidModule {
            assert!(refusal.offset.is_some_and(|offset| offset <= length as u64), "{length} bytes: {refusal:?}");
        }
    }
}

#[test]
fn what_compilers_emit_by_default_is_allowed() {
    let fields = r#"
        (import "arena" "log" (func (param i32 i32)))
        (table 3 funcref) (elem (i32.const 0) func 1)
        (global (mut i32) (i32.const 7)) (global (export "__heap_base") i32 (i32.const 8))
        (data "passive") (data (i32.const 8) "active")
        (func (param i32) (result i32 i32) (local.get 0) (i32.extend8_s (local.get 0)))
        (func (param f64) (result i32) (i32.trunc_sat_f64_s (local.get 0)))
        (func (param v128) (result v128) (i32x4.add (local.get 0) (local.get 0)))
        (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 9)) (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 3)))
        (func (drop (table.get 0 (i32.const 0))) (drop (ref.func 1)) (drop (ref.null func)))
        (elem declare func 1)
        (@custom "producers" "someone")"#;
    assert_eq!(refusal(&wasm(&format!("{fields} {MEMORY} {CONTRACT}"))), None);
}
