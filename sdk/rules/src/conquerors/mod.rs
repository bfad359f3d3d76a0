//! Conway's Conquerors: two colours of Life on a bounded 26 x 28 board, four cells a turn, twelve rounds.
//!
//! Source: report RR-001 §2 (V2 rules), with the open points settled as docs/rules.md lists them. The rules of
//! versions 5.4 and 5.5 are [`Options`] of the same ruleset.

mod board;
mod boards;
mod draft;
mod impact;
mod opening;
mod plane;
mod points;
mod position;
mod reach;
mod text;

pub use crate::colour::{ByColour, Colour};
pub use board::Board;
pub use boards::Boards;
pub use draft::TurnDraft;
pub use impact::Impacts;
pub use opening::{
    OPENING_CELLS_MAX, OPENING_CELLS_MIN, OPENING_NAMED_MAX, OPENING_TURNS_MAX, OPENING_TURNS_MIN, Opening,
    ParseOpeningError, Start,
};
pub use plane::{CELLS, COLS, Cell, Plane, ROWS};
pub use points::{Opponent, Win, points};
pub use position::{
    Action, BOMB_COOLDOWN, BOMB_FROM_ROUND, Options, PLACEMENTS, Position, ROUNDS, Refusal, Setup, SetupError, Target,
    Turn,
};
pub use reach::{HOME_COLS, Reach, Zone};
pub use text::ParseBoardError;
