//! Hard's planner: chooses four cells together, looking one generation ahead.

use alloc::vec::Vec;

use arena_rules::conquerors::{Boards, ByColour, Cell, Colour, PLACEMENTS, Plane};

use super::score::best_first;
use super::{Open, Scored, TierParams, View, Words, cell_scores};

/// A plan and its derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The best single cells, best first.
    pub shortlist: Vec<Scored>,
    /// The chosen cells, in placement order.
    pub cells: Vec<Cell>,
    /// The value of the next generation after each of the chosen cells.
    pub values: Vec<i32>,
}

/// Plans a turn: four times, from a shortlist of the best single cells, takes the one that makes the next generation of
/// the whole board most valuable, the first among equals; it never stops early. One word is drawn per legal cell.
/// Source: RR-001 §5.5.
pub fn plan(view: &View, params: &TierParams, words: &mut impl Words) -> Plan {
    let mut shortlist = cell_scores(view, params, &Plane::EMPTY, words);
    let wanted = params.open.shortlist;
    if shortlist.len() > wanted {
        shortlist.select_nth_unstable_by_key(wanted - 1, best_first);
        shortlist.truncate(wanted);
    }
    shortlist.sort_unstable_by_key(best_first);
    let mut plan = Plan { shortlist, cells: Vec::new(), values: Vec::new() };
    let mut board = *view.board();
    for _ in 0..PLACEMENTS {
        let shortlist = plan.shortlist.iter().map(|scored| scored.cell);
        let open: Vec<Cell> = shortlist.filter(|cell| board.colour_at(*cell).is_none()).collect();
        let mut best: Option<(i32, Cell)> = None;
        for tried in open.chunks(Boards::COUNT) {
            let mut boards = Boards::copies(&board);
            tried.iter().enumerate().for_each(|(place, cell)| boards.set(place, *cell, Colour::Red));
            boards.advance();
            for (cell, cells) in tried.iter().zip(boards.cells_by_zone()) {
                let value = value(&cells, &params.open);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, *cell));
                }
            }
        }
        let Some((value, cell)) = best else { break };
        board.set(cell, Colour::Red);
        plan.cells.push(cell);
        plan.values.push(value);
    }
    plan
}

/// The value of a board to red, in points, from its living cells in the three zones from the left, of which the last is red's home:
/// the lead in weighted score and the state of the presence chain.
pub fn value(cells: &ByColour<[u32; 3]>, open: &Open) -> i32 {
    let [in_enemy_home, in_neutral, at_home] = cells.red;
    let score = |all: [u32; 3], abroad: u32| (all.iter().sum::<u32>() + abroad) as i32;
    let chain = match (at_home > 0, in_neutral > 0, in_enemy_home > 0) {
        (false, _, _) => open.home_lost,
        (true, true, true) => open.neutral_held + open.chain_held,
        (true, true, false) => open.neutral_held,
        (true, false, _) => 0,
    };
    score(cells.red, in_enemy_home) - score(cells.blue, cells.blue[2]) + chain
}
