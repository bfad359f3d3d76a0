//! Every limit of a module, at the limit and one past it.

use arena_record::Budgets;
use arena_sandbox::RefusalCode::{self, MemoryTooLarge, TableTooLarge, TooComplex, TooLarge, TooMany};
use arena_sandbox::*;

use crate::bots::{CONTRACT, SANDBOX, refusal, section, wasm};

const MEMORY: &str = r#"(memory (export "memory") 1)"#;

/// A bot with further fields, none of which has a name: names are bytes of a custom section.
fn with(fields: &str) -> Vec<u8> {
    wasm(&format!("{MEMORY} {CONTRACT} {fields}"))
}

/// `make(limit)` is a bot, and `make(limit + 1)` is refused with this code and names the limit.
fn assert_limit(what: &str, limit: usize, code: RefusalCode, make: impl Fn(usize) -> Vec<u8>) {
    assert_eq!(refusal(&make(limit)), None, "{what} at the limit");
    let past = refusal(&make(limit + 1)).unwrap_or_else(|| panic!("{what} past the limit"));
    assert_eq!(past.code, code, "{what}: {past}");
}

#[test]
fn bytes_of_the_file() {
    let bytes = with("(data (i32.const 0) \"some data\")");
    for (module_bytes, wanted) in [(bytes.len(), None), (bytes.len() - 1, Some(TooLarge)), (0, Some(TooLarge))] {
        let budgets = Budgets { module_bytes: module_bytes as u64, ..Budgets::DEFAULT };
        assert_eq!(SANDBOX.load(&bytes, &budgets).err().map(|refusal| refusal.code), wanted);
    }
    // The default, filled up with data.
    let filled = |bytes: usize| {
        wasm(&format!("(memory (export \"memory\") 17) {CONTRACT} (data (i32.const 0) \"{}\")", "x".repeat(bytes)))
    };
    let around = filled(1_000_000).len() - 1_000_000;
    let limit = Budgets::DEFAULT.module_bytes as usize;
    assert_eq!(filled(limit - around).len(), limit);
    assert_limit("bytes", limit, TooLarge, |bytes| filled(bytes - around));
    // The size is looked at before the content.
    assert_eq!(refusal(&vec![0; limit + 1]).map(|refusal| refusal.code), Some(TooLarge));
}

#[test]
fn memory_at_the_start() {
    let pages = (Budgets::DEFAULT.memory_bytes / (64 << 10)) as usize;
    let memory = |pages: usize| wasm(&format!("(memory (export \"memory\") {pages}) {CONTRACT}"));
    assert_limit("pages", pages, MemoryTooLarge, memory);
    assert_eq!(refusal(&memory(65_536)).map(|refusal| refusal.code), Some(MemoryTooLarge));
    // What a memory may grow to is not refused: growing fails.
    assert_eq!(refusal(&wasm(&format!("(memory (export \"memory\") 1 65536) {CONTRACT}"))), None);
    // A budget that is no number of pages is rounded down.
    let budgets = Budgets { memory_bytes: (2 << 16) - 1, ..Budgets::DEFAULT };
    assert!(SANDBOX.load(&memory(1), &budgets).is_ok());
    assert_eq!(SANDBOX.load(&memory(2), &budgets).err().map(|refusal| refusal.code), Some(MemoryTooLarge));
}

#[test]
fn tables() {
    let limit = TABLE_ELEMENTS_MAX as usize;
    assert_limit("elements", limit, TableTooLarge, |elements| with(&format!("(table {elements} funcref)")));
    assert_limit("elements of a second", limit, TableTooLarge, |elements| {
        with(&format!("(table 1 funcref) (table {elements} funcref)"))
    });
    assert_limit("tables", TABLES_MAX as usize, TooMany, |tables| with(&"(table 1 funcref)".repeat(tables)));
}

#[test]
fn numbers_of_things() {
    // The contract takes two functions, two types and three exports.
    assert_limit("functions", FUNCTIONS_MAX as usize, TooMany, |all| with(&"(func)".repeat(all - 2)));
    assert_limit("types", TYPES_MAX as usize, TooMany, |all| with(&"(type (func (param f32)))".repeat(all - 2)));
    assert_limit("globals", GLOBALS_MAX as usize, TooMany, |all| with(&"(global i32 (i32.const 0))".repeat(all)));
    assert_limit("exports", EXPORTS_MAX as usize, TooMany, |all| {
        with(&(3..all).map(|number| format!("(export \"e{number}\" (func 0))")).collect::<String>())
    });
    assert_limit("imports", IMPORTS_MAX as usize, TooMany, |all| {
        let imports = r#"(import "arena" "log" (func (param i32 i32)))"#.repeat(all);
        wasm(&format!("{imports} {MEMORY} {CONTRACT}"))
    });
    assert_limit("data segments", SEGMENTS_MAX as usize, TooMany, |all| {
        with(&"(data (i32.const 9) \"x\")".repeat(all))
    });
    assert_limit("element segments", SEGMENTS_MAX as usize, TooMany, |all| {
        with(&format!("(table 1 funcref) {}", "(elem (i32.const 0) func 0)".repeat(all)))
    });
}

