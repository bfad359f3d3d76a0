//! What is no bot, and the code that says why.

use arena_sandbox::RefusalCode::{FeatureNotAllowed, InvalidModule, MissingExport, NotWasm, UnknownImport};

use crate::bots::{CONTRACT, code, refusal, section, wasm};

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
fn what_is_not_a_module_at_all() {
    let junk: [&[u8]; 12] = [
        b"",
        b"\0",
        b"\0as",
        b"\0ASM\x01\0\0\0",
        b"asm\0\x01\0\0\0",
        b"(module)",
        b"hello",
        b"\x7fELF\x02\x01\x01\0",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"\xef\xbb\xbf\0asm\x01\0\0\0",
        &[0; 1000],
    ];
    for bytes in junk {
        assert_eq!(code(bytes), Some(NotWasm), "{bytes:?}");
    }
}

#[test]
fn a_module_that_is_cut_short_or_damaged() {
    let whole = smallest();
    for length in 4..whole.len() {
        let refusal = refusal(&whole[..length]).expect("a part is no bot");
        // Between two sections the part is a module, which lacks something.
        assert!([InvalidModule, MissingExport].contains(&refusal.code), "{length} bytes: {refusal}");
        if refusal.code == InvalidModule {
            assert!(refusal.offset.is_some_and(|offset| offset <= length as u64), "{length} bytes: {refusal:?}");
        }
    }
    let header = b"\0asm\x01\0\0\0".to_vec();
    assert_eq!(code(&header), Some(MissingExport));
    let damaged = [
        [header.clone(), section(99, &[])].concat(),
        [header.clone(), section(1, &[0xff; 5])].concat(),
        [header.clone(), section(3, &[1, 0])].concat(),
        [header.clone(), section(10, &[0]), section(1, &[0])].concat(),
        [whole.clone(), vec![0]].concat(),
        [whole.clone(), section(1, &[0])].concat(),
        wasm(&format!("{MEMORY} {CONTRACT} (func (result i32))")),
        wasm(&format!("{MEMORY} {CONTRACT} (func (drop))")),
        wasm(&format!("{MEMORY} {CONTRACT} (func (local.set 3 (i32.const 0)))")),
        wasm(&format!("{MEMORY} {CONTRACT} (func (call 99))")),
        wasm(&format!("{MEMORY} {CONTRACT} (data (memory 3) (i32.const 0) \"\")")),
        wasm(&format!("{MEMORY} {CONTRACT} (start 0)")),
    ];
    for (number, bytes) in damaged.iter().enumerate() {
        let refusal = refusal(bytes).expect("damaged");
        assert_eq!(refusal.code, InvalidModule, "number {number}: {refusal}");
        let offset = refusal.offset.unwrap_or_else(|| panic!("number {number} has no offset: {refusal}"));
        assert!(offset <= bytes.len() as u64 && refusal.to_string().ends_with(&format!("(at byte {offset})")));
    }
}

