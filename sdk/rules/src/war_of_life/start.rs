//! How a game starts: random pieces, or a named board.

use core::fmt;
use core::str::FromStr;

use super::{Board, ByColour, CELLS, Cells};
use crate::{Rng, Seed};

/// Pieces of each colour at a random start. Source: README of `jkatsioloudes/War-of-Life`, "Initial Setup".
pub const PIECES_AT_START: usize = 12;

/// The generator's stream, which separates these draws from others made with a game's seed.
const STREAM: u64 = u64::from_le_bytes(*b"wolstart");

/// What is on the board before the first move. As text: `random`, `deal:N`, or the name of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// 24 cells drawn from the game's seed, 12 blue and 12 red.
    Random,
    /// The random start of the seed that begins with this number, low byte first, followed by zeros; the game's own
    /// seed is not used.
    Deal(u32),
    /// The two diagonals.
    Cross,
    /// Every second cell of two rows each, facing each other.
    Checkers,
    /// A glider each, in opposite corners, on their way to the middle.
    Gliders,
    /// The example of the game's description.
    Pictured,
}

/// The named boards. In all but the last one the colours are alike up to a rotation or a reflection.
const NAMED: [(Start, &str, [&str; 8]); 4] = [
    (
        Start::Cross,
        "cross",
        ["b......r", ".b....r.", "..b..r..", "...br...", "...rb...", "..r..b..", ".r....b.", "r......b"],
    ),
    (
        Start::Checkers,
        "checkers",
        ["........", "........", "b.b.b.b.", ".b.b.b.b", "r.r.r.r.", ".r.r.r.r", "........", "........"],
    ),
    (
        Start::Gliders,
        "gliders",
        [".b......", "..b.....", "bbb.....", "........", "........", ".....rrr", ".....r..", "......r."],
    ),
    // Source: README of `jkatsioloudes/War-of-Life`, its picture of a set-up.
    (
        Start::Pictured,
        "pictured",
        [".......r", ".r......", "...bb.rb", "bb...r..", ".brb.bb.", ".b...r..", "..b.brrr", "..r...rr"],
    ),
];

impl Start {
    /// Whether the first position depends on the game's seed.
    pub fn is_from_seed(self) -> bool {
        self == Start::Random
    }

    /// The first board of a game with this seed.
    pub fn board(self, seed: &Seed) -> Board {
        match self {
            Start::Random => dealt(seed),
            Start::Deal(number) => {
                let mut seed = [0; 32];
                seed[..4].copy_from_slice(&number.to_le_bytes());
                dealt(&seed)
            }
            Start::Cross | Start::Checkers | Start::Gliders | Start::Pictured => {
                NAMED.iter().find(|(start, ..)| *start == self).map_or(Board::EMPTY, |(_, _, rows)| pictured(rows))
            }
        }
    }
}

/// The board of these rows.
fn pictured(rows: &[&str; 8]) -> Board {
    let set = |colour: u8| {
        let cells = rows.iter().flat_map(|row| row.bytes()).enumerate();
        cells.filter(|(_, found)| *found == colour).fold(0, |bits, (index, _)| bits | 1 << index)
    };
    Board::new(ByColour { blue: Cells(set(b'b')), red: Cells(set(b'r')) }).unwrap_or(Board::EMPTY)
}

/// All cells are shuffled: the first ones are blue's, the next ones red's.
fn dealt(seed: &Seed) -> Board {
    let mut cells: [u8; CELLS] = core::array::from_fn(|index| index as u8);
    Rng::new(seed, STREAM).shuffle(&mut cells);
    let set = |cells: &[u8]| Cells(cells.iter().fold(0, |bits, cell| bits | 1 << cell));
    let (blue, rest) = cells.split_at(PIECES_AT_START);
    let red = &rest[..PIECES_AT_START];
    Board::new(ByColour { blue: set(blue), red: set(red) }).unwrap_or(Board::EMPTY)
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Random => write!(f, "random"),
            Start::Deal(number) => write!(f, "deal:{number}"),
            Start::Cross => write!(f, "cross"),
            Start::Checkers => write!(f, "checkers"),
            Start::Gliders => write!(f, "gliders"),
            Start::Pictured => write!(f, "pictured"),
        }
    }
}

/// A text that is not a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseStartError;

impl fmt::Display for ParseStartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a start is `random`, `deal:N` with N from 0 to {}, or one of", u32::MAX)?;
        NAMED
            .iter()
            .enumerate()
            .try_for_each(|(number, (_, name, _))| write!(f, "{} `{name}`", if number == 0 { "" } else { "," }))
    }
}

impl core::error::Error for ParseStartError {}

impl FromStr for Start {
    type Err = ParseStartError;

    fn from_str(text: &str) -> Result<Start, ParseStartError> {
        if text == "random" {
            return Ok(Start::Random);
        }
        if let Some(number) = text.strip_prefix("deal:") {
            // Rust also parses `+8` and `08` as numbers, which are not canonical.
            let plain = number == "0" || (!number.starts_with(['0', '+']));
            return number.parse().ok().filter(|_| plain).map(Start::Deal).ok_or(ParseStartError);
        }
        NAMED.iter().find(|(_, name, _)| *name == text).map(|(start, ..)| *start).ok_or(ParseStartError)
    }
}
