//! A9 to A11 and A13 to A17: modules that are no bots.

use arena_record::ForfeitCode::Trap;
use arena_sandbox::RefusalCode::{
    FeatureNotAllowed, InvalidModule, MemoryTooLarge, MissingExport, TableTooLarge, TooLarge, TooMany, UnknownImport,
};

use super::bots::{COMPONENT, CONTRACT, MEMORY, custom, doing, honest, wasm, with};
use super::rows::Wanted::{Accepted, Forfeits, Refused};
use super::rows::{Case, Engine, Row, When, case, cases, law, sample};

pub(crate) fn rows() -> Vec<Row> {
    vec![
        cases("A9", memories()),
        cases("A10", tables()),
        cases("A11", segments()),
        cases("A13", imports()),
        cases("A14", exports()),
        cases("A15", proposals()),
        cases("A15", odd_encodings()),
        cases("A16", custom_sections()),
        law("A16", names_are_never_shown),
        cases("A17", multitudes()),
    ]
}

fn memories() -> Vec<Case> {
    let memory =
        |pages: &str, words| case(pages, wasm(&format!("(memory (export \"memory\") {pages}) {CONTRACT}")), words);
    vec![
        memory("65536", Refused(MemoryTooLarge, "4294967296 bytes")),
        memory("65", Refused(MemoryTooLarge, "4194304 are allowed")),
        memory("65537", Refused(MemoryTooLarge, "4295032832 bytes")),
        memory("2 1", Refused(InvalidModule, "broken")),
    ]
}

fn tables() -> Vec<Case> {
    let table = |table: &str, wanted| case(table, with(&format!("(table {table})")), wanted);
    vec![
        table("4000000000 funcref", Refused(TableTooLarge, "4000000000 elements")),
        table("10001 funcref", Refused(TableTooLarge, "10000 are allowed")),
        table("4294967295 4294967295 funcref", Refused(TableTooLarge, "4294967295 elements")),
        table("1 funcref) (table 10001 funcref", Refused(TableTooLarge, "10001 elements")),
        table("1 funcref) (table 1 funcref) (table 1 funcref", Refused(TooMany, "3 tables")),
    ]
}

fn segments() -> Vec<Case> {
    let past = |what: &str, fields: &str, words| case(what, doing(fields, ""), Forfeits(Trap, words, When::AtStart));
    vec![
        past("data past the memory", "(data (i32.const 65535) \"xy\")", "memory was accessed"),
        past("data at the last address", "(data (i32.const -1) \"x\")", "memory was accessed"),
        past("data that ends nowhere", "(data (i32.const 65537) \"\")", "memory was accessed"),
        past("elements past the table", "(table 1 funcref) (elem (i32.const 1) func $honest)", "table was accessed"),
        past("elements at the last", "(table 1 funcref) (elem (i32.const -1) func $honest)", "table was accessed"),
    ]
}

fn imports() -> Vec<Case> {
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
        r#"(import "arena" "log" (memory 1))"#,
        r#"(import "arena" "fuel" (func))"#,
        r#"(import "arena" "fuel" (func (result i32)))"#,
        r#"(import "arena" "fuel" (func (param i32) (result i64)))"#,
        r#"(import "arena" "fuel" (global i64))"#,
        r#"(import "arena" "log" (func (param i32 i32))) (import "arena" "now" (func (result i64)))"#,
        r#"(import "a\0a\1b[31mred\"" "name" (func))"#,
        r#"(import "<script>alert(1)</script>\e2\80\ae" "" (func))"#,
    ];
    let mut all: Vec<Case> = imports
        .into_iter()
        .map(|import| {
            case(import, wasm(&format!("{import} {MEMORY} {CONTRACT}")), Refused(UnknownImport, "arena::log"))
        })
        .collect();
    let long = format!("(import \"arena\" \"{}\" (func)) {MEMORY} {CONTRACT}", "x".repeat(5_000));
    all.push(case("a name of 5,000 letters", wasm(&long), Refused(UnknownImport, "arena::xxx")));
    all
}

