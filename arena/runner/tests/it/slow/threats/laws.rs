//! B12 to B18 and B21: what a bot might hope to gain and does not.

use std::collections::BTreeSet;

use arena_interpreter::Interpreter;
use arena_record::ForfeitCode::{FuelExhausted, Trap};
use arena_record::{Budgets, EntrantId};
use arena_referee::{Failure, Fault, Player};
use arena_rules::BySeat;
use arena_runner::{Contender, GameTerms, Host, build_id};
use arena_sandbox::RefusalCode::{FeatureNotAllowed, UnknownImport};
use arena_sandbox::{Sandbox, SandboxPlayer};
use arena_worker::Wall;

use super::bots::{CONTRACT, FREE, MEMORY, at, at_turns, data, doing, turning, wasm, with};
use super::rows::Wanted::{Accepted, Forfeits, Refused};
use super::rows::{Case, Proof, RULESET, Row, When, case, cases, host, law, played};

pub(crate) fn rows() -> Vec<Row> {
    let differs = Proof::Elsewhere {
        text: include_str!("../verify.rs"),
        test: "a_forger_who_corrects_every_checksum_is_found_by_playing_again",
    };
    let other_game = Proof::Elsewhere {
        text: include_str!("../verify.rs"),
        test: "a_whole_other_game_by_the_rules_is_found_by_playing_again_and_not_by_the_rules",
    };
    vec![
        law("B12", the_last_unit_of_the_last_turn_decides),
        law("B12", the_boundary_is_the_same_every_time),
        cases("B13", late_answers()),
        law("B14", a_stack_is_as_deep_every_time_and_the_build_is_noted),
        law("B15", numbers_that_are_none_have_the_same_bits),
        cases("B15", nan_watchers()),
        cases("B16", imports_of_the_world()),
        cases("B17", sleepers()),
        law("B18", memory_is_the_same_at_the_start_of_each_game),
        cases("B18", smugglers()),
        Row { id: "B21", proof: differs },
        Row { id: "B21", proof: other_game },
    ]
}

/// A bot whose turn of this number, from 0, costs more than all others.
fn dear_at(turn: usize) -> Vec<u8> {
    let count =
        "(local.set $i (i32.const 5000)) (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))";
    at_turns("", &[(turn, format!("{count} (call $honest (local.get 0))"))])
}

fn the_last_unit_of_the_last_turn_decides() {
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let bot = host().load(&dear_at(11), &Budgets::DEFAULT).unwrap();
    let game = |fuel_per_move| {
        let budgets = Budgets { fuel_per_move, ..Budgets::DEFAULT };
        let terms = GameTerms::new(RULESET.0, RULESET.1, budgets, Wall::None);
        host().play(&terms.game([3; 32], &BySeat::from([&easy, &bot]))).unwrap().ended.into_record().unwrap()
    };
    let whole = game(Budgets::DEFAULT.fuel_per_move);
    assert_eq!((whole.forfeits.len(), whole.turns.len()), (0, 24));
    // Red has the last turn of the game, and it is the costliest.
    let fuel = |turn: usize| whole.turns[turn].plays[0].fuel.unwrap();
    let last = fuel(23);
    assert!((1..23).step_by(2).all(|turn| fuel(turn) < last));
    for _again in 0..15 {
        let exact = game(last);
        assert_eq!((&exact.turns, &exact.forfeits, exact.digest), (&whole.turns, &whole.forfeits, whole.digest));
        let short = game(last - 1);
        assert_eq!((short.forfeits[0].code, short.forfeits[0].turn), (FuelExhausted, Some(23)));
        assert_eq!(short.turns[..], whole.turns[..23]);
        assert_eq!(short.outcome.winner, Some(0));
    }
}

/// How often each side of the boundary is asked.
const VERDICTS: usize = 50_000;

fn the_boundary_is_the_same_every_time() {
    let sandbox = Sandbox::new().unwrap();
    let bytes = turning("", &format!("(i32.store (i32.const {FREE}) (local.get 0)) {}", at(FREE, 4)));
    let bot = sandbox.load(&bytes, &Budgets::DEFAULT).unwrap();
    let observation = [0; 776];
    let once = |fuel| {
        let mut player = SandboxPlayer::new(&bot);
        player.start(observation.len(), 1_000_000).unwrap();
        player.turn(&observation, fuel).map(|reply| reply.fuel)
    };
    let need = once(1_000_000).unwrap().unwrap();
    for number in 0..VERDICTS {
        assert_eq!(once(need), Ok(Some(need)), "number {number}");
        let late = once(need - 1);
        assert!(matches!(late, Err(Failure::Own(Fault { code: FuelExhausted, .. }))), "number {number}: {late:?}");
    }
}

