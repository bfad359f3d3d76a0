//! Valid modules that keep the contract, but would take a compiler minutes or gigabytes: `arena check` refuses them
//! within its limits, at once, with a reason, and with little memory.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};

use crate::process::finished;

/// The processor time that `arena check` may take for an answer, in seconds: the kernel ends it if it takes more. A
/// worker's limit on compiling is 10 s; a bomb that the check recognises never reaches a worker.
const PROCESSOR_SECONDS_MAX: u64 = 12;
/// The memory limit of `arena check` itself, in bytes: the kernel grants no more, and without memory it would abort.
/// Refusing a bomb takes a fifth of it: the program's start, the file once, and notes on at most 4,000 functions.
const MEMORY_BYTES_MAX: u64 = 8 << 20;

/// The contract, kept: the answer is 4 bytes at address 0.
const CONTRACT: &str = r#"(memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x400000000))"#;

/// A bot with additional fields.
fn with(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {CONTRACT} {fields})")).unwrap()
}

/// The code of what `arena check` answers within these limits.
fn check(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join("bomb.wasm");
    fs::write(&path, bytes).unwrap();
    let limits = format!("ulimit -d {}; ulimit -t {PROCESSOR_SECONDS_MAX}", MEMORY_BYTES_MAX >> 10);
    let limited = format!("{limits}; exec \"$0\" check --json \"$1\"");
    let mut shell = Command::new("/bin/sh");
    let output = finished(shell.args(["-c", &limited, env!("CARGO_BIN_EXE_arena")]).arg(&path));
    assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["accepted"], false, "{name}");
    let code = verdict["code"].as_str().unwrap().to_string();
    println!("{name}: {code}: {}", verdict["message"]);
    code
}

/// Nested blocks of a kind around nothing.
fn nested(kind: &str, depth: usize) -> String {
    format!("{} {}", kind.repeat(depth), "end ".repeat(depth))
}

fn locals(count: usize) -> String {
    format!("(local{})", " i32".repeat(count))
}

/// Branches across which locals stay alive.
fn ifs(locals: usize, count: usize) -> String {
    let one = |at: usize| {
        let (to, from) = (at % locals, at * 7 % locals);
        format!("(if (local.get 0) (then (local.set {to} (local.get {from}))))")
    };
    (0..count).map(one).collect()
}

/// The bombs by name, as measured, each at the maximum size of an upload if that is smaller.
fn bombs() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let many = |count: usize| "(func)".repeat(count);
    let exported: String = (0..60_000).map(|number| format!("(func (export \"f{number}\"))")).collect();
    let targets = |count: usize| format!("(func (block (br_table{} (i32.const 0))))", " 0".repeat(count));
    let carrying = |values: usize| {
        let (types, zeroes) = (" i32".repeat(values), "i32.const 0 ".repeat(values));
        let block = format!("(block (param{types}) (result{types}))");
        format!("(func {zeroes} {} {})", block.repeat(2_000), "drop ".repeat(values))
    };
    let waiting = |operands: usize| {
        let (push, drop) = ("local.get 0 ".repeat(operands), "drop ".repeat(operands));
        format!("(func (param i32) {push} {} {drop})", "(block (br_if 0 (local.get 0)))".repeat(4_000))
    };
    let roots = format!("(func (param f64) local.get 0 {} drop)", "f64.sqrt ".repeat(130_000));
    let calls = format!("(func {})", "call 2 ".repeat(65_000));
    vec![
        ("49,000 locals in 1,000 functions", with_locals(1_000), "too_complex"),
        ("49,000 locals in 3,900 functions", with_locals(3_900), "too_complex"),
        ("20,000 nested blocks", with(&format!("(func {})", nested("block ", 20_000))), "too_complex"),
        ("300,000 nested blocks", with(&format!("(func {})", nested("block ", 300_000))), "too_complex"),
        ("20,000 functions", with(&many(20_000)), "too_many"),
        ("200,000 functions", with(&many(200_000)), "too_many"),
        ("60,000 exported functions", with(&exported), "too_many"),
        ("a straight line of 1 MB", with(&format!("(func{})", " i32.const 1 drop".repeat(340_000))), "too_complex"),
        (
            "1,000 locals across 4,000 ifs",
            with(&format!("(func {} {})", locals(1_000), ifs(1_000, 4_000))),
            "too_complex",
        ),
        (
            "1,000 locals across 80,000 ifs",
            with(&format!("(func {} {})", locals(1_000), ifs(100, 80_000))),
            "too_complex",
        ),
        (
            "1,000 locals across 60 ifs in each of 3,000 functions",
            with(&format!("(func {} {})", locals(1_000), ifs(1_000, 60)).repeat(600)),
            "too_complex",
        ),
        (
            "500 nested loops across 1,000 locals",
            with(&format!("(func {} {})", locals(1_000), nested("loop ", 500))),
            "too_complex",
        ),
        (
            "190 nested loops, each branching to all, across 900 locals",
            with(&format!(
                "(func {} {} {} {})",
                locals(900),
                "loop ".repeat(190),
                (0..190).map(|depth| format!("local.get 0 br_if {depth} ")).collect::<String>().repeat(5),
                "end ".repeat(190)
            )),
            "too_complex",
        ),
        ("1,000,000 targets of a branch table", with(&targets(1_000_000)), "too_complex"),
        ("100,000 targets of a branch table", with(&targets(100_000)), "too_complex"),
        ("1,000 values carried by 2,000 blocks", with(&carrying(1_000)), "too_complex"),
        ("40,000 loops beside each other", with(&format!("(func {})", "(loop)".repeat(40_000))), "too_complex"),
        (
            "30,000 branches",
            with(&format!("(func (param i32) {})", "(br_if 0 (local.get 0))".repeat(30_000))),
            "too_complex",
        ),
        ("8 functions of nothing but roots", with(&roots.repeat(8)), "too_complex"),
        ("8 functions of nothing but calls", with(&calls.repeat(8)), "too_complex"),
        ("10,000 operands that wait across branches", with(&waiting(10_000)), "too_complex"),
    ]
}

/// Functions with 49,000 locals each and no code; the locals are one group of some nine bytes. As text, each local
/// would be named.
fn with_locals(functions: u32) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([ValType::I32], [ValType::I64]);
    types.ty().function([], []);
    let (mut indices, mut bodies) = (FunctionSection::new(), CodeSection::new());
    let mut add = |ty: u32, locals: u32, answer: Option<Instruction>| {
        indices.function(ty);
        let mut body = Function::new((locals > 0).then_some((locals, ValType::I64)));
        for instruction in answer.into_iter().chain([Instruction::End]) {
            body.instruction(&instruction);
        }
        bodies.function(&body);
    };
    add(0, 0, Some(Instruction::I32Const(1_024)));
    add(1, 0, Some(Instruction::I64Const(4 << 32)));
    (0..functions).for_each(|_| add(2, 49_000, None));
    let mut memories = MemorySection::new();
    let one_page = MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
    memories.memory(one_page);
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("arena_observation", ExportKind::Func, 0);
    exports.export("arena_turn", ExportKind::Func, 1);
    let mut module = Module::new();
    module.section(&types).section(&indices).section(&memories).section(&exports).section(&bodies);
    module.finish()
}

#[test]
fn every_bomb_is_refused_at_once_and_on_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, wanted) in bombs() {
        assert!(bytes.len() <= 1 << 20, "{name} has {} bytes and would be refused for that", bytes.len());
        assert_eq!(check(folder.path(), name, &bytes), wanted, "{name}");
    }
}
