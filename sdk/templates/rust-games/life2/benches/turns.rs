//! `cargo bench`: the processor time of a turn, against something else that plays. What decides in the arena is fuel,
//! and `arena check` says it; this is to see whether a change makes the same bot faster.

use arena_sdk::bench::{Subject, compare};
use arena_sdk::life2::{Action, Position, Side};
use arena_sdk::{Bot, Observation, Ruleset, testing};
use {{library}}::Mine;

/// What yours is compared with. Put a copy of your bot in its place before you change it.
#[derive(Default)]
struct Before;

impl Bot<Position> for Before {
    fn turn(&mut self, seen: &Observation<Position>) -> Action {
        let Some(kingdom) = seen.position.kingdom(seen.seat) else { return Action::Pass };
        let pair = kingdom.base.interior(Side::WORLD).take(2).map(Into::into).collect();
        let pair = Action::Place(pair);
        if seen.position.check(seen.seat, &pair).is_ok() { pair } else { Action::Pass }
    }
}

fn main() {
    let recording = include_str!("../tests/recorded.txt");
    let seen = testing::observations::<Position>(recording).unwrap_or_else(|error| panic!("{error}"));
    let before = Subject::bot::<Before, Position>("two cells", &seen);
    let mine = Subject::bot::<Mine, Position>("{{name}}", &seen);
    println!("{}", compare(vec![before, mine]));
}
