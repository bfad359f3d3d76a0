//! Stamping a 2 x 2 block, the still life that four cells make.

use arena_rules::conquerors::{COLS, Cell, Plane, ROWS, Zone};

use super::score::{POINT, TWENTIETH, noise};
use super::view::zone;
use super::{TierParams, View, Words};

/// Both columns in the own home.
const AT_HOME: i32 = 8;
/// A row away from the middle, in twentieths.
const OFF_MIDDLE_TWENTIETHS: i32 = 7;
const MIDDLE_ROW: usize = 12;
const AT_WALL: i32 = 3;
/// An enemy cell within two cells of the block.
const NEAR_ENEMY: i32 = 2;

/// The best block whose four cells are all legal now, in placement order; one word is drawn per legal position, row by
/// row of its top-left corner. The first best position wins.
pub fn block(view: &View, params: &TierParams, words: &mut impl Words) -> Option<[Cell; 4]> {
    let placeable = view.placeable();
    let mut best: Option<(i32, Cell)> = None;
    for corner in corners(&placeable).cells() {
        let place = params.open.block_place_weight * position_value(view, corner);
        let value = place + noise(words, params.open.block_noise_weight * params.block_noise_twentieths);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, corner));
        }
    }
    let (_, corner) = best?;
    let (row, col) = (corner.row() as u8, corner.col() as u8);
    let [Some(a), Some(b), Some(c), Some(d)] =
        [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)].map(|(row, col)| Cell::new(row, col))
    else {
        return None;
    };
    Some([a, b, c, d])
}

/// The top-left corners of the blocks that lie within `cells`.
fn corners(cells: &Plane) -> Plane {
    let rows = cells.rows();
    let pairs = |row: usize| rows.get(row).map_or(0, |bits| bits & bits >> 1);
    Plane::from_rows(core::array::from_fn(|row| pairs(row) & pairs(row + 1)))
}

fn position_value(view: &View, corner: Cell) -> i32 {
    let (row, col) = (corner.row(), corner.col());
    let near = Plane::columns(col.saturating_sub(2), COLS.min(col + 4));
    let rows = row.saturating_sub(2)..ROWS.min(row + 4);
    let enemies: u32 = rows.map(|row| (view.enemy().rows()[row] & near.rows()[row]).count_ones()).sum();
    let at_home = zone(Zone::Home).contains(corner);
    let at_wall = row == 0 || row >= ROWS - 2 || col == 0 || col >= COLS - 2;
    let points = if at_home { AT_HOME } else { 0 } - if at_wall { AT_WALL } else { 0 } - NEAR_ENEMY * enemies as i32;
    points * POINT - row.abs_diff(MIDDLE_ROW) as i32 * OFF_MIDDLE_TWENTIETHS * TWENTIETH
}
