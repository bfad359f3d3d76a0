//! A turn while it is being made, one placement after the other.

use alloc::vec::Vec;

use super::{Board, Cell, Colour, PLACEMENTS, Plane, Position, Reach, Refusal, Target, Turn, Zone};
use crate::Seat;

/// A turn in the making. Reach is computed again before every placement: a home cell placed first opens neutral for the
/// [`place`](TurnDraft::place) accepts, and a refused placement changes nothing.
#[derive(Clone, Debug)]
pub struct TurnDraft<'a> {
    position: &'a Position,
    colour: Colour,
    board: Board,
    placed: Vec<Cell>,
    placed_before: u8,
}

impl<'a> TurnDraft<'a> {
    /// An empty draft for `seat`.
    ///
    /// # Errors
    /// When the game is over or the other player moves.
    pub fn new(position: &'a Position, seat: Seat) -> Result<TurnDraft<'a>, Refusal> {
        TurnDraft::resume(position, seat, 0)
    }

    /// A draft of a turn in which `placed_before` cells are already on the position's board, as in a room that shows
    /// each placement at once.
    ///
    /// # Errors
    /// When the game is over or the other player moves.
    pub fn resume(position: &'a Position, seat: Seat, placed_before: u8) -> Result<TurnDraft<'a>, Refusal> {
        let colour = position.to_move().ok_or(Refusal::GameOver)?;
        if colour.seat() != seat {
            return Err(Refusal::NotYourTurn);
        }
        Ok(TurnDraft { position, colour, board: *position.board(), placed: Vec::new(), placed_before })
    }

    /// The board with the cells placed so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The cells placed so far, in order.
    pub fn placed(&self) -> &[Cell] {
        &self.placed
    }

    /// Cells that may still be placed in this turn.
    pub fn placements_left(&self) -> u8 {
        PLACEMENTS.saturating_sub(self.placed_before + self.placed.len() as u8)
    }

    /// The zones open for the next placement.
    pub fn reach(&self) -> Reach {
        Reach::of(&self.board, self.colour, self.position.options())
    }

    /// The cells legal for the next placement.
    pub fn placeable(&self) -> Plane {
        if self.placements_left() == 0 {
            return Plane::EMPTY;
        }
        self.reach().cells() & !self.board.living()
    }

    /// Places the next cell.
    ///
    /// # Errors
    /// Which rule forbids it; the draft is unchanged.
    pub fn place(&mut self, target: Target) -> Result<(), Refusal> {
        let cell = Cell::new(target.row, target.col).ok_or(Refusal::OffBoard(target))?;
        if self.placements_left() == 0 {
            return Err(Refusal::TooManyCells);
        }
        if self.board.colour_at(cell).is_some() {
            return Err(Refusal::Occupied(cell));
        }
        let reach = self.reach();
        let options = self.position.options();
        let zone = Zone::ALL.into_iter().find(|zone| zone.cells(self.colour, options).contains(cell));
        if let Some(zone) = zone.filter(|zone| !reach.is_open(*zone)) {
            return Err(Refusal::Unreachable(cell, zone));
        }
        self.board.set(cell, self.colour);
        self.placed.push(cell);
        Ok(())
    }

    /// The turn of the cells placed so far.
    ///
    /// # Errors
    /// When no cell was placed, or another could still be.
    pub fn finish(self) -> Result<Turn, Refusal> {
        if self.is_untouched() {
            return Err(Refusal::NoCells);
        }
        if !self.placeable().is_empty() {
            return Err(Refusal::TooFewCells(PLACEMENTS - self.placements_left()));
        }
        Ok(Turn::Place(self.placed))
    }

    /// The turn that bombs the square around `target`.
    ///
    /// # Errors
    /// When cells were placed, the bomb is not ready, or the centre is off the board.
    pub fn bomb(self, target: Target) -> Result<Turn, Refusal> {
        if !self.is_untouched() {
            return Err(Refusal::TurnStarted);
        }
        self.position.bomb_ready(self.colour)?;
        Cell::new(target.row, target.col).map(Turn::Bomb).ok_or(Refusal::OffBoard(target))
    }

    /// The turn that skips.
    ///
    /// # Errors
    /// When cells were placed or the skip is used.
    pub fn skip(self) -> Result<Turn, Refusal> {
        if !self.is_untouched() {
            return Err(Refusal::TurnStarted);
        }
        if self.position.skip_used()[self.colour] {
            return Err(Refusal::SkipUsed);
        }
        Ok(Turn::Skip)
    }

    /// The turn that does nothing.
    ///
    /// # Errors
    /// When a cell can be placed, or the bomb or the skip be used.
    pub fn pass(self) -> Result<Turn, Refusal> {
        let stuck = self.is_untouched()
            && self.placeable().is_empty()
            && self.position.bomb_ready(self.colour).is_err()
            && self.position.skip_used()[self.colour];
        if stuck { Ok(Turn::Pass) } else { Err(Refusal::PassNotNeeded) }
    }

    fn is_untouched(&self) -> bool {
        self.placed_before == 0 && self.placed.is_empty()
    }
}
