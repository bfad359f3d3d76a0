//! `easy-v55` as a guest: it chooses the same turns as its native self.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_sdk::conquerors::Action;
use arena_sdk::{Bot, Observation};

#[derive(Default)]
struct Guest;

impl Bot for Guest {
    fn turn(&mut self, observation: &Observation) -> Action {
        let Observation { position, seat, seat_seed } = observation;
        Action::from(&choose(position, *seat, Tier::Easy, &Params::V5_5, seat_seed))
    }
}

arena_sdk::bot!(Guest);
