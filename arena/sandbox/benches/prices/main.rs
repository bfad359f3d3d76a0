//! What a unit of fuel can cost at worst: every operator, in every way we could think of, as CPU time for each unit of
//! fuel.
//!
//! `cargo xtask prices` runs it. It fails if a turn's or a start's fuel can buy more than a third of the wall budget.
//! What waits for memory is also measured while the other cores wait for it.

mod chases;
mod operators;
mod programs;
mod special;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use arena_record::Budgets;
use arena_referee::{Failure, Player as _};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer, WALL_MS_DEFAULT};
use chases::chases;
use cpu_time::ThreadTime;
use programs::{Program, Shape, by_operator};

/// How often a piece stands in its loop.
const TIMES: usize = 32;
/// Fuel of a sample, and of the samples of the worst programs.
const FUEL: u64 = 100_000;
const FUEL_OF_THE_WORST: u64 = 2_000_000;
/// Rounds of which the least counts.
const ROUNDS: usize = 5;
const ROUNDS_OF_THE_WORST: usize = 9;
/// Fuel of a sample of a chase, which is a whole turn, and rounds of which the most counts.
const FUEL_OF_A_CHASE: u64 = Budgets::DEFAULT.fuel_per_move;
const ROUNDS_OF_CHASES: usize = 5;
/// How many programs are measured once more.
const WORST: usize = 60;
/// How many of them may be of one operator.
const EACH: usize = 3;
/// What a budget may buy: a part of the wall budget.
const PART_OF_THE_WALL: f64 = 1.0 / 3.0;

/// A program and the nanoseconds it took for each unit of fuel: the least and the most of the rounds.
struct Measured {
    program: Program,
    nanos: f64,
    most: f64,
}

#[expect(clippy::print_stdout, reason = "a benchmark is for reading")]
fn main() -> ExitCode {
    let operators = match by_operator() {
        Ok(operators) => operators,
        Err(names) => {
            println!("operators without programs: {names:?}");
            return ExitCode::FAILURE;
        }
    };
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    let sandbox = Sandbox::new().expect("this machine runs bots");
    let (count, mut programs) = (operators.len(), 0);
    let mut worst_of_each = Vec::new();
    let mut all = Vec::new();
    for (name, of_operator) in operators {
        if !names.is_empty() && !names.contains(&name.as_str()) {
            continue;
        }
        let measured = measure(&sandbox, of_operator, FUEL, ROUNDS);
        programs += measured.len();
        worst_of_each.extend(measured.first().map(|worst| (name, worst.program.what.clone(), worst.nanos)));
        all.extend(measured.into_iter().take(if names.is_empty() { EACH } else { WORST }));
        all.sort_by(|a, b| b.nanos.total_cmp(&a.nanos));
        all.truncate(WORST);
    }
    let again = all.into_iter().map(|measured| measured.program).chain([empty_loop()]).collect();
    let worst = measure(&sandbox, again, FUEL_OF_THE_WORST, ROUNDS_OF_THE_WORST);
    let empty = worst.iter().find(|measured| measured.program.operator == empty_loop().operator);
    let empty = empty.map_or(f64::NAN, |measured| measured.nanos);

    println!(
        "{count} operators, {programs} programs; nanoseconds of CPU time for each unit of fuel, least of the rounds"
    );
    worst_of_each.sort_by(|a, b| b.2.total_cmp(&a.2));
    if options.contains(&"--all") {
        println!("\nthe worst of each operator, {ROUNDS} rounds of {FUEL} fuel");
        for (name, what, nanos) in &worst_of_each {
            println!("  {nanos:>8.2}  {name}: {what}");
        }
    }
    println!(
        "\nthe worst of all, {ROUNDS_OF_THE_WORST} rounds of {FUEL_OF_THE_WORST} fuel; an empty loop takes {empty:.2}"
    );
    for Measured { program, nanos, .. } in &worst {
        println!("  {nanos:>8.2}  {:>6.1} times  {}: {}", nanos / empty, program.operator, program.what);
    }
    println!(
        "\nchases over all of memory, {ROUNDS_OF_CHASES} rounds of {FUEL_OF_A_CHASE} fuel: least and most of the rounds"
    );
    let mut most = worst.first().map_or(f64::NAN, |measured| measured.nanos);
    let run = || measure(&sandbox, chases(), FUEL_OF_A_CHASE, ROUNDS_OF_CHASES);
    for (when, measured) in [("alone", run()), ("while others chase", beside_chases(&sandbox, run))] {
        for measured in measured {
            println!("  {:>8.2}  {:>6.2}  {}, {when}", measured.nanos, measured.most, measured.program.what);
            most = most.max(measured.most);
        }
    }
    println!();
    let Budgets { fuel_per_move, fuel_at_start, .. } = Budgets::DEFAULT;
    let bar = WALL_MS_DEFAULT as f64 * PART_OF_THE_WALL;
    let mut passed = true;
    for (what, fuel) in [("a turn", fuel_per_move), ("a start", fuel_at_start)] {
        let took = fuel as f64 * most / 1e6;
        passed &= took <= bar;
        let verdict = if took <= bar { "ok" } else { "TOO LONG" };
        println!("  {verdict}: {what} takes at most {took:.0} ms of CPU time; {bar:.0} are allowed");
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Does it while all cores but one chase pointers over their own memory, and one of them at least.
fn beside_chases<T>(sandbox: &Sandbox, measure: impl FnOnce() -> T) -> T {
    let others = thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1);
    let bot = load(sandbox, &chases()[0]);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let _ = sample(&bot, FUEL_OF_THE_WORST);
                }
            });
        }
        let measured = measure();
        over.store(true, Ordering::Relaxed);
        measured
    })
}

