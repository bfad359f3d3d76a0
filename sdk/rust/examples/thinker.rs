//! The gallery's scripts `thinker` and `ponderer` in Rust, as a guest: `cargo xtask bench` measures scripts beside it.

use arena_sdk::conquerors::Action;
use arena_sdk::kit::{Weights, best_turn};
use arena_sdk::{Bot, Observation};

/// How far to look ahead.
const GENERATIONS: usize = 4;

#[derive(Default)]
struct Thinker;

impl Bot for Thinker {
    fn turn(&mut self, seen: &Observation) -> Action {
        let fuel = (arena_sdk::fuel() * 7 / 10) as u32;
        best_turn(seen, GENERATIONS, fuel, |branch| Weights::LEAD.worth(branch, seen.colour()))
    }
}

arena_sdk::bot!(Thinker);
