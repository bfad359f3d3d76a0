//! Programs that do nothing but one operator, in the ways that could cost most: each an endless loop of one turn.

use super::TIMES;
use super::operators::{Operator, enabled};
use super::special::special;

/// An endless loop, as a module in the text format.
pub(crate) struct Program {
    /// The operator it is about.
    pub(crate) operator: String,
    /// How it is used.
    pub(crate) what: String,
    /// The module.
    pub(crate) module: String,
}

/// Operators without a program, and why.
const EXEMPT: [(&str, &str); 2] =
    [("unreachable", "it ends the turn"), ("typed_select_multi", "no module with it is valid")];

/// Pages of memory a bot may have at most, and its bytes.
pub(crate) const PAGES: u32 = 64;
pub(crate) const BYTES: u32 = PAGES << 16;

/// The programs of every operator; an operator without any, or with some and an excuse, is the error.
pub(crate) fn by_operator() -> Result<Vec<(String, Vec<Program>)>, Vec<String>> {
    let programs: Vec<_> = enabled().iter().map(|operator| (operator.name.clone(), programs_of(operator))).collect();
    let exempt = |name: &str| EXEMPT.iter().any(|(other, _)| *other == name);
    let odd = programs.iter().filter(|(name, programs)| programs.is_empty() != exempt(name));
    let odd: Vec<String> = odd.map(|(name, _)| name.clone()).collect();
    if odd.is_empty() { Ok(programs) } else { Err(odd) }
}

fn programs_of(operator: &Operator) -> Vec<Program> {
    let mut programs = special(&operator.name);
    if let Some((types, result)) = operator.signature().filter(|_| operator.name != "unreachable") {
        programs.extend(plain(operator, &types, result));
    }
    programs.into_iter().map(|(what, module)| Program { operator: operator.name.clone(), what, module }).collect()
}

/// The frame around a piece.
#[derive(Clone, Default)]
pub(crate) struct Shape {
    /// Pages at the start, if more than one.
    pub(crate) pages: u32,
    /// Whether the memory is filled, before the turn, with a cycle of addresses through all its cache lines.
    pub(crate) chased: bool,
    pub(crate) fields: String,
    pub(crate) locals: String,
    pub(crate) setup: String,
    /// Type and first value of what stays on the stack from piece to piece.
    pub(crate) carried: Option<(&'static str, String)>,
}

impl Shape {
    /// The module with a loop of so many pieces.
    pub(crate) fn of(&self, piece: &str, times: usize) -> String {
        let Shape { fields, locals, setup, .. } = self;
        let pages = self.pages.max(1);
        // Line n leads to line 25,173 n + 13,849 mod 65,536: one cycle, with strides that no prefetcher foresees.
        let fill = "(local.set $n (i32.const 65535))
            (loop
              (i32.store (i32.shl (local.get $n) (i32.const 6)) (i32.shl (i32.and (i32.const 65535)
                (i32.add (i32.mul (local.get $n) (i32.const 25173)) (i32.const 13849))) (i32.const 6)))
              (br_if 0 (i32.ge_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))";
        let fill = if self.chased { fill } else { "" };
        // The observation is written where no link is.
        let [declare, first, get, set] = match &self.carried {
            Some((ty, first)) => [
                format!("(local $carried {ty})"),
                format!("{first} local.set $carried"),
                "local.get $carried".into(),
                "local.set $carried".into(),
            ],
            None => [const { String::new() }; 4],
        };
        let pieces = format!("{piece}\n").repeat(times);
        format!(
            r#"(module (import "arena" "log" (func $log (param i32 i32))) (import "arena" "fuel" (func $fuel (result i64)))
            (memory (export "memory") {pages}) {fields}
            (func (export "arena_observation") (param i32) (result i32) (local $n i32) {fill} (i32.const 1056))
            (func (export "arena_turn") (param i32) (result i64) {locals} {declare} {setup} {first}
              loop $top {get} {pieces} {set} br $top end unreachable))"#
        )
    }
}

/// Values of a type that operators might treat differently: nothing, one, the largest, one in between; for floats also
/// the smallest, which processors like least.
fn values(ty: &str) -> Vec<(&'static str, String)> {
    let float = |tiny: &str| {
        [
            ("0", "0"),
            ("1", "1"),
            ("1.1", "1.1"),
            ("max", if ty == "f32" { "0x1.fffffep127" } else { "0x1.fffffffffffffp1023" }),
            ("tiny", tiny),
        ]
        .map(|(name, value)| (name, format!("{ty}.const {value}")))
        .to_vec()
    };
    match ty {
        "i32" => [("0", "0"), ("1", "1"), ("max", "-1"), ("odd", "0x12345679")]
            .map(|(name, value)| (name, format!("i32.const {value}")))
            .to_vec(),
        "i64" => [("0", "0"), ("1", "1"), ("max", "-1"), ("odd", "0x123456789abcdef1")]
            .map(|(name, value)| (name, format!("i64.const {value}")))
            .to_vec(),
        "f32" => float("0x1p-140"),
        "f64" => float("0x1p-1060"),
        _ => [
            ("0", "i64x2 0 0"),
            ("max", "i64x2 -1 -1"),
            ("f32", "f32x4 1 1.1 1 1.1"),
            ("f64", "f64x2 1 1.1"),
            ("tiny f32", "f32x4 0x1p-140 0x1p-140 0x1p-140 0x1p-140"),
            ("tiny f64", "f64x2 0x1p-1060 0x1p-1060"),
        ]
        .map(|(name, value)| (name, format!("v128.const {value}")))
        .to_vec(),
    }
}

/// Addresses: aligned, not aligned, across two pages, the last.
fn addresses() -> Vec<(&'static str, String)> {
    [("0", 0), ("1", 1), ("across pages", 4_095), ("max", BYTES - 16)]
        .map(|(name, address)| (name, format!("i32.const {address}")))
        .to_vec()
}

/// The shortest way to keep a result alive: into a sum of its type.
fn combine(ty: &str) -> &'static str {
    match ty {
        "i32" => "i32.xor",
        "i64" => "i64.xor",
        "f32" => "f32.copysign",
        "f64" => "f64.copysign",
        _ => "v128.xor",
    }
}

