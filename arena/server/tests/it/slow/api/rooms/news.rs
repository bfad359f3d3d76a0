//! `/api/v1/rooms/ID/events`: who waits for news of a room.

use serde_json::json;

use crate::client::{get, post_json};
use crate::eventually::eventually;
use crate::slow::api::lobby::{BLOCK, People, RED_BLOCK, turn};

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

/// Time stands still here, so nobody hears of it by the end of a wait.
#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_news_hears_at_once_of_a_player_who_comes() {
    let people = People::begun().await;
    let events =
        |code: &str, query: String| people.fixture.ask(get(&format!("{}/events{query}", people.room)).bearer(code));
    let first = events(&people.bob, String::new()).await.json();
    assert_eq!(first["here"], json!([1]), "Ann is away");
    let after = format!("?after={}", first["version"]);
    let (news, _) = tokio::join!(events(&people.bob, after), events(&people.ann, String::new()));
    assert_eq!(news.json()["here"], json!([0, 1]));
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
async fn a_poll_asks_the_store_nothing_once_it_is_known_who_asks() {
    let people = People::begun().await;
    let fixture = &people.fixture;
    let id = people.room.rsplit('/').next().expect("an id").parse().expect("an id");
    let room = fixture.service.rooms().room(&id).await.expect("readable").expect("the room");
    for (ply, who) in [(0, None), (1, Some(&people.bob))] {
        let events = |after: &str| {
            let ask = get(&format!("{}/events{after}", people.room));
            fixture.ask(if let Some(code) = who { ask.bearer(code) } else { ask })
        };
        let version = events("").await.json()["version"].clone();
        let before = fixture.counted.queries();
        let after = format!("?after={version}");
        let play = async {
            eventually("the poll to be held", async || room.watchers() > 0).await;
            assert_eq!(fixture.counted.queries(), before, "nothing happened");
            let (own, action) = if ply == 0 { (&people.ann, BLOCK) } else { (&people.bob, RED_BLOCK) };
            assert_eq!(people.says(own, turn(ply, 1, action)).await, "applied");
        };
        let (news, ()) = tokio::join!(events(&after), play);
        assert_eq!(news.json()["messages"][0]["ply"], ply + 1);
        // Who plays is asked for, and the turn is written down.
        assert_eq!(fixture.counted.queries() - before, 2, "an event asks no more");
    }
    people.fixture.end().await;
}

/// Held for 25 seconds as they are, polls went on for so long with a token that was revoked.
#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_news_is_sent_away_at_once_when_the_token_ends_or_the_network_is_banned() {
    let people = People::begun().await;
    let (fixture, room) = (&people.fixture, people.fixture.room(&people.room).await);
    fixture.meadow().await;
    let mut polls = Vec::new();
    for path in [format!("{}/events", people.room), "/api/v1/lobby".into(), "/api/v1/worlds/meadow/events".into()] {
        // News is also that a player comes.
        let version = fixture.ask(get(&path).bearer(&people.bob)).await.json()["version"].clone();
        polls.push(format!("{path}?after={version}"));
    }
    for poll in &polls {
        let (number, token) = fixture.token(&people.bob, "play").await;
        let before = fixture.counted.queries();
        let (ended, ()) = tokio::join!(fixture.ask(get(poll).bearer(&token)), async {
            eventually("who asks to be known", async || fixture.counted.queries() > before).await;
            let revocation = format!("/api/v1/account/tokens/{number}/revocation");
            let revoked = fixture.ask(post_json(&revocation, json!({})).bearer(&people.bob)).await;
            assert_eq!(revoked.status, 200, "{}", revoked.text);
        });
        assert_eq!((ended.status.as_u16(), ended.code().as_str()), (401, "sign_in"), "{poll}");
    }
    eventually("the room to be left", async || room.watchers() == 0).await;
    let ask = |poll: &str| fixture.ask(get(poll));
    let (in_room, in_lobby, in_world, ()) = tokio::join!(ask(&polls[0]), ask(&polls[1]), ask(&polls[2]), async {
        eventually("the poll to be held", async || room.watchers() > 0).await;
        let ban = json!({ "act": "ban", "name": "127.0.0.1", "new_name": "1", "reason": "a test" });
        assert_eq!(fixture.act(ban).await.status, 200);
    });
    for ended in [in_room, in_lobby, in_world] {
        let (status, code) = (ended.status.as_u16(), ended.code());
        assert_eq!((status, code.as_str()), (403, "banned_network"), "{}", ended.asked);
    }
    people.fixture.end().await;
}
