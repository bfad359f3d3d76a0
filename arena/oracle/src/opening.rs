//! How a game starts, once more: as `sdk/ABI.md` describes it.

use crate::board::{BySeat, COLUMNS, Cell, Player, counts, next};
use crate::game::{Game, PLACEMENTS};
use crate::params::index_below;
use crate::reach::{HOME_WIDTH, Options, legal_cells};

/// Rows and columns of the square that the cells of a symmetric opening lie in.
const SQUARE: usize = 5;

/// The start with `cells` cells of each colour at home, red's in blue's mirror. Source: sdk/ABI.md, "How a game
/// starts".
pub fn symmetric_start(cells: usize, options: Options, draws: &mut dyn FnMut() -> u32) -> Game {
    loop {
        let (top, left) = (index_below(draws(), 22), index_below(draws(), 3));
        let mut numbers: Vec<usize> = (0..SQUARE * SQUARE).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, index_below(draws(), last + 1));
        }
        let mut game = Game::new(options);
        for number in &numbers[..cells] {
            let (row, column) = (top + number / SQUARE, left + number % SQUARE);
            game.board[row][column] = Player::Blue.colour();
            game.board[row][COLUMNS - 1 - column] = Player::Red.colour();
        }
        let after = next(&game.board);
        if after.iter().any(|row| row[..HOME_WIDTH - 1].contains(&Player::Blue.colour())) {
            return game;
        }
    }
}

/// The start after `turns` random turns. Source: sdk/ABI.md, "How a game starts".
pub fn start_after_turns(turns: usize, options: Options, draws: &mut dyn FnMut() -> u32) -> Game {
    loop {
        let mut game = Game::new(options);
        let all_placed = (0..turns).all(|_| random_placement(&mut game, draws));
        let BySeat { blue, red } = counts(&next(&game.board));
        if all_placed && game.outcome.is_none() && blue > 0 && red > 0 {
            return game;
        }
    }
}

/// Plays four random cells that touch; whether the game goes on and that was possible.
fn random_placement(game: &mut Game, draws: &mut dyn FnMut() -> u32) -> bool {
    let Ok(mut draft) = game.draft(game.to_move) else { return false };
    let mut placed: Vec<Cell> = Vec::new();
    for _ in 0..PLACEMENTS {
        let legal = legal_cells(draft.board(), game.to_move, game.options);
        let touches =
            |one: &Cell, other: &Cell| one.row.abs_diff(other.row) <= 1 && one.column.abs_diff(other.column) <= 1;
        let beside: Vec<Cell> =
            legal.iter().copied().filter(|cell| placed.iter().any(|other| touches(cell, other))).collect();
        let from = if beside.is_empty() { legal } else { beside };
        // A word is drawn even when there is nothing to choose from.
        let Some(cell) = from.get(index_below(draws(), from.len())) else { return false };
        if let Err(refusal) = draft.place(*cell) {
            unreachable!("a legal cell is refused: {refusal}");
        }
        placed.push(*cell);
    }
    match draft.finish() {
        Ok(after) => *game = after,
        Err(refusal) => unreachable!("four cells are no turn: {refusal}"),
    }
    game.outcome.is_none()
}
