//! A base: eight by eight cells in which no enemy is ever born.

use super::{Cell, Side};

/// Rows and columns of a base, walls included. Source: the founding document, "Bases".
pub const BASE_SIDE: u16 = 8;

/// The position of a kingdom's base, by its top left cell. It may extend across the torus's edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// Its leftmost column.
    pub x: u16,
    /// Its topmost row.
    pub y: u16,
}

impl Base {
    /// How far to the right of and below the top left cell a cell is.
    fn within(self, side: Side, cell: Cell) -> (u16, u16) {
        let mask = side.length() - 1;
        (cell.x.wrapping_sub(self.x) & mask, cell.y.wrapping_sub(self.y) & mask)
    }

    /// Whether a cell is protected: one of the eight by eight.
    pub fn protects(self, side: Side, cell: Cell) -> bool {
        let (right, down) = self.within(side, cell);
        right < BASE_SIDE && down < BASE_SIDE
    }

    /// Whether a cell is part of the wall around the six by six.
    pub fn is_wall(self, side: Side, cell: Cell) -> bool {
        let (right, down) = self.within(side, cell);
        let edge = |at: u16| at == 0 || at == BASE_SIDE - 1;
        self.protects(side, cell) && (edge(right) || edge(down))
    }

    /// The indices of all its cells, row by row from the top left.
    pub(super) fn indices(self, side: Side) -> impl Iterator<Item = usize> {
        let rows = 0..BASE_SIDE;
        rows.flat_map(move |down| (0..BASE_SIDE).map(move |right| Cell { x: self.x + right, y: self.y + down }))
            .map(move |cell| side.index(cell))
    }

    /// The six by six inside the walls, row by row, which is a kingdom's first ground.
    pub fn interior(self, side: Side) -> impl Iterator<Item = Cell> {
        let cells = self.indices(side).map(move |index| side.cell(index));
        cells.filter(move |cell| !self.is_wall(side, *cell))
    }

    /// Whether two bases have a cell in common, across edges too.
    pub fn overlaps(self, side: Side, other: Base) -> bool {
        let apart = |one: u16, two: u16| one.abs_diff(two).min(side.length() - one.abs_diff(two));
        apart(self.x, other.x) < BASE_SIDE && apart(self.y, other.y) < BASE_SIDE
    }
}
