//! One bit per cell: a set of cells.

use super::torus::{Torus, WORDS_MAX, on_side};

/// The side of the board. The torus has one of three sizes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// 12 x 12 cells: 2 to 4 seats.
    Twelve,
    /// 18 x 18 cells: 5 to 9 seats.
    Eighteen,
    /// 24 x 24 cells: 10 to 16 seats.
    TwentyFour,
}

impl Side {
    /// Every side, the shortest first.
    pub const ALL: [Side; 3] = [Side::Twelve, Side::Eighteen, Side::TwentyFour];

    /// Cells of a row or a column.
    pub fn length(self) -> u8 {
        match self {
            Side::Twelve => 12,
            Side::Eighteen => 18,
            Side::TwentyFour => 24,
        }
    }

    /// The side of this length.
    pub fn of_length(length: u8) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.length() == length)
    }

    /// Cells of the board.
    pub fn area(self) -> usize {
        usize::from(self.length()) * usize::from(self.length())
    }

    /// The cell at `row` (from the top) and `col` (from the left), or `None` when that is off the board.
    pub fn cell(self, row: u8, col: u8) -> Option<Cell> {
        (row < self.length() && col < self.length()).then_some(Cell { row, col })
    }

    /// Every cell, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.length()).flat_map(move |row| (0..self.length()).map(move |col| Cell { row, col }))
    }

    fn rows_per_word(self) -> u8 {
        match self {
            Side::Twelve => 4,
            Side::Eighteen => 3,
            Side::TwentyFour => 2,
        }
    }
}

/// A cell of a board. Ordered row by row (row, then column).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    row: u8,
    col: u8,
}

impl Cell {
    /// Row from the top, from 0.
    pub fn row(self) -> u8 {
        self.row
    }

    /// Column from the left, from 0.
    pub fn col(self) -> u8 {
        self.col
    }
}

/// A set of cells of a torus. Bits off the board are never set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plane {
    side: Side,
    words: [u64; WORDS_MAX],
}

impl Plane {
    /// No cell.
    pub const fn empty(side: Side) -> Plane {
        Plane { side, words: [0; WORDS_MAX] }
    }

    /// Every cell of the board.
    pub fn full(side: Side) -> Plane {
        fn full<const SIDE: u32, const WORDS: usize>() -> [u64; WORDS_MAX] {
            Torus::<SIDE, WORDS>::plane([Torus::<SIDE, WORDS>::ALL; WORDS])
        }

        Plane { side, words: on_side!(side, full()) }
    }

    pub(super) fn of_words(side: Side, words: [u64; WORDS_MAX]) -> Plane {
        Plane { side, words }
    }

    pub(super) fn words(&self) -> &[u64; WORDS_MAX] {
        &self.words
    }

    /// The torus it is a set of.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Word and bit of a cell. A cell of a larger torus maps to no bit.
    fn place(&self, cell: Cell) -> (usize, u64) {
        let (rows, len) = (self.side.rows_per_word(), self.side.length());
        if cell.row >= len || cell.col >= len {
            return (0, 0);
        }
        (usize::from(cell.row / rows), 1 << (cell.row % rows * len + cell.col))
    }

    /// Whether `cell` is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = self.place(cell);
        self.words[word] & bit != 0
    }

    /// Adds `cell`.
    pub fn insert(&mut self, cell: Cell) {
        let (word, bit) = self.place(cell);
        self.words[word] |= bit;
    }

    /// Removes `cell`.
    pub fn remove(&mut self, cell: Cell) {
        let (word, bit) = self.place(cell);
        self.words[word] &= !bit;
    }

    /// How many cells are in the set.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Plane { side, words } = *self;
        let (rows, len) = (side.rows_per_word(), u32::from(side.length()));
        (0..).step_by(rows.into()).zip(words).flat_map(move |(first, mut bits): (u8, u64)| {
            core::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    Cell { row: first + (bit / len) as u8, col: (bit % len) as u8 }
                })
            })
        })
    }

    /// The cells of the set and all cells within a king's move of it, across the edges.
    pub fn grown(&self) -> Plane {
        fn grown<const SIDE: u32, const WORDS: usize>(plane: &[u64; WORDS_MAX]) -> [u64; WORDS_MAX] {
            Torus::<SIDE, WORDS>::plane(Torus::<SIDE, WORDS>::grown(&Torus::<SIDE, WORDS>::words(plane)))
        }

        Plane { side: self.side, words: on_side!(self.side, grown(&self.words)) }
    }

    /// How many neighbours in the set each cell of the board has.
    pub fn around(&self) -> Around {
        fn around<const SIDE: u32, const WORDS: usize>(plane: &[u64; WORDS_MAX]) -> [[u64; WORDS_MAX]; 4] {
            let counts = Torus::<SIDE, WORDS>::counts(&Torus::<SIDE, WORDS>::words(plane));
            let mut bits = [[0; WORDS_MAX]; 4];
            for (at, count) in counts.iter().enumerate() {
                let [a, b, c, d] = count.pairs;
                let (low, high) = ((a ^ b, a & b), (c ^ d, c & d));
                let carry = low.0 & high.0;
                bits[0][at] = count.odd;
                bits[1][at] = low.0 ^ high.0;
                bits[2][at] = low.1 ^ high.1 ^ carry;
                bits[3][at] = low.1 & high.1;
            }
            bits
        }

        let bits = on_side!(self.side, around(&self.words));
        Around(bits.map(|words| Plane { side: self.side, words }))
    }

    fn zip(self, other: Plane, both: impl Fn(u64, u64) -> u64) -> Plane {
        Plane { side: self.side, words: core::array::from_fn(|at| both(self.words[at], other.words[at])) }
    }
}

/// A number of neighbours, from 0 to 8, for every cell of the board.
#[derive(Clone, Copy, Debug)]
pub struct Around([Plane; 4]);

impl Around {
    /// The number of a cell.
    pub fn at(&self, cell: Cell) -> u8 {
        let (word, bit) = self.0[0].place(cell);
        (0..).zip(&self.0).map(|(power, plane)| u8::from(plane.words[word] & bit != 0) << power).sum()
    }

    /// The cells with exactly `neighbours`.
    pub fn exactly(&self, neighbours: u8) -> Plane {
        let full = Plane::full(self.0[0].side);
        let bit = |at: usize| if neighbours >> at & 1 == 1 { self.0[at] } else { !self.0[at] };
        if neighbours > 8 { Plane::empty(full.side) } else { full & bit(0) & bit(1) & bit(2) & bit(3) }
    }

    /// The cells with at least one neighbour.
    pub fn any(&self) -> Plane {
        self.0[0] | self.many()
    }

    /// The cells with at least two neighbours.
    pub fn many(&self) -> Plane {
        self.0[1] | self.0[2] | self.0[3]
    }
}

impl core::ops::BitAnd for Plane {
    type Output = Plane;

    fn bitand(self, other: Plane) -> Plane {
        self.zip(other, |a, b| a & b)
    }
}

impl core::ops::BitOr for Plane {
    type Output = Plane;

    fn bitor(self, other: Plane) -> Plane {
        self.zip(other, |a, b| a | b)
    }
}

/// The cells of the board that are not in the set.
impl core::ops::Not for Plane {
    type Output = Plane;

    fn not(self) -> Plane {
        Plane::full(self.side).zip(self, |full, set| full & !set)
    }
}
