//! Whole games: every answer is legal, and the bot is as strong as it should be.

#[path = "../../../../testing/mod.rs"]
mod testing;

use arena_baselines::conquerors::Tier;
use gardener::Gardener;

#[test]
fn every_turn_of_whole_games_is_legal() {
    for tier in Tier::ALL {
        testing::wins::<Gardener>(tier, 5);
    }
}

#[test]
fn every_answer_in_odd_positions_is_legal() {
    testing::answer_anywhere::<Gardener>(100);
}

#[test]
fn it_beats_easy() {
    let wins = testing::wins::<Gardener>(Tier::Easy, 50);
    assert!(wins >= 80, "{wins} of 100 games; some 95 are usual");
}
