//! The costliest modules to compile that pass the check: a search among random functions by hill climbing. It looks for
//! what the weights of `check/bodies.rs` leave too cheap.
//!
//! Times are those of an optimised build, which `cargo xtask compiling` makes. In any other it only shows what it
//! finds.
#![expect(clippy::print_stdout, reason = "what a long test reports")]

use arena_record::Budgets;
use arena_rules::Rng;
use arena_sandbox::{COMPILE_WEIGHT_TOTAL_MAX, Checks, FUNCTIONS_MAX, Sandbox, check, compile_weight};
use cpu_time::ThreadTime;

use crate::number_of;
use crate::shapes::{Shape, Writer, change, copies, shape};

/// Functions that are tried; `ARENA_SHAPES` asks for more.
const SHAPES: u64 = 40;
/// Random functions of which the best is changed, and changes in vain after which others are drawn.
const DRAWN: usize = 12;
const IN_VAIN_MAX: usize = 40;
/// Processor time for compiling the costliest module, in seconds, on the machine on which the weights were found.
const SECONDS_MAX: f64 = 10.0;
/// Processor time from which a measurement counts, in seconds: shorter ones are repeated with more copies.
const MEASURED_MIN: f64 = 0.15;

/// A function, and the module with as many copies of it as pass the check.
struct Found {
    shape: Shape,
    /// Processor time for compiling the module, by that of a part of it.
    seconds: f64,
    copies: usize,
    bytes: Vec<u8>,
}

/// The largest number that fulfils this, to two percent, below `end`; 0 if none does.
fn most(end: usize, does: impl Fn(usize) -> bool) -> usize {
    let (mut least, mut most) = (0, 1);
    while most < end && does(most) {
        (least, most) = (most, 2 * most);
    }
    most = most.min(end);
    while most - least > 1 + least / 50 {
        let middle = usize::midpoint(least, most);
        if does(middle) { least = middle } else { most = middle }
    }
    least
}

struct Search {
    sandbox: Sandbox,
    writer: Writer,
    /// What compiling a module without such a function takes.
    nothing: f64,
}

impl Search {
    fn new() -> Search {
        let (sandbox, writer) = (Sandbox::new().expect("this machine runs bots"), Writer::new());
        let mut search = Search { sandbox, writer, nothing: 0.0 };
        let empty = Shape { params: [0; 5], locals: [0; 5], pieces: Vec::new(), halvings: 0 };
        let empty = search.writer.module(&empty, 1).expect("short");
        search.nothing = (0..5).map(|_| search.seconds(&empty)).fold(f64::MAX, f64::min);
        search
    }

    fn seconds(&self, bytes: &[u8]) -> f64 {
        let began = ThreadTime::now();
        self.sandbox
            .compile(bytes, Budgets::DEFAULT.memory_bytes, Checks::ByRule)
            .expect("what passes the check compiles");
        began.elapsed().as_secs_f64()
    }

    /// `None` if no module with such a function passes the check.
    fn found(&self, shape: &Shape) -> Option<Found> {
        let passes = |bytes: &[u8]| check(bytes, &Budgets::DEFAULT).is_ok();
        let end = Budgets::DEFAULT.module_bytes as usize;
        let largest = most(end, |times| self.writer.module(shape, times).is_some_and(|bytes| passes(&bytes)));
        let one = self.writer.module(shape, (largest >> shape.halvings).max(1)).filter(|_| largest > 0)?;
        let count = most(FUNCTIONS_MAX as usize, |count| passes(&copies(&one, count)));
        let first = (self.seconds(&one) - self.nothing).max(1e-5);
        let enough = ((MEASURED_MIN / first) as usize).clamp(1, count);
        let each = (self.seconds(&copies(&one, enough)) - self.nothing) / enough as f64;
        let bytes = copies(&one, count);
        Some(Found { shape: shape.clone(), seconds: each * count as f64, copies: count, bytes })
    }
}

#[test]
fn no_module_takes_longer_to_compile_than_its_weight_says() {
    let (shapes, seed) = (number_of("ARENA_SHAPES", SHAPES), number_of("ARENA_SHAPE_SEED", 1));
    println!("{shapes} functions of seed {seed}");
    let search = Search::new();
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&bytes, 0);
    let (mut tried, mut costliest) = (0, 0.0);
    while tried < shapes {
        let mut best: Option<Found> = None;
        let (mut drawn, mut in_vain) = (0, 0);
        while in_vain < IN_VAIN_MAX && tried < shapes {
            let next = match &best {
                Some(found) if drawn >= DRAWN => {
                    let mut next = found.shape.clone();
                    (0..=rng.below(3)).for_each(|_| change(&mut rng, &search.writer, &mut next));
                    next
                }
                _ => shape(&mut rng, &search.writer),
            };
            (drawn, tried, in_vain) = (drawn + 1, tried + 1, in_vain + usize::from(drawn >= DRAWN));
            let found = search.found(&next);
            // A little more is noise.
            if let Some(found) =
                found.filter(|found| found.seconds > 1.01 * best.as_ref().map_or(0.0, |best| best.seconds))
            {
                (best, in_vain) = (Some(found), 0);
            }
        }
        let Some(Found { shape, copies, bytes, .. }) = best else { continue };
        let (seconds, weight) = (search.seconds(&bytes), compile_weight(&bytes));
        println!(
            "{seconds:.2} s of processor time for {copies} copies, {} bytes, weight {weight} of {COMPILE_WEIGHT_TOTAL_MAX}: {shape:?}",
            bytes.len()
        );
        costliest = seconds.max(costliest);
        assert!(seconds <= SECONDS_MAX || cfg!(debug_assertions), "{seconds:.2} s: weigh it more");
    }
    println!("at most {costliest:.2} s of processor time");
}
