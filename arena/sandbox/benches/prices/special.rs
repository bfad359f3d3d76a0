//! Programs for operators that name something: branches, calls, globals, tables, segments, and whole-memory operators;
//! and shapes that once cost more than they seem to.

use super::programs::{BYTES, PAGES, Shape};

type Named = (String, String);

/// A generator of random numbers: leaves some low bits of a fresh one.
fn random(bits: u32) -> String {
    format!(
        "local.get $r i64.const 6364136223846793005 i64.mul i64.const 1442695040888963407 i64.add local.tee $r
         i64.const {} i64.shr_u i32.wrap_i64 ",
        64 - bits
    )
}

/// The programs of an operator, by its name; none for those that take and leave values only.
pub(crate) fn special(name: &str) -> Vec<Named> {
    let control = ["block", "loop", "if", "else", "end", "br", "br_if", "br_table", "return"];
    let mut programs = match name {
        name if control.contains(&name) => control_flow(name),
        "call" | "call_indirect" => calls(name),
        "local.get" | "local.set" | "local.tee" | "global.get" | "global.set" => variables(name),
        "memory.size" | "memory.grow" | "memory.fill" | "memory.copy" | "memory.init" | "data.drop" => memories(name),
        _ => references(name),
    };
    if name == "call" {
        programs.extend(imports());
    }
    programs
}

fn one(what: &str, shape: &Shape, piece: &str, times: usize) -> Named {
    (what.into(), shape.of(piece, times))
}

/// Reads what is 0, which the compiler does not know.
const NEVER: &str = "i32.const 0 i32.load8_u local.set $x ";

/// Locals `$l0` to `$lN`, and code that gives each what the next was, changed, and looks at all of them.
fn rotation(count: usize, ty: &str) -> (String, String) {
    let each = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let locals = each(&|n| format!("(local $l{n} {ty})"));
    let changed = match ty {
        "i64" => "i64.popcnt",
        "f64" => "f64.neg",
        _ => "v128.not",
    };
    let gets = each(&|n| format!("local.get $l{} {changed} ", (n + 1) % count));
    let sets = each(&|n| format!("local.set $l{} ", count - 1 - n));
    let uses = each(&|n| format!("i32.const 0 local.get $l{n} {ty}.store "));
    (locals, gets + &sets + &uses)
}

