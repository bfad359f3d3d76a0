//! Game of Game of Life's nothing as a guest: it chooses the same actions as its native self.

use arena_baselines::game_of_game_of_life::{Strategy, choose};
use arena_sdk::game_of_game_of_life::{Action, Position};
use arena_sdk::{Bot, Observation};

#[derive(Default)]
struct Guest;

impl Bot<Position> for Guest {
    fn turn(&mut self, observation: &Observation<Position>) -> Action {
        let Observation { position, seat, seat_seed } = observation;
        choose(position, *seat, Strategy::Nothing, seat_seed)
    }
}

arena_sdk::bot!(Guest: Position);
