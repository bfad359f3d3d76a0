//! The code's own meter and the engine's fuel are held equal: the same totals, verdicts, logs and memories, on any
//! fuel. Where they differ, the rule decides (`sdk/ABI.md`), and a test here says how. The code's own meter
//! is also held equal in three engines: this one, an interpreter and V8.

pub(crate) mod engines;
pub(crate) mod games;
mod interpreter;
mod left;
mod machine;
pub(crate) mod modules;
mod operands;
mod sources;
mod stack;
mod vectors;

use std::sync::LazyLock;

use arena_meter::{TOO_DEEP, meter};
use arena_rules::Rng;

use machine::{End, MAXIMA, Machine, Meter, Playing, State};
use wasmparser::{ElementItems, ElementKind, Operator, Parser, Payload};

static ENGINE: LazyLock<Machine> = LazyLock::new(|| Machine::new(Meter::Engine));
static OWN: LazyLock<Machine> = LazyLock::new(|| Machine::new(Meter::Own));

/// Fuel on which what ends at all has ended.
const PLENTY: u64 = 1_000_000;

fn rng(seed: u64, number: u64) -> Rng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    Rng::new(&bytes, number)
}

const FUEL_IMPORT: &str = r#"(import "arena" "fuel" (func $fuel (result i64)))"#;

/// A number below this.
fn below(rng: &mut Rng, end: u64) -> u64 {
    (u64::from(rng.word()) << 32 | u64::from(rng.word())) % end.max(1)
}

/// A bot with one page of memory, further fields, and this body of `arena_turn`.
fn turning(fields: &str, body: &str) -> Vec<u8> {
    let text = format!(
        r#"(module (import "arena" "log" (func $log (param i32 i32))) {} (memory (export "memory") 1) {fields}
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) {body}))"#,
        // Only for those who ask: other vectors keep their bytes.
        if format!("{fields}{body}").contains("$fuel") { FUEL_IMPORT } else { "" },
    );
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether the engine charges the start for more than the rule does: for passive or computed elements, and globals with
/// references.
fn starts_with_more(module: &[u8]) -> bool {
    Parser::new(0).parse_all(module).flatten().any(|payload| match payload {
        Payload::ElementSection(elements) => elements.into_iter().flatten().any(|element| {
            matches!(element.kind, ElementKind::Passive) || matches!(element.items, ElementItems::Expressions(..))
        }),
        Payload::GlobalSection(globals) => {
            globals.into_iter().flatten().any(|global| global.ty.content_type.is_reference_type())
        }
        _ => false,
    })
}

/// A module under both meters.
struct Pair {
    engine: machine::Program,
    own: machine::Program,
    starts_with_more: bool,
    /// Some of its functions are counted on the stack.
    recurs: bool,
}

/// What a game of a start and one turn came to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Played {
    start: End,
    turn: Option<End>,
    state: State,
}

/// Whether the meter counts functions of a module: their code names what the fuel is when calls are nested too deeply.
fn recurs(bytes: &[u8]) -> bool {
    let metered = meter(bytes, MAXIMA).expect("a bot").module;
    Parser::new(0).parse_all(&metered).flatten().any(|payload| {
        let Payload::CodeSectionEntry(body) = payload else { return false };
        let operators = body.get_operators_reader().expect("operators");
        operators.into_iter().flatten().any(|operator| operator == Operator::I64Const { value: TOO_DEEP })
    })
}

impl Pair {
    fn load(bytes: &[u8]) -> Pair {
        let starts_with_more = starts_with_more(bytes);
        Pair { engine: ENGINE.load(bytes), own: OWN.load(bytes), starts_with_more, recurs: recurs(bytes) }
    }

    /// Plays the same under both.
    fn play(&self, observation: &[u8], start: u64, turn: u64) -> [Played; 2] {
        let [mut engine, mut own] = [&self.engine, &self.own].map(|program| {
            let (mut playing, started) = program.start(observation.len(), start);
            let ends = matches!(started, End::InTime { .. });
            let turn = ends.then(|| playing.turn(observation, turn));
            Played { start: started, turn, state: playing.state() }
        });
        // The engine calls a start function before there is an instance to look at.
        if engine.turn.is_none() && engine.state.memory_bytes == 0 {
            own.state = State { log: own.state.log, ..engine.state.clone() };
        }
        // Where a recursion returns, the rule checks and the engine does not.
        let is_late = |end: &End| matches!(end, End::Exhausted | End::Trapped(_));
        let [engine_end, own_end] = [&engine, &own].map(|played| played.turn.as_ref().unwrap_or(&played.start));
        if self.recurs && *own_end == End::Exhausted && is_late(engine_end) {
            engine = own.clone();
        }
        [engine, own]
    }

    /// Plays it with plenty of fuel, then with these parts of what it took and just enough and just too little.
    fn held_equal(&self, what: &str, observation: &[u8], points: impl Iterator<Item = u64>) -> u64 {
        let same = |start, turn| {
            let start = if self.starts_with_more { PLENTY } else { start };
            let [mut engine, own] = self.play(observation, start, turn);
            if self.starts_with_more {
                engine.start = own.start.clone();
            }
            assert_eq!(engine, own, "{what}: on {start} and {turn}");
            own
        };
        let whole = same(PLENTY, PLENTY);
        let fuel = |end: &Option<End>| match end {
            Some(End::InTime { fuel, .. }) => *fuel,
            _ => PLENTY / 100,
        };
        let (start, turn) = (fuel(&Some(whole.start)), fuel(&whole.turn));
        for (start, turn) in [(start, turn), (start.saturating_sub(1), turn), (start, turn.saturating_sub(1))] {
            same(start, turn);
        }
        for point in points {
            same(PLENTY, point % (turn + 2));
            same(point % (start + 2), turn);
        }
        turn
    }
}

#[test]
fn each_in_its_turn_has_what_it_needs() {
    // Both tell a budget that is just enough from one that is one unit short.
    let pair = Pair::load(&turning("", "(drop (i32.load (i32.const 0))) (i64.const 0)"));
    let need = pair.held_equal("a load", &[0; 16], 0..20);
    assert_eq!(need, 1 + 1 + 6 + 1, "entry, constant, load, constant");
}
