//! A table for people: words on the left, figures on the right, a sum below.

use std::fmt;

/// The space between two columns.
const GAP: &str = "  ";

/// Rows with a heading.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(head: Vec<String>) -> Self {
        Self { rows: vec![head] }
    }

    /// Adds a row: its name, and a cell for each further column.
    pub(super) fn row(&mut self, name: &str, cells: Vec<String>) {
        self.rows.push([vec![name.to_owned()], cells].concat());
    }

    /// Adds the sum of all rows.
    pub(super) fn sum(&mut self, cells: Vec<String>) {
        self.row("in all", cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(String::len).max();
        for row in &self.rows {
            for (column, cell) in row.iter().enumerate() {
                let width = width(column).unwrap_or_default();
                if column == 0 {
                    write!(f, "{cell:<width$}")?;
                } else {
                    write!(f, "{GAP}{cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
