//! What the bot does in the last turn of the recording, which `recorded.txt` draws.

use arena_sdk::game_of_game_of_life::{Action, Position};
use arena_sdk::testing;
use {{library}}::Mine;

const RECORDING: &str = include_str!("recorded.txt");

/// Passing gives a turn away.
#[test]
fn it_does_not_pass_in_the_last_turn() {
    let last = testing::replay::<Mine, Position>(RECORDING).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(last.action, Action::Cell(_)), "{:?}", last.action);
}
