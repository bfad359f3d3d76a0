//! The protocol of games that other processes play, under simulated machines, clocks and lines: the worker's and the
//! asker's state machines are the real ones, and so is the queue, of a store in memory.
//!
//! `cargo xtask queue-seeds` tries more seeds. A seed that fails says so, and what happened last; with `--seed` it
//! happens again.

mod sim;
mod volunteers;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sim::{Fate, Simulation};

/// Seeds that a test tries.
const SEEDS: u64 = 100;

#[test]
fn whatever_happens_to_machines_and_lines_every_game_ends_once_and_as_it_is() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    every_game_ends_once(number("ARENA_SEED").unwrap_or(1), number("ARENA_SEEDS").unwrap_or(SEEDS));
}

#[test]
fn so_it_is_with_a_second_hundred_of_seeds() {
    every_game_ends_once(1 + SEEDS, SEEDS);
}

#[test]
fn so_it_is_with_a_third_hundred_of_seeds() {
    every_game_ends_once(1 + 2 * SEEDS, SEEDS);
}

#[expect(clippy::print_stdout, reason = "what a command of xtask reports")]
fn every_game_ends_once(first: u64, seeds: u64) {
    let mut total: BTreeMap<Fate, u64> = BTreeMap::new();
    for seed in first..first + seeds {
        let mut simulation = Simulation::new(seed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| simulation.run())) {
            println!(
                "seed {seed} fails; `cargo xtask queue-seeds --seeds 1 --seed {seed}` does it again. It ended so:"
            );
            let mut again = Simulation::told(seed);
            let _ = catch_unwind(AssertUnwindSafe(|| again.run()));
            again.last().for_each(|line| println!("  {line}"));
            std::panic::resume_unwind(panic);
        }
        for (fate, count) in &simulation.counts {
            *total.entry(*fate).or_default() += count;
        }
    }
    let said: Vec<String> = total.iter().map(|(fate, count)| format!("{count} {fate}")).collect();
    println!("{seeds} seeds from {first}: {}", said.join(", "));
    if seeds >= SEEDS {
        for fate in Fate::EVERY {
            assert!(total.contains_key(&fate), "no seed had: {fate}");
        }
    }
}

#[test]
fn a_seed_is_the_same_simulation_each_time() {
    let run = |seed| {
        let mut simulation = Simulation::told(seed);
        simulation.run();
        (simulation.counts.clone(), simulation.last().cloned().collect::<Vec<String>>())
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
