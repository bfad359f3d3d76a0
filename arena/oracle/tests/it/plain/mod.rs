//! Boards of Game of Game of Life as the plain grid, for tests and benches: the library itself does not know the rules.

use arena_oracle::game_of_game_of_life::{BLACK, DEAD, Grid};
use arena_rules::game_of_game_of_life::{Board, Colour};

pub(crate) fn grid(board: &Board) -> Grid {
    let mut grid = Grid::dead(board.side().length().into());
    for cell in board.side().cells() {
        grid.cells[usize::from(cell.row())][usize::from(cell.col())] = match board.colour_at(cell) {
            None => DEAD,
            Some(Colour::Black) => BLACK,
            Some(Colour::Seat(seat)) => seat.0 as i8 + 1,
        };
    }
    grid
}