/// A legal answer that stands in memory counts for nothing until it is returned in time.
fn late_answers() -> Vec<Case> {
    let late = Forfeits(FuelExhausted, "used up before the bot answered", When::Turn(0));
    let written = "(drop (call $honest (local.get 0))) (loop (br 0)) (unreachable)";
    let dear = "(drop (memory.grow (i32.const 65535)))".repeat(4);
    vec![
        case("an answer written and never returned", turning("", written), late),
        case(
            "an answer returned too late",
            turning("", &format!("(call $honest (local.get 0)) {dear}")),
            Forfeits(FuelExhausted, "used up before the bot answered", When::Turn(0)),
        ),
    ]
}

/// The deepest recursion that returns, found by trying.
fn depth(sandbox: &Sandbox, fields: &str, call: &str) -> u32 {
    let returns = |depth: u32| {
        let bytes = turning(fields, &format!("{} {}", call.replace("DEPTH", &depth.to_string()), at(0, 0)));
        let bot = sandbox.load(&bytes, &Budgets::DEFAULT).unwrap();
        let mut player = SandboxPlayer::new(&bot);
        player.start(776, 1_000_000).unwrap();
        player.turn(&[0; 776], 50_000_000).is_ok()
    };
    let (mut yes, mut no) = (0, 1_000_000);
    while yes + 1 < no {
        let middle = yes + (no - yes) / 2;
        if returns(middle) { yes = middle } else { no = middle }
    }
    yes
}

fn a_stack_is_as_deep_every_time_and_the_build_is_noted() {
    let down = "(func $down (param i32) (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))";
    let engines = [Sandbox::new().unwrap(), Sandbox::new().unwrap(), Sandbox::of(Interpreter::new())];
    let depths = engines.map(|engine| depth(&engine, down, "(call $down (i32.const DEPTH))"));
    assert!(depths[0] > 1_000 && depths.iter().all(|depth| *depth == depths[0]), "{depths:?}");
    // It is the rule's and no build's, though each result carries the build.
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let record = played([1; 32], &BySeat::from([&easy, &easy]));
    assert_eq!(record.header.build, build_id());
    assert!(record.header.build.contains("wasmtime"), "{}", record.header.build);
}

/// Ways to a NaN, and the bits that any of them has. Signs that are copied, not computed, are the bot's own.
const NANS: [(&str, &str, &[u8]); 8] = [
    ("f64, zero by zero", "(f64.store (i32.const 0) (f64.div (f64.const 0) (f64.const 0)))", &F64),
    ("f64, a root", "(f64.store (i32.const 0) (f64.sqrt (f64.const -1)))", &F64),
    ("f64, infinities", "(f64.store (i32.const 0) (f64.sub (f64.const inf) (f64.const inf)))", &F64),
    ("f64, a payload", "(f64.store (i32.const 0) (f64.add (f64.const -nan:0x4000000000001) (f64.const 1)))", &F64),
    ("f64, promoted", "(f64.store (i32.const 0) (f64.promote_f32 (f32.const -nan:0x200001)))", &F64),
    ("f32, a payload", "(f32.store (i32.const 0) (f32.max (f32.const -nan:0x200001) (f32.const 1)))", &F32),
    ("f32, demoted", "(f32.store (i32.const 0) (f32.demote_f64 (f64.const -nan:0x4000000000001)))", &F32),
    (
        "lanes",
        "(v128.store (i32.const 0) (f64x2.div (v128.const f64x2 0 0) (v128.const f64x2 0 0)))",
        &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    ),
];
const F64: [u8; 8] = [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
const F32: [u8; 4] = [0, 0, 0xc0, 0x7f];

fn numbers_that_are_none_have_the_same_bits() {
    for engine in [Sandbox::new().unwrap(), Sandbox::reusing(1).unwrap(), Sandbox::of(Interpreter::new())] {
        for (what, code, bits) in NANS {
            let bytes = turning("", &format!("{code} {}", at(0, bits.len() as u32)));
            let mut player = SandboxPlayer::new(&engine.load(&bytes, &Budgets::DEFAULT).unwrap());
            player.start(776, 1_000_000).unwrap();
            for _turn in 0..3 {
                assert_eq!(player.turn(&[0; 776], 1_000_000).unwrap().action, bits, "{what}");
            }
        }
    }
}

/// Bots that play on only where a NaN has the canonical bits, in a worker of its own.
fn nan_watchers() -> Vec<Case> {
    let watch = |(what, code, bits): (&str, &str, &[u8])| {
        let last = bits.len() as u32 - 4;
        let high = u32::from_le_bytes(*bits.last_chunk().unwrap());
        let check = format!("(if (i32.ne (i32.load (i32.const {last})) (i32.const {high})) (then (unreachable)))");
        case(what, doing("", &format!("{code} {check}")), Accepted)
    };
    NANS.into_iter().map(watch).collect()
}

fn imports_of_the_world() -> Vec<Case> {
    let wasi = "wasi_snapshot_preview1";
    let functions = [
        (wasi, "clock_time_get", "(param i32 i64 i32) (result i32)"),
        (wasi, "random_get", "(param i32 i32) (result i32)"),
        (wasi, "environ_get", "(param i32 i32) (result i32)"),
        (wasi, "args_get", "(param i32 i32) (result i32)"),
        (wasi, "path_open", "(param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)"),
        (wasi, "sock_accept", "(param i32 i32 i32) (result i32)"),
        (wasi, "poll_oneoff", "(param i32 i32 i32 i32) (result i32)"),
        (wasi, "proc_exit", "(param i32)"),
        ("wasi", "thread-spawn", "(param i32) (result i32)"),
        ("wasi:clocks/wall-clock@0.2.0", "now", "(param i32)"),
        ("env", "time", "(result f64)"),
        ("__wbindgen_placeholder__", "__wbg_random_1", "(result f64)"),
        ("arena", "seed", "(result i64)"),
        ("arena", "opponent", "(result i64)"),
    ];
    let function = |(module, name, ty): (&str, &str, &str)| {
        let bytes = wasm(&format!("(import \"{module}\" \"{name}\" (func {ty})) {MEMORY} {CONTRACT}"));
        case(format!("{module}::{name}"), bytes, Refused(UnknownImport, "does not exist here"))
    };
    let mut all: Vec<Case> = functions.into_iter().map(function).collect();
    let shared = wasm(&format!("(import \"env\" \"memory\" (memory 1 2 shared)) {CONTRACT}"));
    all.push(case("a memory of others", shared, Refused(UnknownImport, "does not exist here")));
    all
}

fn sleepers() -> Vec<Case> {
    let wait = "(func (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1))))";
    let pause =
        "(local.set $i (i32.const 100000000)) (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))";
    vec![
        case("a wait for another thread", with(wait), Refused(FeatureNotAllowed, "a feature")),
        case("counting", doing("", pause), Forfeits(FuelExhausted, "used up", When::Turn(0))),
    ]
}

/// Everything that could be kept from a game: memory, a global, a table's element, the memory's and the table's size.
const SMUGGLED: &str = "(table $kept 1 funcref) (elem declare func $honest) (global $kept (mut i64) (i64.const 5))";
/// Goes on only where nothing was kept, and leaves something everywhere.
const SMUGGLE: &str = "(if (i32.or (i32.or (i32.ne (i32.load (i32.const 0x8000)) (i32.const 0)) (i64.ne (global.get $kept) (i64.const 5)))
        (i32.or (i32.eqz (ref.is_null (table.get $kept (i32.const 0))))
            (i32.or (i32.ne (memory.size) (i32.const 1)) (i32.ne (table.size $kept) (i32.const 1))))) (then (unreachable)))
    (i32.store (i32.const 0x8000) (i32.const 1)) (global.set $kept (i64.const 6)) (table.set $kept (i32.const 0) (ref.func $honest))
    (drop (memory.grow (i32.const 1))) (drop (table.grow $kept (ref.func $honest) (i32.const 1)))";

