//! Whole games: every answer is legal, and the bot is as strong as it should be.

#[path = "../../../../testing/mod.rs"]
mod testing;

use arena_baselines::conquerors::Tier;
use scatter::Scatter;

#[test]
fn every_turn_of_whole_games_is_legal() {
    for tier in Tier::ALL {
        testing::wins::<Scatter>(tier, 5);
    }
}

#[test]
fn every_answer_in_odd_positions_is_legal() {
    testing::answer_anywhere::<Scatter>(1000);
}
