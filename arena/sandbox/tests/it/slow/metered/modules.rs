//! Small modules under both meters: each operator, random ones, and those where the two differ.
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use arbitrary::Unstructured;
use arena_meter::meter;
use arena_record::Budgets;
use arena_rules::Rng;
use arena_sandbox::check;
use wasm_smith::{Config, Module};
use wasmparser::{Operator, Parser, Payload};

use super::games::counted;
use super::machine::MAXIMA;
use super::{End, Pair, Played, below, rng, turning};
use crate::number_of;
use crate::proof::prove;
use crate::slow::sandbox::sweep::operators::TYPES;
use crate::slow::sandbox::sweep::programs::{Program, by_operator};
use crate::slow::uploads::smith::{like_a_bot, of_functions};

/// Random modules in the gate, and points of exhaustion of each; `cargo xtask meter` asks for more.
const MODULES: u64 = 150;
const POINTS: u64 = 5;
/// Every so many operators in the gate; all at night.
const SAMPLED: usize = 10;
/// What wasm-smith is given for a module, in bytes.
const SMITH_BYTES: usize = 700;
/// Fuel of a turn of a random module.
const FUEL: u64 = 20_000;
pub(crate) const OBSERVATION: [u8; 16] = [1; 16];

#[test]
fn every_operator_alone_costs_and_does_the_same() {
    same_operators(SAMPLED, 1, 0);
}

/// Every so many operators, so many programs of each: in turn, by the seed. Each ends in one form and not in the other.
pub(crate) fn alone(every: usize, programs: usize, seed: u64) -> impl Iterator<Item = (String, Vec<u8>)> {
    let operators = by_operator().expect("programs").into_iter().step_by(every);
    let drawn = operators.flat_map(move |(_, all)| {
        let (count, from) = (all.len(), seed as usize % 1_000 * programs);
        let is_drawn = move |number: usize| (number + count - from % count) % count < programs;
        all.into_iter().enumerate().filter_map(move |(number, program)| is_drawn(number).then_some(program))
    });
    drawn.flat_map(both)
}

/// A program of one round of its loop, and one without an end. Each round leaves in memory what it carries.
fn both(Program { operator, what, module }: Program) -> [(String, Vec<u8>); 2] {
    let carried = TYPES.iter().find(|ty| module.contains(&format!("(local $carried {ty})")));
    let store = carried.map(|ty| format!("i32.const 64 local.get $carried {ty}.store")).unwrap_or_default();
    [format!("{store} end i64.const 0"), format!("{store} br $top end unreachable")].map(|end| {
        let text = module.replace("br $top end unreachable", &end);
        let name = format!("{operator}: {what}");
        (name.clone(), wat::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")))
    })
}

pub(crate) fn same_operators(every: usize, programs: usize, seed: u64) {
    let mut compared = 0;
    for (number, (name, bytes)) in alone(every, programs, seed).enumerate() {
        let mut rng = rng(1, number as u64);
        Pair::load(&bytes).held_equal(&name, &OBSERVATION, (0..2).map(|_| below(&mut rng, FUEL)));
        compared += 1;
    }
    assert!(compared > 800 / every, "{compared}");
}

/// Whether a bulk operator has a length that is no constant just before it: it may be one that the engine sees.
fn may_hide_a_constant(module: &[u8]) -> bool {
    Parser::new(0).parse_all(module).flatten().any(|payload| {
        let Payload::CodeSectionEntry(body) = payload else { return false };
        let Ok(operators) = body.get_operators_reader() else { return false };
        let mut before = None;
        operators.into_iter().flatten().any(|operator| {
            let hides = is_bulk(&operator) && !matches!(before, Some(Operator::I32Const { .. }));
            before = Some(operator);
            hides
        })
    })
}

fn is_bulk(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::MemoryGrow { .. }
            | Operator::MemoryFill { .. }
            | Operator::MemoryCopy { .. }
            | Operator::MemoryInit { .. }
            | Operator::TableGrow { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
    )
}

/// Whether a bot calls `arena.fuel` by its name.
pub(crate) fn asks(bot: &[u8]) -> bool {
    let mut questions = Vec::new();
    Parser::new(0).parse_all(bot).flatten().any(|payload| match payload {
        Payload::ImportSection(imports) => {
            questions.extend(imports.into_imports().flatten().map(|import| import.name == "fuel"));
            false
        }
        Payload::CodeSectionEntry(body) => {
            let asks = |function: u32| questions.get(function as usize) == Some(&true);
            let mut operators = body.get_operators_reader().into_iter().flatten().flatten();
            operators.any(|operator| matches!(operator, Operator::Call { function_index } if asks(function_index)))
        }
        _ => false,
    })
}

/// How a random module compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Compared {
    Equal,
    /// It recursed too deeply under either.
    Deep,
    /// It differs where the rule decides.
    ByTheRule,
}

fn compare(pair: &Pair, may_differ: bool, start: u64, turn: u64) -> (Compared, Played) {
    let [mut engine, own] = pair.play(&OBSERVATION, start, turn);
    if pair.starts_with_more && matches!((&engine.start, &own.start), (End::InTime { .. }, End::InTime { .. })) {
        engine.start = own.start.clone();
    }
    let is_deep = |played: &Played| played.start == End::TooDeep || played.turn == Some(End::TooDeep);
    // Whether data has a place is found out while it is written, or after it is paid for.
    let may_differ = may_differ || matches!((&engine.start, &own.start), (End::Trapped(_), End::Exhausted));
    let compared = if engine == own {
        Compared::Equal
    } else if is_deep(&engine) || is_deep(&own) {
        Compared::Deep
    } else if may_differ {
        Compared::ByTheRule
    } else {
        panic!("on {start} and {turn}: {engine:?} by the engine, {own:?} by its own")
    };
    (compared, own)
}

