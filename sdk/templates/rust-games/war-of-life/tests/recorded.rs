//! `cargo test`: the bot on this machine, against positions of recorded games.
//!
//! Lost a game? `arena debug BOT.wasm GAME.json --turn TURN{{seat}} --save tests/lost.txt` saves what the bot saw up to a
//! turn of its own, as the recording here was saved. Then say in a test what it should have done.

use arena_sdk::war_of_life::Position;
use arena_sdk::{Ruleset, testing};
use {{library}}::Mine;

/// A game of War of Life; blue is asked.
const RECORDING: &str = include_str!("recorded.txt");

/// A game that the bot would forfeit is one it loses.
#[test]
fn every_answer_is_legal() {
    if let Err(error) = testing::replay::<Mine, Position>(RECORDING) {
        panic!("{error}");
    }
}

/// Whoever has no piece after a generation has lost.
#[test]
fn it_survives_the_last_turn() {
    let last = testing::replay::<Mine, Position>(RECORDING).unwrap_or_else(|error| panic!("{error}"));
    let (position, seat, me) = (&last.observation.position, last.observation.seat, last.observation.colour());
    let step = position.check(seat, &last.action).expect("replay has checked it");
    let after = position.preview(me, step);
    assert!(after.counts()[me] > 0, "{:?} leads to {after:?}", last.action);
}
