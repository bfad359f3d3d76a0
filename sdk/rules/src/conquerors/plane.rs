//! One bit per cell: a set of cells.

/// Rows of the board, counted from the top.
pub const ROWS: usize = 26;
/// Columns of the board, counted from the left.
pub const COLS: usize = 28;
/// Cells of the board.
pub const CELLS: usize = ROWS * COLS;

/// The bits of a row that are on the board.
pub(super) const ROW_MASK: u32 = (1 << COLS) - 1;

/// A cell that is on the board. Ordered row by row (row, then column).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    row: u8,
    col: u8,
}

impl Cell {
    /// The cell at `row` (from the top) and `col` (from the left), or `None` when that is off the board.
    pub fn new(row: u8, col: u8) -> Option<Cell> {
        (usize::from(row) < ROWS && usize::from(col) < COLS).then_some(Cell { row, col })
    }

    /// Row from the top, 0..26.
    pub fn row(self) -> usize {
        usize::from(self.row)
    }

    /// Column from the left, 0..28.
    pub fn col(self) -> usize {
        usize::from(self.col)
    }

    /// The cell in the same row with the columns counted from the right.
    pub fn mirrored(self) -> Cell {
        Cell { row: self.row, col: COLS as u8 - 1 - self.col }
    }
}

/// A set of cells: bit `col` of word `row`. Bits off the board are never set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Plane(pub(super) [u32; ROWS]);

impl Plane {
    /// No cell.
    pub const EMPTY: Plane = Plane([0; ROWS]);
    /// Every cell of the board.
    pub const FULL: Plane = Plane([ROW_MASK; ROWS]);

    /// The cells of columns `from..to`, in every row.
    pub const fn columns(from: usize, to: usize) -> Plane {
        Plane([((1 << to) - 1) & !((1 << from) - 1); ROWS])
    }

    /// The set with these rows; bits off the board are dropped.
    pub fn from_rows(rows: [u32; ROWS]) -> Plane {
        Plane(rows.map(|row| row & ROW_MASK))
    }

    /// The rows, top to bottom; bit `col` of each is the cell at that column.
    pub fn rows(&self) -> &[u32; ROWS] {
        &self.0
    }

    /// Whether `cell` is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.row()] >> cell.col() & 1 == 1
    }

    /// Adds `cell`.
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.row()] |= 1 << cell.col();
    }

    /// Removes `cell`.
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.row()] &= !(1 << cell.col());
    }

    /// How many cells are in the set.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, row| any | row) == 0
    }

    /// Whether the two sets share a cell.
    pub fn meets(&self, other: &Plane) -> bool {
        self.0.iter().zip(&other.0).fold(0, |any, (a, b)| any | (a & b)) != 0
    }

    /// The cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let rows = self.0;
        (0..ROWS).flat_map(move |row| {
            let mut bits = rows[row];
            core::iter::from_fn(move || {
                let col = bits.trailing_zeros();
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    Cell { row: row as u8, col: col as u8 }
                })
            })
        })
    }

    /// The set seen in a mirror: column `c` becomes column 27 - `c`.
    pub fn mirrored(&self) -> Plane {
        Plane(self.0.map(|row| row.reverse_bits() >> (u32::BITS - COLS as u32)))
    }

    /// Cells of the 3 x 3 square around `centre` that are on the board, the centre among them.
    pub fn square(centre: Cell) -> Plane {
        let bits = ((0b111_u32 << centre.col()) >> 1) & ROW_MASK;
        let mut plane = Plane::EMPTY;
        let rows = centre.row().saturating_sub(1)..ROWS.min(centre.row() + 2);
        plane.0[rows].fill(bits);
        plane
    }
}

impl core::ops::BitAnd for Plane {
    type Output = Plane;

    fn bitand(mut self, other: Plane) -> Plane {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }
}

impl core::ops::BitOr for Plane {
    type Output = Plane;

    fn bitor(mut self, other: Plane) -> Plane {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }
}

/// The cells of the board that are not in the set.
impl core::ops::Not for Plane {
    type Output = Plane;

    fn not(self) -> Plane {
        Plane(self.0.map(|row| !row & ROW_MASK))
    }
}
