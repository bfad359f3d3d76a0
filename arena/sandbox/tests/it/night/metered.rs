//! The two meters are equal, more often than in the gate and with the night's seed. `cargo
//! xtask meter` does the same as often as asked.

use crate::number_of;
use crate::slow::metered::games::{same_ends, same_games};
use crate::slow::metered::modules::{same_modules, same_operators};

/// Random modules, games of the gallery, and points of exhaustion of each of its bots.
const MODULES: u64 = 2_000;
const GAMES: u64 = 60;
const POINTS: u64 = 60;

#[test]
fn both_meters_count_the_same() {
    let seed = number_of("ARENA_NIGHT_SEED", 1);
    same_operators(1);
    same_modules(MODULES, seed);
    same_games(GAMES, seed);
    same_ends(POINTS, seed);
}
