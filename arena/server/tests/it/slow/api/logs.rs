//! Logs of sample games and of games.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn what_a_bot_logged_is_for_its_owner_only() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.logged(version, "<script>secret</script>\n").await;
    let logs = get("/api/v1/bots/talker/versions/1/logs");
    assert_snapshot("api/version-logs", &fixture.ask(logs.clone().bearer(&ann)).await);
    let foreign = fixture.ask(logs.clone().bearer(&bob)).await;
    assert_eq!((foreign.status.as_u16(), foreign.code().as_str()), (404, "not_your_bot"));
    assert_eq!(fixture.ask(logs).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let refused = fixture.ask(get("/api/v1/games/standing-1.0/log").bearer(&ann)).await;
    assert_snapshot("api/game-log-refused", &refused);
    let missing = fixture.ask(get("/api/v1/games/standing-1.99999/log").bearer(&ann)).await;
    assert_eq!(missing.status, 404);
    fixture.end().await;
}
