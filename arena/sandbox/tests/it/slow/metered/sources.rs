//! What the vectors in the tree are made from. Fuel that is written here was counted by hand, by the words of
//! `sdk/ABI.md`.

use arena_meter::{FRAME_UNITS, STACK_UNITS_MAX};

use super::stack::{chains, recursing, shapes};
use super::turning;
use super::vectors::{Ends, Game, Vector, game};

/// Fuel of a start that is not what a vector is about.
const START: u64 = 1_000;
const OBSERVATION: [u8; 16] = [1; 16];

/// A module, and budgets of calls that end like this; `used` is the fuel of the last call that is in time.
pub(crate) struct Source {
    what: String,
    module: Vec<u8>,
    games: Vec<(Game, Ends)>,
    used: Option<u64>,
}

impl Source {
    /// A turn with this body takes so much fuel, and is out of fuel on one less.
    fn takes(what: &str, fields: &str, body: &str, used: u64) -> Source {
        Source::ends(what, fields, body, &[(used, Ends::InTime), (used - 1, Ends::OutOfFuel)]).using(used)
    }

    /// A turn with this body ends like this on these budgets.
    fn ends(what: &str, fields: &str, body: &str, turns: &[(u64, Ends)]) -> Source {
        let games = turns.iter().map(|(turn, ends)| (game(&OBSERVATION, START, *turn), *ends)).collect();
        Source { what: what.into(), module: turning(fields, body), games, used: None }
    }

    /// The start with these fields ends like this on these budgets.
    fn starts(what: &str, fields: &str, starts: &[(u64, Ends)]) -> Source {
        let games = starts.iter().map(|(start, ends)| (game(&OBSERVATION, *start, START), *ends)).collect();
        Source { what: what.into(), module: turning(fields, "(i64.const 0)"), games, used: None }
    }

    fn using(self, used: u64) -> Source {
        Source { used: Some(used), ..self }
    }

    /// With what the first engine makes of it, which is what the source says.
    pub(crate) fn vector(&self) -> Vector {
        let what = &self.what;
        let vector = Vector::played(what, &self.module, self.games.iter().map(|(game, _)| game.clone()).collect());
        // A start that fails is the last call.
        let last: Vec<_> = vector.games.iter().map(|calls| calls.last().expect("a call")).collect();
        let ends: Vec<Ends> = last.iter().map(|call| call.ends).collect();
        assert_eq!(ends, self.games.iter().map(|(_, ends)| *ends).collect::<Vec<_>>(), "{what}");
        if let Some(used) = self.used {
            assert!(last.iter().filter_map(|call| call.used).all(|other| other == used), "{what}: {last:?}");
        }
        vector
    }
}

use Ends::{InTime, OutOfFuel, TooDeep, Trap};

