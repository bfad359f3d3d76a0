//! Looks a few generations ahead with the SDK's evaluation kit, and beats the built-in opponent `normal`.

use arena_sdk::conquerors::Action;
use arena_sdk::kit::{Weights, best_turn};
use arena_sdk::{Bot, Observation};

/// How far to look ahead.
const GENERATIONS: usize = 4;
/// What to spend on a turn; it may use 50,000,000.
const FUEL: u32 = 30_000_000;
/// What matters after each of these generations.
const WEIGHTS: Weights = Weights { own: 1, enemy: -1, own_abroad: 1, enemy_abroad: -1, foothold: 2 };

#[derive(Default)]
pub struct Mine;

impl Bot for Mine {
    fn turn(&mut self, seen: &Observation) -> Action {
        best_turn(seen, GENERATIONS, FUEL, |branch| WEIGHTS.worth(branch, seen.colour()))
    }
}

arena_sdk::bot!(Mine);
