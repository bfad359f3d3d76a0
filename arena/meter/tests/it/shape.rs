//! What a metered module looks like.

use arena_meter::{
    Checks, FUEL, Maxima, MeterError, STACK, START, USED, USED_WITH_CALLS, WITHHELD, features, meter, meter_checking,
};
use wasmparser::{Operator, Parser, Payload, Validator};

use crate::proof::prove;
use crate::surgery::operators;
use crate::{MAXIMA, bot, metered};

fn module(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {fields})")).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of the exports, and of the custom sections.
fn names(module: &[u8]) -> (Vec<String>, Vec<String>) {
    let (mut exports, mut customs) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module).flatten() {
        match payload {
            Payload::ExportSection(section) => exports.extend(section.into_iter().flatten().map(|e| e.name.to_owned())),
            Payload::CustomSection(section) => customs.push(section.name().to_owned()),
            _ => {}
        }
    }
    (exports, customs)
}

#[test]
fn only_the_contract_and_the_counters_are_exported_and_only_names_are_kept() {
    let mut bytes = bot();
    // Two custom sections more, one of them with offsets.
    bytes.extend(b"\0\x07\x04code\0\0");
    bytes.extend(b"\0\x03\x02xy");
    let (exports, customs) = names(&metered(&bytes).module);
    assert_eq!(exports, ["memory", "arena_observation", "arena_turn", FUEL, STACK, START]);
    assert_eq!(customs, ["name"]);
    let profiled = meter_checking(&bytes, MAXIMA, Checks::Everywhere).expect("a bot").module;
    let (used, exports): (Vec<String>, _) =
        names(&profiled).0.into_iter().partition(|name| name.starts_with(USED.trim_end()));
    assert_eq!(exports, ["memory", "arena_observation", "arena_turn", FUEL, STACK, WITHHELD, START]);
    let functions = (0..11).flat_map(|function| [format!("{USED}{function}"), format!("{USED_WITH_CALLS}{function}")]);
    assert_eq!(used, functions.collect::<Vec<_>>());
}

#[test]
fn a_module_is_metered_to_the_same_bytes_each_time_and_is_valid() {
    let metered = metered(&bot()).module;
    assert_eq!(metered, crate::metered(&bot()).module);
    Validator::new_with_features(features()).validate_all(&metered).expect("valid");
}

#[test]
fn the_start_costs_its_data_and_its_call() {
    for (fields, fuel) in [
        ("", 0),
        ("(memory 1) (data (i32.const 0) \"12345\")", 1 + 1 + 5),
        ("(memory 1) (data (i32.const 0) \"\") (data (i32.const 0) \"1\") (data \"passive\")", 1 + 1 + 2),
        ("(func $f) (start $f)", 1 + 1),
        ("(table 1 funcref) (elem (i32.const 0) $f) (func $f)", 0),
    ] {
        assert_eq!(metered(&module(fields)).start_fuel, fuel, "{fields}");
    }
}

#[test]
fn memory_and_tables_have_their_maxima_in_their_types() {
    let text = "(memory 1 70) (table 1 20 funcref) (table 1 funcref)";
    let metered = metered(&module(text)).module;
    let mut maxima = Vec::new();
    for payload in Parser::new(0).parse_all(&metered).flatten() {
        match payload {
            Payload::TableSection(tables) => maxima.extend(tables.into_iter().flatten().map(|table| table.ty.maximum)),
            Payload::MemorySection(memories) => maxima.extend(memories.into_iter().flatten().map(|ty| ty.maximum)),
            _ => {}
        }
    }
    assert_eq!(maxima, [Some(20), Some(10_000), Some(64)]);
}

/// The functions' own code.
fn bodies(module: &[u8]) -> Vec<Vec<u8>> {
    let code = Parser::new(0).parse_all(module).flatten().filter_map(|payload| match payload {
        Payload::CodeSectionEntry(body) => Some(module[body.range()].to_vec()),
        _ => None,
    });
    code.collect()
}

/// Whether a function pays for the stack, and how much, by its own code.
fn units(module: &[u8]) -> Vec<Option<i32>> {
    let paid = |body: Vec<u8>| match operators(&body)[..] {
        [(Operator::GlobalGet { .. }, _), (Operator::I32Const { value }, _), ..] => Some(-value),
        _ => None,
    };
    let metered = bodies(&metered(module).module);
    metered.into_iter().take(bodies(module).len()).map(paid).collect()
}

#[test]
fn a_recursion_pays_for_its_frame_and_for_what_it_calls() {
    // A frame is 8 units, a vector or a float 2, all else 1; the operands are those at the highest point.
    let leaf = "(func $leaf (param v128 i32) (local f64) (drop (i32.add (local.get 1) (i32.const 1))))";
    let text = format!(
        "{leaf} (func $over (call $leaf (v128.const i64x2 0 0) (i32.const 0)))
         (func $again (param i32) (call $over) (call $again (local.get 0)))"
    );
    let (leaf, over) = (8 + 5 + 2, 8 + 3);
    assert_eq!(units(&module(&text)), [None, None, Some(8 + 1 + 1 + over + leaf)]);
}

