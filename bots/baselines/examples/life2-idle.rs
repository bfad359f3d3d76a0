//! Life2's idle as a guest: it chooses the same actions as its native self.

use arena_baselines::life2::{Strategy, choose};
use arena_sdk::life2::{Action, Position};
use arena_sdk::{Bot, Observation};

#[derive(Default)]
struct Guest;

impl Bot<Position> for Guest {
    fn turn(&mut self, observation: &Observation<Position>) -> Action {
        let Observation { position, seat, seat_seed } = observation;
        choose(position, *seat, Strategy::Idle, seat_seed)
    }
}

arena_sdk::bot!(Guest: Position);
