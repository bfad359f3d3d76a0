//! One bit per cell: a set of cells.

/// Rows of the board, counted from the top.
pub const ROWS: usize = 8;
/// Columns of the board, counted from the left.
pub const COLS: usize = 8;
/// Cells of the board.
pub const CELLS: usize = ROWS * COLS;

/// The first column, and the last.
const FIRST_COL: u64 = 0x0101_0101_0101_0101;
const LAST_COL: u64 = FIRST_COL << (COLS - 1);

/// The neighbours of each cell.
const AROUND: [u64; CELLS] = {
    let mut around = [0; CELLS];
    let mut index = 0;
    while index < CELLS {
        let row = sides(1 << index) | 1 << index;
        around[index] = (row | row << COLS | row >> COLS) & !(1 << index);
        index += 1;
    }
    around
};

/// The left and right neighbours of a set's cells.
const fn sides(bits: u64) -> u64 {
    (bits & !LAST_COL) << 1 | (bits & !FIRST_COL) >> 1
}

/// A cell that is on the board. Ordered row by row (row, then column).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The cell at `row` (from the top) and `col` (from the left), or `None` when that is off the board.
    pub fn new(row: u8, col: u8) -> Option<Cell> {
        (usize::from(row) < ROWS && usize::from(col) < COLS).then(|| Cell(row * COLS as u8 + col))
    }

    /// Row from the top, 0..8.
    pub fn row(self) -> usize {
        self.index() / COLS
    }

    /// Column from the left, 0..8.
    pub fn col(self) -> usize {
        self.index() % COLS
    }

    /// Its index row by row, 0..64.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cells that touch it, by a side or a corner: 8, at an edge 5, in a corner 3.
    pub fn neighbours(self) -> Cells {
        Cells(AROUND[self.index()])
    }
}

/// A set of cells: bit 8 x row + column.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cells(pub(super) u64);

impl Cells {
    /// No cell.
    pub const EMPTY: Cells = Cells(0);

    /// The set with these bits.
    pub const fn from_bits(bits: u64) -> Cells {
        Cells(bits)
    }

    /// One bit for each cell, the first row in the lowest byte.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether `cell` is in the set.
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    /// Adds `cell`.
    pub fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.0;
    }

    /// Removes `cell`.
    pub fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.0);
    }

    /// How many cells are in the set.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no cell is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set and all neighbours of its cells.
    pub fn grown(self) -> Cells {
        let rows = self.0 | sides(self.0);
        Cells(rows | rows << COLS | rows >> COLS)
    }
}

/// The cells, row by row.
impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = Cell(self.0.trailing_zeros() as u8);
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            cell
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl core::ops::BitAnd for Cells {
    type Output = Cells;

    fn bitand(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }
}

impl core::ops::BitOr for Cells {
    type Output = Cells;

    fn bitor(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }
}

/// The cells of the board that are not in the set.
impl core::ops::Not for Cells {
    type Output = Cells;

    fn not(self) -> Cells {
        Cells(!self.0)
    }
}

/// Per cell, how many of its eight neighbours are in a set: `odd` + 2 x (how many of the four `pairs` are set).
pub(super) struct Count {
    pub(super) odd: u64,
    pub(super) pairs: [u64; 4],
}

impl Count {
    /// Counts all 64 cells at once: each row's three-cell sums as two bits a cell, three rows added by a full adder.
    #[inline(always)]
    pub(super) fn of(bits: u64) -> Count {
        let (left, right) = ((bits & !LAST_COL) << 1, (bits & !FIRST_COL) >> 1);
        let (beside, both) = (left ^ right, left & right);
        let (ones, twos) = (beside ^ bits, both | beside & bits);
        let (above, below) = (ones << COLS, ones >> COLS);
        let half = above ^ beside;
        let (odd, carry) = (half ^ below, above & beside | half & below);
        Count { odd, pairs: [twos << COLS, both, twos >> COLS, carry] }
    }
}
