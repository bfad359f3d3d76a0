//! Game of Game of Life a second time: a grid of numbers, a loop over every cell and its eight neighbours.
//!
//! Source: question 199658 of the code golf site; the open points as in docs/rules.md.

/// A dead cell. Living ones are a seat, from 1, or [`BLACK`].
pub const DEAD: i8 = 0;
/// A living cell of nobody.
pub const BLACK: i8 = -1;

/// A torus of `side` x `side` cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Rows and columns.
    pub side: usize,
    /// Row by row.
    pub cells: Vec<Vec<i8>>,
}

impl Grid {
    /// A grid on which nothing lives.
    pub fn dead(side: usize) -> Grid {
        Grid { side, cells: vec![vec![DEAD; side]; side] }
    }

    /// The colours of the living among the eight neighbours, and how many there are.
    fn neighbours(&self, row: usize, col: usize) -> ([i8; 8], usize) {
        let (mut living, mut count) = ([DEAD; 8], 0);
        for down in [self.side - 1, 0, 1] {
            for right in [self.side - 1, 0, 1] {
                let cell = self.cells[(row + down) % self.side][(col + right) % self.side];
                if (down, right) != (0, 0) && cell != DEAD {
                    living[count] = cell;
                    count += 1;
                }
            }
        }
        (living, count)
    }

    /// One generation.
    pub fn next(&self) -> Grid {
        let mut next = Grid::dead(self.side);
        for row in 0..self.side {
            for col in 0..self.side {
                let (around, count) = self.neighbours(row, col);
                let now = self.cells[row][col];
                next.cells[row][col] = match (now, count) {
                    (DEAD, 3) => colour_of_most(&around[..3]),
                    (now, 2 | 3) => now,
                    _ => DEAD,
                };
            }
        }
        next
    }

    /// Whether `seat` has a cell within two rows and two columns of this one, over the edges.
    pub fn near(&self, seat: i8, row: usize, col: usize) -> bool {
        let apart = |a: usize, b: usize| a.abs_diff(b).min(self.side - a.abs_diff(b));
        let own = |r: usize, c: usize| self.cells[r][c] == seat && apart(r, row) <= 2 && apart(c, col) <= 2;
        (0..self.side).any(|r| (0..self.side).any(|c| own(r, c)))
    }

    /// The grid after each seat has acted on its cell, if it has one and that is near: the first is seat 1's.
    pub fn acted(&self, actions: &[Option<(usize, usize)>]) -> Grid {
        let mut after = self.clone();
        for row in 0..self.side {
            for col in 0..self.side {
                let mut claimants = Vec::new();
                let mut killed = false;
                for (seat, action) in (1..).zip(actions) {
                    if *action != Some((row, col)) || !self.near(seat, row, col) {
                        continue;
                    }
                    if self.cells[row][col] == seat {
                        killed = true;
                    } else {
                        claimants.push(seat);
                    }
                }
                if self.cells[row][col] != DEAD && !killed {
                    continue;
                }
                after.cells[row][col] = match claimants[..] {
                    [] => DEAD,
                    [alone] => alone,
                    _ => BLACK,
                };
            }
        }
        after
    }
}

/// The colour that two of three parents have, or black.
fn colour_of_most(parents: &[i8]) -> i8 {
    for colour in parents {
        if parents.iter().filter(|parent| *parent == colour).count() >= 2 {
            return *colour;
        }
    }
    BLACK
}
