//! What the code's own meter costs: rewriting and compiling a bot, and its turns, without a meter, with the engine's
//! fuel and with its own. `cargo bench --package arena-sandbox --bench meter -- strategist` takes the named bots alone.
//!
//! Turns are those of a real game. In each round all three take turns with each other, and ratios are those within a
//! round; each figure is the median over the rounds, with the least and the most.
#![expect(clippy::print_stdout, reason = "what a bench reports")]

#[path = "../tests/it/slow/metered/machine.rs"]
#[expect(dead_code, reason = "tests look at more than a bench")]
mod machine;

use std::collections::BTreeMap;

use arena_meter::meter;
use arena_record::{Budgets, EntrantId, ForfeitCode, Header, Hex};
use arena_referee::{Failure, Fault, Player, Reply, Started, play};
use arena_released::Released;
use arena_rules::BySeat;
use arena_sandbox::{Sandbox, SandboxPlayer};
use arena_wire::Game;
use cpu_time::ThreadTime;
use machine::{End, MAXIMA, Machine, Meter, Program};

/// Its bots need no fuel to be told of, and so play without a meter, too.
const RULESET: &str = "conquerors@2";
/// Turns of a game that are measured, and rounds.
const TURNS: usize = 3;
const ROUNDS: usize = 15;
/// How long a measurement takes at least, in milliseconds: what is quick is done several times.
const MILLIS_MIN: f64 = 5.0;
/// Most ratios of turns to those without a meter, of their geometric mean and of each to those with the engine's fuel,
/// and of compiling to that with the engine's fuel.
const UNMETERED_MAX: f64 = 1.12;
const MEAN_MAX: f64 = 1.0;
const FUEL_MAX: f64 = 1.05;
const COMPILING_MAX: f64 = 1.05;
/// Most milliseconds for rewriting a bot; none of the gallery has more than 56 kB.
const REWRITING_MAX: f64 = 3.0;
/// Calls and nothing else, which is where a meter costs most.
const CALLS: &str = "fib(24)";
const FIB: &str = r#"(module (memory (export "memory") 1)
    (func $fib (param i32) (result i32) (if (result i32) (i32.lt_u (local.get 0) (i32.const 2))
        (then (local.get 0)) (else (i32.add
        (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.extend_i32_u (call $fib (i32.const 24)))))"#;

/// A bot that notes what it is shown.
struct Noting {
    player: SandboxPlayer,
    seen: Vec<Vec<u8>>,
}

impl Player for Noting {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        if self.seen.len() == TURNS {
            return Err(Fault::failure(ForfeitCode::Trap, "all is seen"));
        }
        self.seen.push(observation.to_vec());
        self.player.turn(observation, fuel)
    }
}

/// The first observations of a bot that plays against itself.
fn observations(bytes: &[u8]) -> Vec<Vec<u8>> {
    let bot = Sandbox::new().expect("this machine runs bots").load(bytes, &Budgets::DEFAULT).expect("a bot");
    let header = Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: RULESET.into(),
        options: Game::named(RULESET).expect("a game").casual.into(),
        budgets: Budgets::DEFAULT,
        seed: Hex([5; 32]),
        entrants: vec![EntrantId::of_bytes(bytes); 2],
        opponents: BTreeMap::new(),
    };
    let [mut one, mut other] = [0, 1].map(|_| Noting { player: SandboxPlayer::new(&bot), seen: Vec::new() });
    play(header, BySeat::from([&mut one as &mut dyn Player, &mut other])).expect("a game");
    one.seen
}

/// Processor time of a game's first turns, in milliseconds, and their fuel.
fn turns(program: &Program, seen: &[Vec<u8>]) -> (f64, u64) {
    let (mut playing, _) = program.start(seen[0].len(), Budgets::DEFAULT.fuel_at_start);
    let mut all = 0;
    let began = ThreadTime::now();
    for observation in seen {
        match playing.turn(observation, Budgets::DEFAULT.fuel_per_move) {
            End::InTime { fuel, .. } => all += fuel,
            end => panic!("{end:?}"),
        }
    }
    (began.elapsed().as_secs_f64() * 1e3, all)
}

/// Milliseconds of processor time that a piece of work takes, done so many times.
fn millis<T>(times: usize, work: &impl Fn() -> T) -> f64 {
    let began = ThreadTime::now();
    for _ in 0..times {
        std::hint::black_box(work());
    }
    began.elapsed().as_secs_f64() * 1e3 / times as f64
}

