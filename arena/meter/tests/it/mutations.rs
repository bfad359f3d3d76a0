//! A change of a metered module by which something is not charged, not checked or within the bot's reach is found.

use arena_meter::{FUEL, Maxima};
use wasm_encoder::{Encode, ExportKind, ExportSection, Instruction, Section, StartSection};
use wasmparser::{Operator, Parser, Payload, Validator};

use crate::proof::{Unproven, prove};
use crate::surgery::{Parts, operators};
use crate::{BOT, MAXIMA, bot, metered};

/// A change of a few operators in a row is looked for up to so many.
const IN_A_ROW: usize = 4;

fn parts() -> Parts {
    Parts::of(&metered(&bot()).module)
}

fn encoded(instructions: &[Instruction<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    instructions.iter().for_each(|instruction| instruction.encode(&mut bytes));
    bytes
}

/// That a module is not proven; those that are not even valid need no proof.
fn is_found(module: &[u8]) -> bool {
    prove(module, MAXIMA).is_err()
}

#[test]
fn what_the_meter_wrote_is_proven() {
    assert_eq!(prove(&metered(&bot()).module, MAXIMA), Ok(()));
    assert_eq!(prove(&parts().module(), MAXIMA), Ok(()), "taken apart and put together");
    assert!(is_found(&bot()), "what is not metered");
}

#[test]
fn what_bots_rarely_do_is_proven() {
    let again = "(table.set 0 (i32.const 0) (global.get 0)) (call_indirect (type $a) (i32.const 0))";
    for (what, fields) in [
        ("a length below 0", "(memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const -1)))".to_owned()),
        (
            "a block that only the default of a table leads out of",
            "(func (block (block (br_table 0 1 (i32.const 0))) (drop (i32.const 1))) (drop (i32.const 1)))".to_owned(),
        ),
        (
            "a recursion through a type that is the same",
            "(type $a (func)) (type $b (func)) (table 1 funcref) (elem (i32.const 0) $f)
             (func $f (type $a) (call_indirect (type $b) (i32.const 0)))"
                .to_owned(),
        ),
        (
            "a recursion through a reference that only a global has",
            format!("(type $a (func)) (table 1 funcref) (global funcref (ref.func $f)) (func $f (type $a) {again})"),
        ),
        (
            "imports of both kinds, in any order and more than once",
            "(import \"arena\" \"fuel\" (func $f (result i64))) (import \"arena\" \"log\" (func $l (param i32 i32)))
             (import \"arena\" \"fuel\" (func $g (result i64))) (memory 1) (table 2 funcref) (elem (i32.const 0) $g $l)
             (func (drop (i64.sub (call $g) (call $f))) (call $l (i32.const 0) (i32.const 0)) (drop (ref.func $g)))"
                .to_owned(),
        ),
        (
            "a recursion that keeps vectors",
            "(func $f (v128.const i64x2 0 0) (f64.const 0) (call $f) drop drop)".to_owned(),
        ),
        (
            "a condition whose code begins with a constant, and then calls a straight function",
            "(func $s) (func (param i32) (if (local.get 0) (then (i64.const 5) (call $s) drop)))".to_owned(),
        ),
        ("a recursion without operands", "(func $f (call $f) (nop))".to_owned()),
        (
            "code that traps after a recursion, and is as long as what gives a frame back",
            "(func $f (call $f) (drop (i32.const 1)) (nop) (unreachable))".to_owned(),
        ),
    ] {
        let module = wat::parse_str(format!("(module {fields})")).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(prove(&metered(&module).module, MAXIMA), Ok(()), "{what}");
    }
}

#[test]
fn no_operators_in_a_row_can_be_left_out() {
    let parts = parts();
    let (mut tried, mut valid) = (0, 0);
    for (index, body) in parts.bodies.iter().enumerate() {
        let all = operators(body);
        for first in 0..all.len() {
            for last in first..all.len().min(first + IN_A_ROW) {
                // It costs nothing, so that what is left is metered, too, where it is valid.
                if all[first..=last].iter().all(|(operator, _)| *operator == Operator::Drop) {
                    continue;
                }
                let module = parts.with_code(index, all[first].1.start..all[last].1.end, &[]);
                tried += 1;
                valid += u32::from(Validator::new().validate_all(&module).is_ok());
                assert!(is_found(&module), "body {index} without {:?}", &all[first..=last]);
            }
        }
    }
    assert!(valid > 100 && tried > valid, "{valid} of {tried} were valid");
}

#[test]
fn no_price_and_no_bound_can_be_another() {
    let parts = parts();
    let mut tried = 0;
    for (index, body) in parts.bodies.iter().enumerate() {
        for (operator, bytes) in operators(body) {
            let Operator::I64Const { value } = operator else { continue };
            for other in [value.wrapping_add(1), value.wrapping_sub(1), 0, -value.wrapping_add(2), i64::MAX] {
                let module = parts.with_code(index, bytes.clone(), &encoded(&[Instruction::I64Const(other)]));
                tried += 1;
                assert!(other == value || is_found(&module), "body {index}: {value} became {other}");
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn no_check_can_be_left_out_or_lead_elsewhere() {
    let parts = parts();
    let mut tried = 0;
    for (index, body) in parts.bodies.iter().enumerate() {
        let all = operators(body);
        for window in all.windows(4) {
            let [_, (_, from), (Operator::I64LtS | Operator::I32LtS, _), (end, to)] = window else { continue };
            let call = match end {
                Operator::BrIf { .. } => 0..0,
                // A condition with a call, an `unreachable` and an `end`.
                Operator::If { .. } => to.end..to.end + 4,
                _ => continue,
            };
            tried += 1;
            let unchecked = encoded(&[Instruction::Drop]);
            let module = parts.with_code(index, from.start..to.end.max(call.end), &unchecked);
            assert!(is_found(&module), "body {index} at {from:?}");
            for other in 0..16 {
                let elsewhere = encoded(&[Instruction::Call(other)]);
                let callee = call.start..call.end.saturating_sub(2);
                let is_other = body.get(callee.clone()) != Some(&elsewhere);
                let is_found = || is_found(&parts.with_code(index, callee.clone(), &elsewhere));
                assert!(callee.is_empty() || !is_other || is_found(), "body {index} to {other}");
            }
            let Operator::BrIf { relative_depth } = end else { continue };
            for depth in (0..relative_depth + 3).filter(|depth| depth != relative_depth) {
                let elsewhere = encoded(&[Instruction::BrIf(depth)]);
                assert!(is_found(&parts.with_code(index, to.clone(), &elsewhere)), "body {index} to {depth}");
            }
        }
    }
    assert!(tried >= 13, "{tried}");
}

#[test]
fn every_other_local_and_global_in_a_counters_place_is_found() {
    let parts = parts();
    for (index, body) in parts.bodies.iter().enumerate() {
        for (operator, bytes) in operators(body) {
            let others: Vec<Instruction<'_>> = match operator {
                Operator::GlobalGet { global_index } if global_index > 0 => {
                    (0..3).filter(|other| *other != global_index).map(Instruction::GlobalGet).collect()
                }
                Operator::GlobalSet { global_index } => {
                    (0..3).filter(|other| *other != global_index).map(Instruction::GlobalSet).collect()
                }
                _ => continue,
            };
            for other in others {
                let module = parts.with_code(index, bytes.clone(), &encoded(&[other]));
                assert!(is_found(&module), "body {index} at {bytes:?}");
            }
        }
    }
}

#[test]
fn no_frame_can_count_other_units() {
    let parts = parts();
    let mut tried = 0;
    for (index, body) in parts.bodies.iter().enumerate() {
        // What is taken at the entry, and given back at each return.
        let all = operators(body);
        let units: Vec<_> = all
            .windows(3)
            .filter_map(|window| match window {
                [(Operator::GlobalGet { .. }, _), (Operator::I32Const { value }, at), (Operator::I32Add, _)] => {
                    Some((*value, at.clone()))
                }
                _ => None,
            })
            .collect();
        for change in [-1, 1, 100].into_iter().filter(|_| units.len() > 1) {
            let mut changed = parts.clone();
            for (value, at) in units.iter().rev() {
                let other = encoded(&[Instruction::I32Const(value + change * value.signum())]);
                changed.bodies[index].splice(at.clone(), other);
            }
            tried += 1;
            let found = prove(&changed.module(), MAXIMA);
            assert_eq!(found, Err(Unproven::Stack { function: index as u32 + 2 }), "{change}");
        }
    }
    assert_eq!(tried, 2 * 3, "two functions call each other");
}

#[test]
fn what_may_grow_without_a_bound_is_found() {
    let module = metered(&bot()).module;
    for (memory_pages, table_elements) in [(63, 10_000), (64, 9_999)] {
        assert_eq!(prove(&module, Maxima { memory_pages, table_elements, ..MAXIMA }), Err(Unproven::Sizes));
    }
}

#[test]
fn a_counter_or_the_log_within_reach_is_found() {
    let (parts, text) = (parts(), BOT.replace("(import \"arena\" \"log\"", "(import \"arena\" \"other\""));
    let exports = |more: &[(&str, ExportKind, u32)]| {
        let mut section = ExportSection::new();
        for payload in Parser::new(0).parse_all(&parts.module()).flatten() {
            let Payload::ExportSection(exports) = payload else { continue };
            for export in exports.into_iter().flatten() {
                let kind = ExportKind::from(export.kind);
                section.export(export.name, kind, export.index);
            }
        }
        for (name, kind, index) in more {
            section.export(name, *kind, *index);
        }
        let mut bytes = Vec::new();
        section.encode(&mut bytes);
        // Without the length, which a raw section writes itself.
        let skip = bytes.iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1);
        parts.with_section(section.id(), 0, &bytes[skip..])
    };
    assert_eq!(prove(&exports(&[]), MAXIMA), Ok(()));
    for more in [
        ("x", ExportKind::Global, 1),
        ("y", ExportKind::Global, 2),
        ("log", ExportKind::Func, 0),
        ("fuel", ExportKind::Func, 1),
    ] {
        assert_eq!(prove(&exports(&[more]), MAXIMA), Err(Unproven::Outside), "{more:?}");
    }
    let mut start = Vec::new();
    StartSection { function_index: 2 }.encode(&mut start);
    assert_eq!(prove(&parts.with_section(8, 9, &start[1..]), MAXIMA), Err(Unproven::Counters));
    assert!(arena_meter::meter(&wat::parse_str(text).expect("a module"), MAXIMA).is_err());
    assert!(FUEL.starts_with('~'));
}
