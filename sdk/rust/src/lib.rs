//! Write a bot for the arena in Rust: implement [`Bot`], call [`bot!`], build for `wasm32-unknown-unknown`.
//!
//! ```
//! use arena_sdk::conquerors::{Action, Target};
//! use arena_sdk::{Bot, Observation};
//!
//! /// Places the first four cells it may.
//! #[derive(Default)]
//! struct First;
//!
//! impl Bot for First {
//!     fn turn(&mut self, observation: &Observation) -> Action {
//!         let mut draft = observation.draft().expect("it is this bot's turn");
//!         while let Some(cell) = draft.placeable().cells().next() {
//!             draft.place(Target::from(cell)).expect("it is placeable");
//!         }
//!         arena_sdk::log(&format!("round {}", observation.position.round()));
//!         draft.finish().map_or(Action::Skip, |turn| Action::from(&turn))
//!     }
//! }
//!
//! arena_sdk::bot!(First);
//! ```
//!
//! An instance lives for one game and keeps its memory between turns. The rules are the referee's own, so a bot can play
//! out any turn: [`conquerors::Position::preview`] shows the board after a turn's generation. Randomness comes from
//! [`Observation::rng`]: the same game always gives the same numbers. What is not here: no clock, no files, no network,
//! no view of the opponent's identity.

mod host;

pub use arena_rules::{BySeat, Outcome, Rng, Ruleset, Seat, Seed, conquerors};
pub use arena_wire::conquerors::{Observation, ObservationError};
pub use host::{Host, log};

use conquerors::{Action, Target};

/// A player of Conway's Conquerors.
pub trait Bot: Default {
    /// The action for this turn.
    fn turn(&mut self, observation: &Observation) -> Action;
}

/// Some legal action, for when a bot has no better idea: the first cells that may be placed, row by row; where none may,
/// the skip, else the bomb in the first corner, else the pass.
pub fn first_legal(observation: &Observation) -> Action {
    let Ok(mut draft) = observation.draft() else { return Action::Pass };
    while let Some(cell) = draft.placeable().cells().next() {
        if draft.place(cell.into()).is_err() {
            break;
        }
    }
    let placed = draft.finish().map(|turn| Action::from(&turn));
    let others = [Action::Skip, Action::Bomb(Target { row: 0, col: 0 })];
    let legal = |action: &Action| observation.position.check(observation.seat(), action).is_ok();
    placed.ok().or_else(|| others.into_iter().find(legal)).unwrap_or(Action::Pass)
}

/// Exports a [`Bot`] under the names the arena calls. Once per module.
#[macro_export]
macro_rules! bot {
    ($bot:ty) => {
        const _: () = {
            std::thread_local! {
                static HOST: std::cell::RefCell<$crate::Host<$bot>> =
                    std::cell::RefCell::new($crate::Host::default());
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_observation(len: usize) -> *mut u8 {
                HOST.with_borrow_mut(|host| host.observation_buffer(len))
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_turn(len: usize) -> u64 {
                HOST.with_borrow_mut(|host| host.turn(len))
            }
        };
    };
}
