//! `/api/v1/games/ID/again`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_again_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let refused = fixture.ask(get("/api/v1/games/standing-1.0/again?version=1").bearer(&ann)).await;
    assert_snapshot("api/game-again-refused", &refused);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.99999/again").bearer(&ann)).await.status, 404);
    fixture.end().await;
}
