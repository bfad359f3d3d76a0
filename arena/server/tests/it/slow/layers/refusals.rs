//! A refusal gives back what was taken to create something, in forms and in the API alike. What is a guess is used up.

use std::time::Duration;

use serde_json::json;

use crate::client::{Answer, Ask, post, post_json, put_json};
use crate::fixture::{Fixture, MODULE, fixture};

/// More tries than a share has of new accounts, rooms, submissions, and changes of tournaments.
const ACCOUNTS: usize = 43;
const ROOMS: usize = 23;
const UPLOADS: usize = 33;
const TOURNAMENTS: usize = 63;

/// Asks so often at once; the answers.
async fn asked(fixture: &Fixture, times: usize, ask: &Ask) -> Vec<Answer> {
    // What requests cost comes back.
    fixture.clock.advance(Duration::from_secs(60));
    let mut answers = Vec::new();
    for _ in 0..times {
        answers.push(fixture.ask(ask.clone()).await);
    }
    answers
}

/// A school behind one address, each of whose pupils tried a taken name once, was locked out.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_creates_something_is_refused_as_often_as_it_is_asked_and_the_share_of_it_is_whole() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    fixture.accepted(&ann, MODULE).await;
    fixture.accepted_as(&bob, "taken", b"another bot").await;
    let room = fixture.ask(post_json("/api/v1/lobby", json!({ "seat": 0 })).bearer(&ann)).await.json()["room"].clone();
    let room = room.as_str().expect("an id");
    for definition in ["name = \"cup\"\npairs = 1", "name = \"cup\"\npairs = 1"] {
        let cup = json!({ "definition": definition, "entry": "open", "places": 4 });
        assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&bob)).await.status, 201);
    }
    let parts = "--part\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\neasy\r\n--part\r\n\
        Content-Disposition: form-data; name=\"file\"; filename=\"bot.wasm\"\r\n\r\nno module\r\n--part--\r\n";
    let because = json!({ "bot": "nothing", "reason": "late" });
    let table = [
        (ACCOUNTS, post_json("/api/v1/accounts", json!({ "name": "Ann" }))),
        (ACCOUNTS, post("/account", "name=Ann").form()),
        (ROOMS, post_json("/api/v1/rooms", json!({ "opponent": "nobody", "seat": 0 }))),
        (ROOMS, post("/play", "opponent=nobody&seat=0").form()),
        (ROOMS, post_json("/api/v1/lobby", json!({ "rated": true }))),
        (ROOMS, post("/lobby", "door=public&seat=draw&invite=Nobody+Here").form()),
        (ROOMS, post_json(&format!("/api/v1/rooms/{room}/bots"), json!({ "opponent": "nobody" }))),
        (ROOMS, post(&format!("/rooms/{room}/bots"), "opponent=nobody&seat=all").form()),
        (ROOMS, post_json(&format!("/api/v1/rooms/{room}/commands"), json!({ "type": "rematch" }))),
        (UPLOADS, post("/api/v1/bots/easy/versions", MODULE)),
        (UPLOADS, post("/api/v1/bots/taken/versions", MODULE)),
        (UPLOADS, post("/submit", parts).with("content-type", "multipart/form-data; boundary=part")),
        (UPLOADS, post("/submit", "name=mine").form()),
        (UPLOADS, put_json("/api/v1/bots/talker/active", json!({ "version": 9 }))),
        (UPLOADS, post("/bots/talker/active", "version=9").form()),
        (UPLOADS, put_json("/api/v1/bots/talker/name", json!({ "name": "taken" }))),
        (UPLOADS, post("/bots/talker/name", "name=taken").form()),
        (TOURNAMENTS, post_json("/api/v1/tournaments", json!({ "definition": "laps = 3", "entry": "open" }))),
        (TOURNAMENTS, post("/tournaments/new", "name=x&format=laps&entry=open").form()),
        (TOURNAMENTS, post_json("/api/v1/tournaments/cup-1/entries", json!({ "bot": "nothing" }))),
        (TOURNAMENTS, post("/tournaments/cup-1/entries", "bot=nothing").form()),
        (TOURNAMENTS, post_json("/api/v1/tournaments/cup-1/withdrawals", because)),
        (TOURNAMENTS, post("/tournaments/cup-1/withdrawals", "bot=nothing&reason=late").form()),
        (TOURNAMENTS, post_json("/api/v1/tournaments/cup-1/start", json!({}))),
        (TOURNAMENTS, post("/tournaments/cup-1/start", "").form()),
        (TOURNAMENTS, post_json("/api/v1/tournaments/cup-1/cancellation", json!({ "reason": "" }))),
        (TOURNAMENTS, post("/tournaments/cup-1/cancellation", "reason=").form()),
        (TOURNAMENTS, post_json("/api/v1/bots/easy/challenges", json!({ "bot": "talker", "games": 3 }))),
        (TOURNAMENTS, post("/bots/easy/challenges", "bot=talker&games=3").form()),
    ];
    for (times, ask) in table {
        let answers = asked(&fixture, times, &ask.bearer(&ann)).await;
        let code = answers[0].code();
        assert!(!["", "too_many"].contains(&&*code), "{}: {}", answers[0].asked, answers[0].text);
        for answer in answers {
            assert_eq!(answer.code(), code, "{}: {}", answer.asked, answer.text);
        }
    }
    // What is judged was worked for, and what is guessed was a guess.
    let guesses = [
        (UPLOADS, post("/api/v1/bots/mine/versions", "no module").bearer(&bob)),
        (TOURNAMENTS, post("/session", format!("code=arena_{}", "0".repeat(72))).form()),
        (ROOMS, post_json("/api/v1/lobby/joins", json!({ "code": "zzzz22" })).bearer(&bob)),
    ];
    for (times, ask) in guesses {
        let answers = asked(&fixture, times, &ask).await;
        let last = answers.last().expect("one at least");
        assert_eq!(last.code(), "too_many", "{}: {}", last.asked, last.text);
    }
    fixture.end().await;
}
