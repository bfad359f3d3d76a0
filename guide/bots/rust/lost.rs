//! In a recorded game, the bot's turn must beat placing nothing.

use arena_sdk::conquerors::{Board, Colour, Position};
use arena_sdk::{Ruleset, testing};
use mybot::Mine;

/// Saved by `arena debug`.
const RECORDING: &str = include_str!("lost.txt");

/// How far a colour is ahead.
fn lead(board: &Board, colour: Colour) -> i64 {
    let scores = board.scores();
    i64::from(scores[colour]) - i64::from(scores[colour.other()])
}

#[test]
fn its_turn_is_better_than_waiting() {
    let last = testing::replay::<Mine, Position>(RECORDING).unwrap_or_else(|error| panic!("{error}"));
    let (position, me) = (&last.observation.position, last.observation.colour());
    let turn = position.check(last.observation.seat, &last.action).expect("replay has checked it");
    let waiting = lead(&position.board().next(), me);
    let playing = lead(&position.preview(me, &turn), me);
    assert!(playing > waiting, "{:?} leads to {playing}, waiting to {waiting}", last.action);
}
