//! `/games/ID/again`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_again_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let again = get("/games/standing-1.0/again").with("accept", "text/html");
    assert_eq!(fixture.ask(again.clone()).await.status, 401);
    assert_snapshot("people/game-again-refused", &fixture.ask(again.bearer(&ann)).await);
    fixture.end().await;
}
