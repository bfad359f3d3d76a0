//! The page of a room, be it on the server or in the page alone.

use serde_json::json;

use crate::client::{get, post, post_json};
use crate::fixture::fixture;

#[tokio::test(flavor = "multi_thread")]
async fn a_room_against_a_bot_offers_the_same_game_again_in_either_seat() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let wanted = json!({ "game": "war-of-life", "opponent": "random", "seat": 0 });
    let room = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await.json();
    let room = format!("/rooms/{}", room["room"].as_str().expect("an id"));
    let page = fixture.ask(get(&room)).await.text;
    assert!(page.contains("class=\"table-page\"") && !page.contains("id=\"draw\""), "bots agree to nothing: {page}");
    let form = page.split("<form id=\"rematch\"").nth(1).and_then(|rest| rest.split("</form>").next()).expect("a form");
    for field in [
        "name=\"game\" value=\"war-of-life\"",
        "name=\"opponent\" value=\"random\"",
        "name=\"seat\" value=\"0\">Play again",
        "name=\"seat\" value=\"1\">Swap seats",
    ] {
        assert!(form.contains(field), "{field}: {form}");
    }
    let resign = post_json(&format!("/api/v1{room}/resignation"), json!({ "ply": 0 })).bearer(&ann);
    assert_eq!(fixture.ask(resign).await.status, 200);
    let over = fixture.ask(get(&room)).await.text;
    assert!(over.contains("class=\"table-page over\""), "{over}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_a_room_and_comes_without_a_cookie_reads_why_they_only_watch() {
    const SAID: &str = "id=\"no-cookie\" class=\"notice\">";
    let fixture = fixture().await;
    let opened = fixture.ask(post("/play", "opponent=easy&seat=0").form()).await;
    let room = opened.header("location");
    assert!(fixture.ask(get(room)).await.text.contains(SAID));
    assert!(!fixture.ask(get(room).with("cookie", opened.cookies().join("; "))).await.text.contains(SAID));
    fixture.clock.advance(std::time::Duration::from_secs(60));
    assert!(!fixture.ask(get(room)).await.text.contains(SAID), "who looks on later is no player");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_agree_to_a_draw_or_another_game_and_a_page_alone_has_neither() {
    let fixture = fixture().await;
    let opened = fixture.ask(post("/lobby", "door=private&seat=0&clock=none").form()).await;
    let room = opened.header("location");
    assert_eq!(fixture.ask(post(&format!("{room}/seat"), "seat=1").form()).await.status, 303);
    let between_people = fixture.ask(get(room)).await.text;
    let practice = fixture.ask(get("/practice")).await.text;
    for (part, there, alone) in [
        ("id=\"draw\"", true, false),
        ("id=\"once-more\"", true, false),
        ("id=\"replay-link\"", true, false),
        ("id=\"spectators\"", true, false),
        ("id=\"rematch\"", false, false),
        ("id=\"take-back\"", false, true),
        ("data-room=\"\"", false, true),
    ] {
        assert_eq!((between_people.contains(part), practice.contains(part)), (there, alone), "{part}");
    }
    fixture.end().await;
}
