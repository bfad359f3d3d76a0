//! `scatter`: four random legal cells a turn. The floor that every other bot should beat.
//!
//! The shortest complete bot there is. It shows the two things all others build on: a *draft*, which knows at every step
//! which cells are legal next (the first cell at home opens neutral ground for the second), and the bot's own random
//! numbers, which are the same whenever the same game is played again.
//!
//! ```
//! use arena_sdk::conquerors::{Options, Position};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! let position = Position::start(&Options::default().into(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [1; 32] };
//! let action = scatter::Scatter.turn(&seen);
//! assert!(seen.position.check(seen.seat, &action).is_ok());
//! ```

use arena_sdk::conquerors::{Action, Cell, Target};
use arena_sdk::{Bot, Observation};

/// Places random legal cells.
#[derive(Default)]
pub struct Scatter;

impl Bot for Scatter {
    fn turn(&mut self, observation: &Observation) -> Action {
        let mut rng = observation.rng();
        let Ok(mut draft) = observation.draft() else { return Action::Pass };
        loop {
            let cells: Vec<Cell> = draft.placeable().cells().collect();
            let Some(cell) = cells.get(rng.below(cells.len() as u32) as usize) else { break };
            if draft.place(Target::from(*cell)).is_err() {
                break;
            }
        }
        draft.finish().map_or_else(|_| arena_sdk::first_legal(observation), |turn| Action::from(&turn))
    }
}

arena_sdk::bot!(Scatter);
