//! `/games/ID/again`.

use crate::client::get;
use crate::fixture::{MODULE, fixture};
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

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_chooses_among_the_versions_that_may_play_and_the_seats_of_its_bot() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let first = fixture.accepted(&ann, MODULE).await;
    fixture.accepted(&ann, b"another").await;
    fixture.cup(|header| header.entrants = vec![first.clone(), first]).await;
    let page = fixture.ask(get("/games/cup.0/again").bearer(&ann)).await;
    assert_snapshot("people/game-again", &page);
    assert_eq!(page.header("cache-control"), "no-store", "only she sees it");
    let at = |text: &str| page.text.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("<option value=\"2\">") < at("<option value=\"1\">"), "the newest first");
    let other = fixture.ask(get("/games/cup.0/again?seat=1").bearer(&ann)).await.text;
    assert!(other.contains("name=\"seat\" value=\"1\"") && other.contains("/games/cup.0/again?seat=0"), "{other}");
    fixture.end().await;
}
