//! `/api/v1/standings`.

use arena_wire::GAMES;

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_standings_of_its_own() {
    let fixture = fixture().await;
    for game in GAMES {
        let standings = fixture.ask(get(&format!("/api/v1/standings?game={}", game.name()))).await;
        assert_snapshot(&format!("api/standings-{}", game.name()), &standings);
    }
    assert_eq!(fixture.ask(get("/api/v1/standings")).await.json()["game"], GAMES[0].ruleset);
    fixture.end().await;
}
