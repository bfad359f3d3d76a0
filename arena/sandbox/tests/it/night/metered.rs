//! The two meters are equal, and the code's own in three engines, more often than in the gate and with the night's
//! seed. `cargo xtask meter` does the same as often as asked, with more bots.

use crate::number_of;
use crate::slow::metered::engines::operators_in_all;
use crate::slow::metered::games::{same_ends, same_games};
use crate::slow::metered::modules::{same_modules, same_operators};

/// Random modules, games, and points of exhaustion.
const MODULES: u64 = 1_500;
const GAMES: u64 = 60;
const POINTS: u64 = 600;
/// Programs of each operator: other nights play others.
const PROGRAMS: usize = 3;

fn seed() -> u64 {
    number_of("ARENA_NIGHT_SEED", 1)
}

#[test]
fn each_operator_alone_is_the_same() {
    same_operators(1, PROGRAMS, seed());
    operators_in_all(1, PROGRAMS, seed());
}

#[test]
fn games_are_the_same() {
    same_games(number_of("ARENA_METER_GAMES", GAMES), seed());
}

#[test]
fn points_of_exhaustion_are_the_same() {
    same_ends(number_of("ARENA_METER_POINTS", POINTS), seed());
}

#[test]
fn random_modules_are_the_same() {
    same_modules(number_of("ARENA_METER_MODULES", MODULES), seed());
}
