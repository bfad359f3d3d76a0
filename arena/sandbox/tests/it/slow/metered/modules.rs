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
use super::vectors::{Vector, game, hold_in_all};
use super::{End, Pair, Played, below, rng, turning};
use crate::proof::prove;
use crate::slow::sandbox::sweep::operators::TYPES;
use crate::slow::sandbox::sweep::programs::{Program, by_operator};
use crate::slow::uploads::smith::{like_a_bot, of_functions};

/// Random modules in the gate; `cargo xtask meter` asks for more.
const MODULES: u64 = 100;
/// Budgets of each that are drawn.
const POINTS: u64 = 3;
/// How many of them Node plays at once, and after how many of these a long run says how far it is.
const AT_ONCE: usize = 500;
const SHOWN: usize = 20;
/// Every so many operators in the gate; all at night.
const SAMPLED: usize = 10;
/// What wasm-smith is given for a module, in bytes, and the most memory that it may have.
const SMITH_BYTES: usize = 700;
const MEMORY_BYTES: u64 = 2 << 16;
/// Fuel of a turn of a random module.
const FUEL: u64 = 20_000;
/// Of so many modules the functions of one are counted, too.
const COUNTED: u64 = 4;
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

/// Plays a module under both meters, and what it comes to by its own.
fn compare(what: &str, pair: &Pair, may_differ: bool, [start, turn]: [u64; 2]) -> (Compared, Played) {
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
        panic!("{what} on {start} and {turn}: {engine:?} by the engine, {own:?} by its own")
    };
    (compared, own)
}

#[test]
fn random_modules_cost_and_do_the_same() {
    same_modules(MODULES, 1);
}

/// A random module that keeps the contract; half of them trap nowhere.
fn random(rng: &mut Rng, contract: &[u8]) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = (0..SMITH_BYTES).map(|_| rng.word() as u8).collect();
    let config = Config { disallow_traps: rng.below(2) == 0, max_memory32_bytes: MEMORY_BYTES, ..like_a_bot(contract) };
    let module = of_functions(&Module::new(config, &mut Unstructured::new(&bytes)).ok()?.to_bytes());
    check(&module, &Budgets::DEFAULT).is_ok().then_some(module)
}

/// Random modules with all that bots may import, each with its number and a generator.
fn random_modules(seed: u64) -> impl Iterator<Item = (u64, Rng, Vec<u8>)> {
    let contract = turning("", "(drop (call $fuel)) (i64.const 0)");
    (0..).filter_map(move |number| {
        let mut rng = rng(seed, number);
        random(&mut rng, &contract).map(|bytes| (number, rng, bytes))
    })
}

/// What random modules came to.
#[derive(Default)]
struct Counts {
    /// Those that end within the fuel of a turn.
    edges: u64,
    /// Games, by how the two meters compare.
    compared: [u64; 3],
    /// Calls that are the same in all engines, by how they end.
    ends: [u64; 4],
    /// Those that call `arena.fuel`.
    asking: u64,
}

/// So many random modules under both meters, then in all engines.
pub(crate) fn same_modules(modules: u64, seed: u64) {
    let mut counts = Counts::default();
    let mut random = random_modules(seed).take(modules as usize).peekable();
    for batch in 1.. {
        let vectors: Vec<Vector> = random
            .by_ref()
            .take(AT_ONCE)
            .map(|(number, rng, bytes)| counts.same(&format!("module {number} of seed {seed}"), &bytes, rng))
            .collect();
        hold_in_all(&vectors, &[]);
        if random.peek().is_none() {
            break;
        }
        if batch % SHOWN == 0 {
            println!("{} of {modules} modules", batch * AT_ONCE);
        }
    }
    let Counts { edges, compared: [equal, deep, by_the_rule], ends, asking } = counts;
    let [in_time, out_of_fuel, too_deep, trapped] = ends;
    println!(
        "{modules} modules of seed {seed}, {edges} of which end within {FUEL} units, {asking} call `arena.fuel`.\n\
         Games under both meters: {equal} equal, {deep} too deep under either, {by_the_rule} by the rule.\n\
         Calls equal in all engines: {in_time} in time, {out_of_fuel} out of fuel, {too_deep} too deep, {trapped} traps"
    );
    assert!(edges >= modules / 4 && asking >= modules / 20 && by_the_rule <= equal / 10);
}

impl Counts {
    /// Compares a module on several budgets under both meters: on those at which it is just in time or just too late
    /// for what it does, too. Returns the same games for other engines.
    fn same(&mut self, what: &str, bytes: &[u8], mut rng: Rng) -> Vector {
        let metered = meter(bytes, MAXIMA).unwrap_or_else(|error| panic!("{what}: {error}"));
        prove(&metered.module, MAXIMA).unwrap_or_else(|error| panic!("{what}: {error}"));
        if below(&mut rng, COUNTED) == 0 {
            let fuel = below(&mut rng, 2 * FUEL).min(FUEL);
            assert_eq!(counted(bytes, &[OBSERVATION.to_vec(), OBSERVATION.to_vec()], fuel), Ok(()), "{what} on {fuel}");
        }
        let pair = Pair::load(bytes);
        let may_differ = pair.starts_with_more || may_hide_a_constant(bytes);
        let mut games = Vec::new();
        let mut same = |start, turn| {
            let (compared, own) = compare(what, &pair, may_differ, [start, turn]);
            self.compared[compared as usize] += 1;
            games.push(game(&OBSERVATION, start, turn));
            own
        };
        let whole = same(FUEL, FUEL);
        if whole.turn.is_some_and(|end| end != End::Exhausted) {
            self.edges += 1;
            let edge = pair.edge();
            for turn in [edge, edge.saturating_sub(1), below(&mut rng, edge + 1)] {
                same(FUEL, turn);
            }
        }
        for _ in 0..POINTS {
            same(below(&mut rng, FUEL), below(&mut rng, FUEL));
        }
        let vector = Vector::of(what, bytes, &pair.own, games);
        vector.games.iter().flatten().for_each(|call| self.ends[call.ends as usize] += 1);
        self.asking += u64::from(asks(bytes));
        vector
    }
}

impl Pair {
    /// The least fuel of a turn that is enough for what the module does, if less than [`FUEL`] is.
    fn edge(&self) -> u64 {
        let (mut least, mut most) = (0, FUEL);
        while least < most {
            let middle = u64::midpoint(least, most);
            let (mut playing, _) = self.own.start(OBSERVATION.len(), FUEL);
            let is_late = playing.turn(&OBSERVATION, middle) == End::Exhausted;
            if is_late { least = middle + 1 } else { most = middle }
        }
        least
    }
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
