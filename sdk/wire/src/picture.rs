//! Boards for drawing and for tables. Large ones are sent as windows, and from one turn to the next as changes.

use alloc::vec::Vec;

use arena_rules::{BySeat, Seats};

use crate::wide::Window;

/// A board of any game of the family, as the owners of its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Rows of the board.
    pub rows: u16,
    /// Columns of the board.
    pub cols: u16,
    /// Row by row: 0 for a dead cell, 1 + seat for a living one, [`Picture::NEUTRAL`] for a living one of nobody.
    pub cells: Vec<u8>,
    /// The present values of what the ruleset ranks seats by.
    pub tally: BySeat<u32>,
}

impl Picture {
    /// A living cell that belongs to no seat.
    pub const NEUTRAL: u8 = 255;

    /// The part of the board in a window, with the tally of the whole; `None` if the window is not within the board.
    pub fn window(&self, window: Window) -> Option<Picture> {
        let Window { top, left, rows, cols } = window;
        if !window.fits(self.rows, self.cols) {
            return None;
        }
        let mut cells = Vec::with_capacity(window.area());
        for row in top..top + rows {
            let from = usize::from(row) * usize::from(self.cols) + usize::from(left);
            cells.extend(&self.cells[from..from + usize::from(cols)]);
        }
        Some(Picture { rows, cols, cells, tally: self.tally.clone() })
    }

    /// The change from this picture to the next; `None` if the boards have different sizes.
    pub fn delta(&self, next: &Picture) -> Option<Delta> {
        let size = |picture: &Picture| (picture.rows, picture.cols, picture.cells.len());
        if size(self) != size(next) {
            return None;
        }
        let cells = (0..).zip(self.cells.iter().zip(&next.cells));
        let changes = cells.filter(|(_, (old, new))| old != new).map(|(at, (_, new))| (at, *new)).collect();
        Some(Delta { changes, tally: next.tally.clone() })
    }
}

/// The change from one picture of a board to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delta {
    /// Indices of cells, row by row, ascending, and their new values.
    changes: Vec<(u32, u8)>,
    tally: BySeat<u32>,
}

impl Delta {
    /// The cells that change, by index row by row, ascending, and their new values.
    pub fn changes(&self) -> &[(u32, u8)] {
        &self.changes
    }

    /// The new tally.
    pub fn tally(&self) -> &BySeat<u32> {
        &self.tally
    }

    /// Applies the change; `None` if the picture is too small to be the one before.
    pub fn apply(&self, mut picture: Picture) -> Option<Picture> {
        for (at, owner) in &self.changes {
            *picture.cells.get_mut(*at as usize)? = *owner;
        }
        picture.tally = self.tally.clone();
        Some(picture)
    }

    /// Its bytes: the number of seats, the tally of each in 4 bytes, and for every change the number of cells skipped since
    /// the one before, in groups of 7 bits from the lowest on with the high bit set on all but the last, followed by the new value.
    /// These are at most 1 + 4 x seats + 2 x changes + cells / 128 bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::from([self.tally.seats()]);
        bytes.extend(self.tally.values().iter().flat_map(|tally| tally.to_le_bytes()));
        let mut next = 0;
        for (at, owner) in &self.changes {
            let mut passed = at - next;
            while passed >= 0x80 {
                bytes.push(passed as u8 | 0x80);
                passed >>= 7;
            }
            bytes.extend([passed as u8, *owner]);
            next = at + 1;
        }
        bytes
    }

    /// Parses a change; the inverse of [`encode`](Delta::encode). `None` if the bytes are invalid, or not in the canonical spelling.
    pub fn decode(bytes: &[u8]) -> Option<Delta> {
        let (seats, rest) = bytes.split_first().filter(|(seats, _)| **seats <= Seats::MAX)?;
        let (tally, mut rest) = rest.split_at_checked(4 * usize::from(*seats))?;
        let tally = tally.chunks_exact(4).map(|bytes| u32::from_le_bytes(core::array::from_fn(|at| bytes[at])));
        let tally = BySeat::from(tally.collect::<Vec<_>>());
        let mut changes = Vec::new();
        let mut next = 0_u32;
        while !rest.is_empty() {
            let (passed, after) = passed_over(rest)?;
            let (owner, after) = after.split_first()?;
            let at = next.checked_add(passed)?;
            changes.push((at, *owner));
            next = at.checked_add(1)?;
            rest = after;
        }
        Some(Delta { changes, tally })
    }
}

/// A number in groups of 7 bits, and the bytes after it. Superfluous groups are invalid.
fn passed_over(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0_u32;
    for (group, byte) in (0..u32::BITS.div_ceil(7)).zip(bytes) {
        let bits = u32::from(byte & 0x7f);
        number |= bits.checked_mul(1 << (7 * group))?;
        if byte & 0x80 == 0 {
            return (bits > 0 || group == 0).then(|| (number, &bytes[group as usize + 1..]));
        }
    }
    None
}
