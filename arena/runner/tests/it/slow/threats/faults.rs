//! B1 to B11: bots that hang, crash, flood or cheat.

use arena_record::ForfeitCode::{BadOutput, BadPointer, FuelExhausted, IllegalMove, StackOverflow, Trap};
use arena_sandbox::LOG_LINES_MAX;

use super::bots::{FREE, answering, answering_at, at, at_turns, data, doing, turning};
use super::rows::Wanted::{Accepted, Forfeits};
use super::rows::{Case, Engine, Row, When, case, cases, law, sample};

/// Fields that fixtures share: a table with one wrong function and an empty element, and something to recurse.
const FIELDS: &str = r#"(table $table 2 funcref) (elem (i32.const 0) func $wrong) (func $wrong (param f32))
    (func $recurse (call $recurse)) (data $data "1234") (elem $elements func $wrong)"#;
/// Takes all the memory there is, and writes to the last byte of each page.
const TAKE_ALL: &str = "(loop $grow (br_if $grow (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (local.set $i (i32.const 1))
    (loop $touch (i32.store8 (i32.sub (i32.shl (local.get $i) (i32.const 16)) (i32.const 1)) (i32.const 1))
        (br_if $touch (i32.le_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (memory.size))))";

const FIRST: When = When::Turn(0);

pub(crate) fn rows() -> Vec<Row> {
    vec![
        cases("B1", endless()),
        cases("B2", recursions()),
        cases("B3", memory()),
        cases("B4", dear_for_nothing()),
        cases("B5", dear_for_much()),
        cases("B6", floods()),
        law("B6", a_flood_is_kept_short),
        cases("B7", pointers()),
        cases("B8", outputs()),
        cases("B9", places()),
        cases("B10", bombs_and_skips()),
        cases("B11", traps()),
    ]
}

/// A deed in the first turn, and what comes of it.
fn deed(what: &str, deed: &str, code: arena_record::ForfeitCode, words: &'static str) -> Case {
    case(what, doing(FIELDS, deed), Forfeits(code, words, FIRST))
}

fn exhausting(what: &str, instructions: &str) -> Case {
    deed(what, instructions, FuelExhausted, "used up")
}

fn endless() -> Vec<Case> {
    vec![
        exhausting("a loop", "(loop (br 0))"),
        exhausting("a loop that works", "(loop (drop (i32.load (i32.const 0))) (br 0))"),
        exhausting("loops in loops", "(loop (loop (br_if 0 (local.get 0)) (br 1)) )"),
        case(
            "a loop in its third turn",
            at_turns("", &[(2, "(loop (br 0)) (unreachable)".into())]),
            Forfeits(FuelExhausted, "used up", When::Turn(2)),
        ),
    ]
}

fn recursions() -> Vec<Case> {
    // Vectors that are all needed after the call, nearly as many as a function may have.
    let locals = 490;
    let sets: String = (1..=locals)
        .map(|at| format!("(local.set {at} (i8x16.splat (i32.add (local.get 0) (i32.const {at}))))"))
        .collect();
    let sum: String =
        (1..=locals).map(|at| format!("(local.set 1 (i8x16.add (local.get 1) (local.get {at})))")).collect();
    let fat = format!(
        "(func $fat (param i32) (result v128) (local{}) {sets} (local.set 1 (call $fat (local.get 0))) {sum} (local.get 1))",
        " v128".repeat(locals)
    );
    vec![
        deed("a recursion", "(call $recurse)", StackOverflow, "nested too deeply"),
        case(
            "a recursion with large frames",
            doing(&fat, "(drop (call $fat (i32.const 1)))"),
            Forfeits(StackOverflow, "nested too deeply", FIRST),
        ),
        case(
            "two that call each other through a table",
            doing(
                "(type $f (func)) (table 2 funcref) (elem (i32.const 0) func $ping $pong)
                (func $ping (call_indirect (type $f) (i32.const 1))) (func $pong (call_indirect (type $f) (i32.const 0)))",
                "(call $ping)",
            ),
            Forfeits(StackOverflow, "nested too deeply", FIRST),
        ),
        case(
            "a recursion that has overdrawn, with much to do on the way back",
            doing(&unwinding(), "(call $down (i32.const 5000))"),
            Forfeits(FuelExhausted, "used up", FIRST),
        ),
        case(
            "frames of which the engine makes far more than they have units",
            doing(&spilling(), "(call $spill (i32.const 40))"),
            Accepted,
        )
        .fails_in(Engine::Wasmtime),
    ]
}

