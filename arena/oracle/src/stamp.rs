//! The 2x2 block a baseline with next to no cells starts again with.

use crate::board::{COLUMNS, Cell, ROWS};
use crate::params::{POINT, TWENTIETH, Tier, noise};
use crate::view::View;

/// The best block of four legal cells, in placement order, as cells of the view; `None` if there is none. One draw
/// for each valid position, row-major; the first best stays. Source: RR-001 §5.2, numbers from the shipped client.
pub fn block(view: &View, tier: Tier, draws: &mut dyn FnMut() -> u32) -> Option<[Cell; 4]> {
    let mut legal = [[false; COLUMNS]; ROWS];
    for cell in view.legal_cells() {
        legal[cell.row][cell.column] = true;
    }
    let mut best: Option<(i64, [Cell; 4])> = None;
    for row in 0..ROWS - 1 {
        for column in 0..COLUMNS - 1 {
            let cells = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
                .map(|(row, column)| Cell { row, column });
            if !cells.iter().all(|cell| legal[cell.row][cell.column]) {
                continue;
            }
            let value = value(view, row, column) + noise(draws(), tier.block_noise_twentieths());
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, cells));
            }
        }
    }
    best.map(|(_, cells)| cells)
}

/// What a block with this top-left corner is worth without noise, in units.
fn value(view: &View, row: usize, column: usize) -> i64 {
    let home = View::is_home(column) && View::is_home(column + 1);
    let at_wall = row == 0 || row >= 24 || column == 0 || column >= 26;
    let mut enemies = 0;
    for seen_row in row.saturating_sub(2)..=(row + 3).min(ROWS - 1) {
        for seen_column in column.saturating_sub(2)..=(column + 3).min(COLUMNS - 1) {
            enemies += i64::from(view.board[seen_row][seen_column] == View::ENEMY);
        }
    }
    // 0.35 points for each row off the middle are 7 twentieths.
    let off_middle = row.abs_diff(12) as i64;
    i64::from(home) * 8 * POINT - 7 * TWENTIETH * off_middle - i64::from(at_wall) * 3 * POINT - 2 * POINT * enemies
}
