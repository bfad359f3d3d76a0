//! `cargo bench`: the processor time of a turn, against something else that plays. What decides in the arena is fuel,
//! and `arena check` says it; this is to see whether a change makes the same bot faster.

use arena_sdk::bench::{Subject, compare};
use arena_sdk::conquerors::{Action, Position};
use arena_sdk::{Bot, Observation, testing};
use {{library}}::Mine;

/// What yours is compared with. Put a copy of your bot in its place before you change it.
#[derive(Default)]
struct Before;

impl Bot for Before {
    fn turn(&mut self, seen: &Observation) -> Action {
        arena_sdk::first_legal(seen)
    }
}

fn main() {
    let recording = include_str!("../tests/recorded.txt");
    let seen = testing::observations::<Position>(recording).unwrap_or_else(|error| panic!("{error}"));
    let before = Subject::bot::<Before, Position>("the first legal cells", &seen);
    let mine = Subject::bot::<Mine, Position>("{{name}}", &seen);
    println!("{}", compare(vec![before, mine]));
}