/// Of the same module: one that is content with the first turn of each game, and one that looks again in the second.
fn smugglers() -> Vec<Case> {
    let first_only = format!("{SMUGGLE} (call $honest (local.get 0))");
    vec![
        case("a look at the first turn of each game", at_turns(SMUGGLED, &[(0, first_only)]), Accepted),
        case(
            "a look at each turn",
            doing(SMUGGLED, SMUGGLE),
            // Within a game everything is kept: the fixture sees what there is to see.
            Forfeits(Trap, "unreachable", When::Turn(1)),
        ),
    ]
}

/// Answers with a piece of its memory each turn, from its start to its end, and afterwards dirties all of it.
fn memory_is_the_same_at_the_start_of_each_game() {
    const PIECE: u32 = 4_096;
    let next = format!(
        "(global.set $at (i32.add (global.get $at) (i32.const {PIECE})))
        (if (i32.gt_u (global.get $at) (i32.const 65536)) (then (memory.fill (i32.const 0) (i32.const 0xaa) (i32.const 65536))))
        (i64.or (i64.const {}) (i64.extend_i32_u (i32.sub (global.get $at) (i32.const {PIECE}))))",
        u64::from(PIECE) << 32
    );
    let fields = format!("(global $at (mut i32) (i32.const 0)) {}", data(FREE, b"as the module says"));
    let bot = Sandbox::reusing(1).unwrap().load(&turning(&fields, &next), &Budgets::DEFAULT).unwrap();
    let observation = [0; 776];
    let mut images = BTreeSet::new();
    for _game in 0..20 {
        let mut player = SandboxPlayer::new(&bot);
        player.start(observation.len(), 1_000_000).unwrap();
        let pieces = (0..65_536 / PIECE).map(|_| player.turn(&observation, 1_000_000).unwrap().action);
        images.insert(EntrantId::of_bytes(&pieces.collect::<Vec<_>>().concat()));
        // Dirties everything, and leaves it so.
        let _ = player.turn(&observation, 1_000_000);
    }
    assert_eq!(images.len(), 1);
}
