//! The built-in opponents, as functions from a position to a turn.
//!
//! In Conway's Conquerors they are the original game's three computer players, specified down to the last constant (RR-001 §5,
//! and docs/rules.md, "Built-in opponents"). War of Life and Game of Game of Life have five each, based on their descriptions; Life2
//! has three. Each choice is a pure function of position, seat and seed: a turn's random numbers come from ChaCha8 keyed by the seat's
//! seed, with the ply as the stream. There is no floating point: scores and noise are fixed-point numbers, so native code,
//! a WebAssembly guest and a page agree to the bit.
//!
//! ```
//! use arena_baselines::conquerors::{Params, Tier, choose};
//! use arena_rules::conquerors::{Position, Start, Turn};
//! use arena_rules::{Ruleset, Seat};
//!
//! let position = Position::start(&Start::default(), &[0; 32]);
//! let turn = choose(&position, Seat(0), Tier::Hard, &Params::SHIPPED, &[1; 32]);
//! assert!(matches!(turn, Turn::Place(cells) if cells.len() == 4));
//! ```

#![no_std]
#![deny(clippy::float_arithmetic)]

extern crate alloc;

mod opponent;
#[cfg(arena_tiny_game)]
mod tiny_game;

pub mod conquerors;
pub mod game_of_game_of_life;
pub mod life2;
pub mod war_of_life;

pub use opponent::{BuiltIn, Opponent, Opponents, UnknownOpponent};
