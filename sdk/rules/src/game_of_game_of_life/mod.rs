//! Game of Game of Life: 2 to 16 colours of Life on a torus, one cell a seat before each of 1,000 generations.
//!
//! Source: question 199658 of the code golf site, by Nucaranlaeg. Where its text and its published program disagree, the
//! text applies. docs/rules.md lists how the points that it leaves open are settled.
//!
//! ```
//! use arena_rules::game_of_game_of_life::{Action, Options, Position, Target};
//! use arena_rules::{BySeat, Ruleset, Seat};
//!
//! let mut position = Position::start(&Options::default(), &[0; 32]);
//! assert_eq!(position.tally(), BySeat::from([4, 4])); // a block each
//! let own = position.board().seat(Seat(0)).cells().next().expect("a block");
//! let kill = position.check(Seat(0), &Action::Cell(own.into())).expect("on the board");
//! position.advance(BySeat::from([Some(kill), None]));
//! assert_eq!(position.tally(), BySeat::from([4, 4])); // three of a block give birth to the fourth
//! ```

mod board;
mod camp;
mod options;
mod plane;
mod position;
mod torus;

pub use board::{Board, Colour, REACH};
pub use camp::{Camp, Census};
pub use options::{GENERATIONS, LOT_SIDE, Length, Lots, Options, SEATS_MAX, SEATS_MIN};
pub use plane::{Around, Cell, Plane, Side};
pub use position::{Action, Position, Refusal, Setup, SetupError, Target, Turn};
