//! War of Life: two colours of pieces on 8 x 8 cells; a move takes one own piece to an empty neighbour, and after every
//! single move a generation of Life passes over the board.
//!
//! Source: the README of `jkatsioloudes/War-of-Life`, an assignment with published results. Points that it leaves open
//! are settled as in its controller: the order of the checks before a turn, and the order of moves.

mod board;
mod cells;
mod position;
mod start;
mod text;

pub use crate::colour::{ByColour, Colour};
pub use board::{Board, Move, Moves};
pub use cells::{CELLS, COLS, Cell, Cells, ROWS};
pub use position::{Action, MOVES_MAX, PlyError, Position, Refusal, Target};
pub use start::{PIECES_AT_START, ParseStartError, Start};
pub use text::ParseBoardError;