#[test]
fn random_modules_cost_and_do_the_same() {
    same_modules(number_of("ARENA_METERS", MODULES), number_of("ARENA_METERS_SEED", 1));
}

/// A random module that keeps the contract; half of them trap nowhere.
fn random(rng: &mut Rng, contract: &[u8]) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = (0..SMITH_BYTES).map(|_| rng.word() as u8).collect();
    let config = Config { disallow_traps: rng.below(2) == 0, ..like_a_bot(contract) };
    let module = of_functions(&Module::new(config, &mut Unstructured::new(&bytes)).ok()?.to_bytes());
    check(&module, &Budgets::DEFAULT).is_ok().then_some(module)
}

/// Random modules with all that bots may import, each with its number and a generator.
pub(crate) fn random_modules(seed: u64) -> impl Iterator<Item = (u64, Rng, Vec<u8>)> {
    let contract = turning("", "(drop (call $fuel)) (i64.const 0)");
    (0..).filter_map(move |number| {
        let mut rng = rng(seed, number);
        random(&mut rng, &contract).map(|bytes| (number, rng, bytes))
    })
}

/// So many random modules, each on several budgets: on those at which it is just in time or just too late for what it
/// does, too.
pub(crate) fn same_modules(modules: u64, seed: u64) {
    let mut counts = [0_u64; 3];
    let (mut in_time, mut edges) = (0, 0);
    for (number, mut rng, bytes) in random_modules(seed).take(modules as usize) {
        let metered = meter(&bytes, MAXIMA).unwrap_or_else(|error| panic!("{number}: {error}"));
        prove(&metered.module, MAXIMA).unwrap_or_else(|error| panic!("{number} of seed {seed}: {error}"));
        for fuel in [FUEL, below(&mut rng, FUEL)] {
            assert_eq!(counted(&bytes, &vec![OBSERVATION.to_vec(); 2], fuel), Ok(()), "{number} on {fuel}");
        }
        let pair = Pair::load(&bytes);
        let may_differ = pair.starts_with_more || may_hide_a_constant(&bytes);
        let mut same = |start, turn| {
            let (compared, own) = compare(&pair, may_differ, start, turn);
            counts[compared as usize] += 1;
            own
        };
        let whole = same(FUEL, FUEL);
        in_time += u64::from(matches!(whole.turn, Some(End::InTime { .. })));
        if whole.turn.is_some_and(|end| end != End::Exhausted) {
            let late = |turn| pair.play(&OBSERVATION, FUEL, turn)[1].turn == Some(End::Exhausted);
            let (mut least, mut most) = (0, FUEL);
            while least < most {
                let middle = u64::midpoint(least, most);
                if late(middle) { least = middle + 1 } else { most = middle }
            }
            edges += 1;
            same(FUEL, least);
            same(FUEL, least.saturating_sub(1));
            same(FUEL, below(&mut rng, least + 1));
        }
        for _ in 0..POINTS {
            same(below(&mut rng, FUEL), below(&mut rng, FUEL));
        }
    }
    let [equal, deep, by_the_rule] = counts;
    println!(
        "{modules} modules of seed {seed}, {in_time} in time, {edges} with an edge: {equal} games equal, {deep} too \
         deep, {by_the_rule} by the rule"
    );
    assert!(edges >= modules / 4 && by_the_rule <= equal / 10, "{edges} edges, {counts:?}");
}

#[test]
fn a_constant_that_the_engine_sees_through_a_local_is_no_constant_by_the_rule() {
    let loads = "(drop (i32.load (i32.const 0)))".repeat(10);
    let turn = |setup: &str, length: &str| {
        let body =
            format!("(local i32) {setup} {loads} (memory.fill (i32.const 0) (i32.const 0) {length}) (unreachable)");
        let pair = Pair::load(&turning("", &body));
        pair.play(&OBSERVATION, 1_000, 60).map(|played| played.turn)
    };
    let trapped = Some(End::Trapped("UnreachableCodeReached".into()));
    assert_eq!(turn("", "(i32.const 5)"), [trapped.clone(), trapped.clone()]);
    let [engine, own] = turn("(local.set 1 (i32.const 5))", "(local.get 1)");
    assert_eq!((engine, own), (trapped, Some(End::Exhausted)));
}

#[test]
fn nans_have_the_same_bits_without_the_engines_help() {
    let body = "(f64.store (i32.const 0) (f64.div (f64.load (i32.const 64)) (f64.load (i32.const 64))))
        (f32.store (i32.const 8) (f32.sqrt (f32.const -1)))
        (f32.store (i32.const 12) (f32.mul (f32.const inf) (f32.load (i32.const 64))))
        (f32.store (i32.const 16) (f32.add (f32.const nan:0x200001) (f32.const 1)))
        (f32.store (i32.const 20) (f32.demote_f64 (f64.const -nan:0x4000000000001)))
        (v128.store (i32.const 32) (f32x4.sub (v128.const f32x4 inf 1 nan:0x300000 -nan) (v128.const f32x4 inf 2 3 4)))
        (v128.store (i32.const 48) (f64x2.min (v128.const f64x2 nan:0x1 1) (v128.const f64x2 1 -nan)))
        (i64.const 0x4000000000)";
    Pair::load(&turning("", body)).held_equal("NaNs", &OBSERVATION, 0..10);
}
