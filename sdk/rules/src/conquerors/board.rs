//! The board and its generation.

use super::plane::{ROW_MASK, ROWS};
use super::{ByColour, Cell, Colour, Plane, Zone};

/// Living cells by colour. No cell has two colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Board {
    cells: ByColour<Plane>,
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
    /// Works on 28 cells at once. Neighbours are counted in bits: each row gives its three-cell sums as two bit planes
    /// (`Sum`), and three rows are added by full adders, once for all living cells and once for the blue ones.
    pub fn next(&self) -> Board {
        let (blue, red) = (self.cells.blue.rows(), self.cells.red.rows());
        let sums = |row: usize| (Sum::of_three(blue[row] | red[row]), Sum::of_three(blue[row]));
        let mut next = [[0; ROWS]; 2];
        let mut above = (Sum::ZERO, Sum::ZERO);
        let mut here = sums(0);
        for row in 0..ROWS {
            let below = if row + 1 < ROWS { sums(row + 1) } else { (Sum::ZERO, Sum::ZERO) };
            let living = blue[row] | red[row];
            let around = Sum::of_sides(living);
            let Count { odd, pairs } = Count::of(above.0, around, below.0);
            let two_or_three = exactly_one(pairs);
            let survivors = living & two_or_three;
            let born = !living & two_or_three & odd & ROW_MASK;
            let blue_count = Count::of(above.1, Sum::of_sides(blue[row]), below.1);
            let blue_born = born & any(blue_count.pairs);
            next[0][row] = survivors & blue[row] | blue_born;
            next[1][row] = survivors & red[row] | born & !blue_born;
            (above, here) = (here, below);
        }
        let [blue, red] = next.map(Plane::from_rows);
        Board { cells: ByColour { blue, red } }
    }
}

/// Per column, a number from 0 to 3 in two bits.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    ones: u32,
    twos: u32,
}

impl Sum {
    pub(super) const ZERO: Sum = Sum { ones: 0, twos: 0 };

    /// The cell and its two neighbours in the row.
    pub(super) fn of_three(row: u32) -> Sum {
        let (left, right) = (row << 1, row >> 1);
        Sum { ones: left ^ row ^ right, twos: left & row | left & right | row & right }
    }

    /// The two neighbours in the row without the cell itself.
    pub(super) fn of_sides(row: u32) -> Sum {
        let (left, right) = (row << 1, row >> 1);
        Sum { ones: left ^ right, twos: left & right }
    }
}

/// Per column, a number of neighbours: `odd` + 2 x (how many of the four `pairs` are set).
pub(super) struct Count {
    pub(super) odd: u32,
    pub(super) pairs: [u32; 4],
}

impl Count {
    /// The sum of three sums.
    pub(super) fn of(a: Sum, b: Sum, c: Sum) -> Count {
        let odd = a.ones ^ b.ones ^ c.ones;
        let carry = a.ones & b.ones | a.ones & c.ones | b.ones & c.ones;
        Count { odd, pairs: [a.twos, b.twos, c.twos, carry] }
    }
}

/// Where exactly one of the four bits is set.
pub(super) fn exactly_one([a, b, c, d]: [u32; 4]) -> u32 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}

/// Where any of the four bits is set.
pub(super) fn any([a, b, c, d]: [u32; 4]) -> u32 {
    a | b | c | d
}