fn control_flow(name: &str) -> Vec<Named> {
    let shape = Shape { locals: "(local $x i32) (local $r i64)".into(), setup: NEVER.into(), ..Shape::default() };
    let carried = Shape { carried: Some(("i32", "i32.const 0".into())), ..shape.clone() };
    let values = |count: usize| (" i32".repeat(count), "local.get $x ".repeat(count), "drop ".repeat(count));
    let (sixteen, push, _) = values(16);
    let keep = "i32.xor ".repeat(16);
    match name {
        "block" | "end" => vec![
            one("empty", &shape, "(block)", 2_000),
            one("empty, many", &shape, "(block)", 30_000),
            one("nested", &shape, &format!("{} {}", "block ".repeat(100), "end ".repeat(100)), 20),
            one("with 16 results", &carried, &format!("block (result{sixteen}) {push} end {keep}"), 32),
        ],
        "loop" => {
            let (locals, rotate) = rotation(900, "i64");
            let wide = Shape { locals: format!("(local $x i32) {locals}"), setup: NEVER.into(), ..Shape::default() };
            let (vectors, rotate_vectors) = rotation(450, "v128");
            let wide_vectors =
                Shape { locals: format!("(local $x i32) {vectors}"), setup: NEVER.into(), ..Shape::default() };
            let inner = |rotate: &str| format!("(loop (if (local.get $x) (then {rotate} (br 1))))");
            // Work that depends on nothing in the loop it stands in, where it is never reached.
            let same = "local.get $k i64.mul local.get $k i64.rotl ".repeat(3);
            let idle =
                Shape { locals: "(local $x i32) (local $k i64)".into(), setup: NEVER.into(), ..Shape::default() };
            let same = format!(
                "local.get $k i64.const 3 i64.add local.set $k
                 (loop (if (local.get $x) (then i32.const 8 local.get $k {same} i64.store (br 1))))"
            );
            vec![
                one("empty", &shape, "(loop)", 2_000),
                one("empty, alone", &shape, "(loop)", 1),
                one("that never rotates 900 locals", &wide, &inner(&rotate), 1),
                one("that never rotates 450 vectors", &wide_vectors, &inner(&rotate_vectors), 1),
                one("that never does what is the same each time", &idle, &same, 1),
            ]
        }
        "if" | "else" => {
            let (locals, rotate) = rotation(900, "i64");
            let wide = Shape { locals: format!("(local $x i32) {locals}"), setup: NEVER.into(), ..Shape::default() };
            let (half, rotate_half) = rotation(900, "f64");
            let both = Shape { locals: format!("(local $x i32) {half}"), setup: NEVER.into(), ..Shape::default() };
            let (vectors, rotate_vectors) = rotation(450, "v128");
            let wide_vectors =
                Shape { locals: format!("(local $x i32) {vectors}"), setup: NEVER.into(), ..Shape::default() };
            vec![
                one("not taken", &shape, "(if (local.get $x) (then))", 32),
                one("with two empty sides", &shape, "(if (local.get $x) (then) (else))", 32),
                one("taken", &shape, "(if (i32.const 1) (then (local.set $r (i64.const 1))))", 32),
                one(
                    "at random",
                    &carried,
                    &format!(
                        "{} i32.const 1 i32.and if i32.const 7 local.set $x else i32.const 8 local.set $x end",
                        random(8)
                    ),
                    32,
                ),
                one("that never rotates 900 locals", &wide, &format!("(if (local.get $x) (then {rotate}))"), 1),
                one("that never rotates 900 floats", &both, &format!("(if (local.get $x) (then {rotate_half}))"), 1),
                one(
                    "that never rotates 450 vectors",
                    &wide_vectors,
                    &format!("(if (local.get $x) (then {rotate_vectors}))"),
                    1,
                ),
                one(
                    "that rotates 900 locals in either of two ways",
                    &wide,
                    &format!("(if (local.get $x) (then {rotate}) (else (local.set $l0 (i64.const 1))))"),
                    1,
                ),
            ]
        }
        "br" => vec![
            one("out of a block", &shape, "(block (br 0))", 32),
            one("with 16 values", &carried, &format!("block (result{sixteen}) {push} br 0 end {keep}"), 32),
        ],
        "br_if" => {
            let (locals, rotate) = rotation(900, "i64");
            let wide = Shape { locals: format!("(local $x i32) {locals}"), setup: NEVER.into(), ..Shape::default() };
            let carry = format!("block (result{sixteen}) {push} {} end {keep}", "local.get $x br_if 0 ".repeat(100));
            vec![
                one("not taken", &shape, "(block (br_if 0 (local.get $x)))", 32),
                one("taken", &shape, "(block (br_if 0 (i32.const 1)))", 32),
                one(
                    "at random",
                    &shape,
                    &format!("block {} i32.const 1 i32.and br_if 0 i32.const 7 local.set $x end", random(8)),
                    32,
                ),
                one("not taken, with 16 values", &carried, &carry, 1),
                one(
                    "over a rotation of 900 locals",
                    &wide,
                    &format!("(block (br_if 0 (i32.eqz (local.get $x))) {rotate})"),
                    1,
                ),
            ]
        }
        "br_table" => {
            let targets = |blocks: usize| {
                let table: String = (0..blocks).map(|n| format!("{n} ")).collect();
                let arms: String = (0..blocks).map(|n| format!("end i32.const {n} local.set $x ")).collect();
                format!("{} {} br_table {table} {} {arms} end", "block ".repeat(blocks + 1), random(6), blocks)
            };
            vec![
                one("of one", &shape, "(block (br_table 0 (local.get $x)))", 32),
                one("of 64 at random", &shape, &targets(64), 8),
                one("of 5,000 alike", &shape, &format!("(block (br_table {} (local.get $x)))", "0 ".repeat(5_000)), 4),
                one(
                    "with 16 values",
                    &carried,
                    &format!("block (result{sixteen}) {push} local.get $x br_table 0 0 0 end {keep}"),
                    32,
                ),
            ]
        }
        _ => vec![one(
            "from a function",
            &Shape { fields: "(func $f (param i32) (result i32) (return (local.get 0)))".into(), ..carried },
            "call $f",
            32,
        )],
    }
}

