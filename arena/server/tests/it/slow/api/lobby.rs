//! `/api/v1/lobby`: how people find each other. What they then do in a room is in `rooms`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, get, post, post_json};
use crate::fixture::{Fixture, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

/// A block in blue's home, and one in red's, as bytes.
pub(super) const BLOCK: &str = "0101040a020a030b020b03";
pub(super) const RED_BLOCK: &str = "0101040a180a190b180b19";

/// Two people and a room of theirs.
pub(super) struct People {
    pub(super) fixture: Fixture,
    pub(super) ann: String,
    pub(super) bob: String,
    /// The room's address.
    pub(super) room: String,
    pub(super) code: String,
}

impl People {
    /// Ann waits with a clock.
    pub(super) async fn waiting() -> People {
        let fixture = fixture().await;
        let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
        let wanted = json!({ "seat": 0, "clock": "game-600-5" });
        let opened = fixture.ask(post_json("/api/v1/lobby", wanted).bearer(&ann)).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
        let (room, code) = (opened.json()["room"].clone(), opened.json()["code"].clone());
        let room = format!("/api/v1/rooms/{}", room.as_str().expect("an id"));
        People { fixture, ann, bob, room, code: code.as_str().expect("a code").into() }
    }

    pub(super) async fn begun() -> People {
        let people = People::waiting().await;
        let joined = people.join(&people.bob).await;
        assert_eq!(joined, (201, String::new()));
        people
    }

    pub(super) async fn join(&self, who: &str) -> (u16, String) {
        let joining = post_json("/api/v1/lobby/joins", json!({ "code": self.code.to_uppercase() })).bearer(who);
        let answer = self.fixture.ask(joining).await;
        let code = if answer.status.is_success() { String::new() } else { answer.code() };
        (answer.status.as_u16(), code)
    }

    /// What a command is answered: `applied`, or the code of its rejection.
    pub(super) async fn says(&self, who: &str, said: Value) -> String {
        let answer = self.fixture.ask(post_json(&format!("{}/commands", self.room), said).bearer(who)).await;
        let reply = answer.json();
        let code = reply["code"].as_str().or(reply["type"].as_str()).expect("a reply");
        // What may be said again in some seconds.
        let wanted = match code {
            "chat_too_fast" => (429, "5"),
            // What is no command at all.
            "bad_message" => (422, ""),
            _ => (200, ""),
        };
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), wanted, "{}", answer.text);
        code.into()
    }

    pub(super) async fn state(&self) -> Value {
        self.fixture.ask(get(&self.room)).await.json()
    }

    /// The room in which they play once more.
    pub(super) async fn next(&self) -> Value {
        let next = self.state().await["people"]["next"].as_str().expect("a room").to_owned();
        self.fixture.ask(get(&format!("/api/v1/rooms/{next}"))).await.json()
    }
}

