//! `/play` and `/rooms`.

use arena_wire::GAMES;

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn every_game_for_rooms_has_its_form() {
    let fixture = fixture().await;
    for game in GAMES.iter().filter(|game| game.suits_rooms()) {
        let page = fixture.ask(get(&format!("/play?game={}", game.name()))).await;
        assert_snapshot(&format!("people/play-{}", game.name()), &page);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_by_cookie() {
    let fixture = fixture().await;
    let opened = fixture.ask(post("/play", "opponent=easy&seat=1&guided=on").form()).await;
    assert_snapshot("people/play-opened", &opened);
    let address = opened.header("location").to_owned();
    assert!(address.starts_with("/rooms/") && address.ends_with("?guided=on"), "{address}");
    let cookie = opened.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let page = fixture.ask(get(&address)).await;
    assert_snapshot("people/room", &page);
    assert!(page.text.contains("/room.js\"") && page.text.contains("Neutral"), "a board with zones");
    for learnt in ["/rules/conquerors", "/learn#conquerors"] {
        assert!(page.text.contains(&format!("href=\"{learnt}\"")), "{learnt}");
    }
    for (form, status) in [("opponent=nobody&seat=1", 404), ("opponent=easy&seat=2", 422), ("seat=1", 422)] {
        assert_eq!(fixture.ask(post("/play", form).form()).await.status, status, "{form}");
    }
    fixture.end().await;
}