/// A function whose locals must all be cleared, because a loop might change them.
fn clearing(name: &str, count: usize, ty: &str) -> String {
    let (locals, rotate) = rotation(count, ty);
    format!("(func {name} (param $x i32) {locals} (loop (if (local.get $x) (then {rotate} (br 1)))))")
}

fn calls(name: &str) -> Vec<Named> {
    let many = |kind: &str, count: usize, ty: &str| format!("({kind}{})", format!(" {ty}").repeat(count));
    let forward: String =
        (1..16).map(|n| format!("(func $f{n} {} (call $f{}))", many("result", 16, "i64"), n - 1)).collect();
    let sixteen = format!("(func $f0 {} {}) {forward}", many("result", 16, "i64"), "i64.const 7 ".repeat(16));
    let functions: String = (0..64)
        .map(|n| format!("(func $t{n} (param i32) (result i32) (i32.xor (local.get 0) (i32.const {n})))"))
        .collect();
    let listed: String = (0..64).map(|n| format!("$t{n} ")).collect();
    let cases: Vec<(&str, String, String, String)> = vec![
        ("a leaf", "(func $f (param i32))".into(), "i32.const 0".into(), String::new()),
        ("990 locals", clearing("$f", 990, "i64"), "i32.const 0".into(), String::new()),
        ("990 floats", clearing("$f", 990, "f64"), "i32.const 0".into(), String::new()),
        ("490 vectors", clearing("$f", 490, "v128"), "i32.const 0".into(), String::new()),
        (
            "100 parameters",
            format!("(func $f {})", many("param", 100, "i64")),
            "local.get $i ".repeat(100),
            String::new(),
        ),
        ("16 results, sixteen deep", sixteen.replace("$f15", "$f"), String::new(), "drop ".repeat(16)),
        (
            "to itself, 2,000 deep",
            "(func $f (param i32) (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))))))".into(),
            "i32.const 2000".into(),
            String::new(),
        ),
    ];
    let mut programs = Vec::new();
    for (what, fields, push, pop) in cases {
        let (fields, call) = if name == "call" {
            (fields, "call $f".into())
        } else {
            let ty = match what {
                "100 parameters" => many("param", 100, "i64"),
                "16 results, sixteen deep" => many("result", 16, "i64"),
                _ => "(param i32)".into(),
            };
            let fields = format!("{fields} (table 1 funcref) (elem (i32.const 0) func $f)");
            (fields, format!("i32.const 0 call_indirect {ty}"))
        };
        let shape = Shape { fields, locals: "(local $i i64)".into(), ..Shape::default() };
        programs.push(one(what, &shape, &format!("{push} {call} {pop}"), 8));
    }
    if name == "call_indirect" {
        let shape = Shape {
            fields: format!("{functions} (table 64 funcref) (elem (i32.const 0) func {listed})"),
            locals: "(local $r i64)".into(),
            carried: Some(("i32", "i32.const 0".into())),
            ..Shape::default()
        };
        programs.push(one(
            "one of 64 at random",
            &shape,
            &format!("{} call_indirect (param i32) (result i32)", random(6)),
            32,
        ));
    } else {
        // More native code than the caches hold, at random.
        let body = "local.get 0 i32.const 3 i32.rotl i32.const 0x5bd1e995 i32.xor local.set 0 ".repeat(30);
        let big: String =
            (0..2_000).map(|n| format!("(func $b{n} (param i32) (result i32) {body} local.get 0)")).collect();
        let calls: String = (0..2_000).map(|n| format!("call $b{} ", n * 1_013 % 2_000)).collect();
        let shape = Shape { fields: big, carried: Some(("i32", "i32.const 1".into())), ..Shape::default() };
        programs.push(one("2,000 functions in turn", &shape, &calls, 1));
        let tiny: String = (0..3_900).map(|n| format!("(func $b{n} (param i32) (result i32) local.get 0)")).collect();
        let calls: String = (0..3_900).map(|n| format!("call $b{} ", n * 1_013 % 3_900)).collect();
        let shape = Shape { fields: tiny, carried: Some(("i32", "i32.const 1".into())), ..Shape::default() };
        programs.push(one("3,900 empty functions in turn", &shape, &calls, 1));
    }
    programs
}

