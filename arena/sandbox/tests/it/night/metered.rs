//! The two meters are equal, and the code's own in three engines, more often than in the gate and with the night's
//! seed. `cargo xtask meter` does the same as often as asked.

use crate::number_of;
use crate::slow::metered::engines::{operators_in_all, random_in_all};
use crate::slow::metered::games::{same_ends, same_games};
use crate::slow::metered::modules::{same_modules, same_operators};

/// Random modules, games of the gallery, and points of exhaustion of each of its bots.
const MODULES: u64 = 1_500;
const GAMES: u64 = 60;
const POINTS: u64 = 60;
/// Programs of each operator: other nights play others.
const PROGRAMS: usize = 3;
/// Random modules that are played in all engines.
const IN_ALL: u64 = 1_000;

#[test]
fn both_meters_count_the_same() {
    let seed = number_of("ARENA_NIGHT_SEED", 1);
    same_operators(1, PROGRAMS, seed);
    same_modules(MODULES, seed);
    same_games(GAMES, seed);
    same_ends(POINTS, seed);
}

#[test]
fn all_engines_come_to_the_same() {
    let seed = number_of("ARENA_NIGHT_SEED", 1);
    operators_in_all(1, PROGRAMS, seed);
    random_in_all(IN_ALL, seed);
}
