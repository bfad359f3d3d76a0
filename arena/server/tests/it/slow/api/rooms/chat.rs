//! What people say in a room, who hears it, and what becomes of it.

use serde_json::{Value, json};

use crate::client::{get, post, post_json};
use crate::fixture::{OPERATOR, fixture};
use crate::slow::api::lobby::People;

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
    assert_eq!(people.fixture.refusals("chat_too_fast", "account").await, 1);
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
async fn a_room_whose_host_wants_no_chat_has_none_for_anybody() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let silent = json!({ "seat": 0, "chat": false });
    let opened = fixture.ask(post_json("/api/v1/lobby", silent).bearer(&ann)).await.json();
    let room = format!("/api/v1/rooms/{}", opened["room"].as_str().expect("an id"));
    let people = People { code: opened["code"].as_str().expect("a code").into(), room, ann, bob, fixture };
    let chat = async |who: &str| people.says(who, json!({ "type": "chat", "text": "well" })).await;
    assert_eq!(chat(&people.ann).await, "no_chat", "before the game, too");
    assert_eq!(people.join(&people.bob).await, (201, String::new()));
    let eve = people.fixture.account("Eve").await;
    for who in [&people.ann, &people.bob, &eve] {
        assert_eq!(chat(who).await, "no_chat");
    }
    assert_eq!(people.says(&people.ann, json!({ "type": "report", "number": 1 })).await, "no_such_message");
    assert_eq!(people.state().await["people"]["chat"], false);
    let events = people.fixture.ask(get(&format!("{}/events", people.room)).bearer(&people.bob)).await.json();
    let types: Vec<&Value> =
        events["messages"].as_array().expect("messages").iter().map(|message| &message["type"]).collect();
    assert_eq!(types, ["hello", "state"], "and nobody hears anything");
    let page = people.fixture.ask(get(&people.room.replace("/api/v1", "")).bearer(&people.ann)).await.text;
    assert!(page.contains("id=\"room\"") && !page.contains("id=\"chat\""), "{page}");

    // So it is in the rooms that follow, and in one that a form opened without the mark.
    assert_eq!(people.says(&people.bob, json!({ "type": "resign", "ply": 0 })).await, "applied");
    for who in [&people.ann, &people.bob] {
        assert_eq!(people.says(who, json!({ "type": "rematch" })).await, "applied");
    }
    assert_eq!(people.next().await["people"]["chat"], false);
    let by_form = people.fixture.ask(post("/lobby", "door=private&clock=none").form()).await;
    let state = people.fixture.ask(get(&format!("/api/v1{}", by_form.header("location")))).await.json();
    assert_eq!(state["people"]["chat"], false);
    people.fixture.end().await;
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