#[test]
fn bytes_of_custom_sections() {
    let custom = |bytes: usize| section(0, &[&[4][..], b"name", &vec![b'x'; bytes]].concat());
    let one = |bytes: usize| [with(""), custom(bytes)].concat();
    assert_limit("one section", CUSTOM_BYTES_MAX, TooMany, one);
    let many = |bytes: usize| [with(""), custom(1_000).repeat(65), custom(bytes - 65_000)].concat();
    assert_limit("many sections", CUSTOM_BYTES_MAX, TooMany, many);
}

#[test]
fn bytes_of_a_function() {
    // Besides its instructions a body has a byte for its locals and one for its end.
    let body = |bytes: usize| with(&format!("(func {})", "nop ".repeat(bytes - 2)));
    assert_limit("bytes of a body", BODY_BYTES_MAX as usize, TooComplex, body);
    let past = refusal(&body(BODY_BYTES_MAX as usize + 1)).expect("past the limit");
    assert!(past.offset.is_some(), "{past}");
}

/// A function with so many locals and as many blocks.
fn function(locals: usize, blocks: usize) -> String {
    format!("(func (local{}) {})", " i32".repeat(locals), "(block)".repeat(blocks))
}

#[test]
fn locals() {
    assert_limit("locals", LOCALS_MAX as usize, TooComplex, |locals| with(&function(locals, 0)));
    assert_limit("parameters and locals", LOCALS_MAX as usize, TooComplex, |locals| {
        with(&format!("(func (param i32 i32) (local{}))", " f64".repeat(locals - 2)))
    });
    // The contract's two parameters count.
    assert_limit("locals of all", LOCALS_TOTAL_MAX as usize, TooComplex, |locals| {
        with(&format!("{} {}", function(2_000, 0).repeat(99), function(locals - 99 * 2_000 - 2, 0)))
    });
    // A single group of locals of absurd size is refused by its number, not by running out of something.
    let absurd = [b"\0asm\x01\0\0\0".to_vec(), section(1, &[1, 0x60, 0, 0]), section(3, &[1, 0])].concat();
    let body = [1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0x0b];
    let absurd = [absurd, section(10, &[&[1, body.len() as u8][..], &body].concat())].concat();
    let code = refusal(&absurd).expect("4 billion locals").code;
    assert!([TooComplex, RefusalCode::InvalidModule].contains(&code), "{code}");
}

#[test]
fn nesting_and_branches() {
    let nested = |kind: &str, depth: usize| with(&format!("(func {} {})", kind.repeat(depth), "end ".repeat(depth)));
    for kind in ["block ", "loop ", "i32.const 0 if "] {
        assert_limit(kind, NESTING_MAX, TooComplex, |depth| nested(kind, depth));
    }
    // Beside each other blocks are not nested.
    assert_eq!(refusal(&with(&function(0, 3 * NESTING_MAX))), None);

    // The last target of a table is its default, which is not counted.
    let table = |targets: usize| format!("(func (block (br_table {} 0 (i32.const 0))))", "0 ".repeat(targets));
    assert_limit("targets of a branch table", BRANCH_TARGETS_MAX as usize, TooComplex, |targets| with(&table(targets)));
    assert_limit("targets of all branch tables", BRANCH_TARGETS_MAX as usize, TooComplex, |targets| {
        with(&format!("{} {}", table(12_345), table(targets - 12_345)))
    });
}

#[test]
fn locals_times_branches() {
    let (locals, limit) = (LOCALS_MAX as usize, (LOCALS_BY_CONTROL_MAX / LOCALS_MAX) as usize);
    assert_limit("of one function", limit, TooComplex, |blocks| with(&function(locals, blocks)));
    let several = (LOCALS_BY_CONTROL_TOTAL_MAX / LOCALS_BY_CONTROL_MAX) as usize;
    assert_limit("of all functions", 0, TooComplex, |more| {
        with(&format!("{} {}", function(locals, limit).repeat(several), function(more, 1)))
    });
}