/// The files and what is in them.
pub(crate) fn sources() -> [(&'static str, Vec<Source>); 7] {
    [
        ("pieces", pieces()),
        ("bulk", bulk()),
        ("calls", calls()),
        ("fuel", fuel()),
        ("start", start()),
        ("stack", stack()),
        ("numbers", numbers()),
    ]
}

/// Prices, pieces and checks. A function's entry is 1, a constant 1, a load 6, `drop` and `end` nothing.
fn pieces() -> Vec<Source> {
    let load = "(drop (i32.load (i32.const 0)))";
    let loads = load.repeat(10);
    let rounds = "(local i32) (loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get 1) (i32.const 5)))) (i64.const 0)";
    let either = format!("(if (i32.eqz (local.get 0)) (then {loads}) (else {load})) (i64.const 0)");
    let out = format!("(block (br_if 0 (local.get 0)) {loads}) (i64.const 0)");
    let unbranched = format!("(block {load}) (i64.const 0)");
    let switch =
        format!("(block (block (block (br_table 0 1 2 (i32.const 1))) {loads} (br 1)) {load} (br 0)) (i64.const 0)");
    let returned = format!("(if (local.get 0) (then (return (i64.const 0)))) {loads} (i64.const 0)");
    let divisions = "(drop (i32.div_u (i32.const 6) (i32.const 3))) (drop (i64.rem_s (i64.const 6) (i64.const 3)))
        (i64.const 0)";
    let segments = "(elem $e func $log) (data $d \"1\")";
    let dropped = "(drop (ref.func $log)) (elem.drop $e) (data.drop $d) (i64.const 0)";
    vec![
        Source::takes("an empty turn", "", "(i64.const 0)", 1 + 1),
        Source::takes("a load", "", &format!("{load} (i64.const 0)"), 1 + 7 + 1),
        Source::takes("five rounds of a loop of eight operators", "", rounds, 1 + 2 + 5 * 8 + 1),
        Source::takes("the other branch of an if", "", &either, 1 + 3 + 7 + 1),
        Source::takes("a branch out of a block skips what follows", "", &out, 1 + 1 + 2 + 1),
        Source::takes("the end of a block without branches begins no piece", "", &unbranched, 1 + 1 + 7 + 1),
        Source::takes("a branch table", "", &switch, 1 + 3 + 2 + 7 + 1 + 1),
        Source::takes("a return", "", &returned, 1 + 2 + 1),
        Source::takes("divisions", "", divisions, 1 + 6 + 8 + 1),
        Source::takes("references and segments", segments, dropped, 1 + 3 * 20 + 1),
        Source::ends(
            "a trap before the next check is a trap, however much is overdrawn",
            "",
            &format!("{loads} (unreachable)"),
            &[(1, Trap), (0, OutOfFuel), (70, Trap)],
        ),
        Source::ends(
            "a loop checks before its piece",
            "",
            &format!("{loads} (loop (unreachable)) (i64.const 0)"),
            &[(1 + 72, Trap), (1 + 71, OutOfFuel)],
        ),
        Source::ends("a loop without an end", "", "(loop (br 0)) (i64.const 0)", &[(100_000, OutOfFuel)]),
        Source::ends(
            "what was written before fuel ends stays",
            "",
            "(loop (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1))) (br 0)) (i64.const 0)",
            &[(1_000, OutOfFuel), (1_001, OutOfFuel), (1_015, OutOfFuel)],
        ),
    ]
}

/// Operators that cost by length: 150 and 1 a byte to fill, 100 and 255 a page to grow.
fn bulk() -> Vec<Source> {
    let fill = |length: &str| format!("(memory.fill (i32.const 64) (i32.const 7) {length})");
    let loads = "(drop (i32.load (i32.const 0)))".repeat(10);
    let trap = |bulk: &str| format!("{loads} {bulk} (unreachable)");
    let table = "(table 40 funcref) (elem $e func $log)";
    let (small, large) = ([(1, Trap), (0, OutOfFuel)], |fuel| [(fuel, Trap), (fuel - 1, OutOfFuel)]);
    let of =
        |what: &str, fields: &str, bulk: &str, turns: &[(u64, Ends)]| Source::ends(what, fields, &trap(bulk), turns);
    let grow_table = |by: u32| format!("(drop (table.grow (ref.null func) (i32.const {by})))");
    let grow = |by: u32| format!("(drop (memory.grow (i32.const {by})))");
    vec![
        // The entry, two constants, the length, 150 and 16 for it; then a constant.
        Source::takes("a fill of a length", "", &format!("{} (i64.const 0)", fill("(local.get 0)")), 1 + 3 + 166 + 1),
        Source::ends(
            "it writes if something is left after it, and not otherwise",
            "",
            &format!("{} (i64.const 0)", fill("(local.get 0)")),
            &[(171, InTime), (170, OutOfFuel), (169, OutOfFuel)],
        ),
        of("a constant of 128 bytes is not checked", "", &fill("(i32.const 128)"), &small),
        of("a constant of 129 bytes is", "", &fill("(i32.const 129)"), &large(1 + 70 + 3 + 150 + 129)),
        of("a constant in a local is no constant", "", &fill("(local.tee 0 (i32.const 5))"), &large(1 + 70 + 4 + 155)),
        of(
            "nor is one before another operator",
            "",
            "(i32.const 64) (i32.const 7) (i32.const 5) (nop) (memory.fill)",
            &large(1 + 70 + 3 + 155),
        ),
        of("a length is unsigned", "", &fill("(i32.const -1)"), &large(1 + 70 + 3 + 150 + 0xffff_ffff)),
        of("growing by nothing", "", &grow(0), &small),
        of("growing by a page", "", &grow(1), &large(1 + 70 + 1 + 100 + 255)),
        of("growing a table by 64", table, &grow_table(64), &small),
        of("growing a table by 65", table, &grow_table(65), &large(1 + 70 + 2 + 100 + 130)),
        of("copying 32 elements", table, "(table.copy (i32.const 0) (i32.const 1) (i32.const 32))", &small),
        of(
            "copying 33 elements",
            table,
            "(table.copy (i32.const 0) (i32.const 1) (i32.const 33))",
            &large(1 + 70 + 3 + 150 + 4 * 33),
        ),
        of(
            "what fails is charged, too",
            table,
            "(table.init $e (i32.const 0) (i32.const 9) (local.get 0))",
            &[(1 + 70 + 3 + 150 + 16, Trap), (1 + 70 + 3 + 150 + 15, OutOfFuel)],
        ),
        Source::takes(
            "others of a length",
            "(table 40 funcref) (data $d \"0123456789abcdef\")",
            "(memory.copy (i32.const 64) (i32.const 0) (local.get 0)) (memory.init $d (i32.const 96) (i32.const 0)
            (local.get 0)) (table.fill (i32.const 0) (ref.null func) (local.get 0)) (i64.const 0)",
            1 + 3 * (3 + 150 + 16) + 1,
        ),
        Source::ends(
            "memory grows to its maximum and no further",
            "",
            "(i32.store (i32.const 64) (memory.grow (i32.const 63)))
            (i32.store (i32.const 68) (memory.grow (i32.const 1))) (i64.const 0)",
            &[(20_000, InTime)],
        ),
        Source::ends(
            "a table grows to its maximum and no further",
            "(table 1 funcref)",
            "(i32.store (i32.const 64) (table.grow (ref.null func) (i32.const 9999)))
            (i32.store (i32.const 68) (table.grow (ref.null func) (i32.const 1))) (i64.const 0)",
            &[(50_000, InTime)],
        ),
    ]
}

