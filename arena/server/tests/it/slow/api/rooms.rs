//! `/api/v1/rooms`: rooms over plain requests; sockets are tested with a browser. Here a person plays against a bot.

mod chat;
mod invitations;
mod news;
mod schedules;
mod standstill;
mod table;

use arena_rules::Seat;
use arena_wire::GAMES;
use serde_json::{Value, json};

use crate::client::{Answer, get, post, post_json};
use crate::eventually::eventually_shown;
use crate::fixture::{Fixture, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

/// A block in blue's home, as bytes: it lives on, whatever red does.
const BLOCK: &str = "0101040a020a030b020b03";

async fn open(fixture: &Fixture, code: &str) -> Value {
    let answer = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "hard", "seat": 0 })).bearer(code)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

/// The state of a room as far as it is the same in every run: the bot may have answered already or not.
fn assert_state(name: &str, answer: &Answer) {
    let mut state = answer.json();
    for key in ["events", "ply", "awaiting", "digest"] {
        assert!(state.as_object_mut().expect("a state").remove(key).is_some(), "{key}");
    }
    state["turns"].as_array_mut().expect("turns").truncate(1);
    assert_snapshot_of(name, answer, &state.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_is_opened_shown_played_in_and_given_up() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let opened = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 })).bearer(&ann)).await;
    assert_snapshot("api/room-opened", &opened);
    let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().expect("an id"));
    assert_state("api/room", &fixture.ask(get(&room)).await);
    let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
    assert_state("api/room-turn", &fixture.ask(post_json(&format!("{room}/turns"), turn).bearer(&ann)).await);
    let ply = until_to_move(&fixture, &room).await;
    let resign = post_json(&format!("{room}/resignation"), json!({ "ply": ply })).bearer(&ann);
    let over = fixture.ask(resign).await;
    let outcome = json!({ "outcome": over.json()["outcome"]["winner"], "reason": over.json()["outcome"]["reason"] });
    assert_snapshot_of("api/room-resignation", &over, &outcome.to_string());
    fixture.end().await;
}

/// Waits until seat 0 is to move again; the ply.
async fn until_to_move(fixture: &Fixture, room: &str) -> u64 {
    let shown = fixture.room(room).await.watch();
    let shown = eventually_shown("the bot's turn", shown, |shown| shown.view.awaiting == [Seat(0)]).await;
    shown.view.ply.into()
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_offered_for_games_that_people_play() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let play = fixture.ask(get("/play")).await;
    for game in GAMES {
        let link = format!("/play?game={}", game.name());
        assert_eq!(play.text.contains(&link), game.suits_rooms(), "{}", game.name());
    }
    let wanted = json!({ "game": "war-of-life", "opponent": "random", "seat": 0 });
    let opened = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let id = opened.json()["room"].as_str().expect("an id").to_owned();
    let state = fixture.ask(get(&format!("/api/v1/rooms/{id}"))).await.json();
    assert_eq!((state["ruleset"].as_str(), state["awaiting"].clone()), (Some("war-of-life@1"), json!([0])));
    assert_eq!((&state["type"], &state["room"], &state["turns"]), (&json!("state"), &json!(id), &json!([])));
    assert!(state["options"].as_str().is_some_and(|options| options.starts_with("start=deal:")), "{state}");
    assert!(state["digest"].as_str().is_some_and(|digest| digest.len() == 16), "{state}");
    assert_eq!(state.get("game"), None, "no state says anything of a position");
    let page = fixture.ask(get(&format!("/rooms/{id}"))).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("/room.js\"") && !page.text.contains("Neutral"), "a plain board");
    let game = GAMES.iter().find(|game| game.name() == "war-of-life").expect("a game");
    for address in [format!("/rooms/{id}"), "/play?game=war-of-life".into()] {
        let text = fixture.ask(get(&address)).await.text;
        for rule in game.rules {
            assert!(text.contains(rule), "{address} says the game's rules");
        }
        assert!(!text.contains(GAMES[0].rules[0]), "{address} says no other's");
    }
    let form = post("/play", "game=war-of-life&opponent=minimax&seat=1").form();
    assert_eq!(fixture.ask(form).await.status, 303);
    for (game, opponent, seat, status, code) in [
        ("life2", "expander", 0, 422, "no_rooms"),
        ("war-of-life", "hard", 0, 404, "no_such_opponent"),
        ("war-of-life", "random", 2, 422, "bad_request"),
        ("chess", "random", 0, 404, "no_such_game"),
    ] {
        let wanted = json!({ "game": game, "opponent": opponent, "seat": seat });
        let answer = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{}", answer.text);
    }
    fixture.end().await;
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
        let id = answer.json()["room"].as_str().expect("an id").to_owned();
        let state = fixture.ask(get(&format!("/api/v1/rooms/{id}"))).await.json();
        assert_eq!(state["options"], "", "neither rule of V2 is on");
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
