//! Names of cells: the row as a letter from the top, the column as a number from the left.

use arena_rules::conquerors::Cell;

/// The name of a cell: `a0` is the top left one, `z27` the bottom right one.
pub fn cell_text(cell: Cell) -> String {
    format!("{}{}", char::from(b'a' + cell.row() as u8), cell.col())
}

/// The cell with this name, if there is one. Columns have no leading zero.
pub fn parse_cell(text: &str) -> Option<Cell> {
    let (row, col) = text.split_at_checked(1)?;
    let row = row.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let cell = Cell::new(row, col.parse().ok()?)?;
    (cell_text(cell) == text).then_some(cell)
}

/// Names of cells joined by commas.
pub(crate) fn cells_text(cells: impl IntoIterator<Item = Cell>) -> String {
    cells.into_iter().map(cell_text).collect::<Vec<_>>().join(",")
}

/// A text that names no cell.
pub(crate) struct NoCell<'a>(pub(crate) &'a str);

/// The cells with these names. The error holds the first text that names none.
pub(crate) fn parse_cells(text: &str) -> Result<Vec<Cell>, NoCell<'_>> {
    text.split(',').map(|name| parse_cell(name).ok_or(NoCell(name))).collect()
}
