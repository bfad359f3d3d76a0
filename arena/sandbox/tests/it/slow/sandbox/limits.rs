//! Every limit of a module, at the limit and one past it.

use arena_record::Budgets;
use arena_sandbox::RefusalCode::{self, MemoryTooLarge, TableTooLarge, TooComplex, TooLarge, TooMany};
use arena_sandbox::*;

use super::bots::{CONTRACT, SANDBOX, refusal, section, wasm};

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

/// The same for modules that take seconds to compile at the limit: the check alone, which decides.
fn assert_weight_limit(what: &str, limit: usize, make: impl Fn(usize) -> Vec<u8>) {
    let checked = |weight| check(&make(weight), &Budgets::DEFAULT).map_err(|refusal| refusal.code);
    assert_eq!(checked(limit), Ok(()), "{what} at the limit");
    assert_eq!(checked(limit + 1), Err(TooComplex), "{what} past the limit");
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
    // What the file is comes before its size.
    assert_eq!(refusal(&vec![0; limit + 1]).map(|refusal| refusal.code), Some(RefusalCode::NotWasm));
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
fn custom_sections() {
    // Names count like data: a section is a byte for the length of its name, the name, and the data.
    let custom = |name: usize, data: usize| {
        let mut payload = Vec::new();
        let mut length = name;
        while length >= 0x80 {
            payload.push(length as u8 | 0x80);
            length >>= 7;
        }
        payload.push(length as u8);
        payload.resize(payload.len() + name + data, b'x');
        section(0, &payload)
    };
    let limit = CUSTOM_BYTES_MAX as usize;
    assert_limit("bytes of data", limit, TooMany, |bytes| [with(""), custom(4, bytes - 5)].concat());
    assert_limit("bytes of a name", limit, TooMany, |bytes| [with(""), custom(bytes - 3, 0)].concat());
    assert_limit("bytes of many sections", limit, TooMany, |bytes| {
        [with(""), custom(9, 990).repeat(63), custom(4, bytes - 63_000 - 5)].concat()
    });
    assert_limit("sections", CUSTOM_SECTIONS_MAX as usize, TooMany, |all| {
        [with(""), custom(0, 0).repeat(all)].concat()
    });
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
    // A vector counts twice, whether it is a local or a parameter.
    assert_limit("vectors", LOCALS_MAX as usize, TooComplex, |locals| {
        with(&format!("(func (param v128) (local{} {}))", " v128".repeat(locals / 2 - 1), "i32 ".repeat(locals % 2)))
    });
    // The contract's two parameters count.
    let (most, groups) = (LOCALS_MAX as usize, (LOCALS_TOTAL_MAX / LOCALS_MAX - 1) as usize);
    assert_limit("locals of all", LOCALS_TOTAL_MAX as usize, TooComplex, |locals| {
        with(&format!("{} {}", function(most, 0).repeat(groups), function(locals - groups * most - 2, 0)))
    });
    // A single group of locals of absurd size is refused by its number, not by running out of something. The code
    // section comes last: its id, its length of a byte, three bodies, the last of them empty.
    let whole = with("(func)");
    let start = whole.len() - 22;
    assert_eq!((&whole[start..start + 3], &whole[whole.len() - 3..]), (&[10, 20, 3][..], &[2, 0, 0x0b][..]));
    let body = [1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0x0b];
    let bodies = [&whole[start + 2..whole.len() - 3], &[body.len() as u8], &body].concat();
    let absurd = [&whole[..start], &section(10, &bodies)].concat();
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

/// What a body weighs beside that of an empty function with so many locals.
fn weight_of(locals: usize, body: &str) -> u64 {
    let of = |body: &str| {
        let function = format!("(func (param i32) (local{}) {body})", " i32".repeat(locals - 1));
        compile_weight(&with(&format!("(type $f (func (param i32))) (table 1 funcref) {function}")))
    };
    of(body) - of("")
}

#[test]
fn weight_of_what_is_alive_across_branches() {
    let (one, block, branch) = (COMPILE_WEIGHT_OF_ALIVE, 12 + 1, 40);
    for locals in [1, 10, 1_000] {
        let alive = one * locals as u64;
        for (body, operators, ways) in [
            ("(block)", block, 1),
            ("(loop)", 200 + 1, 1),
            ("(if (local.get 0) (then) (else))", 1 + branch + branch + 1, 2),
            ("(br_if 0 (local.get 0))", 1 + branch, 1),
            ("(block (br_if 0 (local.get 0)))", block + 1 + branch, 2),
            ("(block (br_table 0 0 1 0 (local.get 0)))", block + 1 + branch, 5),
            ("(return)", 1, 1),
        ] {
            assert_eq!(weight_of(locals, body), operators + ways * alive, "{body} with {locals}");
        }
    }
    // Operands that wait are alive like locals.
    assert_eq!(weight_of(10, "(local.get 0) (local.get 0) (block) (drop) (drop)"), 4 + block + 12 * one);
}

#[test]
fn weight_of_what_is_merged() {
    let sets = |count: usize| (0..count).map(|local| format!("(local.set {local} (i32.const 1))")).collect::<String>();
    let weight = |merged: u64, squares: u64| {
        merged + merged * merged / COMPILE_MERGED_DIVISOR + squares / COMPILE_MERGED_OFTEN_DIVISOR
    };
    let (locals, of_set) = (500, 2);
    // The code around the sets, the number of these, and what is merged.
    for (before, sets, after, merged, squares) in [
        // Outside of blocks, or where a single way leads, nothing is merged.
        ("", sets(500), "", 0, 0),
        ("(block", sets(100), ")", 0, 0),
        ("(block", sets(100), "(br 0))", 0, 0),
        ("(if (local.get 0) (then", sets(100), "(return)) (else (nop)))", 0, 0),
        // Each local once for each of several ways, however often it is set.
        ("(block", sets(100), "(br_if 0 (local.get 0)))", 200, 100 * 4),
        ("(block", sets(100).repeat(3), "(br_if 0 (local.get 0)))", 200, 100 * 4),
        ("(loop", sets(100), "(br_if 0 (local.get 0)))", 200, 100 * 4),
        ("(loop", sets(100), ")", 0, 0),
        ("(if (local.get 0) (then", sets(100), "))", 200, 100 * 4),
        ("(if (local.get 0) (then", sets(100), ") (else (nop)))", 200, 100 * 4),
        // In each other.
        ("(block (block", sets(100), "(br_if 1 (local.get 0))))", 200, 100 * 4),
        ("(block (block", sets(100), "(br_if 0 (local.get 0)) (br_if 1 (local.get 0))))", 400, 100 * 16),
        ("(block", sets(9), "(br_if 0 (local.get 0)) (br_if 1 (local.get 0)))", 18, 9 * 4),
    ] {
        let body = format!("{before} {sets} {after}");
        let others =
            weight_of(locals, &format!("{before} {after}")) + of_set * sets.matches("local.set").count() as u64;
        assert_eq!(weight_of(locals, &body), others + weight(merged, squares), "{body:.60}");
    }
}

#[test]
fn weight_of_operators() {
    // A local is alive at branches.
    let alive = COMPILE_WEIGHT_OF_ALIVE;
    for (instructions, weight) in [
        ("(br_if 0 (local.get 0))", 41 + alive),
        ("(call 0 (local.get 0)) drop", 27),
        ("(drop (f64.sqrt (f64.convert_i32_s (local.get 0))))", 26),
        ("(drop (f64.nearest (f64.const 1)))", 22),
        ("(drop (memory.grow (local.get 0)))", 102),
        ("(call_indirect (type $f) (local.get 0) (local.get 0))", 82),
        ("(drop (table.get (local.get 0)))", 82),
        ("(memory.fill (local.get 0) (local.get 0) (local.get 0))", 83),
        ("(drop (i32.load offset=16777215 (local.get 0)))", 18),
        ("(drop (i32.load offset=16777216 (local.get 0)))", 62),
        ("(i32.store offset=4294967295 (local.get 0) (local.get 0))", 62),
        ("(drop (v128.load8_lane offset=16777216 1 (local.get 0) (v128.const i64x2 1 1)))", 64),
        ("(drop (i64.popcnt (i64.const 1)))", 10),
        ("(drop (select (i32.const 1) (i32.const 2) (i32.eqz (local.get 0))))", 11),
        ("(drop (i32x4.add (v128.const i64x2 1 1) (v128.const i64x2 1 1)))", 13),
        ("(drop (i64x2.mul (v128.const i64x2 1 1) (v128.const i64x2 1 1)))", 29),
        ("(drop (f64x2.min (v128.const i64x2 1 1) (v128.const i64x2 1 1)))", 29),
        ("(drop (f64x2.sqrt (v128.const i64x2 1 1)))", 15),
    ] {
        assert_eq!(weight_of(1, instructions), weight, "{instructions}");
    }
}

#[test]
fn weight_of_functions() {
    // An empty function weighs this, with its end; the contract has two, with a constant each.
    let empty = COMPILE_WEIGHT_OF_FUNCTION as usize + 1;
    let limit = COMPILE_WEIGHT_TOTAL_MAX as usize - 2 * (empty + 1);
    // Bodies of 1,000 loads each, one of what is missing, and one of what is missing then.
    let ending = |count: usize, end: &str| {
        format!("(func (param i32) (local.get 0) {} (drop) {end})", "(i32.load)".repeat(count))
    };
    let (each, frame) = (16, empty + 2);
    let weighing = |all: usize| {
        let (all, whole) = (all - 2 * frame, 1_000 * each + frame);
        let (count, rest) = (all / whole, all % whole);
        let nops = "(nop)".repeat(rest % each);
        with(&format!("{} {} {}", ending(1_000, "").repeat(count), ending(rest / each, ""), ending(0, &nops)))
    };
    assert_weight_limit("of all functions", limit, weighing);
    let loops = (COMPILE_WEIGHT_MAX as usize - empty) / 201;
    let one = |weight: usize| {
        let rest = "nop ".repeat(weight - loops * 201 - empty);
        with(&format!("(func {} {rest})", "(loop)".repeat(loops)))
    };
    assert_weight_limit("of one function", COMPILE_WEIGHT_MAX as usize, one);
}

#[test]
fn operands_on_the_stack() {
    let stacked = |operands: usize, body: &str| with(&format!("(func {} {body})", "(i32.const 1)".repeat(operands)));
    let limit = OPERANDS_MAX as usize;
    assert_limit("constants", limit, TooComplex, |operands| stacked(operands, "(unreachable)"));
    // Results of calls wait like anything else, and blocks do not hide what is below them.
    assert_limit("in a block", limit, TooComplex, |operands| {
        stacked(operands - 1, "(block (drop (i32.const 1))) (unreachable)")
    });
    let calls = |operands: usize| {
        let fields = "(func $ten (result i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (unreachable))";
        let rest = "(i32.const 1)".repeat(operands % 10);
        with(&format!("{fields} (func {} {rest} (unreachable))", "(call $ten)".repeat(operands / 10)))
    };
    assert_limit("results of calls", limit, TooComplex, calls);
    let past = refusal(&stacked(limit + 1, "(unreachable)")).expect("past the limit");
    assert!(past.offset.is_some() && past.message.english().contains("operands"), "{past}");
}

#[test]
fn parameters_and_results() {
    let signature = |kind: &str, count: usize| with(&format!("(type (func ({kind}{})))", " i64".repeat(count)));
    assert_limit("parameters", PARAMS_MAX, TooComplex, |count| signature("param", count));
    assert_limit("results", CARRIED_MAX, TooComplex, |count| signature("result", count));
}

/// `count` operands of type i32, each pushed or dropped.
fn each(operator: &str, count: usize) -> String {
    format!("({operator})").repeat(count)
}

#[test]
fn values_carried_by_blocks() {
    // A block that takes some values and leaves as many as it is allowed to, between pushes and drops.
    let block = |kind: &str, values: usize| {
        let (params, results) = (values / 2, values - values / 2);
        let (p, r, more) = (" i32".repeat(params), " i32".repeat(results), each("i32.const 1", results - params));
        let push = each("i32.const 1", params);
        let (open, end) =
            if kind == "if" { ("(i32.const 1) if", format!("else {more} end")) } else { (kind, "end".into()) };
        with(&format!("(func {push} {open} (param{p}) (result{r}) {more} {end} {})", each("drop", results)))
    };
    for kind in ["block", "loop", "if"] {
        assert_limit(kind, CARRIED_MAX, TooComplex, |values| block(kind, values));
    }
    // The sum: by blocks, by each branch that leaves one, and by calls beyond their first result.
    let all = CARRIED_TOTAL_MAX as usize;
    let ten = " i32".repeat(10);
    let carrying = |values: usize, per: usize, piece: &str| {
        assert!(values % per < 10);
        let blocks = format!("block (result{ten}) {} end {}", each("i32.const 1", 10), each("drop", 10));
        // What ten do not divide is carried by blocks of one.
        let rest = "(drop (block (result i32) (i32.const 1)))".repeat(values % per);
        let piece = if piece.is_empty() { &blocks } else { piece };
        // Several functions, because a body has a limit of its own.
        let function = |count: usize| format!("(func {})", piece.repeat(count));
        let count = values / per;
        let full = function(500).repeat(count / 500);
        with(&format!(
            "(func $eleven (result i32{ten}) {}) {full} {} (func {rest})",
            each("i32.const 1", 11),
            function(count % 500)
        ))
    };
    assert_limit("by blocks", all, TooComplex, |values| carrying(values, 10, ""));
    let calls = format!("(call $eleven) {}", each("drop", 11));
    assert_limit("by calls", all, TooComplex, |values| carrying(values, 10, &calls));
    let branch =
        |branch: &str| format!("block (result{ten}) {} {branch} end {}", each("i32.const 1", 10), each("drop", 10));
    for (what, operator, per) in [
        ("by br", "(br 0)", 20),
        ("by br_if", "(i32.const 1) (br_if 0)", 20),
        ("by br_table", "(i32.const 1) (br_table 0 0 0 0)", 50),
    ] {
        assert_limit(what, all, TooComplex, |values| carrying(values, per, &branch(operator)));
    }
}

/// What took 15 seconds to compile while it was allowed: many values that every block takes and leaves.
#[test]
fn a_bomb_of_carried_values_is_refused() {
    let values = " i64".repeat(495);
    let blocks = format!("block (param{values}) (result{values}) (br_if 0 (i32.const 1)) end ").repeat(200);
    let bomb = with(&format!("(func {} {blocks} {})", each("i64.const 1", 495), each("drop", 495)));
    assert_eq!(refusal(&bomb).map(|refusal| refusal.code), Some(TooComplex));
}
