//! Places, one after the other, the cell that leaves the best board one generation later, and beats the built-in opponent
//! `easy`.

use arena_sdk::conquerors::{Action, Cell, Target, TurnDraft};
use arena_sdk::{Bot, Observation, Ruleset};

#[derive(Default)]
pub struct Mine;

impl Bot for Mine {
    fn turn(&mut self, seen: &Observation) -> Action {
        let me = seen.colour();
        // A lone cell dies, and so does a pair: whoever has fewer than three begins with a block.
        if seen.position.board().counts()[me] < 3 {
            let col = if me.name() == "blue" { 5 } else { 21 };
            let block = [(12, col), (12, col + 1), (13, col), (13, col + 1)];
            let block = Action::Place(block.map(|(row, col)| Target { row, col }).to_vec());
            if seen.position.check(seen.seat, &block).is_ok() {
                return block;
            }
        }
        let Ok(mut draft) = seen.draft() else { return Action::Pass };
        while let Some(cell) = draft.placeable().cells().max_by_key(|cell| lead_with(&draft, *cell, seen)) {
            draft.place(cell.into()).expect("what is placeable can be placed");
        }
        draft.finish().map_or_else(|_| arena_sdk::first_legal(seen), |turn| Action::from(&turn))
    }
}

/// By how much this bot would lead after the generation, with one more cell.
fn lead_with(draft: &TurnDraft, cell: Cell, seen: &Observation) -> i32 {
    let mut board = *draft.board();
    board.set(cell, seen.colour());
    let scores = board.next().scores();
    scores[seen.colour()] as i32 - scores[seen.colour().other()] as i32
}

arena_sdk::bot!(Mine);