/// The shortest way from a type to another.
fn bridge(from: &str, to: &str) -> &'static str {
    match (from, to) {
        (from, to) if from == to => "",
        ("i32", "i64") => "i64.extend_i32_u",
        ("i32", "f32") => "f32.reinterpret_i32",
        ("i32", "f64") => "i64.extend_i32_u f64.reinterpret_i64",
        ("i32", _) => "i32x4.splat",
        ("i64", "i32") => "i32.wrap_i64",
        ("i64", "f32") => "i32.wrap_i64 f32.reinterpret_i32",
        ("i64", "f64") => "f64.reinterpret_i64",
        ("i64", _) => "i64x2.splat",
        ("f32", "i32") => "i32.reinterpret_f32",
        ("f32", "i64") => "i32.reinterpret_f32 i64.extend_i32_u",
        ("f32", "f64") => "i32.reinterpret_f32 i64.extend_i32_u f64.reinterpret_i64",
        ("f32", _) => "f32x4.splat",
        ("f64", "i32") => "i64.reinterpret_f64 i32.wrap_i64",
        ("f64", "i64") => "i64.reinterpret_f64",
        ("f64", "f32") => "i64.reinterpret_f64 i32.wrap_i64 f32.reinterpret_i32",
        ("f64", _) => "f64x2.splat",
        (_, "i32") => "i32x4.extract_lane 0",
        (_, "i64") => "i64x2.extract_lane 0",
        (_, "f32") => "f32x4.extract_lane 0",
        (_, _) => "f64x2.extract_lane 0",
    }
}

