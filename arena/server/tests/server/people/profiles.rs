//! `/games/ID/profile`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let profile = get("/games/standing-1.0/profile").with("accept", "text/html");
    assert_eq!(fixture.ask(profile.clone()).await.status, 401);
    assert_snapshot("people/game-profile-refused", &fixture.ask(profile.bearer(&ann)).await);
    fixture.end().await;
}
