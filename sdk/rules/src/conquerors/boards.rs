//! Many boards that advance together.

use super::plane::ROW_MASK;
use super::{Board, ByColour, COLS, Cell, Colour, HOME_COLS, Plane, ROWS};
use crate::lanes::{LANES, Lanes};

/// Boards that advance together.
const BOARDS: usize = 8;
/// Vectors that hold one row of all boards.
const GROUPS: usize = BOARDS / LANES;

/// Eight boards that advance together, each as [`Board::next`] does, and are counted together. Players that try many
/// turns need less than half the time for each.
///
/// ```
/// use arena_rules::conquerors::{Board, Boards, Cell, Colour};
///
/// let mut tried = Boards::copies(&Board::EMPTY);
/// for (row, col) in [(12, 3), (12, 4), (13, 3), (13, 4)] {
///     tried.set(5, Cell::new(row, col).expect("on the board"), Colour::Blue);
/// }
/// tried.advance();
/// let cells = tried.cells_by_zone();
/// assert_eq!((cells[0].blue, cells[5].blue), ([0, 0, 0], [4, 0, 0])); // a block is a still life
/// ```
#[derive(Clone, Copy)]
pub struct Boards {
    groups: [Group; GROUPS],
}

impl Boards {
    /// The number of boards.
    pub const COUNT: usize = BOARDS;

    /// Packs eight boards.
    pub fn new(boards: &[Board; BOARDS]) -> Boards {
        let mut together = Boards { groups: [Group::EMPTY; GROUPS] };
        for (group, boards) in together.groups.iter_mut().zip(boards.chunks_exact(LANES)) {
            for row in 0..ROWS {
                let blue = |lane: usize| boards[lane].of(Colour::Blue).rows()[row];
                let red = |lane: usize| boards[lane].of(Colour::Red).rows()[row];
                group.blue[row] = Lanes::new(core::array::from_fn(blue));
                group.living[row] = Lanes::new(core::array::from_fn(|lane| blue(lane) | red(lane)));
            }
        }
        together
    }

    /// One board eight times.
    pub fn copies(board: &Board) -> Boards {
        let lanes = |plane: &Plane| plane.rows().map(Lanes::all);
        Boards { groups: [Group { living: lanes(&board.living()), blue: lanes(board.of(Colour::Blue)) }; GROUPS] }
    }

    /// The board at a place.
    ///
    /// # Panics
    /// If `place` is not in 0..8.
    pub fn board(&self, place: usize) -> Board {
        let Group { living, blue } = &self.groups[place / LANES];
        let plane = |rows: &Rows| Plane(rows.map(|row| row.words()[place % LANES]));
        let (blue, living) = (plane(blue), plane(living));
        Board { cells: ByColour { blue, red: living & !blue } }
    }

    /// Makes `cell` a living one of `colour` on one board, whatever it was.
    ///
    /// # Panics
    /// If `place` is not in 0..8.
    pub fn set(&mut self, place: usize, cell: Cell, colour: Colour) {
        let Group { living, blue } = &mut self.groups[place / LANES];
        let mut words = [0; LANES];
        words[place % LANES] = 1 << cell.col();
        let (row, bit) = (cell.row(), Lanes::new(words));
        living[row] = living[row] | bit;
        blue[row] = match colour {
            Colour::Blue => blue[row] | bit,
            Colour::Red => blue[row].without(bit),
        };
    }

    /// Advances all boards by one generation.
    pub fn advance(&mut self) {
        self.groups.iter_mut().for_each(Group::advance);
    }

    /// The living cells of each board by colour and zone: in the left home, in neutral, in the right home.
    pub fn cells_by_zone(&self) -> [ByColour<[u32; 3]>; BOARDS] {
        let groups = self.groups.each_ref().map(Group::cells_by_zone);
        core::array::from_fn(|place| groups[place / LANES][place % LANES])
    }
}

/// The rows of four boards, from the top.
type Rows = [Lanes; ROWS];

/// Four boards, a lane each.
#[derive(Clone, Copy)]
struct Group {
    living: Rows,
    blue: Rows,
}

impl Group {
    const EMPTY: Group = Group { living: [Lanes::ZERO; ROWS], blue: [Lanes::ZERO; ROWS] };

    /// Advances by one generation, as [`Board::next`] does: first which cells live, then which of them are blue, so that the values
    /// of each step fit into registers; two rows at a time, for the same reason.
    #[inline(always)]
    fn advance(&mut self) {
        let living = self.next_living();
        self.take(&living);
    }

