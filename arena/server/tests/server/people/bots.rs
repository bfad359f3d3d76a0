//! `/bots`: bots and their versions.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_built_in_opponent_has_a_page_in_each_game() {
    let fixture = fixture().await;
    assert_snapshot("people/bot-built-in", &fixture.ask(get("/bots/easy")).await);
    assert_snapshot("people/bot-of-many", &fixture.ask(get("/bots/greedy?game=game-of-game-of-life")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_waits_for_its_verdict_has_a_page_and_its_log_is_for_its_owner() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.logged(version, "<script>secret</script>\n").await;
    assert_snapshot("people/bot", &fixture.ask(get("/bots/talker")).await);
    let page = get("/bots/talker/versions/1");
    let own = fixture.ask(page.clone().bearer(&ann)).await;
    assert_snapshot("people/version-own", &own);
    assert!(own.text.contains("&#60;script&#62;secret") && !own.text.contains("<script>"), "{}", own.text);
    let stranger = fixture.ask(page.clone()).await;
    assert_snapshot("people/version", &stranger);
    for other in [stranger, fixture.ask(page.bearer(&bob)).await] {
        assert!(other.text.contains("talker") && !other.text.contains("secret"), "{}", other.text);
    }
    fixture.end().await;
}
