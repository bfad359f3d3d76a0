//! Places the cells that gain the most in the next generation, and beats the built-in opponent `easy`.

use arena_sdk::conquerors::{Action, Impacts, Target};
use arena_sdk::{Bot, Observation, Ruleset};

#[derive(Default)]
pub struct Mine;

impl Bot for Mine {
    fn turn(&mut self, seen: &Observation) -> Action {
        let me = seen.colour();
        // A lone cell dies, and so does a pair: with fewer than three, begin with a block.
        if seen.position.board().counts()[me] < 3 {
            let col = if me.name() == "blue" { 5 } else { 21 };
            let block = [(12, col), (12, col + 1), (13, col), (13, col + 1)];
            let block = Action::Place(block.map(|(row, col)| Target { row, col }).to_vec());
            if seen.position.check(seen.seat, &block).is_ok() {
                return block;
            }
        }
        let Ok(mut draft) = seen.draft() else { return Action::Pass };
        loop {
            // For every cell at once: what placing it would change within a generation.
            let impacts = Impacts::of(draft.board(), me);
            let gain = |cell| impacts.own(cell) - impacts.enemy(cell);
            let Some(cell) = draft.placeable().cells().max_by_key(|cell| gain(*cell)) else { break };
            draft.place(cell.into()).expect("what is placeable can be placed");
        }
        draft.finish().map_or_else(|_| arena_sdk::first_legal(seen), |turn| Action::from(&turn))
    }
}

arena_sdk::bot!(Mine);
