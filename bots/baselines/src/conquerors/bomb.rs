//! Where a bomb would hurt most.

use arena_rules::conquerors::{COLS, Cell, Plane, ROWS, Zone};

use super::view::zone;
use super::{TierParams, View};

/// The value of cells in the blast, in twentieths: an enemy cell, one in the own home, an own cell; that of one in the own home is
/// [open](super::Open). Source: RR-001 §5.3, §5.4.
const HIT: i32 = 20;
const HIT_AT_HOME: i32 = 20;
const LOSS: i32 = 30;

/// The centre to bomb; `None` if the bomb is not ready or no blast is worth it. The released game considers no centres at
/// the very edge. The thresholds apply only to the most valuable centre, the first in row order among equals.
pub fn bomb_target(view: &View, params: &TierParams) -> Option<Cell> {
    if view.cooldown() > 0 || view.round() < arena_rules::conquerors::BOMB_FROM_ROUND {
        return None;
    }
    // A blast without a hit has at best the value 0, which is below every threshold.
    let mut best = (0, 0, None);
    let margin = params.open.bomb_margin;
    let (rows, cols) = (margin..ROWS as u8 - margin, margin..COLS as u8 - margin);
    let (hit_at_home, loss_at_home) =
        if params.zone_aware { (HIT_AT_HOME, params.open.bomb_anchor_twentieths) } else { (0, 0) };
    for centre in rows.flat_map(|row| cols.clone().filter_map(move |col| Cell::new(row, col))) {
        let hits = in_square(view.enemy(), centre);
        if hits == 0 {
            continue;
        }
        let home = zone(Zone::Home);
        let value = HIT * hits + hit_at_home * in_square(&(*view.enemy() & home), centre)
            - LOSS * in_square(view.own(), centre)
            - loss_at_home * in_square(&(*view.own() & home), centre);
        if value > best.0 {
            best = (value, hits, Some(centre));
        }
    }
    let (value, hits, centre) = best;
    centre.filter(|_| hits >= params.bomb_hits_min && value >= params.bomb_value_min * 20)
}

/// Cells of `plane` in the 3 x 3 square around a `centre`.
fn in_square(plane: &Plane, centre: Cell) -> i32 {
    let bits = (0b111 << centre.col()) >> 1;
    let rows = &plane.rows()[centre.row().saturating_sub(1)..ROWS.min(centre.row() + 2)];
    rows.iter().map(|row| (row & bits).count_ones() as i32).sum()
}