/// How often a piece of work is done, for a measurement that is long enough.
fn times<T>(work: &impl Fn() -> T) -> usize {
    ((MILLIS_MIN / millis(1, work)).ceil() as usize).clamp(1, 10_000)
}

/// The median of some figures, the least and the most.
struct Figure([f64; 3]);

impl Figure {
    fn of(figures: impl IntoIterator<Item = f64>) -> Figure {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Figure([sorted[sorted.len() / 2], sorted[0], sorted[sorted.len() - 1]])
    }

    fn median(&self) -> f64 {
        self.0[0]
    }
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figure([median, least, most]) = self;
        write!(f, "{median:.2} ({least:.2} - {most:.2})")
    }
}

/// Says that a figure is beyond its bar, in the word that `cargo xtask bench` looks for.
fn mark(figure: f64, most: f64) -> &'static str {
    if figure > most { " BEYOND" } else { "" }
}

/// Measures a bot; the ratio of its turns to those with the engine's fuel, if it is of the gallery.
fn measure(machines: &[Machine; 3], name: &str, is_bot: bool, bytes: &[u8]) -> Option<f64> {
    let seen = if is_bot { observations(bytes) } else { vec![vec![0; 16]; TURNS] };
    let programs = machines.each_ref().map(|machine| machine.load(bytes));
    let works = programs.each_ref().map(|program| || turns(program, &seen));
    let fuel = works.each_ref().map(|work| work().1);
    assert_eq!(fuel[1], fuel[2], "{name}");
    let often = (MILLIS_MIN / works[0]().0).ceil().clamp(1.0, 10_000.0) as usize;
    let turned: Vec<[f64; 3]> = (0..ROUNDS)
        .map(|_| works.each_ref().map(|work| (0..often).map(|_| work().0).sum::<f64>() / often as f64))
        .collect();
    let works = machines.each_ref().map(|machine| || machine.load(bytes));
    let often = times(&works[0]);
    let compiled: Vec<[f64; 3]> = (0..ROUNDS).map(|_| works.each_ref().map(|work| millis(often, work))).collect();
    let rewrite = || meter(bytes, MAXIMA).expect("a bot").module;
    let often = times(&rewrite);
    let rewriting = Figure::of((0..ROUNDS).map(|_| millis(often, &rewrite)));
    let ratio =
        |rounds: &[[f64; 3]], one: usize, other: usize| Figure::of(rounds.iter().map(|all| all[one] / all[other]));
    let [engine, own, to_engine] = [(1, 0), (2, 0), (2, 1)].map(|(one, other)| ratio(&turned, one, other));
    let compiling = ratio(&compiled, 2, 1);
    let bar = |figure: &Figure, most: f64| if is_bot { mark(figure.median(), most) } else { "" };
    println!("{name}: {} bytes, {} units of fuel in {} turns", bytes.len(), fuel[1], seen.len());
    println!(
        "  turns      without {} ms; engine's fuel {engine}, own {own}{}",
        Figure::of(turned.iter().map(|all| all[0])),
        bar(&own, UNMETERED_MAX)
    );
    println!("             own to engine's fuel {to_engine}{}", bar(&to_engine, FUEL_MAX));
    println!(
        "  compiling  without {} ms; own to engine's fuel {compiling}{}",
        Figure::of(compiled.iter().map(|all| all[0])),
        bar(&compiling, COMPILING_MAX)
    );
    println!(
        "  rewriting  {rewriting} ms{}, {:.2} times the bytes",
        bar(&rewriting, REWRITING_MAX),
        rewrite().len() as f64 / bytes.len() as f64
    );
    is_bot.then(|| to_engine.median())
}

fn main() {
    let machines = [Meter::Nobody, Meter::Engine, Meter::Own].map(Machine::new);
    println!(
        "medians of {ROUNDS} rounds (least - most), by processor time; ratios are to no meter, unless they say to what"
    );
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    let gallery = Released::of(RULESET).filter(|bot| is_asked(bot.name));
    let ratios: Vec<f64> = gallery.filter_map(|bot| measure(&machines, bot.name, true, bot.bytes)).collect();
    if is_asked(CALLS) {
        measure(&machines, CALLS, false, &wat::parse_str(FIB).expect("a module"));
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        println!(
            "the gallery's turns to those with the engine's fuel, geometric mean: {mean:.3}{}",
            mark(mean, MEAN_MAX)
        );
    }
}