/// `$down` calls itself so often, and each call has 10,000 loads to do that wait for each other, once the call in it
/// returns: a thousand of them take the fuel of a turn.
fn unwinding() -> String {
    let loads = "i32.load ".repeat(10_000);
    format!(
        "(func $down (param i32)
            (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1)))))
            i32.const 0 {loads} drop)"
    )
}

/// `$spill` calls itself so often, and has a frame of some 60 kB for some 50 units: the compiler takes a new place in
/// it for a value each time that it lives across a call, while others are alive in a loop around.
fn spilling() -> String {
    const KEPT: usize = 12;
    let all = |of: &dyn Fn(usize) -> String| -> String { (0..KEPT).map(of).collect() };
    let first = all(&|at| format!("(local.set $k{at} (v128.load (i32.const {})))", 16 * at));
    let kept = all(&|at| format!("(local $k{at} v128)"));
    let again = all(&|at| format!("(local.set $k{at} (v128.not (local.get $k{at})))"));
    let used = all(&|at| format!("(global.set $used (v128.xor (global.get $used) (local.get $k{at})))"));
    let passed = |at: usize| format!("(local.set $x{at} (call $same (local.get $x{at})))");
    let calls = [passed(0), passed(1)].concat().repeat(2_000);
    format!(
        "(global $used (mut v128) (v128.const i64x2 0 0)) (func $same (param v128) (result v128) (local.get 0))
        (func $spill (param $n i32) {kept} (local $x0 v128) (local $x1 v128) (local $k i32) {first}
            (local.set $x0 (call $same (v128.load (i32.const 512))))
            (local.set $x1 (call $same (v128.load (i32.const 528))))
            (if (local.get $n) (then (call $spill (i32.sub (local.get $n) (i32.const 1)))))
            (loop $round {calls} {again} (br_if $round (local.get $k)))
            {used} (global.set $used (v128.xor (global.get $used) (v128.xor (local.get $x0) (local.get $x1)))))"
    )
}

fn memory() -> Vec<Case> {
    vec![
        case("all of it, and honest", doing("", TAKE_ALL), Accepted),
        deed(
            "all of it and more",
            &format!("{TAKE_ALL} (i32.store (i32.shl (memory.size) (i32.const 16)) (i32.const 1))"),
            Trap,
            "memory was accessed",
        ),
        case(
            "growing without asking how it went",
            doing("", "(drop (memory.grow (i32.const 65535)))"),
            // One failure in vain is dear; three turns of it are paid for.
            Accepted,
        ),
        case(
            "a memory that may grow to 4 GiB and does not",
            doing("", "(if (i32.ne (memory.grow (i32.const 64)) (i32.const -1)) (then (unreachable)))"),
            Accepted,
        ),
    ]
}

/// What does nothing and takes the host's time.
fn dear_for_nothing() -> Vec<Case> {
    let zero = "(i32.const 0)";
    let forever = |what: &str, instruction: String| exhausting(what, &format!("(loop {instruction} (br 0))"));
    vec![
        forever("memory.grow by nothing", format!("(drop (memory.grow {zero}))")),
        forever("memory.grow in vain", "(drop (memory.grow (i32.const 64)))".into()),
        forever("memory.grow far in vain", "(drop (memory.grow (i32.const -1)))".into()),
        forever("memory.fill of nothing", format!("(memory.fill {zero} {zero} {zero})")),
        forever("memory.copy of nothing", format!("(memory.copy {zero} {zero} {zero})")),
        forever("memory.init of nothing", format!("(memory.init $data {zero} {zero} {zero})")),
        forever("data.drop", "(data.drop $data)".into()),
        forever("elem.drop", "(elem.drop $elements)".into()),
        forever("table.grow by nothing", format!("(drop (table.grow $table (ref.null func) {zero}))")),
        forever("table.grow in vain", "(drop (table.grow $table (ref.null func) (i32.const 10000)))".into()),
        forever("table.fill of nothing", format!("(table.fill $table {zero} (ref.null func) {zero})")),
        forever("table.copy of nothing", format!("(table.copy {zero} {zero} {zero})")),
        forever("table.init of nothing", format!("(table.init $elements {zero} {zero} {zero})")),
    ]
}