    #[inline(always)]
    fn next_living(&self) -> Rows {
        let rows = &self.living;
        let mut next = [Lanes::ZERO; ROWS];
        let (mut above, mut here) = (Sums::of(Lanes::ZERO), Sums::of(rows[0]));
        for row in (0..ROWS / 2).map(|pair| 2 * pair) {
            let below = Sums::of(rows[row + 1]);
            next[row] = here.alive(&above, &below, rows[row]);
            let further = Sums::of(row_of(rows, row + 2));
            next[row + 1] = below.alive(&here, &further, rows[row + 1]);
            (above, here) = (below, further);
        }
        next
    }

    /// Takes the cells of the next generation and computes their colours. Survivors keep theirs. A newborn cell is blue if at least
    /// two of its three parents are, that is, if the second bit of their number is set. Where it is born nothing lived, so the whole square
    /// may be counted, and two rows share two of the three rows of their squares.
    #[inline(always)]
    fn take(&mut self, next: &Rows) {
        let Group { living, blue } = self;
        let (mut above, mut here) = (Sums::of(Lanes::ZERO), Sums::of(blue[0]));
        for row in (0..ROWS / 2).map(|pair| 2 * pair) {
            let below = Sums::of(blue[row + 1]);
            let half = here.ones ^ below.ones;
            let seconds = here.ones & below.ones ^ here.twos ^ below.twos;
            let many = seconds ^ above.twos ^ half & above.ones;
            blue[row] = next[row] & (blue[row] | many.without(living[row]));
            let further = Sums::of(row_of(blue, row + 2));
            let many = seconds ^ further.twos ^ half & further.ones;
            blue[row + 1] = next[row + 1] & (blue[row + 1] | many.without(living[row + 1]));
            (above, here) = (below, further);
        }
        *living = *next;
    }

    fn cells_by_zone(&self) -> [ByColour<[u32; 3]>; LANES] {
        let (living, blue) = (count_by_zone(&self.living), count_by_zone(&self.blue));
        core::array::from_fn(|lane| {
            let red = core::array::from_fn(|zone| living[lane][zone] - blue[lane][zone]);
            ByColour { blue: blue[lane], red }
        })
    }
}

// Rows are taken in pairs, and columns in fours: a home has two fours, neutral ground three.
const _: () = assert!(ROWS.is_multiple_of(2) && HOME_COLS == 8 && COLS == 28);

/// A row, or nothing below the last one.
#[inline(always)]
fn row_of(rows: &Rows, row: usize) -> Lanes {
    rows.get(row).copied().unwrap_or(Lanes::ZERO)
}

/// For every cell, how many live among it and its two neighbours in the row, as ones and twos; and among the two alone.
#[derive(Clone, Copy)]
struct Sums {
    ones: Lanes,
    twos: Lanes,
    beside_ones: Lanes,
    beside_twos: Lanes,
}

impl Sums {
    #[inline(always)]
    fn of(row: Lanes) -> Sums {
        let (left, right) = (row + row, row.down::<1>());
        let (beside_ones, beside_twos) = (left ^ right, left & right);
        Sums { ones: beside_ones ^ row, twos: beside_twos | beside_ones & row, beside_ones, beside_twos }
    }

    /// The cells of `row`, which has these sums, that live in the next generation.
    #[inline(always)]
    fn alive(&self, above: &Sums, below: &Sums, row: Lanes) -> Lanes {
        let half = above.ones ^ self.beside_ones;
        let odd = half ^ below.ones;
        let carry = above.ones & self.beside_ones | half & below.ones;
        let (a, b, c, d) = (above.twos, self.beside_twos, below.twos, carry);
        let two_or_three = (a ^ b ^ (c ^ d)).without(a & b | c & d);
        two_or_three & Lanes::all(ROW_MASK) & (row | odd)
    }
}

/// The set cells of each board, by zone from the left.
fn count_by_zone(rows: &Rows) -> [[u32; 3]; LANES] {
    let [twos, fours, eights] = [0x5555_5555, 0x3333_3333, 0x0F0F_0F0F].map(Lanes::all);
    // Counts the set bits in each group of four.
    let by_fours = |row: Lanes| {
        let pairs = (row & twos) + (row.down::<1>() & twos);
        (pairs & fours) + (pairs.down::<2>() & fours)
    };
    // Every second group in bytes, which are large enough for the sum over all rows.
    let (mut even, mut odd) = (Lanes::ZERO, Lanes::ZERO);
    for pair in rows.chunks_exact(2) {
        let counts = by_fours(pair[0]) + by_fours(pair[1]);
        even = even + (counts & eights);
        odd = odd + (counts.down::<4>() & eights);
    }
    let (even, odd) = (even.words().map(u32::to_le_bytes), odd.words().map(u32::to_le_bytes));
    core::array::from_fn(|lane| {
        let ([a, c, e, g], [b, d, f, _]) = (even[lane].map(u32::from), odd[lane].map(u32::from));
        [a + b, c + d + e, f + g]
    })
}