fn imports() -> Vec<Named> {
    let shape = Shape { pages: PAGES, ..Shape::default() };
    let log = |length| {
        one(&format!("a log of {length} bytes"), &shape, &format!("i32.const 0 i32.const {length} call $log"), 8)
    };
    let fuel = one("the fuel left", &shape, "call $fuel drop", 8);
    [0, 1, 100, BYTES].map(log).into_iter().chain([fuel]).collect()
}

fn variables(name: &str) -> Vec<Named> {
    let fields = ["i32", "i64", "f32", "f64", "v128"]
        .map(|ty| {
            let zero = if ty == "v128" { "v128.const i64x2 0 0".into() } else { format!("{ty}.const 0") };
            format!("(global ${ty} (mut {ty}) ({zero}))")
        })
        .concat();
    let shape = Shape {
        fields,
        locals: "(local $a i32) (local $b i32) (local $v v128) (local $w v128)".into(),
        carried: Some(("i32", "i32.const 0".into())),
        ..Shape::default()
    };
    let (locals, rotate) = rotation(500, "i64");
    let wide = Shape { locals, ..Shape::default() };
    match name {
        "local.get" => vec![one("into a sum", &shape, "local.get $a i32.xor", 32)],
        "local.set" | "local.tee" => vec![
            one(
                "and got again",
                &shape,
                &format!("{name} $a {}", if name == "local.set" { "local.get $a" } else { "" }),
                32,
            ),
            one("500 in a ring", &wide, &rotate, 1),
        ],
        "global.get" => vec![
            one("into a sum", &shape, "global.get $i32 i32.xor", 32),
            one("a vector", &shape, "global.get $v128 i32x4.extract_lane 0 i32.xor", 32),
        ],
        _ => vec![
            one("", &shape, "local.get $a global.set $i32", 32),
            one("a vector", &shape, "local.get $v global.set $v128", 32),
            one("and got again", &shape, "global.set $i32 global.get $i32", 32),
        ],
    }
}

/// Lengths that operators over ranges are tried with, below a most.
fn lengths(most: u32) -> [u32; 6] {
    [0, 1, 7, 64, 4_096.min(most), most]
}

fn memories(name: &str) -> Vec<Named> {
    let text = "x".repeat(60_000);
    let whole = Shape {
        pages: PAGES,
        fields: format!("(data $d \"{text}\") (data $e \"\")"),
        locals: "(local $r i64)".into(),
        ..Shape::default()
    };
    let growing = Shape { carried: Some(("i32", "i32.const 0".into())), ..Shape::default() };
    let grow = |pages: u32| format!("i32.const {pages} memory.grow i32.xor");
    match name {
        "memory.size" => vec![one("", &growing, "memory.size i32.xor", 32)],
        "memory.grow" => {
            [0, 1, 63, 64, 65_536, u32::MAX].map(|pages| one(&format!("by {pages}"), &growing, &grow(pages), 8)).into()
        }
        "memory.fill" => lengths(BYTES)
            .map(|n| {
                one(&format!("{n} bytes"), &whole, &format!("i32.const 0 i32.const 1 i32.const {n} memory.fill"), 8)
            })
            .into(),
        "memory.copy" => {
            let apart = lengths(BYTES / 2).map(|n| {
                one(
                    &format!("{n} bytes"),
                    &whole,
                    &format!("i32.const {} i32.const 0 i32.const {n} memory.copy", BYTES / 2),
                    8,
                )
            });
            let over = lengths(BYTES - 1).map(|n| {
                one(
                    &format!("{n} bytes onto themselves"),
                    &whole,
                    &format!("i32.const 1 i32.const 0 i32.const {n} memory.copy"),
                    8,
                )
            });
            let random =
                one("a byte at random", &whole, &format!("{} {} i32.const 1 memory.copy", random(22), random(22)), 8);
            apart.into_iter().chain(over).chain([random]).collect()
        }
        "memory.init" => lengths(60_000)
            .map(|n| {
                one(&format!("{n} bytes"), &whole, &format!("i32.const 1 i32.const 0 i32.const {n} memory.init $d"), 8)
            })
            .into(),
        _ => vec![one("", &whole, "data.drop $e", 32), one("of much", &whole, "data.drop $d", 32)],
    }
}