fn exports() -> Vec<Case> {
    let observation = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 0))"#;
    let turn = r#"(func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;
    let function = |name: &str, ty: &str| format!("(func (export \"{name}\") {ty} (unreachable))");
    let other_observation = |ty: &str| format!("{MEMORY} {turn} {}", function("arena_observation", ty));
    let other_turn = |ty: &str| format!("{MEMORY} {observation} {}", function("arena_turn", ty));
    let modules = [
        (String::new(), "`arena_observation`"),
        (format!("{observation} {turn}"), "`memory`"),
        (format!("(memory 1) {observation} {turn}"), "`memory`"),
        (format!("(memory (export \"Memory\") 1) {observation} {turn}"), "`memory`"),
        (format!("(memory 1) {} {observation} {turn}", function("memory", "")), "`memory`"),
        (format!("{MEMORY} {turn}"), "`arena_observation`"),
        (format!("{MEMORY} {observation}"), "`arena_turn`"),
        (format!("{MEMORY} {observation} {}", turn.replace("arena_turn", "arena_Turn")), "`arena_turn`"),
        (other_observation(""), "`arena_observation`"),
        (other_observation("(param i32)"), "`arena_observation`"),
        (other_observation("(result i32)"), "`arena_observation`"),
        (other_observation("(param i32) (result i64)"), "`arena_observation`"),
        (other_observation("(param i64) (result i32)"), "`arena_observation`"),
        (other_observation("(param i32 i32) (result i32)"), "`arena_observation`"),
        (other_observation("(param i32) (result i32 i32)"), "`arena_observation`"),
        (other_turn("(param i32) (result i32)"), "`arena_turn`"),
        (other_turn("(param i32) (result f64)"), "`arena_turn`"),
        (other_turn("(param i32 i32) (result i64)"), "`arena_turn`"),
        (format!("{MEMORY} {observation} (global (export \"arena_turn\") i64 (i64.const 0))"), "`arena_turn`"),
        (
            format!("(func (export \"arena_turn\") (import \"arena\" \"log\") (param i32 i32)) {MEMORY} {observation}"),
            "`arena_turn`",
        ),
    ];
    let missing = |(fields, name): (String, _)| case(fields.clone(), wasm(&fields), Refused(MissingExport, name));
    let mut all: Vec<Case> = modules.into_iter().map(missing).collect();
    let twice = with("(export \"arena_turn\" (func 1))");
    all.push(case("an export twice", twice, Refused(InvalidModule, "duplicate export")));
    all
}

