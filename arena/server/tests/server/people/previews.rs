//! The pictures of games and bots, `/games/ID/picture.png` and `/bots/NAME/picture.png`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn games_and_bots_have_pictures_for_other_sites() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/games/standing-1.0")).await.text;
    let named = page.split("og:image\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
    let path = named.split_once("/games").map(|(_, path)| format!("/games{path}")).expect("an address of the site");
    let picture = fixture.ask(get(&path)).await;
    assert_snapshot_of("people/game-picture", &picture, "[the picture]");
    assert!(picture.text.contains("PNG"), "a picture");
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_snapshot("people/bot-picture", &fixture.ask(get("/bots/easy/picture.png")).await);
    assert_eq!(fixture.ask(get("/games/standing-1.99999/picture.png")).await.status, 404);
    fixture.end().await;
}
