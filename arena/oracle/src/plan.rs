//! How hard plans its four cells together.

use crate::board::{Board, Cell, next};
use crate::game::PLACEMENTS;
use crate::params::{Params, Tier};
use crate::reach::{Zone, scores};
use crate::score::{Scored, cell_scores, sort_best_first};
use crate::view::{View, own_in};

/// Candidates the planner looks at. Source: RR-001 §5.5 ("~14"), the shipped client.
const SHORTLIST_MAX: usize = 14;

/// A planned turn; its cells are of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The candidates, best first.
    pub shortlist: Vec<Scored>,
    /// The chosen cells in order: four, or all there are.
    pub cells: Vec<Cell>,
    /// [`evaluation`] of the board with the first, the first two, ... of the cells.
    pub evaluations: Vec<i64>,
}

/// Plans a turn: hard's scores of all legal cells (one draw each, nothing placed yet), the first 14, and from them
/// four times the cell that makes the board with all chosen ones best; the first of equals. It never stops early.
/// Source: RR-001 §5.5, ties as in the shipped client.
pub fn plan(view: &View, params: &Params, draws: &mut dyn FnMut() -> u32) -> Plan {
    let mut shortlist = cell_scores(view, Tier::Hard, params, &[], draws);
    sort_best_first(&mut shortlist);
    shortlist.truncate(SHORTLIST_MAX);

    let mut plan = Plan { shortlist, cells: Vec::new(), evaluations: Vec::new() };
    let mut board = view.board;
    while plan.cells.len() < PLACEMENTS {
        let mut best: Option<(i64, Cell)> = None;
        for candidate in plan.shortlist.iter().map(|scored| scored.cell) {
            if plan.cells.contains(&candidate) {
                continue;
            }
            let value = evaluation(&with_own(&board, candidate));
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, candidate));
            }
        }
        let Some((value, cell)) = best else { break };
        board = with_own(&board, cell);
        plan.cells.push(cell);
        plan.evaluations.push(value);
    }
    plan
}

/// What a viewed board is worth one generation later, in points: own minus enemy weighted score, and the chain of
/// presence. Source: RR-001 §5.5, numbers from the shipped client.
pub fn evaluation(board: &Board) -> i64 {
    let after = next(board);
    let scores = scores(&after);
    i64::from(scores.red) - i64::from(scores.blue) + chain_points(&after)
}

/// Losing the home is a catastrophe; the neutral zone is a foothold; both other zones are the open chain.
fn chain_points(board: &Board) -> i64 {
    if own_in(board, Zone::Home) == 0 {
        -30
    } else if own_in(board, Zone::Neutral) == 0 {
        0
    } else if own_in(board, Zone::Enemy) == 0 {
        4
    } else {
        14
    }
}

fn with_own(board: &Board, cell: Cell) -> Board {
    let mut after = *board;
    after[cell.row][cell.column] = View::OWN;
    after
}