pub(super) fn turn(ply: u16, client_seq: u64, action: &str) -> Value {
    json!({ "type": "turn", "ply": ply, "client_seq": client_seq, "action": action })
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
    let listening =
        fixture.service.rooms().room(&second["room"].as_str().expect("an id").parse().expect("an id")).await;
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
    assert_eq!(fixture.refusals("rooms that wait for others", "account").await, 1);
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
async fn what_people_choose_of_a_game_is_checked_by_it_and_shown_before_it_and_in_it() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let open = |who: &str, wanted: Value| fixture.ask(post_json("/api/v1/lobby", wanted).bearer(who));
    for (odd, code) in [
        (json!({ "kind": "pictured" }), "no_such_rooms"),
        (json!({ "number": 7 }), "no_such_rooms"),
        (json!({ "game": "war-of-life", "kind": "v1" }), "no_such_rooms"),
        (json!({ "game": "war-of-life", "kind": "cross", "number": 7 }), "no_such_rooms"),
        (json!({ "game": "game-of-game-of-life", "number": 7 }), "no_such_rooms"),
        (json!({ "game": "war-of-life", "number": -1 }), "bad_request"),
        (json!({ "kind": "v1", "rated": true, "public": true }), "rated_is_usual"),
        (json!({ "game": "war-of-life", "number": 7, "rated": true, "public": true }), "rated_is_usual"),
    ] {
        let refused = open(&ann, odd.clone()).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, code), "{odd}: {}", refused.text);
    }
    assert_snapshot("api/lobby-no-such-rooms", &open(&ann, json!({ "kind": "v3" })).await);
    let mut rooms = Vec::new();
    for (who, mut wanted, options) in [
        (&ann, json!({ "kind": "v1", "seat": 0 }), ""),
        (&ann, json!({ "game": "war-of-life", "number": 4_000_000_000_u32 }), "start=deal:4000000000"),
        (&ann, json!({ "kind": "v2" }), "chain_needs_home,weighted_majority"),
        (&bob, json!({ "game": "war-of-life", "kind": "pictured" }), "start=pictured"),
        (&bob, json!({ "game": "war-of-life", "kind": "deal", "number": 7 }), "start=deal:7"),
    ] {
        wanted["public"] = json!(true);
        let opened = open(who, wanted).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
        let room = format!("/rooms/{}", opened.json()["room"].as_str().expect("an id"));
        assert_eq!(fixture.ask(get(&format!("/api/v1{room}"))).await.json()["options"], options);
        rooms.push(room);
        // The lobby lists the oldest first.
        fixture.clock.advance(Duration::from_millis(1));
    }
    let lobby = fixture.ask(get("/api/v1/lobby")).await;
    assert_snapshot_of("api/lobby-kinds", &lobby, &settled(&lobby));
    let page = fixture.ask(get("/lobby")).await.text;
    for shown in ["V1 rules (versions 5.4 and 5.5), ", "deal 4000000000, ", "the pictured start, ", "deal 7, "] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("V2 rules, "), "what everybody expects is not said");
    let spanish = fixture.ask(get("/lobby").with("accept-language", "es")).await.text;
    assert!(spanish.contains("reglas V1 (versiones 5.4 y 5.5), ") && spanish.contains("reparto 7, "), "{spanish}");

    // Opponents that were made for these rules may sit down, and the game's page says by which it goes.
    let room = &rooms[0];
    let waiting = fixture.ask(get(room).bearer(&ann)).await.text;
    assert!(
        waiting.contains("<span id=\"kind\">V1 rules") && waiting.contains("<option>hard-v54</option>"),
        "{waiting}"
    );
    let filled = post_json(&format!("/api/v1{room}/bots"), json!({ "opponent": "hard-v54" })).bearer(&ann);
    assert_eq!(fixture.ask(filled).await.status, 200);
    let begun = fixture.ask(get(room)).await.text;
    assert!(begun.contains("<p id=\"kind\" class=\"note\">V1 rules (versions 5.4 and 5.5)</p>"), "{begun}");
    // So do the games in play.
    let joins = post_json(&format!("/api/v1{}/commands", rooms[4]), json!({ "type": "join", "seat": null }));
    assert_eq!(fixture.ask(joins.bearer(&ann)).await.json()["type"], "applied");
    let mut watches = Vec::new();
    for room in [&rooms[0], &rooms[4]] {
        let id = room.trim_start_matches("/rooms/").parse().expect("an id");
        watches.push(fixture.service.rooms().room(&id).await.expect("readable").expect("the room").watch());
    }
    let playing = fixture.ask(get("/api/v1/lobby")).await.json()["playing"].clone();
    for (room, kind, number) in [(&rooms[0], "v1", Value::Null), (&rooms[4], "deal", json!(7))] {
        let id = room.trim_start_matches("/rooms/");
        let row = playing.as_array().expect("games").iter().find(|row| row["room"] == id).expect("it is played");
        assert_eq!((&row["kind"], &row["number"], &row["rated"]), (&json!(kind), &number, &json!(false)));
    }
    let page = fixture.ask(get("/lobby")).await.text;
    for shown in ["V1 rules (versions 5.4 and 5.5), 0 turns", "deal 7, 0 turns"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    drop(watches);
    let usual = fixture.ask(get(&rooms[2]).bearer(&ann)).await.text;
    assert!(!usual.contains("id=\"kind\"") && !usual.contains("<option>hard-v54</option>"), "{usual}");
    fixture.end().await;
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
async fn a_poll_of_the_lobby_asks_for_nobody_but_who_is_new_in_it() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let open = async |who: &str| {
        let opened = fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(who)).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
        // The lobby lists the oldest first.
        fixture.clock.advance(Duration::from_millis(1));
    };
    // Of another version than the lobby's: the answer comes at once.
    let poll = async || {
        let before = fixture.counted.queries();
        let lobby = fixture.ask(get("/api/v1/lobby?after=0").bearer(&bob)).await.json();
        let waiting = lobby["waiting"].as_array().expect("rooms").clone();
        let hosts: Vec<String> = waiting.iter().map(|room| room["host"].as_str().expect("a name").into()).collect();
        (hosts, fixture.counted.queries() - before)
    };
    open(&ann).await;
    open(&ann).await;
    assert_eq!(poll().await, (vec!["Ann".into(), "Ann".into()], 2), "who asks, and whom it sees");
    assert_eq!(poll().await.1, 0, "nothing happened");

    // When others sign out, lose a token or go, it is still known who asks.
    let eve = fixture.account("Eve").await;
    let session = fixture.ask(post("/session", format!("code={eve}")).form()).await.cookies().join("; ");
    let out = fixture.ask(post("/session/end", "").form().with("cookie", session)).await;
    assert_eq!(out.status, 303, "{}", out.text);
    let (number, _) = fixture.token(&eve, "play").await;
    let revocation = format!("/api/v1/account/tokens/{number}/revocation");
    assert_eq!(fixture.ask(post_json(&revocation, json!({})).bearer(&eve)).await.status, 200);
    assert_eq!(poll().await.1, 0, "she signed out, and revoked a token");
    let deletion = post_json("/api/v1/account/deletion", json!({ "name": "Eve" })).bearer(&eve);
    assert_eq!(fixture.ask(deletion).await.status, 204);
    assert_eq!(poll().await.1, 1, "names are looked up again");
    assert_eq!(poll().await.1, 0);

    open(&bob).await;
    assert_eq!(poll().await, (vec!["Ann".into(), "Ann".into(), "Bob".into()], 1), "one is new");
    assert_eq!(poll().await.1, 0);
    let renamed = fixture.ask(post("/account/name", "name=Anna").form().bearer(&ann)).await;
    assert_eq!(renamed.status, 303, "{}", renamed.text);
    assert_eq!(poll().await.0, ["Anna", "Anna", "Bob"], "under her new name at once");
    fixture.end().await;
}
