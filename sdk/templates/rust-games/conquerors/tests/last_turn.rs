//! What the bot does in the last turn of the recording, which `recorded.txt` draws.

use arena_sdk::conquerors::Position;
use arena_sdk::{Ruleset, testing};
use {{library}}::Mine;

const RECORDING: &str = include_str!("recorded.txt");

/// A player without a cell after a generation has lost.
#[test]
fn it_survives_the_last_turn() {
    let last = testing::replay::<Mine, Position>(RECORDING).unwrap_or_else(|error| panic!("{error}"));
    let (position, seat, me) = (&last.observation.position, last.observation.seat, last.observation.colour());
    let turn = position.check(seat, &last.action).expect("replay has checked it");
    let after = position.preview(me, &turn);
    assert!(after.counts()[me] > 0, "{:?} leads to {after}", last.action);
}
