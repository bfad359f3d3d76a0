//! `/games/ID`: finished games and their logs.

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
async fn a_game_that_never_was_is_missing_and_no_game_of_an_old_edition_is() {
    let fixture = fixture().await;
    for path in ["/games/standing-1.99999", "/games/standing-2.0", "/games/standing-0.0", "/games/cup-1.0", "/games/x"]
    {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
    }
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
