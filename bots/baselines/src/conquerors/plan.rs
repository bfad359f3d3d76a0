//! Hard's planner: four cells chosen together with a look one generation ahead.

use alloc::vec::Vec;

use arena_rules::conquerors::{Board, Cell, Colour, PLACEMENTS, Plane, Zone};

use super::score::best_first;
use super::view::zone;
use super::{Scored, TierParams, View, Words, cell_scores};

/// How many of the best cells the planner looks at.
const SHORTLIST: usize = 14;
/// The own home without a cell, neutral ground held, and the whole chain held.
const HOME_LOST: i32 = -30;
const NEUTRAL_HELD: i32 = 4;
const CHAIN_HELD: i32 = 10;

/// A plan and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The best single cells, best first.
    pub shortlist: Vec<Scored>,
    /// The chosen cells, in placement order.
    pub cells: Vec<Cell>,
    /// The value of the next generation after each of the chosen cells.
    pub values: Vec<i32>,
}

/// Plans a turn: from a shortlist of the best single cells, takes four times the one that makes the next generation of
/// the whole board most valuable. The first best wins; it never stops early. One word is drawn per legal cell.
/// Source: RR-001 §5.5.
pub fn plan(view: &View, params: &TierParams, words: &mut impl Words) -> Plan {
    let mut shortlist = cell_scores(view, params, &Plane::EMPTY, words);
    if shortlist.len() > SHORTLIST {
        shortlist.select_nth_unstable_by_key(SHORTLIST - 1, best_first);
        shortlist.truncate(SHORTLIST);
    }
    shortlist.sort_unstable_by_key(best_first);
    let mut plan = Plan { shortlist, cells: Vec::new(), values: Vec::new() };
    let mut board = *view.board();
    for _ in 0..PLACEMENTS {
        let mut best: Option<(i32, Cell)> = None;
        for Scored { cell, .. } in &plan.shortlist {
            if board.colour_at(*cell).is_some() {
                continue;
            }
            let mut tried = board;
            tried.set(*cell, Colour::Red);
            let value = value(&tried.next());
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, *cell));
            }
        }
        let Some((value, cell)) = best else { break };
        board.set(cell, Colour::Red);
        plan.cells.push(cell);
        plan.values.push(value);
    }
    plan
}

/// What a board is worth to red: the lead in weighted score and the state of the presence chain, in points.
pub fn value(board: &Board) -> i32 {
    let scores = board.scores();
    let holds = |place: Zone| board.of(Colour::Red).meets(&zone(place));
    let chain = match (holds(Zone::Home), holds(Zone::Neutral), holds(Zone::Enemy)) {
        (false, _, _) => HOME_LOST,
        (true, true, true) => NEUTRAL_HELD + CHAIN_HELD,
        (true, true, false) => NEUTRAL_HELD,
        (true, false, _) => 0,
    };
    scores.red as i32 - scores.blue as i32 + chain
}
