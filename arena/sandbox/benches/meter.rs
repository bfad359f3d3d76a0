//! What the code's own meter costs: rewriting and compiling a bot, and its turns, without a meter, with the engine's
//! fuel and with its own. `cargo bench --package arena-sandbox --bench meter -- strategist` takes the named bots alone.
//!
//! Turns are those of a real game. All three take turns with each other, and the least of the rounds counts.
#![expect(clippy::print_stdout, reason = "what a bench reports")]

#[path = "../tests/it/slow/metered/machine.rs"]
#[expect(dead_code, reason = "tests look at more than a bench")]
mod machine;

use std::collections::BTreeMap;

use arena_meter::meter;
use arena_record::{Budgets, EntrantId, Header, Hex};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_released::Released;
use arena_rules::BySeat;
use arena_sandbox::{Sandbox, SandboxPlayer};
use arena_wire::Game;
use cpu_time::ThreadTime;
use machine::{End, MAXIMA, Machine, Meter, Program};

const RULESET: &str = "conquerors@2";
/// Turns of a game that are measured, and rounds.
const TURNS: usize = 3;
const ROUNDS: usize = 9;
/// Calls and nothing else, which is where a meter costs most.
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
    one.seen.truncate(TURNS);
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

/// The least processor time of some rounds, in milliseconds.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let one = |_| {
        let began = ThreadTime::now();
        std::hint::black_box(work());
        began.elapsed().as_secs_f64() * 1e3
    };
    (0..ROUNDS).map(one).fold(f64::MAX, f64::min)
}

fn main() {
    let machines = [Meter::Nobody, Meter::Engine, Meter::Own].map(Machine::new);
    println!("milliseconds of processor time, least of {ROUNDS} rounds; ratios are to no meter");
    let mut bots: Vec<(&str, Vec<u8>)> = Released::of(RULESET).map(|bot| (bot.name, bot.bytes.to_vec())).collect();
    bots.push(("fib(24)", wat::parse_str(FIB).expect("a module")));
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    for (name, bytes) in bots.into_iter().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name)) {
        let seen = if name.contains('(') { vec![vec![0; 16]; TURNS] } else { observations(&bytes) };
        let programs = [0, 1, 2].map(|at: usize| machines[at].load(&bytes));
        let mut took = [f64::MAX; 3];
        let mut fuel = [0; 3];
        for _ in 0..ROUNDS {
            for (at, program) in programs.iter().enumerate() {
                let (millis, used) = turns(program, &seen);
                (took[at], fuel[at]) = (took[at].min(millis), used);
            }
        }
        assert_eq!(fuel[1], fuel[2], "{name}");
        let metered = meter(&bytes, MAXIMA).expect("a bot").module;
        let compiling = [0, 1, 2].map(|at: usize| least(|| machines[at].load(&bytes)));
        println!(
            "  {name:<12} {:>9} fuel  turns {:>8.3}  engine {:>5.2}  own {:>5.2}; compiling {:>7.1}  engine {:.2}  own \
             {:.2}; rewriting {:.2} for {} kB, {:.2} times the bytes",
            fuel[1],
            took[0],
            took[1] / took[0],
            took[2] / took[0],
            compiling[0],
            compiling[1] / compiling[0],
            compiling[2] / compiling[0],
            least(|| meter(&bytes, MAXIMA)),
            bytes.len() >> 10,
            metered.len() as f64 / bytes.len() as f64,
        );
    }
}