#[test]
fn proposals_that_bots_may_not_use() {
    let proposals = [
        ("shared memory", r#"(memory (export "memory") 1 2 shared)"#, ""),
        ("atomics", MEMORY, "(func (drop (i32.atomic.load (i32.const 0))))"),
        ("a fence", MEMORY, "(func (atomic.fence))"),
        ("memory64", r#"(memory (export "memory") i64 1)"#, ""),
        ("table64", MEMORY, "(table i64 1 funcref)"),
        ("multi-memory", MEMORY, "(memory 1)"),
        ("a custom page size", r#"(memory (export "memory") 1 (pagesize 1))"#, ""),
        ("a tail call", MEMORY, "(func $f (return_call $f))"),
        ("an indirect tail call", MEMORY, "(table 1 funcref) (func (return_call_indirect (i32.const 0)))"),
        ("an exception's tag", MEMORY, "(tag)"),
        ("throw", MEMORY, "(tag $t) (func (throw $t))"),
        ("try_table", MEMORY, "(func (try_table))"),
        ("relaxed SIMD", MEMORY, "(func (param v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))"),
        ("a structure", MEMORY, "(type (struct (field i32)))"),
        ("an array", MEMORY, "(type (array i8))"),
        ("i31", MEMORY, "(func (drop (ref.i31 (i32.const 0))))"),
        ("externref", MEMORY, "(func (param externref))"),
        ("a table of externref", MEMORY, "(table 1 externref)"),
        ("a typed function reference", MEMORY, "(type $t (func)) (func (param (ref $t)))"),
        ("call_ref", MEMORY, "(type $t (func)) (func (param (ref null $t)) (call_ref $t (local.get 0)))"),
        ("an extended constant", MEMORY, "(global i32 (i32.add (i32.const 1) (i32.const 2)))"),
        ("wide arithmetic", MEMORY, "(func (i64.const 1) (i64.const 1) (i64.mul_wide_u) (drop) (drop))"),
    ];
    for (what, memory, fields) in proposals {
        let refusal = refusal(&wasm(&format!("{memory} {CONTRACT} {fields}"))).expect(what);
        assert_eq!(refusal.code, FeatureNotAllowed, "{what}: {refusal}");
        assert!(refusal.offset.is_some(), "{what}: {refusal}");
    }
    let component = wat::parse_str("(component)").expect("a component");
    assert_eq!(code(&component), Some(FeatureNotAllowed));
    assert_eq!(code(b"\0asm\x02\0\0\0"), Some(FeatureNotAllowed));
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

#[test]
fn imports_other_than_the_log() {
    let imports = [
        r#"(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))"#,
        r#"(import "env" "memory" (memory 1))"#,
        r#"(import "env" "table" (table 1 funcref))"#,
        r#"(import "env" "__stack_pointer" (global (mut i32)))"#,
        r#"(import "env" "log" (func (param i32 i32)))"#,
        r#"(import "arena" "log2" (func (param i32 i32)))"#,
        r#"(import "arena" "" (func (param i32 i32)))"#,
        r#"(import "" "" (func))"#,
        r#"(import "arena" "log" (func))"#,
        r#"(import "arena" "log" (func (param i32)))"#,
        r#"(import "arena" "log" (func (param i32 i64)))"#,
        r#"(import "arena" "log" (func (param i32 i32 i32)))"#,
        r#"(import "arena" "log" (func (param i32 i32) (result i32)))"#,
        r#"(import "arena" "log" (global i32))"#,
        r#"(import "arena" "log" (func (param i32 i32))) (import "arena" "now" (func (result i64)))"#,
        r#"(import "a\0a\1b[31mred\"" "name" (func))"#,
    ];
    for import in imports {
        let refusal = refusal(&wasm(&format!("{import} (memory (export \"memory\") 1) {CONTRACT}"))).expect(import);
        assert_eq!(refusal.code, UnknownImport, "{import}: {refusal}");
        assert!(
            refusal.message.bytes().all(|byte| (b' '..0x7f).contains(&byte)),
            "hostile text: {:?}",
            refusal.message
        );
    }
    let long = format!("(import \"arena\" \"{}\" (func))", "x".repeat(5_000));
    let refusal = refusal(&wasm(&format!("{long} {MEMORY} {CONTRACT}"))).expect("a long name");
    assert!(refusal.code == UnknownImport && refusal.message.len() < 300, "{refusal}");
}

#[test]
fn exports_that_are_missing_or_of_another_type() {
    let observation = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 0))"#;
    let turn = r#"(func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;
    let function = |name: &str, ty: &str| format!("(func (export \"{name}\") {ty} (unreachable))");
    let other_observation = |ty: &str| format!("{MEMORY} {turn} {}", function("arena_observation", ty));
    let other_turn = |ty: &str| format!("{MEMORY} {observation} {}", function("arena_turn", ty));
    let modules = [
        (String::new(), "memory"),
        (format!("{observation} {turn}"), "memory"),
        (format!("(memory 1) {observation} {turn}"), "memory"),
        (format!("(memory (export \"Memory\") 1) {observation} {turn}"), "memory"),
        (format!("(memory 1) {} {observation} {turn}", function("memory", "")), "memory"),
        (format!("{MEMORY} {turn}"), "arena_observation"),
        (format!("{MEMORY} {observation}"), "arena_turn"),
        (format!("{MEMORY} {observation} {}", turn.replace("arena_turn", "arena_Turn")), "arena_turn"),
        (other_observation(""), "arena_observation"),
        (other_observation("(param i32)"), "arena_observation"),
        (other_observation("(result i32)"), "arena_observation"),
        (other_observation("(param i32) (result i64)"), "arena_observation"),
        (other_observation("(param i64) (result i32)"), "arena_observation"),
        (other_observation("(param i32 i32) (result i32)"), "arena_observation"),
        (other_observation("(param i32) (result i32 i32)"), "arena_observation"),
        (other_turn("(param i32) (result i32)"), "arena_turn"),
        (other_turn("(param i32) (result f64)"), "arena_turn"),
        (other_turn("(param i32 i32) (result i64)"), "arena_turn"),
        (format!("{MEMORY} {observation} (global (export \"arena_turn\") i64 (i64.const 0))"), "arena_turn"),
        (
            format!("(func (export \"arena_turn\") (import \"arena\" \"log\") (param i32 i32)) {MEMORY} {observation}"),
            "arena_turn",
        ),
    ];
    for (fields, name) in modules {
        let refusal = refusal(&wasm(&fields)).expect(&fields);
        assert_eq!(refusal.code, MissingExport, "{fields}: {refusal}");
        assert!(refusal.message.contains(&format!("`{name}`")), "{fields}: {refusal}");
    }
}
