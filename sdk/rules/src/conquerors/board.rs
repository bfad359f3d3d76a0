//! The board and its generation.

use super::plane::{ROW_MASK, ROWS};
use super::{ByColour, Cell, Colour, Plane, Zone};

/// Living cells by colour. No cell has two colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Board {
    pub(super) cells: ByColour<Plane>,
}

impl Board {
    /// The board without a living cell.
    pub const EMPTY: Board = Board { cells: ByColour { blue: Plane::EMPTY, red: Plane::EMPTY } };

    /// The board with these cells; `None` when a cell has both colours.
    pub fn new(cells: ByColour<Plane>) -> Option<Board> {
        (!cells.blue.meets(&cells.red)).then_some(Board { cells })
    }

    /// The living cells of one colour.
    pub fn of(&self, colour: Colour) -> &Plane {
        &self.cells[colour]
    }

    /// The living cells of both colours.
    pub fn living(&self) -> Plane {
        self.cells.blue | self.cells.red
    }

    /// The colour of `cell`, or `None` when it is dead.
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| self.cells[*colour].contains(cell))
    }

    /// Makes `cell` a living one of `colour`, whatever it was.
    pub fn set(&mut self, cell: Cell, colour: Colour) {
        self.cells[colour].insert(cell);
        self.cells[colour.other()].remove(cell);
    }

    /// Kills every cell of `area`.
    pub fn clear(&mut self, area: Plane) {
        self.cells = self.cells.map(|plane| plane & !area);
    }

    /// Living cells by colour, each counted once. Source: RR-001 §2.3, "raw count".
    pub fn counts(&self) -> ByColour<u32> {
        self.cells.map(|plane| plane.count())
    }

    /// Living cells by colour, those in the opponent's home counted twice. Source: RR-001 §2.3, "weighted scoring".
    pub fn scores(&self) -> ByColour<u32> {
        ByColour::new(|colour| {
            let own = self.cells[colour];
            own.count() + (own & Zone::home_of(colour.other())).count()
        })
    }

    /// The same board with colours exchanged and columns mirrored: how the other player sees it.
    pub fn turned(&self) -> Board {
        Board { cells: self.cells.map(|plane| plane.mirrored()).swapped() }
    }

    /// The same board with the colours exchanged and nothing moved.
    pub fn recoloured(&self) -> Board {
        Board { cells: self.cells.swapped() }
    }

    /// One generation of B3/S23 without wrap: survivors keep their colour, a birth takes the colour of at least two of
    /// its three parents. Source: RR-001 §2.2.
    ///
    /// Works on 28 cells at once. Neighbours are counted in bits: each row gives its three-cell sums as two bits a cell
    /// (`RowSums`), and three rows are added by full adders, once for all living cells and once for the blue ones.
    pub fn next(&self) -> Board {
        let (blue, red) = (self.cells.blue.rows(), self.cells.red.rows());
        let (mut sums, mut blue_sums) = (RowSums::EMPTY, RowSums::EMPTY);
        for row in 0..ROWS {
            sums.set(row, blue[row] | red[row]);
            blue_sums.set(row, blue[row]);
        }
        let (mut next_blue, mut next_red) = ([0; ROWS], [0; ROWS]);
        for row in 0..ROWS {
            let living = blue[row] | red[row];
            let around = sums.count_around(row, living);
            let blue_around = blue_sums.count_around(row, blue[row]);
            let two_or_three = exactly_one(around.pairs);
            let survivors = living & two_or_three;
            let born = !living & two_or_three & around.odd & ROW_MASK;
            // Of three parents at least two are blue exactly if some pair of them is.
            let born_blue = born & any(blue_around.pairs);
            next_blue[row] = survivors & blue[row] | born_blue;
            next_red[row] = survivors & red[row] | born & !born_blue;
        }
        Board { cells: ByColour { blue: Plane(next_blue), red: Plane(next_red) } }
    }
}

/// For every row, how many of a cell and its two neighbours in the row are set: a number from 0 to 3 for each column, as two bits.
/// There is an empty row above and below, so that no row is special. Kept as two arrays, which the compiler turns into vectors.
pub(super) struct RowSums {
    ones: [u32; ROWS + 2],
    twos: [u32; ROWS + 2],
}

impl RowSums {
    pub(super) const EMPTY: RowSums = RowSums { ones: [0; ROWS + 2], twos: [0; ROWS + 2] };

    /// Sets a row.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, bits: u32) {
        (self.ones[row + 1], self.twos[row + 1]) = full_add(bits << 1, bits, bits >> 1);
    }

    /// The neighbours of each cell of `row`, whose own cells are `bits`.
    #[inline(always)]
    pub(super) fn count_around(&self, row: usize, bits: u32) -> Count {
        let (left, right) = (bits << 1, bits >> 1);
        let (odd, carry) = full_add(self.ones[row], left ^ right, self.ones[row + 2]);
        Count { odd, pairs: [self.twos[row], left & right, self.twos[row + 2], carry] }
    }
}

/// Per column, a number of neighbours: `odd` + 2 x (how many of the four `pairs` are set).
pub(super) struct Count {
    pub(super) odd: u32,
    pub(super) pairs: [u32; 4],
}

/// The sum of three bits: ones and twos.
fn full_add(a: u32, b: u32, c: u32) -> (u32, u32) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// Where exactly one of the four bits is set.
pub(super) fn exactly_one([a, b, c, d]: [u32; 4]) -> u32 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}

/// Where any of the four bits is set.
pub(super) fn any([a, b, c, d]: [u32; 4]) -> u32 {
    a | b | c | d
}
