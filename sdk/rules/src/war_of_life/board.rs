//! The board, its generation and its moves.

use super::cells::Count;
use super::{ByColour, Cell, Cells, Colour};

/// Pieces by colour. No cell has two.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Board {
    pieces: ByColour<Cells>,
}

/// A move checked on its board: an own piece, and the empty neighbouring cell to which it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where the piece is.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
}

impl Board {
    /// The board without a piece.
    pub const EMPTY: Board = Board { pieces: ByColour { blue: Cells::EMPTY, red: Cells::EMPTY } };

    /// The board with these pieces; `None` when a cell has both colours.
    pub fn new(pieces: ByColour<Cells>) -> Option<Board> {
        (pieces.blue & pieces.red).is_empty().then_some(Board { pieces })
    }

    /// The pieces of one colour.
    pub fn of(&self, colour: Colour) -> Cells {
        self.pieces[colour]
    }

    /// The cells without a piece.
    pub fn empty_cells(&self) -> Cells {
        !(self.pieces.blue | self.pieces.red)
    }

    /// The colour of the piece at `cell`, or `None` when there is none.
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| self.pieces[*colour].contains(cell))
    }

    /// Puts a piece of `colour` at `cell`, whatever was there.
    pub fn set(&mut self, cell: Cell, colour: Colour) {
        self.pieces[colour].insert(cell);
        self.pieces[colour.other()].remove(cell);
    }

    /// How many pieces there are of each colour.
    pub fn counts(&self) -> ByColour<u32> {
        self.pieces.map(Cells::count)
    }

    /// The same board with the colours exchanged.
    pub fn recoloured(&self) -> Board {
        Board { pieces: self.pieces.swapped() }
    }

    /// One generation, which the source calls Conway's Crank: a piece with two or three neighbours of either colour stays
    /// and keeps its colour, any other dies; an empty cell with exactly three gets a piece of the colour that two of them
    /// have. No wrap. Source: README of `jkatsioloudes/War-of-Life`, "The Twist".
    pub fn next(&self) -> Board {
        let ByColour { blue: Cells(blue), red: Cells(red) } = self.pieces;
        let living = blue | red;
        let around = Count::of(living);
        let [a, b, c, d] = around.pairs;
        let two_or_three = (a ^ b ^ c ^ d) & !(a & b | c & d);
        let survivors = living & two_or_three;
        let born = !living & two_or_three & around.odd;
        // Of three parents at least two are blue exactly if some pair of them is.
        let [a, b, c, d] = Count::of(blue).pairs;
        let born_blue = born & (a | b | c | d);
        Board {
            pieces: ByColour {
                blue: Cells(survivors & blue | born_blue),
                red: Cells(survivors & red | born & !born_blue),
            },
        }
    }

    /// The board after a move of `colour`, before the generation that follows it.
    pub fn moved(&self, colour: Colour, step: Move) -> Board {
        let mut moved = *self;
        moved.pieces[colour].remove(step.from);
        moved.set(step.to, colour);
        moved
    }

    /// The board after a move of `colour` and the generation that follows it.
    pub fn after(&self, colour: Colour, step: Move) -> Board {
        self.moved(colour, step).next()
    }

    /// Every move that `colour` would have: pieces row by row, and for each its targets row by row. Strategies
    /// that take the first of equal moves refer to this order.
    pub fn moves(&self, colour: Colour) -> Moves {
        Moves { empty: self.empty_cells(), pieces: self.of(colour), piece: None }
    }

    /// Whether `colour` has a move.
    pub fn can_move(&self, colour: Colour) -> bool {
        !(self.of(colour).grown() & self.empty_cells()).is_empty()
    }
}

/// Moves in their order; see [`Board::moves`].
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    empty: Cells,
    /// The pieces not yet visited.
    pieces: Cells,
    /// The current piece, and its targets not yet visited.
    piece: Option<(Cell, Cells)>,
}

impl Moves {
    /// No moves.
    pub(super) const NONE: Moves = Moves { empty: Cells::EMPTY, pieces: Cells::EMPTY, piece: None };
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        loop {
            if let Some((from, targets)) = &mut self.piece
                && let Some(to) = targets.next()
            {
                return Some(Move { from: *from, to });
            }
            let from = self.pieces.next()?;
            self.piece = Some((from, from.neighbours() & self.empty));
        }
    }
}