/// What moves as much as one instruction can.
fn dear_for_much() -> Vec<Case> {
    let half = 2 << 20;
    let forever = |what: &str, instruction: String| {
        exhausting(what, &format!("(drop (memory.grow (i32.const 63))) (loop {instruction} (br 0))"))
    };
    vec![
        forever("memory.fill", format!("(memory.fill (i32.const 0) (i32.const 0) (i32.const {}))", 2 * half)),
        forever("memory.copy", format!("(memory.copy (i32.const {half}) (i32.const 0) (i32.const {half}))")),
        forever(
            "memory.copy over itself",
            format!("(memory.copy (i32.const 1) (i32.const 0) (i32.const {}))", 2 * half - 1),
        ),
        exhausting(
            "table.fill",
            "(drop (table.grow $table (ref.null func) (i32.const 9998)))
            (loop (table.fill $table (i32.const 0) (ref.null func) (i32.const 10000)) (br 0))",
        ),
    ]
}

/// Text that a log, a terminal or a page could stumble over.
const RUDE: &[u8] =
    b"\x1b[2J\x1b]0;t\x07\0\r\nERROR forged line\n\xff\xfe\xc0\x80<script>alert(1)</script>\xe2\x80\xae";

/// A turn that logs this often.
fn logging(lines: u32, address: u32, length: u32) -> String {
    format!(
        "(local.set $i (i32.const {lines})) (loop (call $log (i32.const {address}) (i32.const {length}))
        (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))"
    )
}

fn floods() -> Vec<Case> {
    let rude = data(FREE, RUDE);
    vec![
        exhausting("ten million lines", &logging(10_000_000, 0, 1)),
        exhausting("ten million empty lines", &logging(10_000_000, 0, 0)),
        exhausting("lines of a page", &logging(1_000, 0, 65_536)),
        case("rude lines", doing(&rude, &logging(10, FREE, RUDE.len() as u32)), Accepted),
        case("lines beyond the limits", doing("", &logging(10_000, 0, 100)), Accepted),
        case("one line that is too long to keep", doing("", &logging(1, 0, 65_536)), Accepted),
    ]
}

/// Logging is never a fault by itself, and what is kept of it is bounded; the rest is counted.
fn a_flood_is_kept_short() {
    let lines = 1_000;
    let flood = sample("B6", &doing("", &logging(lines, 0, 10)));
    for game in &flood.games {
        let own_turns = game.record.turns.iter().filter(|turn| turn.plays[0].seat == game.seat.0).count() as u64;
        assert_eq!(game.log.len(), LOG_LINES_MAX);
        assert_eq!(game.log_dropped, own_turns * u64::from(lines) - LOG_LINES_MAX as u64);
    }
    let long = sample("B6", &doing("", &logging(2, 0, 65_536)));
    assert!(long.games.iter().all(|game| game.log.is_empty() && game.log_dropped > 0));
}

fn pointers() -> Vec<Case> {
    let answer = |what: &str, address: u32, length: u32, code, words| {
        case(what, turning("", &at(address, length)), Forfeits(code, words, FIRST))
    };
    let buffer = |what: &str, address: i64| {
        let text = include_str!("../../../../../../bots/gallery/mason/bot.wat");
        let place = "(global $observation i32 (i32.const 1024))";
        assert!(text.contains(place));
        let bytes = wat::parse_str(text.replace(place, &format!("(global $observation i32 (i32.const {address}))")));
        case(what, bytes.unwrap(), Forfeits(BadPointer, "arena_observation returned address", When::AtStart))
    };
    vec![
        answer("past the end", 65_536, 11, BadPointer, "11 bytes at address 65536"),
        answer("across the end", 65_526, 11, BadPointer, "11 bytes at address 65526"),
        answer("an address and length beyond 32 bits", u32::MAX, 11, BadPointer, "address 4294967295"),
        answer("the longest action at the last address", u32::MAX, 4_096, BadPointer, "4096 bytes"),
        answer("nothing past the end", 65_537, 0, BadPointer, "0 bytes at address 65537"),
        answer("the longest length", 0, u32::MAX, BadOutput, "4294967295 bytes"),
        answer("a length that wraps round", 16, u32::MAX - 15, BadOutput, "4294967280 bytes"),
        case("minus one", turning("", "(i64.const -1)"), Forfeits(BadOutput, "4294967295 bytes", FIRST)),
        case("the least number", turning("", "(i64.const 0x8000000000000000)"), Forfeits(BadOutput, "bytes", FIRST)),
        buffer("a buffer one byte past the end", 65_536 - 775),
        buffer("a buffer past the end", 65_536),
        buffer("a buffer at the last address", -1),
        buffer("a buffer at the middle of all addresses", 0x8000_0000),
        deed(
            "a log across the end",
            "(call $log (i32.const 65530) (i32.const 7))",
            BadPointer,
            "arena.log was given 7",
        ),
        deed("a log from the last address", "(call $log (i32.const -1) (i32.const 1))", BadPointer, "4294967295"),
    ]
}

