//! Boards as text: 8 rows of 8 characters `.`, `b`, `r`, joined by `/`.

use core::fmt;
use core::str::FromStr;

use super::{Board, COLS, Cell, Cells, Colour, ROWS};

/// Why a text is not a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseBoardError {
    /// Not 8 rows.
    Rows(usize),
    /// A row (counted from 0) that does not have 8 characters.
    Columns(usize),
    /// A character other than `.`, `b` and `r`.
    Character(char),
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBoardError::Rows(rows) => write!(f, "a board has {ROWS} rows joined by '/', this text has {rows}"),
            ParseBoardError::Columns(row) => write!(f, "row {row} does not have {COLS} characters"),
            ParseBoardError::Character(c) => write!(f, "a board is made of '.', 'b' and 'r', not {c:?}"),
        }
    }
}

impl core::error::Error for ParseBoardError {}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        let rows = text.split('/').count();
        if rows != ROWS {
            return Err(ParseBoardError::Rows(rows));
        }
        let mut board = Board::EMPTY;
        for (row, line) in text.split('/').enumerate() {
            if line.chars().count() != COLS {
                return Err(ParseBoardError::Columns(row));
            }
            for (col, character) in line.chars().enumerate() {
                let colour = match character {
                    '.' => continue,
                    'b' => Colour::Blue,
                    'r' => Colour::Red,
                    other => return Err(ParseBoardError::Character(other)),
                };
                if let Some(cell) = Cell::new(row as u8, col as u8) {
                    board.set(cell, colour);
                }
            }
        }
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in !Cells::EMPTY {
            if cell.col() == 0 && cell.row() > 0 {
                f.write_str("/")?;
            }
            f.write_str(match self.colour_at(cell) {
                Some(Colour::Blue) => "b",
                Some(Colour::Red) => "r",
                None => ".",
            })?;
        }
        Ok(())
    }
}
