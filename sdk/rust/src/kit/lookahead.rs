//! The future of a board that differs a little from another one, computed only where the two futures differ.

use arena_rules::conquerors::{Board, ByColour, COLS, Cell, Colour, HOME_COLS, Plane, ROWS};

/// The most generations of a [`Lookahead`]: after this many, a single cell may have changed two thirds of all rows.
pub const LOOKAHEAD_MAX: usize = 8;

/// The next generations of a board without turns, and how a few other cells would change them.
///
/// The undisturbed future is computed once. A change spreads by at most one row in a generation, and often dies out: so a
/// [`Branch`] computes only rows next to some that differ, and counts only rows that do. Two laws hold: a branch has
/// exactly the boards that [`Board::next`] gives, and its censuses are those of these boards.
///
/// ```
/// use arena_sdk::conquerors::{Board, Cell, Colour};
/// use arena_sdk::kit::Lookahead;
///
/// let block = [(12, 3), (12, 4), (13, 3), (13, 4)].map(|(row, col)| Cell::new(row, col).expect("on the board"));
/// let future = Lookahead::of(&Board::EMPTY, 4);
/// assert_eq!(future.with(&block, Colour::Blue).census(4).cells(Colour::Blue), 4); // a still life
/// assert_eq!(future.with(&block[..2], Colour::Blue).census(1).cells(Colour::Blue), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Lookahead {
    /// The board now, and after each generation.
    moments: Vec<Moment>,
}

impl Lookahead {
    /// The future of `board` over this many generations.
    ///
    /// # Panics
    /// If there are more than [`LOOKAHEAD_MAX`].
    pub fn of(board: &Board, generations: usize) -> Lookahead {
        assert!(generations <= LOOKAHEAD_MAX, "a lookahead sees {LOOKAHEAD_MAX} generations at most");
        let boards = core::iter::successors(Some(*board), |board| Some(board.next()));
        Lookahead { moments: boards.take(generations + 1).map(Moment::of).collect() }
    }

    /// The number of generations that it covers.
    pub fn generations(&self) -> usize {
        self.moments.len() - 1
    }

    /// The undisturbed board after this many generations; after 0, the board at the start.
    ///
    /// # Panics
    /// If `generation` is beyond its last.
    pub fn board(&self, generation: usize) -> &Board {
        &self.moments[generation].board
    }

    /// The census of the undisturbed board after this many generations.
    ///
    /// # Panics
    /// If `generation` is beyond its last.
    pub fn census(&self, generation: usize) -> Census {
        self.moments[generation].census
    }

    /// The future in which `cells` now get `colour`, whatever they were.
    pub fn with(&self, cells: &[Cell], colour: Colour) -> Branch<'_> {
        let now = &self.moments[0];
        let mut branch = Branch::begin(self);
        for cell in cells {
            let (row, bit) = (cell.row(), 1 << cell.col());
            let line = branch.line(now, row);
            branch.lines[row] = match colour {
                Colour::Blue => Line::new(line.blue() | bit, line.red() & !bit),
                Colour::Red => Line::new(line.blue() & !bit, line.red() | bit),
            };
            branch.differing |= 1 << row;
        }
        branch.follow();
        branch
    }

    /// The future that starts with `board` instead, for example after a bomb. The fewer rows differ, the cheaper it is.
    pub fn instead(&self, board: &Board) -> Branch<'_> {
        let now = &self.moments[0];
        let mut branch = Branch::begin(self);
        for (row, line) in lines(board).into_iter().enumerate().filter(|(row, line)| now.lines[*row] != *line) {
            branch.lines[row] = line;
            branch.differing |= 1 << row;
        }
        branch.follow();
        branch
    }
}

/// A future that differs from a [`Lookahead`]'s. Made by [`Lookahead::with`] and [`Lookahead::instead`].
#[derive(Clone, Debug)]
pub struct Branch<'a> {
    future: &'a Lookahead,
    censuses: [Census; LOOKAHEAD_MAX + 1],
    /// The rows that differ; the others are meaningless.
    lines: [Line; ROWS],
    /// Which rows differ: bit r for row r.
    differing: u32,
    rows_computed: u32,
}

impl<'a> Branch<'a> {
    /// The number of generations that it covers.
    pub fn generations(&self) -> usize {
        self.future.generations()
    }

