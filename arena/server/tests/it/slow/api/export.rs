//! `/api/v1/account/export` and `/api/v1/account/games.tar`.

use std::collections::BTreeSet;

use arena_record::Hex;
use arena_rooms::RoomId;
use arena_store::{PAGE_MAX, Verdict};
use serde_json::json;

use crate::client::{get, post_json};
use crate::fixture::fixture;
use crate::slow::people::people::played;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn an_account_takes_everything_with_it() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    let version = fixture.pending(owner, "lifer", "conquerors@2").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    fixture.pending(owner, "waiter", "war-of-life@1").await;
    let wanted = json!({ "name": "laptop", "scope": "read", "days": 1 });
    let token = fixture.ask(post_json("/api/v1/account/tokens", wanted).bearer(&code)).await;
    let token = token.json()["secret"].as_str().expect("a secret").to_owned();
    let room = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 })).bearer(&code)).await;
    let export = fixture.ask(get("/api/v1/account/export").bearer(&code)).await;
    assert_snapshot("api/export", &export);
    assert!(export.header("content-disposition").starts_with("attachment"));
    assert_eq!(export.json()["rooms"][0], room.json()["room"]);
    for secret in [&code, &token] {
        assert!(!export.text.contains(&**secret), "secrets are no part of it");
    }
    // All that it names is there for its owner.
    for version in export.json()["versions"].as_array().expect("versions") {
        for address in [&version["module"], &version["logs"]].into_iter().filter_map(|address| address.as_str()) {
            assert_eq!(fixture.ask(get(address).bearer(&code)).await.status, 200, "{address}");
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_every_room_and_game_once_however_many_there_are() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let (hers, his) = (fixture.owner(&ann).await, fixture.owner(&bob).await);
    // More than two pages of the store.
    let many = u8::try_from(2 * PAGE_MAX + 5).expect("few");
    for number in 0..many {
        played(&fixture, number, hers, true).await;
    }
    played(&fixture, many, his, true).await;
    // Who looks at the leaderboard sees all finished games counted.
    assert_eq!(fixture.ask(get("/api/v1/people")).await.json()["people"], 2);
    let sent = fixture.ask(get("/api/v1/account/export").bearer(&ann)).await;
    assert_eq!((sent.status.as_u16(), sent.header("content-type")), (200, "application/json"));
    let export = sent.json();
    let rooms: Vec<String> = (0..many).map(|number| RoomId(Hex([number; 16])).to_string()).collect();
    assert_eq!(export["rooms"], json!(rooms));
    let games = export["games"].as_array().expect("games");
    let played_in: BTreeSet<&str> = games.iter().filter_map(|game| game["room"].as_str()).collect();
    let all: BTreeSet<&str> = rooms.iter().map(String::as_str).collect();
    assert_eq!((games.len(), played_in), (all.len(), all));
    // The parts around the long lists are there, too.
    assert_eq!((&export["name"], &export["versions"], &export["worlds"]), (&json!("Ann"), &json!([]), &json!([])));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_finished_games_of_an_account_are_an_archive_for_it_alone() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let open = async || {
        let wanted = json!({ "opponent": "hard", "seat": 0 });
        let room = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await.json();
        room["room"].as_str().expect("an id").to_owned()
    };
    let id = open().await;
    let resign = post_json(&format!("/api/v1/rooms/{id}/resignation"), json!({ "ply": 0 })).bearer(&ann);
    assert_eq!(fixture.ask(resign).await.status, 200);
    let record = fixture.ask(get(&format!("/api/v1/games/{id}/record"))).await;
    // Ann takes her games with her: the finished one alone, whose record is as it was.
    let unfinished = open().await;
    let games = fixture.ask(get("/api/v1/account/games.tar").bearer(&ann)).await;
    assert_snapshot_of("api/account-games", &games, "[the archive]");
    assert_eq!(games.header("content-disposition"), "attachment; filename=\"life-arena-games.tar\"");
    assert!(games.text.contains(&format!("life-arena-games/{id}.json")) && games.text.contains(&record.text));
    assert!(!games.text.contains(&unfinished), "it has no record yet");
    assert_eq!(games.text.len() % 512, 0, "whole blocks, with an end");
    let bob = fixture.account("Bob").await;
    let others = fixture.ask(get("/api/v1/account/games.tar").bearer(&bob)).await;
    assert!(others.status == 200 && !others.text.contains(&id), "to another account it is not given");
    for path in ["/api/v1/account/games.tar", "/api/v1/account/export"] {
        let stranger = fixture.ask(get(path)).await;
        assert_eq!((stranger.status.as_u16(), stranger.code().as_str()), (401, "sign_in"), "{path}");
    }
    fixture.end().await;
}
