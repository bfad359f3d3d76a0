//! Actions for people and pages: what they consist of, and which cells can come next.

use alloc::string::String;
use alloc::vec::Vec;

/// A cell named by an action, not yet known to be on the board. Rows from the top, columns from the left, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Row from the top.
    pub row: u16,
    /// Column from the left.
    pub col: u16,
}

impl Point {
    /// The cell in this row and column.
    pub fn new(row: impl Into<u16>, col: impl Into<u16>) -> Point {
        Point { row: row.into(), col: col.into() }
    }

    /// Row and column as bytes; `None` if one exceeds a byte.
    pub fn narrow(self) -> Option<(u8, u8)> {
        Some((self.row.try_into().ok()?, self.col.try_into().ok()?))
    }
}

/// One of the things that a seat can do in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Its name, unique in its game: `place`.
    pub name: &'static str,
    /// The verb for a seat that used it, followed by the cells: `places`.
    pub verb: &'static str,
    /// The cells that it needs.
    pub input: Input,
    /// How many cells around each of them are affected, too; 0 if none are.
    pub spread: u16,
}

/// The cells that a tool needs, and how they are entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// None: the tool alone says everything.
    Nothing,
    /// One cell.
    Cell,
    /// A piece, then the cell that it goes to.
    Piece,
    /// At least one cell, in order: each is checked with those before it on the board.
    Cells {
        /// The maximum number.
        most: u16,
    },
}

impl Input {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Input::Nothing => "nothing",
            Input::Cell => "cell",
            Input::Piece => "piece",
            Input::Cells { .. } => "cells",
        }
    }

    /// The fewest cells of a legal action.
    pub fn least(self) -> u16 {
        match self {
            Input::Nothing => 0,
            Input::Cell | Input::Cells { .. } => 1,
            Input::Piece => 2,
        }
    }

    /// The most cells of a legal action.
    pub fn most(self) -> u16 {
        match self {
            Input::Cells { most } => most,
            other => other.least(),
        }
    }
}

/// A tool and the cells that it is used on. A turn is a list of calls; in all current games it has exactly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What is done.
    pub tool: Tool,
    /// Where, in the order in which the cells were named.
    pub cells: Vec<Point>,
}

impl Call {
    /// A tool used on these cells.
    pub fn new<C: Into<Point>>(tool: Tool, cells: impl IntoIterator<Item = C>) -> Call {
        Call { tool, cells: cells.into_iter().map(Into::into).collect() }
    }

    fn words(&self, list: &impl Fn(&[Point]) -> String) -> String {
        let verb = self.tool.verb;
        match (self.tool.input, &self.cells[..]) {
            (_, []) => verb.into(),
            (Input::Piece, [from, to @ ..]) => [verb, " ", &list(&[*from]), " to ", &list(to)].concat(),
            (_, cells) => [verb, " ", &list(cells)].concat(),
        }
    }
}

/// A turn in words that follow its seat's name, such as `places (12, 3) (12, 4)`. The caller formats the cells, because that
/// depends on how the board beside the words is labelled.
pub fn words(calls: &[Call], list: impl Fn(&[Point]) -> String) -> String {
    calls.iter().map(|call| call.words(&list)).collect::<Vec<_>>().join(", ")
}
