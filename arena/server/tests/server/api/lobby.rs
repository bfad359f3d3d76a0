//! `/api/v1/lobby` and rooms between people, over plain requests: the same that sockets do.

use serde_json::{Value, json};

use crate::client::{Answer, get, post, post_json};
use crate::fixture::{Fixture, OPERATOR, fixture};
use crate::snapshot::assert_snapshot_of;

/// A block in blue's home, and one in red's, as bytes.
const BLOCK: &str = "0101040a020a030b020b03";
const RED_BLOCK: &str = "0101040a180a190b180b19";

struct People {
    fixture: Fixture,
    ann: String,
    bob: String,
    /// The room's address.
    room: String,
    code: String,
}

impl People {
    /// Ann waits with a clock.
    async fn waiting() -> People {
        let fixture = fixture().await;
        let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
        let wanted = json!({ "seat": 0, "clock": "game-600-5" });
        let opened = fixture.ask(post_json("/api/v1/lobby", wanted).bearer(&ann)).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
        let (room, code) = (opened.json()["room"].clone(), opened.json()["code"].clone());
        let room = format!("/api/v1/rooms/{}", room.as_str().expect("an id"));
        People { fixture, ann, bob, room, code: code.as_str().expect("a code").into() }
    }

    async fn begun() -> People {
        let people = People::waiting().await;
        let joined = people.join(&people.bob).await;
        assert_eq!(joined, (201, String::new()));
        people
    }

    async fn join(&self, who: &str) -> (u16, String) {
        let joining = post_json("/api/v1/lobby/joins", json!({ "code": self.code.to_uppercase() })).bearer(who);
        let answer = self.fixture.ask(joining).await;
        let code = if answer.status.is_success() { String::new() } else { answer.code() };
        (answer.status.as_u16(), code)
    }