/// Calls of functions, 25 and 1 for entering, and through a table, 30; the log costs 200 and 2 a byte besides.
fn calls() -> Vec<Source> {
    let leaf = "(type $none (func)) (type $line (func (param i32 i32))) (table 3 funcref)
        (elem (i32.const 0) $leaf $log) (func $leaf (type $none))";
    let log = "(call $log (i32.const 64) (local.get 0)) (i64.const 0)";
    let through = "(call_indirect (type $line) (i32.const 64) (local.get 0) (i32.const 1)) (i64.const 0)";
    vec![
        Source::takes("a call", leaf, "(call $leaf) (i64.const 0)", 1 + 25 + 1 + 1),
        Source::takes("a call through a table", leaf, "(call_indirect (type $none) (i32.const 0)) (i64.const 0)", 34),
        Source::ends(
            "a call of nothing, and one of another type",
            leaf,
            "(call_indirect (type $none) (i32.add (local.get 0) (i32.const -15))) (i64.const 0)",
            &[(100, Trap), (1, Trap)],
        ),
        Source::takes("a line of 16 bytes", "", log, 1 + 2 + 25 + 200 + 32 + 1),
        Source::takes("a line through a table", leaf, through, 1 + 3 + 30 + 200 + 32 + 1),
        Source::ends(
            "a line is written if its fuel is there, though the call is late",
            "",
            log,
            &[(261, InTime), (260, OutOfFuel), (259, OutOfFuel), (258, OutOfFuel)],
        ),
        Source::ends(
            "a line out of bounds",
            "",
            "(call $log (i32.const -1) (i32.const 2)) (i64.const 0)",
            &[(300, Trap), (231, Trap), (230, OutOfFuel)],
        ),
        Source::ends(
            "a function checks after its entry and before its piece",
            "(func $trap (unreachable))",
            "(call $trap) (i64.const 0)",
            &[(27, Trap), (26, OutOfFuel)],
        ),
    ]
}

