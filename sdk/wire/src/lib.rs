//! The bytes between referee and bot: observations go in, actions come out, both little-endian and versioned.
//!
//! `sdk/ABI.md` describes the same contract, with test vectors, for bots written without this crate.
//! What this crate deliberately is not: it does not know how bytes reach a bot (the sandbox does),
//! or which actions are legal (the rules do).
//!
//! ```
//! use arena_rules::conquerors::{Action, Position, Start};
//! use arena_rules::{Ruleset, Seat};
//! use arena_wire::{Protocol, conquerors::Observation};
//!
//! let position = Position::start(&Start::default(), &[0; 32]);
//! let bytes = position.observation(Seat(0), &[7; 32]);
//! assert_eq!(Observation::decode(&bytes).expect("just encoded").position, position);
//!
//! let skip = Position::encode_action(&Action::Skip);
//! assert_eq!(Position::decode_action(&skip), Ok(Action::Skip));
//! ```
//!
//! Bots in Rust use this crate through `arena-sdk`, which re-exports [`Observation`] and [`Protocol`]. What is stable: the bytes of one
//! [`VERSION`]. Names and types may change with a minor version before 1.0.

#![no_std]
#![deny(clippy::float_arithmetic)]
// A bot's project compiles this crate, too, and does not declare the arena's own cfg.
#![allow(unexpected_cfgs, reason = "arena_tiny_game is for tests of the arena, arena_games for its pages")]

extern crate alloc;

mod action;
mod error;
mod frame;
mod games;
mod observation;
mod pages;
mod picture;
mod protocol;
mod rooms;
mod seed;

pub mod conquerors;
pub mod game_of_game_of_life;
pub mod life2;
#[cfg(arena_tiny_game)]
pub mod tiny_game;
pub mod war_of_life;
pub mod wide;

pub use action::{Call, Input, Point, Tool, words};
pub use error::{ActionError, ObservationError};
pub use games::{GAMES, Game, Shape, UnknownGame, Visitor, options_of, shape, start};
pub use observation::Observation;
pub use pages::{Stages, Zone};
pub use picture::{Delta, Picture};
pub use protocol::{Allowance, Protocol};
pub use rooms::{RoomKind, RoomWish};
pub use seed::seat_seed;

/// The version of the contract: the first byte of every observation and every action.
pub const VERSION: u8 = 1;
