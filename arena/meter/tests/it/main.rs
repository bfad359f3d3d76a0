//! Tests of the meter without an engine: what it writes, and what the proof makes of it. That the code counts right is
//! tested where there is an engine, in the sandbox.

mod mutations;
mod proof;
mod shape;
mod surgery;

use arena_meter::{METERED_BYTES_MAX, Maxima, Metered, meter};

const MAXIMA: Maxima = Maxima { module_bytes: METERED_BYTES_MAX, memory_pages: 64, table_elements: 10_000 };

/// A bot that has some of everything. The constants of 64 bits in what becomes of it are the meter's alone.
const BOT: &str = r#"(module
    (import "arena" "log" (func $log (param i32 i32)))
    (import "arena" "fuel" (func $fuel (result i64)))
    (type $one (func (param i32) (result i32)))
    (type $line (func (param i32 i32))) (type $left (func (result i64)))
    (memory (export "memory") 1) (table (export "table") 4 funcref)
    (elem (i32.const 0) $log $even $leaf $fuel)
    (data (i32.const 8) "text") (data $passive "more")
    (global $g (export "g") (mut i32) (i32.const 3))
    (func $first (global.set $g (i32.const 4))) (start $first)
    (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
    (func $small (param i32) (result i32) (i32.sub (local.get 0) (i32.const 1)))
    (func $even (param i32) (result i32)
        (if (result i32) (local.get 0) (then (call $odd (call $small (local.get 0)))) (else (i32.const 1))))
    (func $odd (param i32) (result i32)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (call_indirect (type $one) (i32.sub (local.get 0) (i32.const 1)) (i32.const 1)))
    (func $two (param f32 v128) (result f32 v128)
        (f32.sqrt (f32.div (local.get 0) (f32.const 3)))
        (f64x2.min (f32x4.mul (local.get 1) (local.get 1)) (local.get 1)))
    (func $wide (param f64) (result f64) (f64.max (local.get 0) (f64.promote_f32 (f32.const 1))))
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (local i32)
        (loop $round
            (block $out (block $in (br_table $in $out $in (local.get 1))) (br_if $round (i32.const 0)))
            (local.set 1 (i32.add (local.get 1) (i32.const 1)))
            (br_if $round (i32.lt_u (local.get 1) (i32.const 5))))
        (block $found (loop $next
            (br_if $found (i32.load8_u (local.get 1)))
            (br_if $found (i32.load8_u offset=1 (local.get 1)))
            (br_if $next (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 2))) (i32.const 9)))))
        (loop)
        (memory.fill (i32.const 0) (i32.const 1) (i32.const 9))
        (memory.copy (i32.const 0) (i32.const 9) (local.get 1))
        (memory.init $passive (i32.const 0) (i32.const 0) (i32.const 4))
        (drop (memory.grow (local.get 1)))
        (drop (table.grow 0 (ref.func $log) (i32.const 2)))
        (call $log (i32.const 8) (i32.const 4))
        (call_indirect (type $line) (i32.const 8) (i32.const 1) (i32.const 0))
        (drop (i64.add (call $fuel) (call_indirect (type $left) (i32.const 3))))
        (drop (table.grow 0 (ref.func $fuel) (i32.const 1)))
        (call $two (f32.const 2) (v128.const i64x2 1 2)) drop drop
        (drop (call $wide (f64.const 2)))
        (i64.extend_i32_u (call $leaf (call $small (call $even (i32.const 6)))))))"#;

fn bot() -> Vec<u8> {
    wat::parse_str(BOT).expect("a module")
}

fn metered(module: &[u8]) -> Metered {
    meter(module, MAXIMA).unwrap_or_else(|error| panic!("{error}"))
}