fn outputs() -> Vec<Case> {
    let bad = |what: &str, action: &[u8]| case(what, answering(action), Forfeits(BadOutput, "", FIRST));
    vec![
        bad("nothing", &[]),
        bad("a version alone", &[1]),
        bad("a head cut short", &[1, 3]),
        bad("version 0", &[0, 3, 0]),
        bad("version 2", &[2, 3, 0]),
        bad("version 255", &[255, 3, 0]),
        bad("an unknown kind", &[1, 4, 0]),
        bad("the last kind", &[1, 255, 0]),
        bad("a skip with a cell", &[1, 3, 1, 0, 0]),
        bad("a pass with a cell", &[1, 0, 1, 0, 0]),
        bad("a bomb without a cell", &[1, 2, 0]),
        bad("a bomb with two cells", &[1, 2, 2, 0, 0, 0, 1]),
        bad("more cells promised than given", &[1, 1, 4, 12, 3, 12, 4]),
        bad("more cells given than promised", &[1, 1, 1, 12, 3, 12, 4]),
        bad("a byte missing", &[1, 1, 1, 12]),
        bad("a byte too many", &[1, 3, 0, 0]),
        bad("text", b"place 12,3 12,4 13,3 13,4"),
        bad("as many zeroes as fit", &[0; 4_096]),
        case("1 GiB claimed", turning("", &at(0, 1 << 30)), Forfeits(BadOutput, "1073741824 bytes", FIRST)),
        case("one byte more than fits", turning("", &at(0, 4_097)), Forfeits(BadOutput, "4096 are allowed", FIRST)),
    ]
}

/// An action that places these cells, and its mirror image for red.
fn placing(what: &str, turn: usize, cells: &[(u8, u8)], words: &'static str) -> Case {
    let action = |col: fn(u8) -> u8| {
        let head = [1, 1, cells.len() as u8];
        head.into_iter().chain(cells.iter().flat_map(|(row, own)| [*row, col(*own)])).collect::<Vec<u8>>()
    };
    // Only columns of the board have an image.
    let (blue, red) = (action(|col| col), action(|col| if col < 28 { 27 - col } else { col }));
    case(what, answering_at(turn, &blue, &red), Forfeits(IllegalMove, words, When::Turn(turn)))
}

fn places() -> Vec<Case> {
    // A coordinate is a byte: -1 and the largest number are the same one.
    vec![
        placing("row 26", 0, &[(26, 0)], "not on the board"),
        placing("row 28", 0, &[(28, 0)], "not on the board"),
        placing("the last row there is", 0, &[(255, 0)], "not on the board"),
        placing("column 28", 0, &[(0, 28)], "not on the board"),
        placing("the last column there is", 0, &[(0, 255)], "not on the board"),
        placing("legal cells, then one off the board", 0, &[(1, 1), (1, 2), (2, 1), (26, 2)], "not on the board"),
        placing("a cell twice", 0, &[(1, 1), (1, 2), (2, 1), (1, 1)], "alive"),
        // Where either seat has its first block.
        placing("a living cell", 1, &[(1, 1), (1, 6), (9, 1), (9, 2)], "alive"),
        placing("neutral before home", 0, &[(1, 10), (1, 1), (1, 2), (2, 1)], "out of reach"),
        placing("the opponent's home", 0, &[(1, 1), (1, 2), (2, 1), (1, 20)], "out of reach"),
        placing("no cell", 0, &[], "at least one cell"),
        placing("three cells", 0, &[(1, 1), (1, 2), (2, 1)], "3 of 4 cells"),
        placing("five cells", 0, &[(1, 1), (1, 2), (2, 1), (2, 2), (9, 1)], "at most 4"),
        placing("255 times a cell", 0, &[(1, 1); 255], "alive"),
    ]
}