    /// What a command is answered: `applied`, or the code of its rejection.
    async fn says(&self, who: &str, said: Value) -> String {
        let answer = self.fixture.ask(post_json(&format!("{}/commands", self.room), said).bearer(who)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let reply = answer.json();
        reply["code"].as_str().or(reply["type"].as_str()).expect("a reply").into()
    }

    async fn state(&self) -> Value {
        self.fixture.ask(get(&self.room)).await.json()
    }

    /// The room in which they play once more.
    async fn next(&self) -> Value {
        let next = self.state().await["people"]["next"].as_str().expect("a room").to_owned();
        self.fixture.ask(get(&format!("/api/v1/rooms/{next}"))).await.json()
    }
}

fn turn(ply: u16, client_seq: u64, action: &str) -> Value {
    json!({ "type": "turn", "ply": ply, "client_seq": client_seq, "action": action })
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_makes_no_sense_is_refused_in_a_sentence_and_nothing_is_lost() {
    let people = People::waiting().await;
    let (ann, bob) = (&people.ann, &people.bob);
    let eve = &people.fixture.account("Eve").await;
    assert_eq!(people.says(ann, turn(0, 1, BLOCK)).await, "not_started");
    assert_eq!(people.says(bob, turn(0, 1, BLOCK)).await, "not_your_seat");
    assert_eq!(people.join(ann).await, (409, "already_seated".into()), "the own room");
    assert_eq!(people.join(bob).await, (201, String::new()));
    assert_eq!(people.join(eve).await, (409, "room_taken".into()));
    let unknown = post_json("/api/v1/lobby/joins", json!({ "code": "zzzzzz" })).bearer(eve);
    assert_eq!(people.fixture.ask(unknown).await.code(), "no_such_room_code");
    let lobby = people.fixture.ask(get("/api/v1/lobby")).await.json();
    assert_eq!(lobby["waiting"], json!([]), "it opened none, and private rooms are not listed");

    assert_eq!(people.says(bob, turn(0, 1, BLOCK)).await, "not_your_turn");
    for mut other in [turn(0, 1, BLOCK), json!({ "type": "resign", "ply": 0 }), json!({ "type": "draw", "ply": 0 })] {
        other["room"] = json!("00000000000000000000000000000000");
        assert_eq!(people.says(ann, other).await, "another_game");
    }
    assert_eq!(people.says(ann, json!({ "type": "dance" })).await, "bad_message");
    assert_eq!(people.says(ann, turn(0, 1, "ff")).await, "bad_action");
    assert_eq!(people.says(ann, turn(0, 1, BLOCK)).await, "applied");
    assert_eq!(people.says(ann, turn(0, 1, BLOCK)).await, "applied", "the same again");
    assert_eq!(people.says(ann, turn(0, 1, "010300")).await, "stale_sequence");
    assert_eq!(people.says(ann, turn(0, 2, BLOCK)).await, "stale_ply");
    assert_eq!(people.says(ann, json!({ "type": "leave" })).await, "started");
    assert_eq!(people.says(ann, json!({ "type": "rematch" })).await, "not_over");
    let state = people.state().await;
    assert_eq!((state["ply"].clone(), state["turns"].as_array().map(Vec::len)), (json!(1), Some(1)));
    assert_eq!(people.says(bob, turn(1, 1, RED_BLOCK)).await, "applied");
    assert_eq!(people.says(bob, json!({ "type": "resign", "ply": 2 })).await, "applied", "off turn");
    assert_eq!(people.says(ann, turn(2, 3, BLOCK)).await, "game_over");
    assert_eq!(people.state().await["outcome"]["winner"], 0);
    people.fixture.end().await;
}

/// The block of a seat in its n-th turn, in its home.
fn nth_block(number: u16, seat: u16) -> String {
    let (row, col) = (1 + 3 * (number % 6), 1 + 4 * (number / 6) + 20 * seat);
    let cells = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| format!("{:02x}{:02x}", row + down, col + right));
    format!("010104{}", cells.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_rules_refuse_is_told_in_their_words_and_the_turn_is_still_to_be_played() {
    const SKIP: &str = "010300";
    const BOMB: &str = "010201020e";
    let people = People::begun().await;
    let refused = async |ply: u16, action: &str| {
        let said = post_json(&format!("{}/commands", people.room), turn(ply, 99, action)).bearer(&people.ann);
        let answer = people.fixture.ask(said).await.json();
        assert_eq!((&answer["code"], &people.state().await["ply"]), (&json!("illegal_move"), &json!(ply)), "{answer}");
        answer["message"].as_str().expect("a sentence").to_owned()
    };
    for ply in 0..15 {
        let (who, seat) = if ply % 2 == 0 { (&people.ann, 0) } else { (&people.bob, 1) };
        if ply == 4 {
            assert_eq!(refused(ply, SKIP).await, "the only skip is used");
        }
        if ply == 14 {
            assert_eq!(refused(ply, BOMB).await, "the bomb cools for 1 more turn end(s)");
        }
        let action = match ply {
            2 => SKIP.to_owned(),
            12 => BOMB.to_owned(),
            _ => nth_block(ply / 2, seat),
        };
        assert_eq!(people.says(who, turn(ply, 1, &action)).await, "applied", "ply {ply}");
    }
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_and_bots_of_theirs_play_all_at_once() {
    const CELL: &str = "0101010104";
    const PASS: &str = "010000";
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let wanted = json!({ "game": "game-of-game-of-life", "seats": 3, "seat": 1, "public": true });
    let opened = fixture.ask(post_json("/api/v1/lobby", wanted.clone()).bearer(&ann)).await;
    assert_eq!((opened.status.as_u16(), &opened.json()["you"]), (201, &json!([1])), "{}", opened.text);
    for (name, value) in [("seats", 17), ("seats", 1), ("turns", 99), ("seat", 3)] {
        let mut odd = wanted.clone();
        odd[name] = json!(value);
        let refused = fixture.ask(post_json("/api/v1/lobby", odd).bearer(&ann)).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.text);
    }
    let two = post_json("/api/v1/lobby", json!({ "seats": 3 })).bearer(&ann);
    assert_eq!(fixture.ask(two).await.code(), "no_such_rooms", "Conquerors has two seats");
    let waiting = fixture.ask(get("/api/v1/lobby")).await.json()["waiting"][0].clone();
    assert_eq!((&waiting["seats"], &waiting["taken"], &waiting["turns"]), (&json!(3), &json!(1), &json!(100)));
    let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().expect("an id"));
    let people = People { code: opened.json()["code"].as_str().expect("a code").into(), room, ann, bob, fixture };
    let bots =
        |who: &str, said: Value| people.fixture.ask(post_json(&format!("{}/bots", people.room), said).bearer(who));
    assert_eq!(people.join(&people.bob).await, (201, String::new()));
    let refused = bots(&people.bob, json!({ "opponent": "greedy" })).await;
    assert_snapshot_of("api/room-bots", &refused, &refused.text);
    assert_eq!(refused.code(), "not_host");
    assert_eq!(bots(&people.ann, json!({ "opponent": "greedy", "seat": 1 })).await.code(), "seat_taken");
    assert_eq!(bots(&people.ann, json!({ "opponent": "nobody" })).await.status, 404);
    let begun = bots(&people.ann, json!({ "opponent": "nothing" })).await;
    assert_eq!((begun.status.as_u16(), &begun.json()["people"]["started"]), (200, &json!(true)), "{}", begun.text);
    assert_eq!(begun.json()["seats"][2], "baseline:nothing@1");
    assert_eq!(bots(&people.ann, json!({ "opponent": "nothing" })).await.code(), "started");

    // Each answers once in a turn, in any order, and the turn is over when all have.
    assert_eq!(people.says(&people.bob, turn(0, 1, CELL)).await, "applied");
    assert_eq!(people.says(&people.bob, turn(0, 1, CELL)).await, "applied", "the same again");
    assert_eq!(people.says(&people.bob, turn(0, 2, PASS)).await, "not_your_turn");
    assert_eq!(people.state().await["turns"], json!([]), "what others do is not seen before");
    assert_eq!(people.says(&people.ann, turn(0, 1, PASS)).await, "applied");
    let after = loop {
        let state = people.state().await;
        if state["ply"] == 1 {
            break state;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(after["turns"][0].as_array().map(Vec::len), Some(3), "all three: {after}");
    let news = |query: &str| people.fixture.ask(get(&format!("{}/events{query}", people.room)).bearer(&people.ann));
    let told = news("?turns=1").await.json()["messages"][1].clone();
    assert_eq!((&told["ply"], &told["first"], &told["turns"]), (&json!(1), &json!(1), &json!([])), "who knows it");
    let told = news("").await.json()["messages"][1].clone();
    assert_eq!((told.get("first"), &told["turns"]), (None, &after["turns"]), "who does not");
    assert_eq!(people.says(&people.ann, json!({ "type": "draw", "ply": 1 })).await, "bots_agree_to_nothing");
    assert_eq!(people.says(&people.ann, json!({ "type": "resign", "ply": 1 })).await, "applied");
    assert_eq!(people.says(&people.bob, turn(1, 3, PASS)).await, "applied");
    let state = loop {
        let state = people.state().await;
        if state["ply"] == 2 {
            break state;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((&state["outcome"], &state["forfeits"][0]["seat"]), (&Value::Null, &json!(1)), "the others go on");

    // Bob leaves the bot alone: that is the end, and the bot comes along when both people want another game.
    assert_eq!(people.says(&people.bob, json!({ "type": "resign", "ply": 2 })).await, "applied");
    let over = people.state().await;
    assert_eq!(over["outcome"]["winner"], 2, "{over}");
    for (who, wanting) in [(&people.bob, json!([0])), (&people.ann, json!([0, 1]))] {
        assert_eq!(people.says(who, json!({ "type": "rematch" })).await, "applied");
        assert_eq!(people.state().await["people"]["rematch"], wanting);
    }
    let next = people.next().await;
    let seats = |room: &Value| room["seats"].as_array().expect("seats").clone();
    let mut swapped = seats(&over);
    swapped.rotate_right(1);
    assert_eq!((seats(&next), &next["options"]), (swapped, &over["options"]), "each in the next seat");
    assert_eq!(next["people"]["started"], true);
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_a_bot_at_a_table_play_once_more_as_soon_as_the_person_wants_it() {
    let people = People::waiting().await;
    let filled = post_json(&format!("{}/bots", people.room), json!({ "opponent": "easy" })).bearer(&people.ann);
    assert_eq!(people.fixture.ask(filled).await.status, 200);
    assert_eq!(people.says(&people.ann, json!({ "type": "resign", "ply": 0 })).await, "applied");
    assert_eq!(people.says(&people.bob, json!({ "type": "rematch" })).await, "not_your_seat");
    let page = people.fixture.ask(get(&people.room.replace("/api/v1", "")).bearer(&people.ann)).await.text;
    assert!(page.contains("id=\"once-more\"") && !page.contains("id=\"rematch\""), "one way to play again");
    let before = people.state().await;
    assert_eq!(people.says(&people.ann, json!({ "type": "rematch" })).await, "applied");
    let next = people.next().await;
    assert_eq!((&next["seats"][0], &next["seats"][1]), (&before["seats"][1], &before["seats"][0]));
    assert_eq!(next["people"]["clock"], before["people"]["clock"]);
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_agree_to_a_draw_and_to_play_once_more_in_the_other_seats() {
    let people = People::begun().await;
    let draw = || json!({ "type": "draw", "ply": 0 });
    assert_eq!(people.says(&people.ann, draw()).await, "applied");
    assert_eq!(people.says(&people.ann, draw()).await, "applied", "asked again, offered once");
    assert_eq!(people.state().await["people"]["offers"], json!([0]));
    assert_eq!(people.says(&people.bob, draw()).await, "applied");
    let over = people.state().await;
    assert_eq!((&over["outcome"]["winner"], &over["outcome"]["reason"]), (&Value::Null, &json!("agreed")));
    let record = people.fixture.ask(get(&people.room.replace("rooms", "games")).clone()).await;
    assert_eq!(record.status, 200, "a game like any other: {}", record.text);
    for who in [&people.ann, &people.ann, &people.bob, &people.bob] {
        assert_eq!(people.says(who, json!({ "type": "rematch" })).await, "applied");
    }
    let next = people.next().await;
    let (seats, before) = (next["seats"].as_array().expect("seats"), over["seats"].as_array().expect("seats"));
    assert_eq!((&seats[0], &seats[1]), (&before[1], &before[0]));
    assert_eq!((&next["people"]["clock"], &next["people"]["started"]), (&over["people"]["clock"], &json!(true)));
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_news_waits_for_it_and_hears_it_once() {
    let people = People::begun().await;
    let events = |after: Option<u64>| {
        let query = after.map_or_else(String::new, |after| format!("?after={after}"));
        people.fixture.ask(get(&format!("{}/events{query}", people.room)).bearer(&people.bob))
    };
    let first = events(None).await.json();
    let types: Vec<&str> =
        first["messages"].as_array().expect("messages").iter().filter_map(|one| one["type"].as_str()).collect();
    assert_eq!(types, ["hello", "state"]);
    assert_eq!(first["messages"][0]["you"], json!([1]));
    assert_eq!((&first["here"], &first["watching"]), (&json!([1]), &json!(0)), "Ann does not listen");
    let version = first["version"].as_u64().expect("a version");
    let (news, said) = tokio::join!(events(Some(version)), people.says(&people.ann, turn(0, 1, BLOCK)));
    assert_eq!(said, "applied");
    let news = news.json();
    let messages = news["messages"].as_array().expect("messages");
    assert_eq!((messages.len(), &messages[0]["ply"]), (1, &json!(1)));
    assert!(news["version"].as_u64() > Some(version));
    // Of another process, or of nothing at all.
    assert_eq!(events(Some(1)).await.json()["messages"][0]["ply"], 1);
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_ended_is_over_at_once_for_who_waits_for_news() {
    let people = People::begun().await;
    let (number, token) = people.fixture.token(&people.bob, "play").await;
    let events = || people.fixture.ask(get(&format!("{}/events", people.room)).bearer(&token));
    for _ in 0..2 {
        assert_eq!(events().await.json()["messages"][0]["you"], json!([1]));
    }
    let revocation = format!("/api/v1/account/tokens/{number}/revocation");
    let revoked = people.fixture.ask(post_json(&revocation, json!({})).bearer(&people.bob)).await;
    assert_eq!(revoked.status, 200, "{}", revoked.text);
    assert_eq!(events().await.code(), "unknown_token");
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_want_any_opponent_play_each_other_and_programs_play_unrated() {
    let people = People::waiting().await;
    let fixture = &people.fixture;
    let pair = |who: &str| fixture.ask(post_json("/api/v1/lobby/pairings", json!({})).bearer(who));
    let first = pair(&people.ann).await;
    assert_eq!(first.status, 201, "{}", first.text);
    assert_eq!(pair(&people.ann).await.json()["room"], first.json()["room"], "she waits there already");
    let lobby = fixture.ask(get("/api/v1/lobby")).await.json();
    assert_eq!((&lobby["waiting"][0]["host"], &lobby["waiting"][0]["program"]), (&json!("Ann"), &json!(true)));
    let marked = "<span class=\"tag\">program</span>";
    let marks = async |page: &str| fixture.ask(get(page)).await.text.matches(marked).count();
    let page = first.json()["url"].as_str().expect("an address").to_owned();
    assert_eq!((marks("/lobby").await, marks(&page).await), (1, 1), "who comes sees that a program waits");
    let second = pair(&people.bob).await.json();
    assert_eq!(second["room"], first.json()["room"]);
    let room = format!("/api/v1/rooms/{}", second["room"].as_str().expect("an id"));
    let state = fixture.ask(get(&room)).await.json();
    assert_eq!((&state["people"]["started"], &state["people"]["programs"]), (&json!(true), &json!([0, 1])));
    assert_eq!(marks(&page).await, 2, "and who looks on that two of them play");
    let listening = fixture.service.room(&second["room"].as_str().expect("an id").parse().expect("an id")).await;
    let listening = listening.expect("readable").expect("the room");
    let watches = listening.watch();
    let playing = fixture.ask(get("/api/v1/lobby")).await.json()["playing"][0]["seats"].clone();
    assert_eq!((&playing[0]["program"], &playing[1]["program"]), (&json!(true), &json!(true)));
    assert_eq!(marks("/lobby").await, 2);
    drop((watches, listening));
    let rated = post_json("/api/v1/lobby", json!({ "rated": true })).bearer(&people.ann);
    assert_eq!(fixture.ask(rated).await.code(), "rated_is_public");
    let odd = post_json("/api/v1/lobby", json!({ "clock": "turn-1" })).bearer(&people.ann);
    assert_eq!(fixture.ask(odd).await.code(), "bad_clock");
    for more in 0..3 {
        let answer = fixture.ask(post_json("/api/v1/lobby", json!({})).bearer(&people.ann)).await;
        let wanted = if more < 2 { (201, None) } else { (429, Some("too_many".to_owned())) };
        let code = (!answer.status.is_success()).then(|| answer.code());
        assert_eq!((answer.status.as_u16(), code), wanted, "{}", answer.text);
    }
    let resign = post_json(&format!("{room}/resignation"), json!({ "ply": 0 })).bearer(&people.ann);
    assert_eq!(fixture.ask(resign).await.status, 200);
    let game = second["room"].as_str().expect("an id");
    assert_eq!(marks(&format!("/games/{game}")).await, 2, "and so does who watches it afterwards");
    let seats = fixture.ask(get(&format!("/api/v1/games/{game}"))).await.json()["seats"].clone();
    assert_eq!((&seats[0]["program"], &seats[1]["program"]), (&json!(true), &json!(true)));
    people.fixture.end().await;
}

/// An answer as it is in every run.
fn settled(answer: &Answer) -> String {
    let mut body = answer.json();
    let object = body.as_object_mut().expect("an object");
    for (key, value) in [("code", json!("abc234")), ("version", json!(1))] {
        if object.contains_key(key) {
            object.insert(key.into(), value);
        }
    }
    for room in body["waiting"].as_array_mut().into_iter().flatten() {
        room["seconds"] = json!(0);
    }
    body.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_is_asked_and_answers() {
    let people = People::waiting().await;
    let fixture = &people.fixture;
    let (ann, bob) = (&people.ann, &people.bob);
    let answers = [
        ("opened", post_json("/api/v1/lobby", json!({ "public": true, "clock": "turn-30" })).bearer(ann)),
        ("lobby", get("/api/v1/lobby")),
        ("joined", post_json("/api/v1/lobby/joins", json!({ "code": people.code })).bearer(bob)),
        ("paired", post_json("/api/v1/lobby/pairings", json!({ "game": "war-of-life" })).bearer(bob)),
        ("said", post_json(&format!("{}/commands", people.room), turn(0, 1, BLOCK)).bearer(ann)),
    ];
    for (name, ask) in answers {
        let answer = fixture.ask(ask).await;
        assert_snapshot_of(&format!("api/lobby-{name}"), &answer, &settled(&answer));
    }
    let mut news = fixture.ask(get(&format!("{}/events", people.room)).bearer(bob)).await;
    let mut body = news.json();
    body["version"] = json!(1);
    body["messages"][1]["people"]["left_ms"] = json!([600_000, 600_000]);
    news.text = body.to_string();
    assert_snapshot_of("api/lobby-events", &news, &body.to_string());
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_chat_in_two_circles_and_not_too_much() {
    let people = People::begun().await;
    let eve = &people.fixture.account("Eve").await;
    let says = async |who: &str, text: &str| people.says(who, json!({ "type": "chat", "text": text })).await;
    assert_eq!(says(&people.ann, "good\u{202e} luck\n").await, "applied");
    assert_eq!(says(eve, "she is lost").await, "applied");
    assert_eq!(says(eve, "\u{200b}").await, "nothing_said");
    assert_eq!(says(eve, &"x".repeat(201)).await, "chat_too_long");
    for _ in 0..4 {
        assert_eq!(says(eve, "well").await, "applied");
    }
    assert_eq!(says(eve, "well").await, "chat_too_fast");
    let hears = async |who: &str| -> Vec<String> {
        let events = people.fixture.ask(get(&format!("{}/events", people.room)).bearer(who)).await.json();
        let lines = events["messages"][2]["lines"].as_array().cloned().unwrap_or_default();
        lines.iter().map(|line| line["text"].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(hears(&people.bob).await, ["good luck"], "those at the board do not hear who looks on");
    assert_eq!(hears(eve).await.len(), 6);
    let events = async |query: &str| {
        people.fixture.ask(get(&format!("{}/events{query}", people.room)).bearer(eve)).await.json()["messages"].clone()
    };
    let first = events("").await[2]["lines"][0]["number"].clone();
    let later = events(&format!("?said={first}")).await[2]["lines"].clone();
    assert_eq!(later.as_array().map(Vec::len), Some(5), "who heard the first hears the others");
    let last = later[4]["number"].clone();
    assert_eq!(events(&format!("?said={last}")).await.as_array().map(Vec::len), Some(2), "or none");
    assert_eq!(people.says(&people.bob, json!({ "type": "resign", "ply": 0 })).await, "applied");
    assert_eq!(hears(&people.bob).await.len(), 6, "once it is over everybody hears everything");
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_in_the_lobby_of_who_is_invited_and_for_nobody_else() {
    let fixture = fixture().await;
    let (ann, bob, eve) = (fixture.account("Ann").await, fixture.account("Bob").await, fixture.account("Eve").await);
    let open = |name: &str| fixture.ask(post_json("/api/v1/lobby", json!({ "invite": name })).bearer(&ann));
    assert_eq!(open("Zoe").await.code(), "no_such_account");
    assert_eq!(open("Ann").await.code(), "already_seated");
    let opened = open(" bob ").await.json();
    let lobby = async |who: &str| {
        let lobby = fixture.ask(get("/api/v1/lobby").bearer(who)).await.json();
        (lobby["invitations"].clone(), lobby["waiting"].clone())
    };
    let (invitations, waiting) = lobby(&bob).await;
    assert_eq!(
        (&invitations[0]["room"], &invitations[0]["host"], &waiting),
        (&opened["room"], &json!("Ann"), &json!([]))
    );
    assert_eq!(lobby(&eve).await, (json!([]), json!([])));
    for path in ["/", "/account"] {
        let told =
            async |who: &str| fixture.ask(get(path).bearer(who)).await.text.contains("You are invited to a game");
        assert_eq!((told(&bob).await, told(&eve).await), (true, false), "{path}");
    }
    let hers = fixture.ask(get(opened["url"].as_str().expect("a page")).bearer(&ann)).await.text;
    assert!(hers.contains("Only Bob can play") && !hers.contains("Anyone with this code"), "{hers}");
    let page = fixture.ask(get(opened["url"].as_str().expect("a page")).bearer(&eve)).await;
    assert!(page.text.contains("Somebody else is invited to this room."), "{}", page.text);
    let join = |who: &str| fixture.ask(post_json("/api/v1/lobby/joins", json!({ "code": opened["code"] })).bearer(who));
    assert_eq!(join(&eve).await.code(), "not_invited");
    assert_eq!(join(&bob).await.status, 201);
    assert_eq!(lobby(&bob).await, (json!([]), json!([])), "it has begun");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_reported_to_the_operator_once() {
    let people = People::begun().await;
    assert_eq!(people.says(&people.ann, json!({ "type": "chat", "text": "rude" })).await, "applied");
    let events = people.fixture.ask(get(&format!("{}/events", people.room)).bearer(&people.bob)).await.json();
    let number = events["messages"][2]["lines"][0]["number"].clone();
    for _ in 0..2 {
        assert_eq!(people.says(&people.bob, json!({ "type": "report", "number": number })).await, "applied");
    }
    assert_eq!(people.says(&people.bob, json!({ "type": "report", "number": 2 })).await, "no_such_message");
    let going = people.fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
    let number = async |code: &str| people.fixture.owner(code).await.0;
    let (ann, bob) = (number(&people.ann).await, number(&people.bob).await);
    let reports = going["reports"].as_array().expect("reports");
    let shown: Vec<_> = reports.iter().map(|one| (&one["text"], &one["account"], &one["by"])).collect();
    assert_eq!(shown, [(&json!("rude"), &json!(ann), &json!(bob))]);
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_asks_the_store_nothing_once_it_is_known_who_asks() {
    let people = People::begun().await;
    let fixture = &people.fixture;
    let id = people.room.rsplit('/').next().expect("an id").parse().expect("an id");
    let room = fixture.service.room(&id).await.expect("readable").expect("the room");
    for (ply, who) in [(0, None), (1, Some(&people.bob))] {
        let events = |after: &str| {
            let ask = get(&format!("{}/events{after}", people.room));
            fixture.ask(if let Some(code) = who { ask.bearer(code) } else { ask })
        };
        let version = events("").await.json()["version"].clone();
        let before = fixture.store.queries();
        let after = format!("?after={version}");
        let play = async {
            while room.watchers() == 0 {
                tokio::task::yield_now().await;
            }
            assert_eq!(fixture.store.queries(), before, "nothing happened");
            let (own, action) = if ply == 0 { (&people.ann, BLOCK) } else { (&people.bob, RED_BLOCK) };
            assert_eq!(people.says(own, turn(ply, 1, action)).await, "applied");
        };
        let (news, ()) = tokio::join!(events(&after), play);
        assert_eq!(news.json()["messages"][0]["ply"], ply + 1);
        // Who plays is asked for, and the turn is written down.
        assert_eq!(fixture.store.queries() - before, 2, "an event asks no more");
    }
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_of_the_lobby_asks_for_nobody_but_who_is_new_in_it() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let open = async |who: &str| {
        let opened = fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(who)).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
    };
    // Of another version than the lobby's: the answer comes at once.
    let poll = async || {
        let before = fixture.store.queries();
        let lobby = fixture.ask(get("/api/v1/lobby?after=0").bearer(&bob)).await.json();
        let waiting = lobby["waiting"].as_array().expect("rooms").clone();
        let hosts: Vec<String> = waiting.iter().map(|room| room["host"].as_str().expect("a name").into()).collect();
        (hosts, fixture.store.queries() - before)
    };
    open(&ann).await;
    open(&ann).await;
    assert_eq!(poll().await, (vec!["Ann".into(), "Ann".into()], 2), "who asks, and whom it sees");
    assert_eq!(poll().await.1, 0, "nothing happened");
    open(&bob).await;
    assert_eq!(poll().await, (vec!["Ann".into(), "Ann".into(), "Bob".into()], 1), "one is new");
    assert_eq!(poll().await.1, 0);
    let renamed = fixture.ask(post("/account/name", "name=Anna").form().bearer(&ann)).await;
    assert_eq!(renamed.status, 303, "{}", renamed.text);
    assert_eq!(poll().await.0, ["Anna", "Anna", "Bob"], "under her new name at once");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_deleted_account_said_is_forgotten_at_once_and_so_are_reports_of_it() {
    let people = People::begun().await;
    let says = async |who: &str, text: &str| people.says(who, json!({ "type": "chat", "text": text })).await;
    assert_eq!(
        (says(&people.ann, "rude").await, says(&people.bob, "well").await),
        ("applied".into(), "applied".into())
    );
    let lines = async || -> Vec<Value> {
        let events = people.fixture.ask(get(&format!("{}/events", people.room)).bearer(&people.bob)).await.json();
        let messages = events["messages"].as_array().cloned().unwrap_or_default();
        messages.iter().filter_map(|message| message["lines"].as_array()).flatten().cloned().collect()
    };
    for line in lines().await {
        let number = &line["number"];
        let report = json!({ "type": "report", "number": number });
        assert_eq!(people.says(&people.bob, report).await, "applied");
    }
    let chat = async || -> Vec<Value> { lines().await.into_iter().map(|line| line["text"].clone()).collect() };
    let reported = async || -> Vec<Value> {
        let going = people.fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
        let reports = going["reports"].as_array().cloned().unwrap_or_default();
        reports.into_iter().map(|report| report["text"].clone()).collect()
    };
    assert_eq!((chat().await, reported().await.len()), (vec![json!("rude"), json!("well")], 2));
    let deletion = post_json("/api/v1/account/deletion", json!({ "name": "Ann" }));
    assert_eq!(people.fixture.ask(deletion.bearer(&people.ann)).await.status, 204);
    assert_eq!((chat().await, reported().await), (vec![json!("well")], vec![json!("well")]));
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_whose_share_is_used_up_is_429_in_the_words_of_a_socket_and_counted() {
    let people = People::begun().await;
    let eve = people.fixture.account("Eve").await;
    let path = format!("{}/commands", people.room);
    let mut refused = 0;
    for _ in 0..20 {
        let answer = people.fixture.ask(post_json(&path, json!({ "type": "join", "seat": null })).bearer(&eve)).await;
        let said = answer.json();
        assert_eq!(said["type"], "rejected", "{said}");
        if said["code"] == "too_many" {
            assert_eq!((answer.status.as_u16(), answer.header("content-type")), (429, "application/json"));
            let seconds: u64 = answer.header("retry-after").parse().expect("seconds");
            assert!((1..=4).contains(&seconds), "{seconds}");
            refused += 1;
        } else {
            assert_eq!(answer.status, 200, "{said}");
        }
    }
    assert!(refused > 0, "an account joins 15 times at once");
    assert_eq!(people.fixture.refusals("attempts to join a game", "account").await, refused);
    people.fixture.end().await;
}