/// Questions for the fuel that is left: 15 besides the call. Each answer is written, less 1.
fn fuel() -> Vec<Source> {
    let table = "(type $left (func (result i64))) (table 1 funcref) (elem (i32.const 0) $fuel)";
    let written = |at: u32, ask: &str| format!("(i64.store (i32.const {at}) (i64.sub {ask} (i64.const 1)))");
    let asked = written(64, "(call $fuel)");
    let through = written(64, "(call_indirect (type $left) (i32.const 0))");
    let answered = |ask: &str| format!("{ask} (i64.const 0)");
    let loads = "(drop (i32.load (i32.const 0)))".repeat(10);
    // The entry, an address, the call and its price; then a constant, `sub`, the store, and a constant.
    let (before, after) = (1 + 1 + 25 + 15, 1 + 1 + 4 + 1);
    vec![
        Source::takes("what is left, once the question is paid for", "", &answered(&asked), before + after),
        Source::takes("the same through a table", table, &answered(&through), before + 6 + after),
        Source::ends(
            "nothing may be left, but what pays for the question must be",
            "",
            &answered(&asked),
            &[(before + 3, OutOfFuel), (before, OutOfFuel), (before - 1, OutOfFuel), (0, OutOfFuel)],
        ),
        Source::ends(
            "a question is a check",
            "",
            &format!("{loads} (drop (call $fuel)) (unreachable)"),
            &[(before - 1 + 70, Trap), (before - 2 + 70, OutOfFuel)],
        ),
        Source::ends(
            "a loop that ends when little is left",
            "",
            &format!("(loop (br_if 0 (i64.gt_s (call $fuel) (i64.const 100)))) {}", answered(&asked)),
            &[(200, InTime), (1_000, InTime), (1_020, InTime), (50_000_000 / 64, InTime)],
        ),
        Source::starts(
            "at the start: in a start function and in `_initialize`",
            &format!(
                "(data (i32.const 8) \"12345\") (func $first {asked}) (start $first)
                (func (export \"_initialize\") {})",
                written(72, "(call $fuel)")
            ),
            &[
                (START, InTime),
                (8 + 2 * (before + after - 1) + 2, InTime),
                (8 + 2 * (before + after - 1) + 1, OutOfFuel),
            ],
        ),
    ]
}

/// Data, a start function, `_initialize` and `arena_observation`, which takes 2.
fn start() -> Vec<Source> {
    let log = "(call $log (i32.const 64) (i32.const 4))";
    let edge =
        |what: &str, fields: &str, fuel: u64| Source::starts(what, fields, &[(fuel, InTime), (fuel - 1, OutOfFuel)]);
    vec![
        edge("nothing", "", 2),
        edge("a segment of 5 bytes", "(data (i32.const 64) \"12345\")", 1 + 1 + 5 + 2),
        edge("an empty segment and one that is passive", "(data (i32.const 64) \"\") (data \"12345\")", 1 + 1 + 2),
        edge("elements", "(table 4 funcref) (elem (i32.const 0) $log) (elem func $log)", 2),
        edge(
            "a start function",
            "(func $first (i32.store (i32.const 64) (i32.const 7))) (start $first)",
            2 + 1 + 6 + 2,
        ),
        edge(
            "a start function that logs, and `_initialize`",
            &format!(
                "(func $first {log}) (start $first) (func (export \"_initialize\")
                (i32.store (i32.const 68) (i32.const 9)))"
            ),
            2 + (1 + 2 + 25 + 208) + (1 + 6) + 2,
        ),
        Source::starts(
            "a start function that traps",
            &format!("(func $first {log} (unreachable)) (start $first)"),
            &[
                (1_000, Trap),
                (2 + 1 + 2 + 25 + 208, Trap),
                (2 + 1 + 2 + 25 + 206, OutOfFuel),
                (2, OutOfFuel),
                (1, OutOfFuel),
            ],
        ),
        Source::starts(
            "data out of bounds",
            "(data (i32.const 65535) \"12\")",
            &[(100, Trap), (4, Trap), (3, OutOfFuel)],
        ),
    ]
}

/// Recursions as deep as they may be, and one deeper. Where fuel and stack end at once, it is the stack.
fn stack() -> Vec<Source> {
    let recurs = |what: &str, fields: &str, games: [(u32, u64, Ends); 2]| {
        let games = games.map(|(depth, turn, ends)| (game(&depth.to_le_bytes(), START, turn), ends));
        Source { what: format!("recursion: {what}"), module: recursing(fields), games: games.into(), used: None }
    };
    let deep = |depth: u32| [(depth, 1 << 30, InTime), (depth + 1, 1 << 30, TooDeep)];
    let depth_of = |units: u32| STACK_UNITS_MAX / (FRAME_UNITS + units) - 1;
    let shaped = shapes().into_iter().chain(chains());
    let mut all: Vec<Source> =
        shaped.map(|(what, fields, units)| recurs(what, &fields, deep(depth_of(units)))).collect();
    let [(_, plain, units), ..] = shapes();
    let depth = depth_of(units);
    // The turn, each call that there is room for, and the entry of the last of them.
    let last = 33 + 31 * u64::from(depth) + 1;
    let at_once = [(depth + 1, last, TooDeep), (depth + 1, last - 1, OutOfFuel)];
    all.push(recurs("fuel and stack end at once", &plain, at_once));
    // It takes its own units beside those of the calls that lead to it.
    let side = format!(
        "(func $side (param i32) (local{}) (if (i32.lt_s (local.get 0) (i32.const 0))
        (then (call $side (i32.const 0)))))",
        " i64".repeat(100)
    );
    let with_side = plain.replace("(then ", "(then (call $side (local.get 0)) ");
    let beside = (STACK_UNITS_MAX - (FRAME_UNITS + 101 + 2)) / (FRAME_UNITS + units);
    all.push(recurs("a function that recurs itself", &(side + &with_side), deep(beside)));
    all.extend(returns());
    all
}