#[test]
fn a_recursion_through_a_table_is_counted_and_one_of_another_type_is_not() {
    let text = |called: &str| {
        format!(
            "(type $nothing (func)) (type $number (func (param i32))) (table 1 funcref) (elem (i32.const 0) $f)
             (func $f (type $nothing) {called} (call_indirect (type {called})))"
        )
    };
    let of = |ty: &str, operand: &str| {
        text("").replace("(call_indirect (type ))", &format!("{operand} (call_indirect (type {ty}) (i32.const 0))"))
    };
    assert_eq!(units(&module(&of("$nothing", ""))), [Some(8 + 1)]);
    assert_eq!(units(&module(&of("$number", "(i32.const 1)"))), [None]);
}

#[test]
fn what_is_straight_and_called_by_its_number_alone_is_as_it_was() {
    let text = |own: &str, rest: &str| module(&format!("(func {own}) (func (export \"arena_turn\") (call 0)) {rest}"));
    let is_as_it_was = |own: &str, rest: &str| {
        let (before, after) = (text(own, rest), metered(&text(own, rest)).module);
        prove(&after, MAXIMA).expect("a metered module");
        let first = |module: &[u8]| bodies(module).first().cloned();
        first(&before) == first(&after)
    };
    for own in ["", "return", "(drop (i32.load (i32.const 0)))", "(local i64) (local.set 0 (i64.const 1)) return"] {
        assert!(is_as_it_was(own, "(memory 1)"), "{own}");
        for rest in ["(export \"f\" (func 0))", "(start 0)", "(elem declare func 0)", "(global funcref (ref.func 0))"] {
            assert!(!is_as_it_was(own, &format!("(memory 1) {rest}")), "{own} {rest}");
        }
    }
    let counted = ["i32.const 1 ".repeat(8_200), "drop ".repeat(8_200)].concat();
    for own in ["(block)", "unreachable", "return (block)", "return (nop)", "(call 1)", &counted] {
        assert!(!is_as_it_was(own, ""), "{own}");
    }
}

#[test]
fn a_long_chain_of_calls_is_counted_though_nothing_recurs() {
    let locals = " i64".repeat(1_000);
    let chain: String = (0..20)
        .map(|at| {
            format!("(func (local{locals}) {})", if at > 0 { format!("(call {})", at - 1) } else { String::new() })
        })
        .collect();
    let units = units(&module(&chain));
    assert_eq!(units.iter().filter(|units| units.is_some()).count(), 2, "{units:?}");
    assert_eq!(units[8], Some(9 * 1_008));
}

#[test]
fn every_operator_of_the_allowed_features_has_a_price_and_no_other_has() {
    // A function of each operator cannot be written for all, so the parser's list is read: by names, with proposals.
    macro_rules! list {
        ($(@$proposal:ident $op:ident $({ $($argument:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
            [$((stringify!($proposal), stringify!($op))),*]
        };
    }
    let all = wasmparser::for_each_operator!(list);
    macro_rules! table {
        (
            priced { $($price:literal: $($operator:ident)*;)* }
            usual { $($usual:literal: $($other:ident)*;)* }
            bulk { $($each:literal: $bulk:ident $name:ident;)* }
        ) => {
            [$($(stringify!($operator),)*)* $($(stringify!($other),)*)*]
        };
    }
    let priced = arena_meter::for_each_price!(table);
    let allowed = ["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "reference_types", "simd"];
    for (proposal, name) in all {
        let times = priced.iter().filter(|priced| **priced == name).count();
        assert_eq!(times, usize::from(allowed.contains(&proposal)), "{name} of {proposal}");
    }
    assert!(priced.iter().all(|priced| all.iter().any(|(_, name)| name == priced)));
}

#[test]
fn what_a_bot_may_not_have_is_refused() {
    for fields in [
        r#"(import "arena" "log" (func (param i32)))"#,
        r#"(import "arena" "fuel" (func (result i32)))"#,
        r#"(import "arena" "fuel" (func (param i32) (result i64)))"#,
        r#"(import "arena" "fuel" (global i64))"#,
        r#"(import "arena" "memory" (memory 1))"#,
        "(memory 1 1 shared)",
        "(func (drop (i32.const 1)) (return_call 0))",
        "(tag)",
    ] {
        let refused = meter(&module(fields), MAXIMA);
        assert!(matches!(refused, Err(MeterError::Foreign | MeterError::Invalid(_))), "{fields}: {refused:?}");
    }
}

#[test]
fn growth_is_bounded_and_known_before() {
    // The densest changes that there are: pieces of a byte or two.
    let dense = "(if (i32.const 0) (then)) ".repeat(2_000) + &"(loop) ".repeat(2_000);
    let empty = "(func) ".repeat(3_900);
    for (what, fields, times) in [("dense", format!("(func {dense})"), 6), ("empty", empty, 12)] {
        let bytes = module(&fields);
        // Within debug assertions the meter compares its bound with what it wrote.
        let metered = metered(&bytes).module;
        assert!(metered.len() <= times * bytes.len(), "{what}: {} became {}", bytes.len(), metered.len());
        prove(&metered, MAXIMA).expect(what);
        let within = |module_bytes| meter(&bytes, Maxima { module_bytes, ..MAXIMA });
        let Err(MeterError::TooLarge(bound)) = within(0) else { panic!("{what} has no bytes") };
        assert!(matches!(within(bound - 1), Err(MeterError::TooLarge(_))) && within(bound).is_ok(), "{what}");
    }
}
