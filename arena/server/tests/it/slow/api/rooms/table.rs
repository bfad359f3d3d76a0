//! A room with people in it, and bots of theirs: what each command comes to. Over plain requests, the same that sockets
//! do.

use std::time::Duration;

use arena_service::limits::AWAY_MINUTES_MIN;
use arena_service::person_of_account;
use serde_json::{Value, json};

use crate::client::{get, post_json};
use crate::eventually::eventually_shown;
use crate::fixture::fixture;
use crate::slow::api::lobby::{BLOCK, People, RED_BLOCK, turn};
use crate::snapshot::assert_snapshot_of;

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
    let room = people.fixture.room(&people.room).await;
    eventually_shown("the bot's answer", room.watch(), |shown| shown.view.ply == 1).await;
    let after = people.state().await;
    assert_eq!(after["turns"][0].as_array().map(Vec::len), Some(3), "all three: {after}");
    let news = |query: &str| people.fixture.ask(get(&format!("{}/events{query}", people.room)).bearer(&people.ann));
    let told = news("?turns=1").await.json()["messages"][1].clone();
    assert_eq!((&told["ply"], &told["first"], &told["turns"]), (&json!(1), &json!(1), &json!([])), "who knows it");
    let told = news("").await.json()["messages"][1].clone();
    assert_eq!((told.get("first"), &told["turns"]), (None, &after["turns"]), "who does not");
    assert_eq!(people.says(&people.ann, json!({ "type": "draw", "ply": 1 })).await, "bots_agree_to_nothing");
    assert_eq!(people.says(&people.ann, json!({ "type": "resign", "ply": 1 })).await, "applied");
    assert_eq!(people.says(&people.bob, turn(1, 3, PASS)).await, "applied");
    eventually_shown("the bot's answer", room.watch(), |shown| shown.view.ply == 2).await;
    let state = people.state().await;
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
async fn a_draw_is_declined_and_a_game_without_a_clock_ends_when_those_it_waits_for_stay_away() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let opened = fixture.ask(post_json("/api/v1/lobby", json!({ "seat": 0 })).bearer(&ann)).await.json();
    let room = format!("/api/v1/rooms/{}", opened["room"].as_str().expect("an id"));
    let people = People { code: opened["code"].as_str().expect("a code").into(), room, ann, bob, fixture };
    let close = || json!({ "type": "close" });
    assert_eq!(people.says(&people.ann, close()).await, "not_started");
    assert_eq!(people.join(&people.bob).await, (201, String::new()));
    assert_eq!(people.says(&people.bob, json!({ "type": "draw", "ply": 0 })).await, "applied");
    assert_eq!(people.says(&people.ann, json!({ "type": "decline", "ply": 0 })).await, "applied");
    assert_eq!(people.state().await["people"]["offers"], json!([]));

    let (clock, away) = (people.fixture.clock.clone(), Duration::from_secs(60 * AWAY_MINUTES_MIN));
    let room = people.fixture.room(&people.room).await;
    let bob = person_of_account(people.fixture.owner(&people.bob).await);
    clock.advance(2 * away);
    assert_eq!(people.says(&people.ann, close()).await, "not_abandoned", "it waits for her");
    assert_eq!(people.says(&people.ann, turn(0, 1, BLOCK)).await, "applied");
    let page = room.attend(Some(bob));
    assert_eq!(people.says(&people.ann, close()).await, "not_abandoned", "he is there");
    drop(page);
    clock.advance(away - Duration::from_secs(1));
    assert_eq!(people.says(&people.ann, close()).await, "not_abandoned");
    clock.advance(Duration::from_secs(1));
    assert_eq!(people.says(&people.bob, close()).await, "not_abandoned", "who is away ends nothing");
    assert_eq!(people.says(&people.ann, close()).await, "applied");
    let state = people.state().await;
    assert_eq!((&state["outcome"], &state["people"]["finished"]), (&Value::Null, &json!(true)), "{state}");
    assert!(state["trouble"].as_str().is_some_and(|told| told.contains("without a result")), "{state}");
    assert_eq!(people.says(&people.bob, turn(1, 1, RED_BLOCK)).await, "game_over");
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_for_another_game_ends_with_the_visit_of_who_has_it() {
    let people = People::begun().await;
    assert_eq!(people.says(&people.bob, json!({ "type": "resign", "ply": 0 })).await, "applied");
    let room = people.fixture.room(&people.room).await;
    let ann = person_of_account(people.fixture.owner(&people.ann).await);
    let page = room.attend(Some(ann));
    assert_eq!(people.says(&people.ann, json!({ "type": "rematch" })).await, "applied");
    drop(page);
    people.fixture.clock.advance(Duration::from_secs(10));
    assert_eq!(people.says(&people.bob, json!({ "type": "rematch" })).await, "applied");
    let state = people.state().await;
    assert_eq!((&state["people"]["rematch"], &state["people"]["next"]), (&json!([1]), &Value::Null), "{state}");
    let page = room.attend(Some(ann));
    assert_eq!(people.says(&people.ann, json!({ "type": "rematch" })).await, "applied");
    drop(page);
    people.next().await;
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_whose_share_is_used_up_is_429_in_the_words_of_a_socket_and_counted() {
    let people = People::begun().await;
    let eve = people.fixture.account("Eve").await;
    let path = format!("{}/commands", people.room);
    let join = async || {
        let answer = people.fixture.ask(post_json(&path, json!({ "type": "join", "seat": null })).bearer(&eve)).await;
        assert_eq!(answer.json()["type"], "rejected", "{}", answer.text);
        answer
    };
    for _ in 0..15 {
        let taken = join().await;
        assert_eq!((taken.status.as_u16(), taken.code().as_str()), (200, "room_taken"), "{}", taken.text);
    }
    let refused = join().await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (429, "too_many"), "{}", refused.text);
    assert_eq!((refused.header("content-type"), refused.header("retry-after")), ("application/json", "4"));
    people.fixture.clock.advance(Duration::from_secs(4));
    assert_eq!(join().await.status, 200, "who waits as long is heard");
    assert_eq!(join().await.status, 429);
    assert_eq!(people.fixture.refusals("attempts to join a game", "account").await, 2);
    people.fixture.end().await;
}