/// Where a call returns, fuel is checked in functions that are counted, and only there.
fn returns() -> [Source; 5] {
    let of = |what: &str, fields: &str, body: &str, checked: u64| {
        Source::ends(what, fields, &format!("{body} (i64.const 0)"), &[(checked, Trap), (checked - 1, OutOfFuel)])
    };
    let counted = "(func $down (param i32) (if (local.get 0) (then (call $down (i32.const 0)) (unreachable))))";
    let leaf = "(func $leaf (drop (i32.const 0)))";
    let not = format!("{leaf} (func $side (call $leaf) (unreachable))");
    let declared = "(type $t (func)) (table 1 funcref) (elem (i32.const 0) $leaf) (elem declare func $side)
        (func $leaf (drop (i32.const 0))) (func $side (call_indirect (type $t) (i32.const 0)) (unreachable))";
    // Eight functions of 1,008 units and the operand of the last, and one that is the rest of a chain.
    let chain = |locals: usize| {
        let called = |number: usize| {
            if number < 8 { format!("(call $wide{})", number + 1) } else { "(drop (i32.const 0))".into() }
        };
        let wide = |number| format!("(func $wide{number} (local{}) {}) ", " v128".repeat(500), called(number));
        let (wides, locals) = ((1..=8).map(wide).collect::<String>(), " i32".repeat(locals));
        format!("{wides} (func $side (local{locals}) (call $wide1) (drop (i32.const 0)) (unreachable))")
    };
    // The turn, `$side` and each wide function but the last take 26, and the last one 1 before its constant.
    let entered = 26 * 9 + 1;
    [
        of("a call returns to a function that is counted", counted, "(call $down (i32.const 1))", 27 + 29 + 3),
        of("a call returns to one that is not", &not, "(call $side)", 26 + 26 + 1),
        of("a declarative segment names no function", declared, "(call $side)", 26 + 32 + 1),
        of("a chain of 8,192 units is not counted", &chain(118), "(call $side)", entered),
        of("a chain of 8,193 units is", &chain(119), "(call $side)", entered + 1),
    ]
}

/// What engines may do differently without the meter.
fn numbers() -> Vec<Source> {
    let nans = "(f64.store (i32.const 64) (f64.div (f64.load (i32.const 0)) (f64.load (i32.const 0))))
        (f32.store (i32.const 72) (f32.sqrt (f32.const -1)))
        (f32.store (i32.const 76) (f32.mul (f32.const inf) (f32.load (i32.const 0))))
        (f32.store (i32.const 80) (f32.add (f32.const nan:0x200001) (f32.const 1)))
        (f32.store (i32.const 84) (f32.demote_f64 (f64.const -nan:0x4000000000001)))
        (v128.store (i32.const 96) (f32x4.sub (v128.const f32x4 inf 1 nan:0x300000 -nan) (v128.const f32x4 inf 2 3 4)))
        (v128.store (i32.const 112) (f64x2.min (v128.const f64x2 nan:0x1 1) (v128.const f64x2 1 -nan))) (i64.const 0)";
    let bits = "(f32.store (i32.const 64) (f32.neg (f32.const nan:0x200001)))
        (f64.store (i32.const 72) (f64.copysign (f64.const nan:0x4000000000001) (f64.const -1))) (i64.const 0)";
    vec![
        Source::ends("a NaN that is computed is the canonical one", "", nans, &[(1_000, InTime)]),
        Source::ends("a NaN that is moved keeps its bits", "", bits, &[(1_000, InTime)]),
    ]
}
