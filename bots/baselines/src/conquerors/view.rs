//! The board as a baseline sees it: always from red's side.

use arena_rules::Seat;
use arena_rules::conquerors::{Board, Cell, Colour, Options, Plane, Position, Reach, Zone};

/// A position seen by the player to move as if it were red: its own cells are red, its home is on the right. For blue
/// the colours are exchanged and the columns mirrored, so that zones match; only under the study option `shared_home`
/// the columns stay, as in the published study.
#[derive(Clone, Copy, Debug)]
pub struct View {
    board: Board,
    options: Options,
    round: u8,
    cooldown: u8,
    mirrored: bool,
}

impl View {
    /// How `seat` sees `position`; `None` for a seat that does not exist.
    pub fn of(position: &Position, seat: Seat) -> Option<View> {
        let colour = Colour::of(seat)?;
        let options = *position.options();
        let mirrored = colour == Colour::Blue && !options.shared_home;
        let board = match colour {
            Colour::Red => *position.board(),
            Colour::Blue if mirrored => position.board().turned(),
            Colour::Blue => position.board().recoloured(),
        };
        Some(View { board, options, round: position.round(), cooldown: position.cooldown()[colour], mirrored })
    }

    /// The board, own cells red.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The round counter.
    pub fn round(&self) -> u8 {
        self.round
    }

    /// Turn ends until the own bomb is ready.
    pub(super) fn cooldown(&self) -> u8 {
        self.cooldown
    }

    /// Own living cells.
    pub(super) fn own(&self) -> &Plane {
        self.board.of(Colour::Red)
    }

    /// The opponent's living cells.
    pub(super) fn enemy(&self) -> &Plane {
        self.board.of(Colour::Blue)
    }

    /// The cells legal for the next placement.
    pub fn placeable(&self) -> Plane {
        Reach::of(&self.board, Colour::Red, &self.options).cells() & !self.board.living()
    }

    /// Places an own cell.
    pub(super) fn place(&mut self, cell: Cell) {
        self.board.set(cell, Colour::Red);
    }

    /// Where a cell of this view is on the real board. Its own inverse.
    pub fn cell_on_board(&self, cell: Cell) -> Cell {
        if self.mirrored { cell.mirrored() } else { cell }
    }
}

/// A zone as red sees it, on any view.
pub(super) fn zone(zone: Zone) -> Plane {
    zone.cells(Colour::Red, &Options::V2)
}
