//! The law of every game on the arena, as pure values and total functions.
//!
//! A game is a [`Ruleset`]: a position made from options and a seed, which says who may act ([`Ruleset::awaiting`]),
//! checks one seat's action without changing anything ([`Ruleset::check`]), and advances ([`Ruleset::advance`], which
//! cannot fail). The games: [`conquerors`], which places cells on 26 x 28; [`game_of_game_of_life`], where up to sixteen colours act at
//! once on a torus; [`war_of_life`], which moves pieces on 8 x 8; and [`life2`], where up to nine kingdoms fight for ground.
//!
//! What this crate deliberately is not: it knows no bytes on a wire, no bots, no files. It has no clock, no floating
//! point, no hash map, no global state, and no randomness but [`Rng`], seeded by the caller.
//!
//! ```
//! use arena_rules::conquerors::{Action, Position, Start, Target};
//! use arena_rules::{BySeat, Ruleset, Seat};
//!
//! let mut position = Position::start(&Start::default(), &[0; 32]);
//! let block = [(12, 3), (12, 4), (13, 3), (13, 4)].map(|(row, col)| Target { row, col });
//! let turn = position.check(Seat(0), &Action::Place(block.to_vec())).expect("all four cells are in blue's home");
//! position.advance(BySeat::from([Some(turn), None]));
//! assert_eq!(position.board().counts().blue, 4); // a block is a still life
//! assert!(position.awaiting().contains(Seat(1)));
//! ```
//!
//! Bots in Rust use this crate through `arena-sdk`, which re-exports the games. What is stable: under one [`Ruleset::ID`] the law
//! does not change, and neither do the draws of [`Rng`]. Names and types may change with a minor version before 1.0.

#![no_std]
#![deny(clippy::float_arithmetic)]

extern crate alloc;

mod board_text;
mod chacha;
mod colour;
mod lanes;
mod phrase;
mod rng;
mod ruleset;
mod seat;

pub mod conquerors;
pub mod game_of_game_of_life;
pub mod life2;
pub mod war_of_life;

pub use phrase::{Phrase, Phrased, Phrases};
pub use rng::{Rng, Seed, scale};
pub use ruleset::{Outcome, Reason, Ruleset};
pub use seat::{BySeat, Seat, Seats};