/// Every choice of one value for each operand; of three operands all are alike.
fn choices(operands: &[Vec<(&'static str, String)>]) -> Vec<Vec<(&'static str, String)>> {
    match operands {
        [one] => one.iter().map(|value| vec![value.clone()]).collect(),
        [first, second] => first.iter().flat_map(|a| second.iter().map(|b| vec![a.clone(), b.clone()])).collect(),
        [first, others @ ..] => {
            let alike = |index: usize| others.iter().map(move |values| values[index % values.len()].clone());
            (0..first.len()).map(|index| [first[index].clone()].into_iter().chain(alike(index)).collect()).collect()
        }
        [] => vec![vec![]],
    }
}

/// An operator on values: each by itself, and each on the result of the one before.
fn plain(operator: &Operator, types: &[&'static str], result: Option<&'static str>) -> Vec<(String, String)> {
    let Some(text) = operator.text() else { return Vec::new() };
    let access = operator.is_access();
    let operands: Vec<_> = types
        .iter()
        .enumerate()
        .map(|(place, ty)| if place == 0 && access { addresses() } else { values(ty) })
        .collect();
    let locals: String = types.iter().enumerate().map(|(place, ty)| format!("(local $v{place} {ty})")).collect();
    let gets = |from: usize| (from..types.len()).map(|place| format!("local.get $v{place} ")).collect::<String>();
    let mut programs = Vec::new();
    for choice in choices(&operands) {
        let names: Vec<&str> = choice.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        let setup: String =
            choice.iter().enumerate().map(|(place, (_, value))| format!("{value} local.set $v{place} ")).collect();
        let shape = Shape { pages: if access { PAGES } else { 1 }, locals: locals.clone(), setup, ..Shape::default() };
        match result {
            None => programs.push((names.clone(), shape.of(&format!("{} {text}", gets(0)), TIMES))),
            Some(result) => {
                let zero = values(result).swap_remove(0).1;
                let alone = Shape { carried: Some((result, zero)), ..shape.clone() };
                programs.push((names.clone(), alone.of(&format!("{} {text} {}", gets(0), combine(result)), TIMES)));
                if let (Some(first), Some((_, value))) = (types.first(), choice.first()) {
                    let chained = Shape { carried: Some((*first, value.clone())), ..shape.clone() };
                    let piece = format!("{} {text} {}", gets(1), bridge(result, first));
                    programs.push((format!("{names}, each on the one before"), chained.of(&piece, TIMES)));
                }
            }
        }
    }
    if access {
        programs.extend(accesses(&text, types, result));
    }
    programs
}

/// Loads and stores all over the memory: in steps, a page at a time, at random, and where the load before says.
fn accesses(text: &str, types: &[&'static str], result: Option<&'static str>) -> Vec<(String, String)> {
    let second = types.get(1).map(|ty| values(ty).swap_remove(0).1).unwrap_or_default();
    let keep = result.map(|ty| format!("{} i32.xor", bridge(ty, "i32"))).unwrap_or_default();
    let zero = ("i32", "i32.const 0".to_string());
    let within = BYTES - (1 << 16);
    let shape = Shape {
        pages: PAGES,
        chased: true,
        locals: "(local $at i32) (local $r i64)".into(),
        carried: Some(zero.clone()),
        ..Shape::default()
    };
    let mut programs = Vec::new();
    for (what, step) in
        [("by cache lines", 64), ("by pages", 4_096), ("by pages and lines", 4_160), ("by 64 KiB", 65_536)]
    {
        let piece = format!(
            "local.get $at i32.const {step} i32.add i32.const {within} i32.and local.tee $at {second} {text} {keep}",
            within = BYTES - 64,
        );
        programs.push((what.to_string(), shape.of(&piece, TIMES)));
    }
    let fresh = Shape { chased: false, ..shape.clone() };
    let piece =
        format!("local.get $at i32.const 4096 i32.add i32.const {within} i32.and local.tee $at {second} {text} {keep}");
    programs.push(("a fresh page each".into(), fresh.of(&piece, TIMES)));
    let random = format!(
        "local.get $r i64.const 6364136223846793005 i64.mul i64.const 1442695040888963407 i64.add local.tee $r
         i64.const 42 i64.shr_u i32.wrap_i64 i32.const {} i32.and {second} {text} {keep}",
        BYTES - 16
    );
    programs.push(("at random".into(), shape.of(&random, TIMES)));
    // Where the loaded bits are an address, they lead on; where they are not, they shift it.
    if let Some(result) = result {
        let chase = format!("{second} {text} {}", bridge(result, "i32"));
        programs.push(("where the one before says".into(), shape.of(&chase, TIMES)));
        let narrow =
            format!("{second} {text} {} i32.const 6 i32.shl i32.const {} i32.and", bridge(result, "i32"), BYTES - 64);
        programs.push(("where the one before says, shifted".into(), shape.of(&narrow, TIMES)));
    } else {
        let chase = format!(
            "local.tee $at {second} {text} local.get $at i32.load offset=64 i32.const {} i32.and",
            BYTES - 65_536
        );
        programs.push(("where a load before says".into(), shape.of(&chase, TIMES)));
        let reload = format!("i32.const 3 {second} {text} i32.const 0 i64.load i32.wrap_i64 i32.xor");
        programs.push(("across a load that follows".into(), shape.of(&reload, TIMES)));
    }
    programs
}
