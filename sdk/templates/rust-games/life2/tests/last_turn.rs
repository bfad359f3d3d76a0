//! What the bot does in the last turn of the recording, which `recorded.txt` draws.

use arena_sdk::life2::{Action, Position};
use arena_sdk::testing;
use {{library}}::Mine;

const RECORDING: &str = include_str!("recorded.txt");

/// The base is empty and there are coins: a turn without a cell is given away.
#[test]
fn it_places_cells_in_the_last_turn() {
    let last = testing::replay::<Mine, Position>(RECORDING).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(last.action, Action::Place(_)), "{:?}", last.action);
}
