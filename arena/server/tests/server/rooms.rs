//! Rooms over plain requests; sockets are tested with a browser.

use serde_json::{Value, json};

use crate::{Fixture, fixture, get, post, post_json};

/// A block in blue's home, as bytes: it lives on, whatever red does.
const BLOCK: &str = "0101040a020a030b020b03";

async fn open(fixture: &Fixture, code: &str) -> Value {
    let answer = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "hard", "seat": 0 })).bearer(code)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_applied_once_and_a_bad_one_changes_nothing() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let room = open(&fixture, &ann).await;
    assert_eq!(room["you"], json!([0]));
    let id = room["room"].as_str().expect("an id").to_owned();
    let turn = |ply: u16, seq: u64, action: &str| {
        post_json(&format!("/api/v1/rooms/{id}/turns"), json!({ "ply": ply, "client_seq": seq, "action": action }))
    };
    for (ask, status, code) in [
        (turn(0, 1, BLOCK), 403, "not_your_seat"),
        (turn(0, 1, BLOCK).bearer(&bob), 403, "not_your_seat"),
        (turn(1, 1, BLOCK).bearer(&ann), 409, "stale_ply"),
        (turn(0, 1, "ff").bearer(&ann), 422, "bad_action"),
        (turn(0, 1, "010000").bearer(&ann), 422, "illegal_move"),
    ] {
        let answer = fixture.ask(ask).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{}", answer.text);
    }
    let fresh = fixture.ask(get(&format!("/api/v1/rooms/{id}"))).await.json();
    assert_eq!((&fresh["ply"], &fresh["events"]), (&json!(0), &json!(1)));
    for _ in 0..3 {
        let applied = fixture.ask(turn(0, 1, BLOCK).bearer(&ann)).await;
        assert_eq!(applied.status, 200, "{}", applied.text);
        assert_eq!(applied.json()["turns"][0][0]["action"], BLOCK);
    }
    let stale = fixture.ask(turn(0, 2, BLOCK).bearer(&ann)).await;
    assert_eq!(stale.code(), "stale_ply");
    let unfinished = fixture.ask(get(&format!("/api/v1/games/{id}/record"))).await;
    assert_eq!((unfinished.status.as_u16(), unfinished.code().as_str()), (409, "not_finished"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_by_cookie() {
    let fixture = fixture().await;
    let opened = fixture.ask(post("/play", "opponent=easy&seat=1&guided=on").form()).await;
    assert_eq!(opened.status, 303);
    let address = opened.header("location").to_owned();
    assert!(address.starts_with("/rooms/") && address.ends_with("?guided=on"), "{address}");
    let cookie = opened.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let page = fixture.ask(get(&address)).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("/static/room.js") && page.text.contains("Neutral"), "a board with zones");
    for (form, status) in [("opponent=nobody&seat=1", 404), ("opponent=easy&seat=2", 422), ("seat=1", 422)] {
        assert_eq!(fixture.ask(post("/play", form).form()).await.status, status, "{form}");
    }
    fixture.end().await;
}

/// TR-001 §4.4: joining a room that does not exist is an error. An early build made a new room of it.
#[tokio::test(flavor = "multi_thread")]
async fn tr_001_section_4_4_an_unknown_room_is_an_error_and_never_a_new_room() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let room = open(&fixture, &ann).await;
    let id = room["room"].as_str().expect("an id");
    let other = if id.starts_with('0') { id.replacen('0', "1", 1) } else { id.replacen(|_: char| true, "0", 1) };
    let body = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
    for _ in 0..2 {
        for ask in [
            get(&format!("/api/v1/rooms/{other}")),
            get(&format!("/rooms/{other}")),
            post_json(&format!("/api/v1/rooms/{other}/turns"), body.clone()).bearer(&ann),
        ] {
            let answer = fixture.ask(ask).await;
            assert_eq!(answer.status.as_u16(), 404, "{}", answer.text);
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_against_older_opponents_are_of_the_v1_game() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let play = fixture.ask(get("/play?game=conquerors")).await.text;
    for name in ["easy-v54", "normal-v54", "hard-v54", "easy-v55", "normal-v55", "hard-v55"] {
        assert!(play.contains(&format!("value=\"{name}\"")), "{name}");
        let answer = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": name, "seat": 0 })).bearer(&ann)).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        assert_eq!(answer.json()["options"], "", "neither rule of V2 is on");
        let id = answer.json()["room"].as_str().expect("an id").to_owned();
        assert_eq!(fixture.ask(get(&format!("/rooms/{id}"))).await.status, 200);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn giving_up_finishes_the_game_with_a_record() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let room = open(&fixture, &ann).await;
    let id = room["room"].as_str().expect("an id").to_owned();
    let resign = post_json(&format!("/api/v1/rooms/{id}/resignation"), json!({ "ply": 0 })).bearer(&ann);
    let over = fixture.ask(resign).await;
    assert_eq!(over.json()["outcome"]["winner"], 1, "{}", over.text);
    let record = fixture.ask(get(&format!("/api/v1/games/{id}/record"))).await;
    assert_eq!(record.status, 200);
    let parsed = arena_record::Record::parse(&record.text).expect("canonical");
    assert_eq!(parsed.to_text(), record.text);
    let page = fixture.ask(get(&format!("/games/{id}"))).await;
    assert!(page.status == 200 && page.text.contains("Ann"), "{}", page.text);
    fixture.end().await;
}
