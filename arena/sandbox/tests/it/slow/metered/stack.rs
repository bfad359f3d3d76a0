//! The depth of calls is a rule: as deep as the formula says, whatever the engine's own stack.

use arena_meter::{FRAME_UNITS, STACK_UNITS_MAX};
use serde::Deserialize;

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

/// The same, where words of the rule decide what a call takes.
pub(crate) fn chains() -> [(&'static str, String, u32); 9] {
    let unreached = |first: &str, operands: usize| {
        recursion("", "", &format!("(return) {first} {} {}", many("(i64.const 1)", operands), many("drop ", 10)))
    };
    let indirect = |names: &str, before: &str| {
        format!(
            "(type $t (func (param i32))) (type $same (func (param i32))) (table 1 funcref) {names}
            (func $down (type $t) (if (local.get 0) (then {before}
            (call_indirect (type $same) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))))"
        )
    };
    let set = |reference: &str| format!("(table.set (i32.const 0) {reference})");
    let wide = format!("(func $wide (param i32) (local{}))", many(" i64", 100));
    let twice = "(call $deep (local.get 0)) (call $deep (local.get 0))";
    let deep = recursion("", "", "").replace("$down", "$deep");
    [
        ("units that are used up", recursion(&format!("(local{})", many(" i64", 5)), "", ""), 6 + 2),
        ("references", recursion(&format!("(local{})", many(" funcref", 300)), "", ""), 301 + 2),
        ("operands in code that is never reached", unreached("", 10), 1 + 10),
        ("an operand of unknown type", unreached("select", 9), 1 + 10),
        ("a type that is the same", indirect("(elem (i32.const 0) $down)", ""), 1 + 2),
        ("named by a ref.func", indirect("(elem declare func $down)", &set("(ref.func $down)")), 1 + 2),
        ("named by a global", indirect("(global $g funcref (ref.func $down))", &set("(global.get $g)")), 1 + 2),
        ("a function that does not recur", wide + &recursion("", "(call $wide (local.get 0))", ""), 3 + 8 + 101),
        ("twice, since units are given back", format!("{deep} (func $down (param i32) {twice})"), 1 + 2),
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
/// after it, so that no compiler leaves it out. A page plays them, too.
#[derive(Deserialize)]
struct Hungry {
    globals: String,
    shapes: Vec<Shape>,
}

#[derive(Deserialize)]
struct Shape {
    what: String,
    /// How deep its calls may be nested.
    depth: u32,
    fields: String,
}

/// A text in which each `[FROM..TO EACH]` stands for so many `EACH`, and a `#` there for the number.
fn written_out(text: &str) -> String {
    let (mut out, mut left) = (String::new(), text);
    while let Some((before, repeated)) = left.split_once('[') {
        let (repeated, after) = repeated.split_once(']').expect("an end");
        let (range, each) = repeated.split_once(' ').expect("a range");
        let (from, to) = range.split_once("..").expect("a range");
        out += before;
        for number in from.parse::<u32>().expect("a number")..=to.parse().expect("a number") {
            out += &each.replace('#', &number.to_string());
            out.push(' ');
        }
        left = after;
    }
    out + left
}

fn hungry() -> Vec<(String, String, u32)> {
    let Hungry { globals, shapes } =
        serde_json::from_str(include_str!("../../../../../meter/tests/hungry.json")).expect("shapes");
    let shape = |Shape { what, depth, fields }| (what, written_out(&format!("{globals} {fields}")), depth);
    shapes.into_iter().map(shape).collect()
}

/// How V8 may run: as it likes, without its optimising compiler, and without its first one.
const COMPILERS: [&[&str]; 3] = [&[], &["--liftoff", "--no-wasm-tier-up"], &["--no-liftoff"]];

#[test]
fn no_engines_own_stack_ends_before_its_units() {
    let plain =
        shapes().map(|(what, fields, units)| (what.to_owned(), fields, STACK_UNITS_MAX / (FRAME_UNITS + units) - 1));
    let vectors: Vec<Vector> = plain
        .into_iter()
        .chain(hungry())
        .map(|(what, fields, depth)| {
            let games = [depth, depth + 1].map(|depth| game(&depth.to_le_bytes(), 1_000, 1 << 40));
            let vector = Vector::played(&what, &recursing(&fields), games.into());
            let ends: Vec<Ends> = vector.games.iter().map(|game| game[1].ends).collect();
            assert_eq!(ends, [Ends::InTime, Ends::TooDeep], "{what} at {depth}");
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
