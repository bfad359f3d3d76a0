//! Where a baseline throws its bomb.

use crate::board::{COLUMNS, Cell, ROWS, square};
use crate::game::BOMB_ROUND_MIN;
use crate::params::{POINT, TWENTIETH, Tier};
use crate::view::View;

/// The target of the bomb as a cell of the view; `None` while it is locked or cooling down, or if the best centre is
/// not good enough (no other is tried then). Source: RR-001 §5.3 and §5.4, numbers not there from the shipped client.
pub fn bomb_target(view: &View, tier: Tier) -> Option<Cell> {
    if view.round < BOMB_ROUND_MIN || view.cooldown > 0 {
        return None;
    }
    let best = best_centre(view);
    let worth_it = best.hits >= tier.bomb_hits_min() && best.value >= tier.bomb_value_min_points() * POINT;
    worth_it.then_some(best.cell)
}

/// A centre with what it hits and what that is worth.
struct Centre {
    cell: Cell,
    hits: i64,
    value: i64,
}

/// The most valuable centre, the first of equals. Cells of the edge are never one.
fn best_centre(view: &View) -> Centre {
    let mut best = centre(view, Cell { row: 1, column: 1 });
    for row in 1..ROWS - 1 {
        for column in 1..COLUMNS - 1 {
            let candidate = centre(view, Cell { row, column });
            if candidate.value > best.value {
                best = candidate;
            }
        }
    }
    best
}

/// Enemy cells count 1, in the own home 2; own ones cost 1.5, in the own home 4.
fn centre(view: &View, cell: Cell) -> Centre {
    let (mut hits, mut value) = (0, 0);
    for hit in square(cell, 1) {
        let home = View::is_home(hit.column);
        match view.board[hit.row][hit.column] {
            View::ENEMY => {
                hits += 1;
                value += if home { 2 * POINT } else { POINT };
            }
            View::OWN => value -= if home { 80 * TWENTIETH } else { 30 * TWENTIETH },
            _ => {}
        }
    }
    Centre { cell, hits, value }
}