fn proposals() -> Vec<Case> {
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
    let refused = |(what, memory, fields)| {
        case(what, wasm(&format!("{memory} {CONTRACT} {fields}")), Refused(FeatureNotAllowed, "a feature"))
    };
    let mut all: Vec<Case> = proposals.into_iter().map(refused).collect();
    all.push(case("a component", COMPONENT.to_vec(), Refused(FeatureNotAllowed, "components")));
    // The log's type follows from the feature.
    let log = r#"(import "arena" "log" (func (param i64 i64)))"#;
    let wasm64 = wasm(&format!(r#"{log} (memory (export "memory") i64 1) {CONTRACT}"#));
    all.push(case("a build for wasm64", wasm64, Refused(FeatureNotAllowed, "64-bit memory")));
    all
}

/// What Node 20 does not compile: parts of proposals that were accepted later, which any of the others takes.
fn odd_encodings() -> Vec<Case> {
    const FILL: &str = "(memory.fill (i32.const 0) (i32.const 0) (i32.const 0)) nop";
    let odd = |what: &str, code: &str, usual: &[u8], odd: &[u8]| {
        let mut bytes = doing(&format!("(func {code})"), "");
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(usual)).collect();
        let [at] = places[..] else { panic!("{what}: {places:?}") };
        bytes.splice(at..at + usual.len(), odd.iter().copied());
        case(what, bytes, Accepted).fails_in(Engine::V8)
    };
    vec![
        // `nop` makes room for another byte.
        odd("a memory in two bytes", FILL, &[0xfc, 11, 0, 1], &[0xfc, 11, 0x80, 0]),
        odd(
            "a reference at length",
            "nop block (result funcref) ref.null func end drop",
            &[1, 2, 0x70, 0xd0, 0x70],
            &[2, 0x63, 0x70, 0xd0, 0x70],
        ),
    ]
}

/// Bytes in the names of things that would colour a terminal, break a page, turn its text round, or forge a line.
const RUDE: &[u8] = b"\x1b[31mred\x07\r\n<script>alert(1)</script>\xe2\x80\xae\xe2\x81\xa6\0";

/// mason with names for itself and its functions that are rude.
fn rude_names() -> Vec<u8> {
    let name = [&[RUDE.len() as u8][..], RUDE].concat();
    let module = [&[0, name.len() as u8][..], &name].concat();
    let functions = [&[1, 1 + 1 + name.len() as u8, 1, 0][..], &name].concat();
    [honest(), custom("name", &[module, functions].concat())].concat()
}

fn custom_sections() -> Vec<Case> {
    let zeroes = |bytes: usize| [honest(), custom("z", &vec![0; bytes])].concat();
    let so_many = |sections: usize, bytes: usize| [honest(), custom("z", &vec![0; bytes]).repeat(sections)].concat();
    let names: Vec<u8> = (0..100_000_u32).flat_map(|number| [number as u8, 1, b'f']).collect();
    vec![
        case("1 MiB of zeroes", zeroes(1 << 20), Refused(TooLarge, "are allowed")),
        case("nearly 1 MiB of zeroes", zeroes((1 << 20) - 4_000), Refused(TooMany, "custom sections")),
        case("10,000 sections", so_many(10_000, 0), Refused(TooMany, "65 custom sections")),
        case(
            "a name of 99,000 letters",
            [honest(), custom(&"x".repeat(99_000), &[])].concat(),
            Refused(TooMany, "custom sections"),
        ),
        case("100,000 names", [honest(), custom("name", &names)].concat(), Refused(TooMany, "custom sections")),
        case("a few sections", so_many(60, 100), Accepted),
        case("rude names", rude_names(), Accepted),
        case("broken names", [honest(), custom("name", &[0xff; 1_000])].concat(), Accepted),
    ]
}

/// Nothing of a `name` section is in what a page or a terminal is given: not in a verdict, and not in a record.
fn names_are_never_shown() {
    let rude = sample("A16, rude names", &rude_names());
    assert_eq!(arena_sandbox::exports(&rude_names()), arena_sandbox::exports(&honest()));
    for game in &rude.games {
        let text = game.record.to_text();
        assert!(!text.contains("script") && !text.contains("red["), "{text}");
    }
    // Also where the code traps in a function of that name.
    let trap = wasm(&format!(
        "{MEMORY} {} (func $<script> (export \"arena_turn\") (param i32) (result i64) (unreachable))",
        r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 1024))"#
    ));
    let (_, forfeit) = sample("A16, a trap", &trap).forfeit().map(|(seat, forfeit)| (seat, forfeit.clone())).unwrap();
    assert!(!forfeit.to_string().contains("script"), "{forfeit}");
}

fn multitudes() -> Vec<Case> {
    let exports: String = (0..60_000).map(|number| format!("(export \"{number}\" (func 0))")).collect();
    let log = r#"(import "arena" "log" (func (param i32 i32)))"#;
    vec![
        case("60,000 exports", with(&exports), Refused(TooMany, "60003 exports")),
        case(
            "10,000 imports",
            wasm(&format!("{} {MEMORY} {CONTRACT}", log.repeat(10_000))),
            Refused(TooMany, "10000 imports"),
        ),
        case("10,000 globals", with(&"(global i32 (i32.const 0))".repeat(10_000)), Refused(TooMany, "10000 globals")),
        case("100,000 types", with(&"(type (func))".repeat(100_000)), Refused(TooMany, "types")),
        case("10,000 data segments", with(&"(data \"\")".repeat(10_000)), Refused(TooMany, "10000 data segments")),
        case(
            "10,000 element segments",
            with(&"(elem func 0)".repeat(10_000)),
            Refused(TooMany, "10000 element segments"),
        ),
    ]
}
