//! Whole games: every answer is legal, and the bot is as strong as it should be.

#[path = "../../../../testing/mod.rs"]
mod testing;

use arena_baselines::conquerors::Tier;
use strategist::Strategist;

#[test]
fn every_turn_of_whole_games_is_legal() {
    for tier in Tier::ALL {
        testing::wins::<Strategist>(tier, 5);
    }
}

#[test]
fn every_answer_in_odd_positions_is_legal() {
    testing::answer_anywhere::<Strategist>(100);
}

/// Over 1,000 games it won every one; a bound far below that leaves room for changes that are worth a few games.
#[test]
fn it_beats_easy_and_hard() {
    for tier in [Tier::Easy, Tier::Hard] {
        let wins = testing::wins::<Strategist>(tier, 50);
        assert!(wins >= 90, "{wins} of 100 games against {}", tier.name());
    }
}
