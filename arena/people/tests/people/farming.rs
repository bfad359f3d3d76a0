//! What the page of rules says of farming is what the simulation prints.

#[path = "../../examples/farming.rs"]
#[expect(dead_code, reason = "the program's own main function")]
mod simulation;

const PAGE: &str = include_str!("../../../../docs/leaderboard.md");

#[test]
fn the_rules_page_has_the_table_that_the_simulation_prints() {
    let gains = simulation::gains();
    assert_eq!(gains, arena_people::GAINS, "what pages say");
    let table = simulation::table(&gains);
    assert!(PAGE.contains(&table), "docs/leaderboard.md should have:\n{table}");
}
