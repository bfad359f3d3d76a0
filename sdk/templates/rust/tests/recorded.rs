//! `cargo test`: the bot on this machine, against positions of recorded games.
//!
//! Lost a game? `arena debug BOT.wasm GAME.json --turn TURN{{seat}} --save tests/lost.txt` saves what the bot saw up to a
//! turn of its own, as the recording here was saved. Then say in a test what it should have done.

use arena_sdk::{{rules}}::Position;
use arena_sdk::testing;
use {{library}}::Mine;

/// A game of {{title}}; its first line says who was asked.
const RECORDING: &str = include_str!("recorded.txt");

/// A game that the bot would forfeit is one it loses.
#[test]
fn every_answer_is_legal() {
    if let Err(error) = testing::replay::<Mine, Position>(RECORDING) {
        panic!("{error}");
    }
}
