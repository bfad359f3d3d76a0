//! A player made of a `.wasm` file. The only crate that names wasmtime.
//!
//! Bytes become a [`Bot`] when they pass a static check and compile; a bot becomes a [`SandboxPlayer`] for one seat of one
//! game: a fresh instance, dropped after the game. What a bot may use is counted in fuel under our own [price
//! table](semantics) and never in time: the wall clock only protects the machine, and when it strikes the game is nobody's.
//! `sdk/ABI.md` is the contract this crate keeps.
//!
//! ```
//! use arena_record::Budgets;
//! use arena_sandbox::{RefusalCode, check};
//!
//! let refused = check(b"not a module", &Budgets::DEFAULT).unwrap_err();
//! assert_eq!(refused.code, RefusalCode::NotWasm);
//! ```
//!
//! What this crate deliberately is not: it knows no game. It carries bytes in and out.

mod check;
mod engine;
mod frame;
mod guest;
mod limits;
mod log;
mod player;
mod prices;
mod refusal;
mod stops;

pub use check::check;
pub use engine::{Bot, Sandbox, Wall, build, semantics};
pub use frame::Frame;
pub use limits::*;
pub use log::Log;
pub use player::SandboxPlayer;
pub use refusal::{Refusal, RefusalCode};
pub use stops::with_stops;