fn references(name: &str) -> Vec<Named> {
    let ten_thousand: String = "$leaf ".repeat(10_000);
    let shape = Shape {
        fields: format!(
            "(func $leaf) (table $t 10000 funcref) (table $u 1 funcref) (elem (i32.const 0) func $leaf) (elem declare func $leaf)
             (elem $e func {ten_thousand}) (elem $none func)"
        ),
        locals: "(local $f funcref) (local $r i64) (local $x i32)".into(),
        carried: Some(("i32", "i32.const 0".into())),
        ..Shape::default()
    };
    let range = |operator: &str, from: &str| {
        lengths(10_000)
            .map(|n| one(&format!("{n} elements"), &shape, &format!("i32.const 0 {from} i32.const {n} {operator}"), 8))
            .to_vec()
    };
    let index = "i32.const 9999 i32.and";
    match name {
        "ref.null" => vec![one("", &shape, "ref.null func ref.is_null i32.xor", 32)],
        "ref.is_null" => vec![one("", &shape, "local.get $f ref.is_null i32.xor", 32)],
        "ref.func" => vec![
            one("", &shape, "ref.func $leaf ref.is_null i32.xor", 32),
            one("kept", &shape, "ref.func $leaf local.set $f", 32),
        ],
        "select (result i32)" => vec![one("", &shape, "i32.const 1 local.get $x select (result i32)", 32)],
        "table.get" => vec![
            one("the first", &shape, "i32.const 0 table.get $t ref.is_null i32.xor", 32),
            one("never set", &shape, "i32.const 9999 table.get $t ref.is_null i32.xor", 32),
            one("at random", &shape, &format!("{} {index} table.get $t ref.is_null i32.xor", random(14)), 32),
        ],
        "table.set" => vec![
            one("nothing", &shape, "i32.const 0 ref.null func table.set $t", 32),
            one("a function", &shape, "i32.const 9999 ref.func $leaf table.set $t", 32),
            one("at random", &shape, &format!("{} {index} ref.null func table.set $t", random(14)), 32),
        ],
        "table.size" => vec![one("", &shape, "table.size $t i32.xor", 32)],
        "table.grow" => [0, 1, 9_999, 10_000, u32::MAX]
            .map(|n| one(&format!("by {n}"), &shape, &format!("ref.null func i32.const {n} table.grow $u i32.xor"), 8))
            .into(),
        "table.fill" => range("table.fill $t", "ref.null func"),
        "table.copy" => [range("table.copy $t $t", "i32.const 0"), {
            let over = lengths(9_999);
            over.map(|n| {
                one(
                    &format!("{n} elements onto themselves"),
                    &shape,
                    &format!("i32.const 1 i32.const 0 i32.const {n} table.copy $t $t"),
                    8,
                )
            })
            .to_vec()
        }]
        .concat(),
        "table.init" => range("table.init $t $e", "i32.const 0"),
        "elem.drop" => vec![one("", &shape, "elem.drop $none", 32), one("of much", &shape, "elem.drop $e", 32)],
        _ => Vec::new(),
    }
}
