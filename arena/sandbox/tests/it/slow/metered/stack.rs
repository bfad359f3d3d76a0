//! The depth of calls is a rule: as deep as the formula says, whatever the engine's own stack.

use arena_meter::{FRAME_UNITS, STACK_UNITS_MAX};

use super::vectors::{Ends, Vector, game, hold_in_node};
use super::{End, OWN, Pair, turning};

/// A bot that recurses as deep as the observation says.
pub(crate) fn recursing(fields: &str) -> Vec<u8> {
    turning(fields, "(call $down (i32.load (i32.const 1024))) (i64.const 0)")
}

/// The deepest recursion that ends in time, of a bot that recurses as deep as the observation says.
fn deepest(fields: &str) -> u32 {
    let program = OWN.load(&recursing(fields));
    let is_in_time = |depth: u32| {
        let (mut playing, _) = program.start(4, 1_000);
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

fn many(text: &str, count: usize) -> String {
    text.repeat(count)
}

/// Recursions, and units of each frame besides those of any: operands are the parameter and the constant at the highest
/// point, and those around them.
pub(crate) fn shapes() -> [(&'static str, String, u32); 7] {
    let indirect = "(type $t (func (param i32))) (table 1 funcref) (elem (i32.const 0) $down) (func $down (type $t)
        (if (local.get 0) (then (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))))";
    let locals = |ty: &str| recursion(&format!("(local{})", many(ty, 300)), "", "");
    let operands = |operand: &str| recursion("", &many(operand, 300), &many("drop ", 300));
    [
        ("plain", recursion("", "", ""), 1 + 2),
        ("locals", locals(" i64"), 301 + 2),
        ("floats", locals(" f32"), 601 + 2),
        ("vectors", locals(" v128"), 601 + 2),
        ("operands", operands("(i64.const 1)"), 1 + 302),
        ("operands that are vectors", operands("(v128.const i64x2 1 2)"), 1 + 602),
        ("indirect", indirect.into(), 1 + 2),
    ]
}

#[test]
fn calls_are_nested_as_deep_as_the_formula_says() {
    for (what, fields, units) in shapes() {
        // The call with 0 is one more.
        assert_eq!(deepest(&fields), STACK_UNITS_MAX / (FRAME_UNITS + units) - 1, "{what}");
    }
    let other = "(func $down (param i32) (if (local.get 0) (then (call $side (i32.sub (local.get 0) (i32.const 1))))))
        (func $side (param i32) (local i64 i64) (if (local.get 0) (then (call $down (i32.sub (local.get 0)
        (i32.const 1))))))";
    let both = (FRAME_UNITS + 3) + (FRAME_UNITS + 5);
    assert_eq!(deepest(other), STACK_UNITS_MAX / both * 2 + u32::from(STACK_UNITS_MAX % both >= FRAME_UNITS + 3) - 1);
}

/// Recursions that need as much native stack for a unit as can be: what they have is computed before the call and used
/// after it, so that no compiler leaves it out.
fn hungry() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let globals = "(global $i32 (mut i32) (i32.const 0)) (global $i64 (mut i64) (i64.const 0))
        (global $f32 (mut f32) (f32.const 0)) (global $f64 (mut f64) (f64.const 0))
        (global $v128 (mut v128) (v128.const i64x2 0 0))";
    let mut add = |what: String, fields: String| all.push((what, format!("{globals} {fields}")));
    for ty in ["i32", "i64", "f32", "f64", "v128"] {
        let load = format!("({ty}.load (i32.const 64))");
        let sink = format!("global.set ${ty} ");
        for count in [3, 400] {
            add(format!("{count} operands of {ty}"), recursion("", &many(&load, count), &many(&sink, count)));
            let each = |text: &dyn Fn(usize) -> String| (1..=count).map(text).collect::<String>();
            let before = each(&|local| format!("(local.set {local} {load})"));
            let after = each(&|local| format!("(global.set ${ty} (local.get {local}))"));
            let locals = format!("(local{})", many(&format!(" {ty}"), count));
            add(format!("{count} locals of {ty}"), recursion(&locals, &before, &after));
        }
        for (results, indirect) in [(0, false), (16, false), (0, true), (16, true)] {
            let arguments: String = (1..100).map(|local| format!("(local.get {local}) ")).collect();
            let answer: String = (1..=results).map(|local| format!("(local.get {local}) ")).collect();
            let ty_of =
                format!("(param i32{}) (result{})", many(&format!(" {ty}"), 99), many(&format!(" {ty}"), results));
            let again = if indirect { "call_indirect (type $t)" } else { "call $deep" };
            let callee = if indirect { "(i32.const 0)" } else { "" };
            // What is carried is used afterwards.
            let used: String = (1..100).map(|local| format!("(global.set ${ty} (local.get {local}))")).collect();
            let sinks = many(&sink, results);
            add(
                format!("99 parameters and {results} results of {ty}, indirect: {indirect}"),
                format!(
                    "(type $t (func {ty_of})) (table 1 funcref) (elem (i32.const 0) $deep)
                    (func $deep (type $t) (if (local.get 0) (then
                        (i32.sub (local.get 0) (i32.const 1)) {arguments} {callee} {again} {sinks} {used})) {answer})
                    (func $down (param i32) (local.get 0) {} call $deep {sinks})",
                    many(&load, 99),
                ),
            );
        }
    }
    let floats = "(global.set $f32 (f32.add (f32.load (i32.const 64)) (f32.const 1)))
        (global.set $f64 (f64.add (f64.load (i32.const 64)) (f64.const 1)))
        (global.set $v128 (f32x4.add (v128.load (i32.const 64)) (v128.load (i32.const 64))))
        (memory.fill (i32.const 64) (i32.const 0) (global.get $i32))";
    add("all that a meter adds".into(), recursion("", floats, floats));
    add("the log at the bottom".into(), recursion("", "", "(call $log (i32.const 0) (i32.const 4))"));
    // As many units as are not counted, above all that are.
    let frame = |number: usize, below: &str| {
        let set: String = (1..1_000).map(|local| format!("(local.set {local} (i64.load (i32.const 64)))")).collect();
        let used: String = (1..1_000).map(|local| format!("(global.set $i64 (local.get {local}))")).collect();
        format!("(func ${number} (param i32) (local{}) {set} (call ${below} (local.get 0)) {used})", many(" i64", 999))
    };
    let chain: String = (1..9)
        .map(|number| frame(number, &if number < 8 { (number + 1).to_string() } else { "deep".into() }))
        .collect();
    let deep = recursion("", &many("(i64.load (i32.const 64))", 400), &many("global.set $i64 ", 400));
    let down = "(func $down (param i32) (call $1 (local.get 0)))";
    add("a long chain above".into(), format!("{} {chain} {down}", deep.replace("$down", "$deep")));
    all
}

/// How V8 may run: as it likes, without its optimising compiler, and without its first one.
const COMPILERS: [&[&str]; 3] = [&[], &["--liftoff", "--no-wasm-tier-up"], &["--no-liftoff"]];

#[test]
fn no_engines_own_stack_ends_before_its_units() {
    let recursions = shapes().map(|(what, fields, _)| (what.to_owned(), fields)).into_iter().chain(hungry());
    let vectors: Vec<Vector> = recursions
        .map(|(what, fields)| {
            let depth = deepest(&fields);
            assert!(depth > 10, "{what}: {depth}");
            let games = [depth, depth + 1].map(|depth| game(&depth.to_le_bytes(), 1_000, 1 << 40));
            let vector = Vector::played(&what, &recursing(&fields), games.into());
            assert_eq!(vector.games.iter().map(|game| game[1].ends).collect::<Vec<_>>(), [Ends::InTime, Ends::TooDeep]);
            vector.holds_in_the_interpreter();
            vector
        })
        .collect();
    for options in COMPILERS {
        hold_in_node(&vectors, options);
    }
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