fn bombs_and_skips() -> Vec<Case> {
    let bomb = [1, 2, 1, 25, 14];
    let skip = [1, 3, 0];
    let illegal = |what: &str, fields: String, deeds: &[(usize, String)], turn, words| {
        case(what, at_turns(&fields, deeds), Forfeits(IllegalMove, words, When::Turn(turn)))
    };
    let bombing = |turn: usize| (turn, at(FREE, bomb.len() as u32));
    let skipping = |turn: usize| (turn, at(FREE, skip.len() as u32));
    vec![
        illegal("a bomb at once", data(FREE, &bomb), &[bombing(0)], 0, "round 7"),
        illegal("a bomb in round 6", data(FREE, &bomb), &[bombing(5)], 5, "round 7"),
        illegal("a bomb that cools", data(FREE, &bomb), &[bombing(6), bombing(7)], 7, "cool"),
        illegal("a bomb off the board", data(FREE, &[1, 2, 1, 26, 0]), &[bombing(6)], 6, "not on the board"),
        illegal("a second skip", data(FREE, &skip), &[skipping(1), skipping(2)], 2, "skip is used"),
        illegal("a second skip much later", data(FREE, &skip), &[skipping(2), skipping(9)], 9, "skip is used"),
        illegal("a pass", data(FREE, &[1, 0, 0]), &[skipping(0)], 0, "pass"),
        // Each of them once, and in time, is nothing but legal.
        case("a bomb and a skip", at_turns(&data(FREE, &bomb), &[bombing(6), bombing(8)]), Accepted),
    ]
}

fn traps() -> Vec<Case> {
    let trap = |what: &str, instructions: &str, words| deed(what, instructions, Trap, words);
    vec![
        trap("unreachable", "(unreachable)", "unreachable"),
        trap("i32 division by zero", "(drop (i32.div_s (i32.const 1) (i32.const 0)))", "divided by zero"),
        trap("i64 division by zero", "(drop (i64.div_u (i64.const 1) (i64.const 0)))", "divided by zero"),
        trap("a remainder by zero", "(drop (i32.rem_u (i32.const 1) (i32.const 0)))", "divided by zero"),
        trap("a division that overflows", "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", "overflowed"),
        trap("NaN as an integer", "(drop (i32.trunc_f32_s (f32.const nan)))", "no integer"),
        trap("a float too large", "(drop (i32.trunc_f64_s (f64.const 1e10)))", "overflowed"),
        trap("a load just past the end", "(drop (i32.load8_u (i32.const 65536)))", "memory was accessed"),
        trap("a load across the end", "(drop (i64.load (i32.const 65529)))", "memory was accessed"),
        trap("a load far past the end", "(drop (i32.load offset=0xffffffff (i32.const -1)))", "memory was accessed"),
        trap("a vector across the end", "(drop (v128.load (i32.const 65521)))", "memory was accessed"),
        trap("a store past the end", "(i32.store (i32.const 65533) (i32.const 1))", "memory was accessed"),
        trap(
            "a fill past the end",
            "(memory.fill (i32.const 65535) (i32.const 0) (i32.const 2))",
            "memory was accessed",
        ),
        trap(
            "a copy past the end",
            "(memory.copy (i32.const 0) (i32.const 1) (i32.const 65536))",
            "memory was accessed",
        ),
        trap(
            "an init past the data",
            "(memory.init $data (i32.const 0) (i32.const 3) (i32.const 2))",
            "memory was accessed",
        ),
        trap(
            "dropped data",
            "(data.drop $data) (memory.init $data (i32.const 0) (i32.const 0) (i32.const 1))",
            "memory was accessed",
        ),
        trap("an indirect call of nothing", "(call_indirect (i32.const 1))", "empty table element"),
        trap("an indirect call of another type", "(call_indirect (i32.const 0))", "another type"),
        trap("an indirect call past the table", "(call_indirect (i32.const 2))", "table was accessed"),
        trap("table.get past the table", "(drop (table.get $table (i32.const 2)))", "table was accessed"),
        trap(
            "table.init past the table",
            "(table.init $elements (i32.const 2) (i32.const 0) (i32.const 1))",
            "table was accessed",
        ),
        case(
            "a trap in its twelfth turn",
            at_turns("", &[(11, "(unreachable)".into())]),
            Forfeits(Trap, "unreachable", When::Turn(11)),
        ),
    ]
}
