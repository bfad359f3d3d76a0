//! The games of who asks, on `/account`.

use std::time::Duration;

use serde_json::json;

use crate::client::{get, post, post_json};
use crate::eventually::eventually;
use crate::fixture::fixture;

/// The list of games on a page: the address of each, whether it is over, and what it says.
fn games(page: &str) -> Vec<(String, bool, String)> {
    let list =
        page.split("<ul id=\"own-games\"").nth(1).and_then(|rest| rest.split("</ul>").next()).unwrap_or_default();
    let game = |line: &str| {
        let room = line.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an address");
        let over = line.starts_with("\"true\"");
        let words = line.split("<span>").nth(1).and_then(|rest| rest.split("</bdi>").next()).expect("words");
        (room.to_owned(), over, words.replace("<bdi>", ""))
    };
    list.split("<li data-over=").skip(1).map(game).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_go_on_come_before_those_that_are_over() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let open = async |game: &str, opponent: &str| {
        let wanted = json!({ "game": game, "opponent": opponent, "seat": 0 });
        let room = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await.json();
        format!("/rooms/{}", room["room"].as_str().expect("an id"))
    };
    let first = open("war-of-life", "random").await;
    let second = open("conquerors", "easy").await;
    let resign = post_json(&format!("/api/v1{second}/resignation"), json!({ "ply": 0 })).bearer(&ann);
    assert_eq!(fixture.ask(resign).await.status, 200);
    let listed = async |code: &str| games(&fixture.ask(get("/account").bearer(code)).await.text);
    let wanted = [
        (first, false, "War of Life, against random".to_owned()),
        (second, true, "Conway&#39;s Conquerors, against easy".to_owned()),
    ];
    // The store hears a little later that the second one is over.
    let look = async || {
        // Who looks has a share, which grows.
        fixture.clock.advance(Duration::from_secs(1));
        let found = listed(&ann).await;
        if found.iter().any(|(_, over, _)| *over) { Ok(found) } else { Err(format!("{found:?}")) }
    };
    assert_eq!(eventually("a game that is over", look).await, wanted);
    assert!(listed(&bob).await.is_empty(), "who played none has no list");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_claims_a_name_keeps_the_games_of_that_browser() {
    let fixture = fixture().await;
    let opened = fixture.ask(post("/play", "opponent=easy&seat=0").form()).await;
    let (room, guest) = (opened.header("location").to_owned(), opened.cookies().join("; "));
    let claimed = fixture.ask(post("/account", "name=Ann").form().with("cookie", guest.clone())).await;
    let both = format!("{guest}; {}", claimed.cookies().join("; "));
    let page = fixture.ask(get("/account").with("cookie", both)).await.text;
    assert_eq!(games(&page), [(room, false, "Conway&#39;s Conquerors, against easy".to_owned())]);
    fixture.end().await;
}
