//! The pictures of games and bots, `/games/ID/picture.png` and `/bots/NAME/picture.png`.

use crate::client::get;
use crate::fixture::{Fixture, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

/// The path of the picture that a page names.
async fn named(fixture: &Fixture, page: &str) -> String {
    let page = fixture.ask(get(page)).await.text;
    let named = page.split("og:image\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
    let address = named.split_once("://").and_then(|(_, address)| address.split_once('/')).expect("an address");
    format!("/{}", address.1)
}

#[tokio::test(flavor = "multi_thread")]
async fn games_and_bots_have_pictures_for_other_sites() {
    let fixture = fixture().await;
    let path = named(&fixture, "/games/standing-1.0").await;
    let picture = fixture.ask(get(&path)).await;
    assert_snapshot_of("people/game-picture", &picture, "[the picture]");
    assert!(picture.text.contains("PNG"), "a picture");
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_snapshot("people/bot-picture", &fixture.ask(get("/bots/easy/picture.png")).await);
    assert_eq!(fixture.ask(get("/games/standing-1.99999/picture.png")).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_two_games_has_a_picture_of_the_game_of_its_page() {
    let fixture = fixture().await;
    for game in ["war-of-life", "game-of-game-of-life"] {
        let path = named(&fixture, &format!("/bots/random?game={game}")).await;
        let shown = fixture.ask(get(&path)).await;
        assert!(shown.header("location").starts_with(&format!("/games/{game}-1.")), "{path}");
    }
    assert_eq!(fixture.ask(get("/bots/random/picture.png?game=chess")).await.status, 404);
    fixture.end().await;
}
