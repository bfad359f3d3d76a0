//! The board as a baseline sees it: it always believes to be red.

use crate::board::{Board, COLUMNS, Cell, Player, mirror, swap_colours};
use crate::game::Game;
use crate::reach::{HOME_WIDTH, Options, Zone, legal_cells, standard_zone};

/// A position in which the player to move is red, at home in columns 20..=27.
///
/// Red sees the board as it is. Blue sees it with the colours exchanged and column `c` at `27 - c`, so that
/// "row-major" runs from right to left for it. Under [`Options::shared_home`] blue sees the colours exchanged only.
#[derive(Clone, Debug)]
pub struct View {
    /// The board in this view: own cells are red.
    pub board: Board,
    /// The round counter.
    pub round: u32,
    /// Turn ends until the own bomb is ready.
    pub cooldown: u32,
    /// The rules; only the home clause matters here.
    pub options: Options,
    mirrored: bool,
}

impl View {
    /// The value of own cells in this view.
    pub(crate) const OWN: u8 = 2;
    /// The value of enemy cells in this view.
    pub(crate) const ENEMY: u8 = 1;

    /// The view of one player of a board.
    pub fn new(board: &Board, player: Player, round: u32, cooldown: u32, options: Options) -> View {
        let mirrored = player == Player::Blue && !options.shared_home;
        let board = match player {
            Player::Red => *board,
            Player::Blue if mirrored => mirror(&swap_colours(board)),
            Player::Blue => swap_colours(board),
        };
        View { board, round, cooldown, options, mirrored }
    }

    /// The view of the player to move.
    pub fn of(game: &Game) -> View {
        View::new(&game.board, game.to_move, game.round, *game.cooldown.of(game.to_move), game.options)
    }

    /// A cell of this view as a cell of the board, or the other way round.
    pub fn translate(&self, cell: Cell) -> Cell {
        if self.mirrored { Cell { row: cell.row, column: COLUMNS - 1 - cell.column } } else { cell }
    }

    /// The legal cells, row-major in this view.
    pub fn legal_cells(&self) -> Vec<Cell> {
        legal_cells(&self.board, Player::Red, self.options)
    }

    /// The zone of a column, for its owner.
    pub(crate) fn zone(column: usize) -> Zone {
        standard_zone(Player::Red, column)
    }

    /// Whether a column is in the own home.
    pub(crate) fn is_home(column: usize) -> bool {
        column >= COLUMNS - HOME_WIDTH
    }

    /// Own cells in a zone.
    pub(crate) fn own_in(&self, zone: Zone) -> usize {
        own_in(&self.board, zone)
    }
}

/// Own cells of a viewed board in a zone.
pub(crate) fn own_in(board: &Board, zone: Zone) -> usize {
    crate::board::all_cells()
        .filter(|cell| board[cell.row][cell.column] == View::OWN && View::zone(cell.column) == zone)
        .count()
}