    /// The census after this many generations; after 0, that of the changed board itself.
    ///
    /// # Panics
    /// If `generation` is beyond its last.
    pub fn census(&self, generation: usize) -> Census {
        self.censuses[..=self.generations()][generation]
    }

    /// The number of rows computed, over all generations: the cost of the branch.
    pub fn rows_computed(&self) -> u32 {
        self.rows_computed
    }

    /// The board after the last generation.
    pub fn board(&self) -> Board {
        let last = &self.future.moments[self.generations()];
        let (mut blue, mut red) = ([0; ROWS], [0; ROWS]);
        for row in 0..ROWS {
            let line = self.line(last, row);
            (blue[row], red[row]) = (line.blue(), line.red());
        }
        let cells = ByColour { blue, red }.map(Plane::from_rows);
        Board::new(cells).unwrap_or(last.board)
    }

    fn begin(future: &'a Lookahead) -> Branch<'a> {
        let censuses = [Census(0); LOOKAHEAD_MAX + 1];
        Branch { future, censuses, lines: [Line::EMPTY; ROWS], differing: 0, rows_computed: 0 }
    }

    /// Computes all generations, from the changed lines of the first board.
    fn follow(&mut self) {
        let (now, later) = self.future.moments.split_first().expect("a lookahead has the board now");
        self.censuses[0] = now.census;
        for row in rows_of(self.differing) {
            self.censuses[0].exchange(now.rows[row], Census::of_line(self.lines[row]));
        }
        let mut before = now;
        for (after, generation) in later.iter().zip(1..) {
            self.censuses[generation] = self.step(before, after);
            before = after;
        }
    }

    /// Advances by one generation in place; returns the census after it.
    fn step(&mut self, before: &Moment, after: &Moment) -> Census {
        let mut census = after.census;
        let mut differing = 0;
        let mut touched = (self.differing | self.differing << 1 | self.differing >> 1) & ALL_ROWS;
        self.rows_computed += touched.count_ones();
        while touched != 0 {
            let first = touched.trailing_zeros() as usize;
            let end = first + (touched >> first).trailing_ones() as usize;
            touched &= ALL_ROWS << end;
            // Whole runs of rows from top to bottom: a row is overwritten once its sums and those of the next are taken.
            let mut above = first.checked_sub(1).map_or(Sums::EMPTY, |row| Sums::of(self.line(before, row)));
            let mut line = self.line(before, first);
            let mut here = Sums::of(line);
            for row in first..end {
                let next = if row + 1 < ROWS { self.line(before, row + 1) } else { Line::EMPTY };
                let below = Sums::of(next);
                let born = here.generation(&above, &below, line);
                (above, here, line) = (here, below, next);
                self.lines[row] = born;
                if born != after.lines[row] {
                    differing |= 1 << row;
                    census.exchange(after.rows[row], Census::of_line(born));
                }
            }
        }
        self.differing = differing;
        census
    }

    #[inline(always)]
    fn line(&self, undisturbed: &Moment, row: usize) -> Line {
        if self.differing >> row & 1 == 1 { self.lines[row] } else { undisturbed.lines[row] }
    }
}

/// Numbers of living cells of a board, by colour and home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Census(u64);

/// A census is six numbers of ten bits each: blue's cells in the left home, in neutral, in the right home; then red's.
const FIELD_BITS: u32 = 10;
const COLOUR_BITS: u32 = 3 * FIELD_BITS;
const HOME_BITS: u32 = (1 << HOME_COLS) - 1;

impl Census {
    /// The census of a board.
    pub fn of(board: &Board) -> Census {
        Census(lines(board).into_iter().map(|line| Census::of_line(line).0).sum())
    }

    /// All cells of `colour`.
    pub fn cells(self, colour: Colour) -> u32 {
        self.field(colour, 0) + self.field(colour, 1) + self.field(colour, 2)
    }

    /// Cells of `colour` in its own home.
    pub fn at_home(self, colour: Colour) -> u32 {
        self.field(colour, home_field(colour))
    }

    /// Cells of `colour` in the other's home.
    pub fn abroad(self, colour: Colour) -> u32 {
        self.field(colour, home_field(colour.other()))
    }

    /// Cells of `colour`, with those in the other's home counted twice, as in [`Board::scores`].
    pub fn score(self, colour: Colour) -> u32 {
        self.cells(colour) + self.abroad(colour)
    }

