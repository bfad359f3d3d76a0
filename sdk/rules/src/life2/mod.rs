//! Life2: a war for ground on a torus that Life never leaves alone, for up to nine kingdoms.
//!
//! Source: the founding document "Life2 v2"; docs/rules.md lists how the points that it leaves open are settled. All rates
//! are in generations, because this module knows no time.
//!
//! A [`World`] has one bit for each cell's life and four for its ground's owner: 160 KiB at 512 x 512, plus 32 KiB for which
//! ground is connected to its base. Only [`World::call`] and [`World::step`] change it, so it is a pure function of its first state and of
//! the calls between its generations. A tournament's game is a [`Position`]: a window of a world's life, with a seat for each
//! kingdom.
//!
//! ```
//! use arena_rules::life2::{Account, Call, Cell, Rates, Side, World};
//!
//! let mut world = World::new(Side::WORLD, Rates::FOUNDING);
//! let ann = Account(1);
//! assert_eq!(world.call(ann, &Call::Faucet), Ok(1000));
//! assert_eq!(world.call(ann, &Call::Join { x: 60, y: 60 }), Ok(1)); // her slot
//! assert_eq!(world.call(ann, &Call::Place(vec![(62, 63), (63, 63), (64, 63)])), Ok(3));
//! world.step();
//! assert!(world.ground().is_alive(Cell { x: 63, y: 62 })); // a blinker
//! assert_eq!(world.balance(ann), 1000 - 100 - 3);
//! ```

mod limits;

mod cells;
mod ground;

mod base;
mod fates;
mod flood;
mod ties;

mod world;

mod births;
mod calls;
mod setup;
mod state;

mod window;

pub use base::{BASE_SIDE, Base};
pub use calls::{Call, Refusal, Word};
pub use cells::{Cell, Side};
pub use ground::{Census, Ground, SLOTS, Slot};
pub use limits::{Account, BASE_COST, CELLS_A_CALL, COINS_MAX, FAUCET, QUADRANTS_A_SIDE};
pub use setup::{GENERATIONS_MAX, Setup, SetupError};
pub use state::StateError;
pub use window::{
    Action, BASE_AT, Bases, CELLS_A_TURN, COINS_AT_START_MAX, GENERATIONS, GENERATIONS_A_TURN, Length, Options,
    Position, SEATS_MAX, SEATS_MIN, SHORT_GENERATIONS, Target, Turn, TurnRefusal, VIEW_SIDE, VIEW_SIDE_MIN, View,
    WindowSetup,
};
pub use world::{Cause, Fall, Grace, Kingdom, NextWipe, Rates, World};
