//! `/games`: finished games.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_edition_has_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/game", &fixture.ask(get("/games/standing-1.0")).await);
    assert_snapshot("people/game-of-many", &fixture.ask(get("/games/game-of-game-of-life-1.0")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let log = get("/games/standing-1.0/log").with("accept", "text/html");
    assert_eq!(fixture.ask(log.clone()).await.status, 401);
    let refused = fixture.ask(log.bearer(&ann)).await;
    assert_snapshot("people/game-log-refused", &refused);
    fixture.end().await;
}
