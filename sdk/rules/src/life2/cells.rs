//! Cells of the torus, and the torus's side.

/// Rows and columns of the torus: a power of two, so that cells wrap by a mask and rows are whole words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Side(u16);

/// A cell of a torus, counted from the top left. Coordinates beyond the edge wrap around.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
}

impl Side {
    /// The founding document's: 512 x 512.
    pub const WORLD: Side = Side(512);
    /// The shortest: a row is one word.
    pub const MIN: u16 = 64;
    /// The longest, of benchmarks.
    pub const MAX: u16 = 4096;

    /// The side of this length; `None` unless it is a power of two from [`Side::MIN`] to [`Side::MAX`].
    pub fn of_length(length: u16) -> Option<Side> {
        (length.is_power_of_two() && (Side::MIN..=Side::MAX).contains(&length)).then_some(Side(length))
    }

    /// Cells in a row, and in a column.
    pub fn length(self) -> u16 {
        self.0
    }

    /// Cells of the torus.
    pub fn area(self) -> usize {
        usize::from(self.0) * usize::from(self.0)
    }

    /// Words of 64 cells in a row.
    pub(super) fn words_a_row(self) -> usize {
        usize::from(self.0 / 64)
    }

    /// Words of the torus.
    pub(super) fn words(self) -> usize {
        self.area() / 64
    }

    /// The index of a cell, row by row: the founding document's position hash.
    pub fn index(self, cell: Cell) -> usize {
        let mask = self.0 - 1;
        usize::from(cell.y & mask) * usize::from(self.0) + usize::from(cell.x & mask)
    }

    /// The cell with this index.
    pub fn cell(self, index: usize) -> Cell {
        let length = usize::from(self.0);
        Cell { x: (index % length) as u16, y: (index / length % length) as u16 }
    }

    /// The four cells next to this one, in the order north, west, east, south.
    pub(super) fn beside(self, index: usize) -> [usize; 4] {
        let length = usize::from(self.0);
        let (mask, x, row) = (length - 1, index & (length - 1), index & !(length - 1));
        let all = self.area() - 1;
        [(index + all + 1 - length) & all, row | (x + mask) & mask, row | (x + 1) & mask, (index + length) & all]
    }

    /// The eight cells around this one, in the order NW, N, NE, W, E, SW, S, SE.
    pub(super) fn around(self, index: usize) -> [usize; 8] {
        let [north, west, east, south] = self.beside(index);
        let [_, nw, ne, _] = self.beside(north);
        let [_, sw, se, _] = self.beside(south);
        [nw, north, ne, west, east, sw, south, se]
    }
}

/// The numbers of the set bits, ascending.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

/// Whether a cell is in a plane of bits, 64 cells a word.
pub(super) fn has(plane: &[u64], index: usize) -> bool {
    plane[index / 64] >> (index % 64) & 1 == 1
}
