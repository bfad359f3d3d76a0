//! Write a bot for the arena in Rust: implement [`Bot`], call [`bot!`], build for `wasm32-unknown-unknown`.
//!
//! ```
//! use arena_sdk::conquerors::{Action, Target};
//! use arena_sdk::{Bot, Observation, Ruleset};
//!
//! /// Places a block in the middle of its home, over and over.
//! #[derive(Default)]
//! struct Blocks;
//!
//! impl Bot for Blocks {
//!     fn turn(&mut self, observation: &Observation) -> Action {
//!         let col = if observation.colour().name() == "blue" { 3 } else { 23 };
//!         let row = 2 * observation.position.round();
//!         let block = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
//!         let block = Action::Place(block.map(|(row, col)| Target { row, col }).to_vec());
//!         match observation.position.check(observation.seat, &block) {
//!             Ok(_) => block,
//!             Err(refusal) => {
//!                 arena_sdk::log(&format!("no block: {refusal}"));
//!                 arena_sdk::first_legal(observation)
//!             }
//!         }
//!     }
//! }
//!
//! arena_sdk::bot!(Blocks);
//! ```
//!
//! An instance lives for one game and keeps its memory between turns. The rules are the referee's own, so a bot can play
//! out any turn: [`conquerors::Position::preview`] shows the board after a turn's generation. Randomness comes from
//! [`Observation::rng`]: the same game always gives the same numbers. What is not here: no clock, no files, no network,
//! no view of the opponent's identity.

mod host;

pub mod kit;

pub use arena_rules::{BySeat, Outcome, Rng, Ruleset, Seat, Seed, conquerors, game_of_game_of_life, war_of_life};
pub use arena_wire::{Observation, ObservationError, Protocol};
pub use host::{Host, log};

use conquerors::{Action, Position, Target};

/// A player of one game; without a parameter: of Conway's Conquerors. A type that plays several games implements it for
/// each.
pub trait Bot<G: Protocol = Position>: Default {
    /// The action for this turn.
    fn turn(&mut self, observation: &Observation<G>) -> G::Action;
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
    let legal = |action: &Action| observation.position.check(observation.seat, action).is_ok();
    placed.ok().or_else(|| others.into_iter().find(legal)).unwrap_or(Action::Pass)
}

/// Exports a [`Bot`] under the names the arena calls; once per module. `bot!(Mine)` plays Conway's Conquerors,
/// `bot!(Mine: some_game::Position)` another game, and with several games, separated by commas, all of them.
#[macro_export]
macro_rules! bot {
    ($bot:ty) => {
        $crate::bot!($bot: $crate::conquerors::Position);
    };
    ($bot:ty: $($game:ty),+ $(,)?) => {
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
                HOST.with_borrow_mut(|host| {
                    $(if host.is_of::<$game>() {
                        return host.turn::<$game>(len);
                    })+
                    host.stranger()
                })
            }
        };
    };
}
