//! `/api/v1/games/ID/profile`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let foreign = fixture.ask(get("/api/v1/games/standing-1.0/profile").bearer(&ann)).await;
    assert_snapshot("api/game-profile-refused", &foreign);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.0/profile")).await.status, 401);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.99999/profile").bearer(&ann)).await.status, 404);
    fixture.end().await;
}