    fn field(self, colour: Colour, number: u32) -> u32 {
        let shift = COLOUR_BITS * u32::from(colour.seat().0) + FIELD_BITS * number;
        (self.0 >> shift) as u32 & ((1 << FIELD_BITS) - 1)
    }

    #[inline(always)]
    fn of_line(line: Line) -> Census {
        let fields = |row: u32| {
            let right = COLS - HOME_COLS;
            let middle = row & ROW_MASK & !HOME_BITS & !(HOME_BITS << right);
            (row & HOME_BITS).count_ones()
                | middle.count_ones() << FIELD_BITS
                | (row >> right).count_ones() << (2 * FIELD_BITS)
        };
        Census(u64::from(fields(line.blue())) | u64::from(fields(line.red())) << COLOUR_BITS)
    }

    /// Replaces one row's part of the census by another.
    #[inline(always)]
    fn exchange(&mut self, from: Census, to: Census) {
        self.0 = self.0 - from.0 + to.0;
    }
}

fn home_field(colour: Colour) -> u32 {
    match colour {
        Colour::Blue => 0,
        Colour::Red => 2,
    }
}

/// A board of the undisturbed future.
#[derive(Clone, Debug)]
struct Moment {
    board: Board,
    lines: [Line; ROWS],
    /// The census of each row.
    rows: [Census; ROWS],
    census: Census,
}

impl Moment {
    fn of(board: Board) -> Moment {
        let lines = lines(&board);
        let rows = lines.map(Census::of_line);
        Moment { board, lines, rows, census: Census(rows.iter().map(|row| row.0).sum()) }
    }
}

/// A row of both colours in one word: blue's bits in the low half, red's in the high one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line(u64);

impl Line {
    const EMPTY: Line = Line(0);

    #[inline(always)]
    fn new(blue: u32, red: u32) -> Line {
        Line(u64::from(blue) | u64::from(red) << u32::BITS)
    }

    #[inline(always)]
    fn blue(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn red(self) -> u32 {
        (self.0 >> u32::BITS) as u32
    }
}

fn lines(board: &Board) -> [Line; ROWS] {
    let (blue, red) = (board.of(Colour::Blue).rows(), board.of(Colour::Red).rows());
    core::array::from_fn(|row| Line::new(blue[row], red[row]))
}

/// The bits of a row that are on the board.
const ROW_MASK: u32 = (1 << COLS) - 1;
/// A bit for each row.
const ALL_ROWS: u32 = (1 << ROWS) - 1;

fn rows_of(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let row = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            row
        })
    })
}

/// What a row adds to the numbers of neighbours of its own cells and those of the rows next to it, as two bits for each column: `odd` + 2 x
/// `pair`. All living cells are in the low half of each word, the blue ones in the high half: a shift moves at most one bit
/// from one half into the other, and that one is beyond the board.
#[derive(Clone, Copy)]
struct Sums {
    /// A cell and its two neighbours in the row.
    odd: u64,
    pair: u64,
    /// The two neighbours alone.
    beside_odd: u64,
    beside_pair: u64,
}

impl Sums {
    const EMPTY: Sums = Sums { odd: 0, pair: 0, beside_odd: 0, beside_pair: 0 };

    #[inline(always)]
    fn of(line: Line) -> Sums {
        let cells = u64::from(line.blue() | line.red()) | line.0 << u32::BITS;
        let (left, right) = (cells << 1, cells >> 1);
        let (beside_odd, beside_pair) = (left ^ right, left & right);
        Sums { odd: beside_odd ^ cells, pair: beside_pair | beside_odd & cells, beside_odd, beside_pair }
    }

    /// The next generation of `line`, the row with these sums, between two others; as by [`Board::next`].
    #[inline(always)]
    fn generation(&self, above: &Sums, below: &Sums, line: Line) -> Line {
        let half = above.odd ^ self.beside_odd;
        let odd = half ^ below.odd;
        let carry = above.odd & self.beside_odd | half & below.odd;
        let [a, b, c, d] = [above.pair, self.beside_pair, below.pair, carry];
        let two_or_three = ((a ^ b ^ c ^ d) & !(a & b | c & d)) as u32;
        let living = line.blue() | line.red();
        let born = !living & two_or_three & odd as u32 & ROW_MASK;
        // Of three parents at least two are blue exactly if some pair of them is.
        let born_blue = born & ((a | b | c | d) >> u32::BITS) as u32;
        Line::new(line.blue() & two_or_three | born_blue, line.red() & two_or_three | born & !born_blue)
    }
}