fn load(sandbox: &Sandbox, program: &Program) -> Bot {
    let Program { operator, what, module } = program;
    let bytes = wat::parse_str(module).unwrap_or_else(|error| panic!("{operator}: {what}: {error}"));
    let bot = sandbox.load(&bytes, &Budgets::DEFAULT);
    bot.unwrap_or_else(|refusal| panic!("{operator}: {what}: {refusal}"))
}

/// The loop that everything is compared with.
fn empty_loop() -> Program {
    Program { operator: "an empty loop".into(), what: String::new(), module: Shape::default().of("", 1) }
}

/// All programs in turn, so many rounds; the most expensive first. Programs that end of themselves, by a trap, are left
/// out.
fn measure(sandbox: &Sandbox, programs: Vec<Program>, fuel: u64, rounds: usize) -> Vec<Measured> {
    let bots: Vec<Bot> = programs.iter().map(|program| load(sandbox, program)).collect();
    let mut spreads = vec![(f64::INFINITY, 0.0_f64); programs.len()];
    for _ in 0..rounds {
        for (bot, (least, most)) in bots.iter().zip(&mut spreads) {
            let nanos = sample(bot, fuel);
            *least = nanos.map_or(f64::NAN, |nanos| least.min(nanos));
            *most = nanos.map_or(f64::NAN, |nanos| most.max(nanos));
        }
    }
    let measured = programs.into_iter().zip(spreads);
    let measured = measured.map(|(program, (nanos, most))| Measured { program, nanos, most });
    let mut measured: Vec<_> = measured.filter(|measured| measured.nanos.is_finite()).collect();
    measured.sort_by(|a, b| b.nanos.total_cmp(&a.nanos));
    measured
}

/// Nanoseconds of this thread's time for each unit of fuel, in one turn of a fresh game; `None` if it ended otherwise
/// than by its fuel.
fn sample(bot: &Bot, fuel: u64) -> Option<f64> {
    let mut player = SandboxPlayer::new(bot);
    player.start(16, Budgets::DEFAULT.fuel_at_start).ok()?;
    let begin = ThreadTime::now();
    let turn = player.turn(&[0; 16], fuel);
    let took = begin.elapsed();
    let Err(Failure::Own(fault)) = turn else { return None };
    (fault.code == arena_record::ForfeitCode::FuelExhausted).then(|| took.as_nanos() as f64 / fuel as f64)
}
