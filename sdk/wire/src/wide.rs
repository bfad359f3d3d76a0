//! Wide frames: actions and observations of games whose boards have more than 255 rows or columns. Every game uses either these or the
//! frames with one byte for each number. `sdk/ABI.md` describes them.
//!
//! A large board need not be shown completely: an observation names the window that its cells fill.

use alloc::vec::Vec;

use arena_rules::{Seat, Seed};

use crate::frame::{HEADER_LEN, SEED_AT};
use crate::{ActionError, ObservationError, Point, VERSION};

/// Bytes before the cells of a wide action: version, kind, and how many cells there are.
const ACTION_HEADER: usize = 4;
/// Bytes of a cell in a wide action.
const CELL_LEN: usize = 4;

/// The most cells a wide action can name: two bytes count them.
pub const CELLS_MAX: usize = u16::MAX as usize;

/// The offset of the window of a wide observation: top row, left column, rows, columns.
const WINDOW_AT: usize = 6;
/// Where the window ends.
const WINDOW_END: usize = WINDOW_AT + 8;

/// The kind and the cells of a wide action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its meaning depends on the game; 0 is a pass in games that have one.
    pub kind: u8,
    cells: Vec<Point>,
}

impl Action {
    /// An action of these cells. `None` if there are more than [`CELLS_MAX`].
    pub fn new(kind: u8, cells: Vec<Point>) -> Option<Action> {
        (cells.len() <= CELLS_MAX).then_some(Action { kind, cells })
    }

    /// The cells, at most [`CELLS_MAX`].
    pub fn cells(&self) -> &[Point] {
        &self.cells
    }

    /// The bytes of the action.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ACTION_HEADER + CELL_LEN * self.cells.len());
        bytes.extend([VERSION, self.kind]);
        bytes.extend((self.cells.len() as u16).to_le_bytes());
        bytes.extend(self.cells.iter().flat_map(|cell| [cell.row, cell.col]).flat_map(u16::to_le_bytes));
        bytes
    }

    /// Parses an action; the inverse of [`encode`](Action::encode).
    ///
    /// # Errors
    /// When the bytes have another layout. Whether the game has such a kind is not checked.
    pub fn decode(bytes: &[u8]) -> Result<Action, ActionError> {
        let [version, kind, low, high, rest @ ..] = bytes else {
            return Err(ActionError::Short { least: ACTION_HEADER, got: bytes.len() });
        };
        if *version != VERSION {
            return Err(ActionError::Version(*version));
        }
        let expected = CELL_LEN * usize::from(u16::from_le_bytes([*low, *high]));
        if rest.len() != expected {
            return Err(ActionError::Length { expected: ACTION_HEADER + expected, got: bytes.len() });
        }
        let number = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let cells = rest.chunks_exact(CELL_LEN).map(|cell| Point { row: number(cell), col: number(&cell[2..]) });
        Ok(Action { kind: *kind, cells: cells.collect() })
    }
}

/// A rectangle of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its first row.
    pub top: u16,
    /// Its first column.
    pub left: u16,
    /// How many rows it has.
    pub rows: u16,
    /// How many columns it has.
    pub cols: u16,
}

impl Window {
    /// The whole of a board of this size.
    pub fn whole(rows: u16, cols: u16) -> Window {
        Window { top: 0, left: 0, rows, cols }
    }

    /// Whether it lies within a board of this size.
    pub fn fits(&self, rows: u16, cols: u16) -> bool {
        let within = |from: u16, count: u16, all: u16| u32::from(from) + u32::from(count) <= all.into();
        within(self.top, self.rows, rows) && within(self.left, self.cols, cols)
    }

    /// How many cells it has.
    pub fn area(&self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    /// Its cells, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let Window { top, left, rows, cols } = self;
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Point { row: top + row, col: left + col }))
    }
}

/// The header of a wide observation, before its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The seat that observes.
    pub seat: Seat,
    /// The game's own byte.
    pub own: u8,
    /// Turns played before this one.
    pub turns: u16,
    /// The part of the board that its cells show.
    pub window: Window,
    /// The seat's seed.
    pub seat_seed: Seed,
}

impl Header {
    /// Its length in bytes.
    pub const LEN: usize = HEADER_LEN;

    /// Its bytes in a game with this tag.
    pub fn encode(&self, tag: u8) -> Vec<u8> {
        let Window { top, left, rows, cols } = self.window;
        let mut bytes = Vec::with_capacity(Header::LEN + self.window.area());
        bytes.extend([VERSION, tag, self.seat.0, self.own]);
        bytes.extend([self.turns, top, left, rows, cols].into_iter().flat_map(u16::to_le_bytes));
        bytes.resize(SEED_AT, 0);
        bytes.extend(self.seat_seed);
        bytes
    }

    /// Parses the header at the beginning of an observation; the inverse of [`encode`](Header::encode). The rest is left to the game.
    ///
    /// # Errors
    /// When they are not the header of a game with this tag.
    pub fn decode(tag: u8, bytes: &[u8]) -> Result<Header, ObservationError> {
        let Some((header, seat_seed)) = bytes.get(..Header::LEN).map(|header| header.split_at(SEED_AT)) else {
            return Err(ObservationError::Length { expected: Header::LEN, got: bytes.len() });
        };
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(ObservationError::Byte(at)) };
        expect(0, header[0] == VERSION)?;
        expect(1, header[1] == tag)?;
        (WINDOW_END..SEED_AT).try_for_each(|at| expect(at, header[at] == 0))?;
        let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let [top, left, rows, cols] = [0, 2, 4, 6].map(|at| number(WINDOW_AT + at));
        Ok(Header {
            seat: Seat(header[2]),
            own: header[3],
            turns: number(4),
            window: Window { top, left, rows, cols },
            seat_seed: core::array::from_fn(|at| seat_seed[at]),
        })
    }
}
