//! Boards of two colours as text: rows of `.`, `b`, `r`, joined by `/`.

use core::fmt;

use crate::colour::Colour;

/// Why a text is not a board of `ROWS` rows and `COLS` columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseBoardError<const ROWS: usize, const COLS: usize> {
    /// The number of rows is wrong.
    Rows(usize),
    /// A row (counted from 0) has the wrong number of characters.
    Columns(usize),
    /// A character other than `.`, `b` and `r`.
    Character(char),
}

impl<const ROWS: usize, const COLS: usize> fmt::Display for ParseBoardError<ROWS, COLS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBoardError::Rows(rows) => write!(f, "a board has {ROWS} rows joined by '/', this text has {rows}"),
            ParseBoardError::Columns(row) => write!(f, "row {row} does not have {COLS} characters"),
            ParseBoardError::Character(c) => write!(f, "a board is made of '.', 'b' and 'r', not {c:?}"),
        }
    }
}

impl<const ROWS: usize, const COLS: usize> core::error::Error for ParseBoardError<ROWS, COLS> {}

/// Parses a board: `living` gets row, column and colour of every living cell.
///
/// # Errors
/// The first error in the text.
pub(crate) fn parse<const ROWS: usize, const COLS: usize>(
    text: &str,
    mut living: impl FnMut(u8, u8, Colour),
) -> Result<(), ParseBoardError<ROWS, COLS>> {
    let rows = text.split('/').count();
    if rows != ROWS {
        return Err(ParseBoardError::Rows(rows));
    }
    for (row, line) in text.split('/').enumerate() {
        if line.chars().count() != COLS {
            return Err(ParseBoardError::Columns(row));
        }
        for (col, character) in line.chars().enumerate() {
            match character {
                '.' => {}
                'b' => living(row as u8, col as u8, Colour::Blue),
                'r' => living(row as u8, col as u8, Colour::Red),
                other => return Err(ParseBoardError::Character(other)),
            }
        }
    }
    Ok(())
}

/// Writes a board; `colour_at` returns the colour at a row and column.
pub(crate) fn write<const ROWS: usize, const COLS: usize>(
    f: &mut fmt::Formatter<'_>,
    colour_at: impl Fn(u8, u8) -> Option<Colour>,
) -> fmt::Result {
    for row in 0..ROWS as u8 {
        if row > 0 {
            f.write_str("/")?;
        }
        for col in 0..COLS as u8 {
            f.write_str(match colour_at(row, col) {
                Some(Colour::Blue) => "b",
                Some(Colour::Red) => "r",
                None => ".",
            })?;
        }
    }
    Ok(())
}
