//! Boards as text: 26 rows of 28 characters `.`, `b`, `r`, joined by `/`.

use core::fmt;
use core::str::FromStr;

use super::{Board, COLS, Cell, ROWS};
use crate::board_text;

/// Why a text is not a board.
pub type ParseBoardError = board_text::ParseBoardError<ROWS, COLS>;

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        let mut board = Board::EMPTY;
        board_text::parse(text, |row, col, colour| {
            if let Some(cell) = Cell::new(row, col) {
                board.set(cell, colour);
            }
        })?;
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        board_text::write::<ROWS, COLS>(f, |row, col| self.colour_at(Cell::new(row, col)?))
    }
}
