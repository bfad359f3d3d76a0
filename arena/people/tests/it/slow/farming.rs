//! What the page of rules says of farming is what the simulation prints.

#[path = "../../../examples/farming.rs"]
#[expect(dead_code, reason = "the program's own main function")]
mod simulation;

use arena_baselines::Opponent;

const PAGE: &str = include_str!("../../../../../docs/leaderboard.md");

#[test]
fn the_rules_page_has_the_table_that_the_simulation_prints() {
    let gains = simulation::gains();
    assert_eq!(gains, arena_people::GAINS, "what pages say");
    let table = simulation::table(&gains);
    assert!(PAGE.contains(&table), "docs/leaderboard.md should have:\n{table}");
}

#[test]
fn the_simulation_knows_the_built_in_opponents_whose_games_count() {
    let known = simulation::BUILT_IN.map(|(name, _)| name);
    let usual: Vec<&str> = Opponent::usual("conquerors@2").map(|opponent| opponent.name()).collect();
    assert_eq!(known.as_slice(), usual);
}
