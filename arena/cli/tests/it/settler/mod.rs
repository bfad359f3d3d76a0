//! A module that plays Life2 in a window and in a world.

/// Places a cell inside its base, beside the one of the time before: what it does depends on how often it was asked.
/// Alone, each dies, so the next one is legal.
const SETTLER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00")
    (global $asked (mut i32) (i32.const 0))
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (local $base i32)
        (local.set $base (i32.add (i32.const 1072) (i32.mul (i32.const 20) (i32.load8_u (i32.const 1026)))))
        (i32.store16 (i32.const 4) (i32.add (i32.load16_u (local.get $base)) (i32.const 2)))
        (i32.store16 (i32.const 6) (i32.add (i32.load16_u offset=2 (local.get $base))
                                            (i32.add (i32.const 1) (i32.rem_u (global.get $asked) (i32.const 6)))))
        (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
        (i64.const 0x800000000)))"#;

pub(crate) fn module() -> Vec<u8> {
    wat::parse_str(SETTLER).expect("a module")
}
