//! The depth of calls is a rule: as deep as the formula says, whatever the engine's own stack.

use arena_meter::{FRAME_UNITS, STACK_UNITS_MAX};

use super::{End, Pair, turning};

/// The deepest recursion that ends in time, of a bot that recurses as deep as the observation says.
fn deepest(fields: &str) -> u32 {
    let pair = Pair::load(&turning(fields, "(call $down (i32.load (i32.const 1024))) (i64.const 0)"));
    let is_in_time = |depth: u32| {
        let (mut playing, _) = pair.own.start(4, 1_000);
        match playing.turn(&depth.to_le_bytes(), 1 << 40) {
            End::InTime { .. } => true,
            End::TooDeep => false,
            other => panic!("{fields} at {depth}: {other:?}"),
        }
    };
    let (mut least, mut most) = (0, STACK_UNITS_MAX);
    while most - least > 1 {
        let middle = u32::midpoint(least, most);
        if is_in_time(middle) { least = middle } else { most = middle }
    }
    least
}

/// A recursion with these further locals, and operands around its call that are dropped after it.
fn recursion(locals: &str, before: &str, after: &str) -> String {
    let again = "(call $down (i32.sub (local.get 0) (i32.const 1)))";
    format!("(func $down (param i32) {locals} (if (local.get 0) (then {before} {again} {after})))")
}

#[test]
fn calls_are_nested_as_deep_as_the_formula_says() {
    let many = |text: &str, count| text.repeat(count);
    let indirect = "(type $t (func (param i32))) (table 1 funcref) (elem (i32.const 0) $down) (func $down (type $t)
        (if (local.get 0) (then (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))))";
    let other = "(func $down (param i32) (if (local.get 0) (then (call $side (i32.sub (local.get 0) (i32.const 1))))))
        (func $side (param i32) (local i64 i64) (if (local.get 0) (then (call $down (i32.sub (local.get 0)
        (i32.const 1))))))";
    // Operands are the parameter and the constant at the highest point, and those around them.
    for (what, fields, units) in [
        ("plain", recursion("", "", ""), 1 + 2),
        ("locals", recursion(&format!("(local{})", many(" i64", 300)), "", ""), 301 + 2),
        ("vectors", recursion(&format!("(local{})", many(" v128", 300)), "", ""), 601 + 2),
        ("operands", recursion("", &many("(i64.const 1)", 300), &many("drop ", 300)), 1 + 302),
        (
            "operands that are vectors",
            recursion("", &many("(v128.const i64x2 1 2)", 300), &many("drop ", 300)),
            1 + 602,
        ),
        ("indirect", indirect.into(), 1 + 2),
    ] {
        // The call with 0 is one more.
        assert_eq!(deepest(&fields), STACK_UNITS_MAX / (FRAME_UNITS + units) - 1, "{what}");
    }
    let both = (FRAME_UNITS + 3) + (FRAME_UNITS + 5);
    assert_eq!(deepest(other), STACK_UNITS_MAX / both * 2 + u32::from(STACK_UNITS_MAX % both >= FRAME_UNITS + 3) - 1);
}

#[test]
fn the_stack_is_whole_again_for_the_next_call() {
    let pair = Pair::load(&turning(
        &recursion("", "", "(if (i32.eq (local.get 0) (i32.const 3)) (then (return)))"),
        "(call $down (i32.const 5000)) (i64.const 0)",
    ));
    let (mut playing, _) = pair.own.start(16, 1_000);
    for turn in 0..20 {
        assert!(matches!(playing.turn(&[0; 16], 1 << 40), End::InTime { .. }), "turn {turn}");
    }
}
