//! Whole games: every answer is legal, and the bot is as strong as it should be.

#[path = "../../../../testing/mod.rs"]
mod testing;

use alpinist::Alpinist;
use arena_baselines::conquerors::Tier;

#[test]
fn every_turn_of_whole_games_is_legal() {
    for tier in Tier::ALL {
        testing::wins::<Alpinist>(tier, 3);
    }
}

#[test]
fn every_answer_in_odd_positions_is_legal() {
    testing::answer_anywhere::<Alpinist>(50);
}

/// Over 1,000 games it won every one; a bound far below that leaves room for changes that are worth a few games.
#[test]
fn it_beats_hard() {
    let wins = testing::wins::<Alpinist>(Tier::Hard, 25);
    assert!(wins >= 45, "{wins} of 50 games against hard");
}
