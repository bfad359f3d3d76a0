//! The part of a board that is shown.

use std::ops::Range;

use arena_wire::Point;

/// Rows and columns that are shown beside the relevant cells.
const MARGIN: usize = 2;

/// The requested part of a board.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    /// All of it.
    Whole,
    /// The living cells, and these.
    Living(&'a [Point]),
}

/// The rows and columns that are shown.
pub(crate) struct Window {
    pub(crate) rows: Range<usize>,
    pub(crate) cols: Range<usize>,
}

impl Window {
    /// The window of a part of a board of this size with these living cells; `None` if there is nothing to show.
    pub(crate) fn of(
        part: Part<'_>,
        (rows, cols): (usize, usize),
        living: impl Iterator<Item = Point>,
    ) -> Option<Window> {
        let Part::Living(others) = part else { return Some(Window { rows: 0..rows, cols: 0..cols }) };
        let cells: Vec<(usize, usize)> = living
            .chain(others.iter().copied())
            .map(|Point { row, col }| (usize::from(row), usize::from(col)))
            .filter(|(row, col)| *row < rows && *col < cols)
            .collect();
        Some(Window {
            rows: around(cells.iter().map(|(row, _)| *row), rows)?,
            cols: around(cells.iter().map(|(_, col)| *col), cols)?,
        })
    }
}

/// The range of the numbers below `count` that contains these, with a margin.
fn around(numbers: impl Iterator<Item = usize> + Clone, count: usize) -> Option<Range<usize>> {
    let (least, most) = (numbers.clone().min()?, numbers.max()?);
    Some(least.saturating_sub(MARGIN)..(most + 1 + MARGIN).min(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_all_that_matters_and_stays_on_the_board() {
        let of = |part: Part<'_>, living: &[Point]| {
            Window::of(part, (26, 28), living.iter().copied()).map(|window| (window.rows, window.cols))
        };
        let (corner, middle, outside) =
            (Point { row: 0, col: 27 }, Point { row: 12, col: 10 }, Point { row: 900, col: 900 });
        assert_eq!(of(Part::Whole, &[]), Some((0..26, 0..28)));
        assert_eq!(of(Part::Living(&[]), &[]), None);
        assert_eq!(of(Part::Living(&[outside]), &[]), None);
        assert_eq!(of(Part::Living(&[]), &[corner]), Some((0..3, 25..28)));
        assert_eq!(of(Part::Living(&[corner]), &[middle]), Some((0..15, 8..28)));
    }
}
