//! `/api/v1/bots/NAME`, as far as its owner changes it.

use arena_record::Objection;
use arena_store::{BotName, Verdict};
use serde_json::{Value, json};

use crate::client::{delete, get, post, post_json, put_json};
use crate::fixture::{Fixture, MODULE, NOW, OPERATOR, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_chooses_withdraws_renames_and_deletes_and_nobody_else_does() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    let path = "/api/v1/bots/talker";
    let (active, name) = (format!("{path}/active"), format!("{path}/name"));
    let asks = [put_json(&active, json!({ "version": 1 })), put_json(&name, json!({ "name": "mine" })), delete(path)];
    for ask in &asks {
        assert_eq!(fixture.ask(ask.clone()).await.code(), "sign_in", "{}", ask.path);
        assert_eq!(fixture.ask(ask.clone().bearer(&bob)).await.code(), "not_your_bot", "{}", ask.path);
    }
    assert_eq!(fixture.ask(asks[0].clone().bearer(&ann)).await.code(), "no_such_version", "not yet accepted");
    fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
    assert_snapshot(
        "api/bot-withdrawn",
        &fixture.ask(put_json(&active, json!({ "version": null })).bearer(&ann)).await,
    );
    let listed = async || fixture.ask(get("/api/v1/bots?game=conquerors")).await.json();
    assert_eq!(listed().await, json!([]), "it plays in no edition");
    assert_eq!(
        fixture.ask(put_json(&active, json!({})).bearer(&ann)).await.status,
        422,
        "no version is said to be none"
    );
    assert_eq!(fixture.ask(asks[0].clone().bearer(&ann)).await.json()["active"], 1);
    assert_eq!(listed().await[0]["name"], "talker");
    for (taken, code) in [("minimax", "name_taken"), ("-", "bad_name")] {
        assert_eq!(fixture.ask(put_json(&name, json!({ "name": taken })).bearer(&ann)).await.code(), code, "{taken}");
    }
    assert_snapshot("api/bot-renamed", &fixture.ask(asks[1].clone().bearer(&ann)).await);
    assert_eq!(fixture.ask(get(path)).await.code(), "no_such_bot");
    assert_eq!(fixture.ask(delete(path).bearer(&ann)).await.code(), "no_such_bot");
    assert_snapshot("api/bot-deleted", &fixture.ask(delete("/api/v1/bots/mine").bearer(&ann)).await);
    assert_eq!(fixture.ask(get("/api/v1/bots/mine/versions")).await.code(), "no_such_bot");
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(&ann)).await.json()["bots"], json!([]));
    fixture.end().await;
}

/// What is said of bytes that are sent again: the status, the version's number and state, and why it does not play.
async fn again(fixture: &Fixture, code: &str, module: &[u8]) -> (u16, Value, Value, Value) {
    let answer = fixture.ask(post("/api/v1/bots/talker/versions", module).bearer(code)).await;
    let body = answer.json();
    let of = |key: &str| body[key].clone();
    (answer.status.as_u16(), of("number"), if answer.status.is_success() { of("state") } else { of("code") }, of("out"))
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_sent_again_are_told_as_they_stand() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    let store = fixture.service.store();
    let first = fixture.pending(owner, "talker", "conquerors@2").await;
    let page = async |number: u32, said: &str| {
        let page = fixture.ask(get(&format!("/bots/talker/versions/{number}"))).await.text;
        assert!(page.contains(said), "{said}: {page}");
    };
    let waits = fixture.ask(get("/api/v1/bots/talker/versions/1")).await.json();
    assert_eq!((&waits["state"], &waits["out"]), (&json!("pending"), &json!(null)));
    page(1, "Being judged").await;
    store.set_verdict(first, Verdict::Accepted).await.expect("pending");
    assert_eq!(again(&fixture, &ann, MODULE).await, (200, json!(1), json!("accepted"), json!(null)), "it plays");
    page(1, "It plays in the next edition").await;
    let choose = async |version: Value| {
        let chosen =
            fixture.ask(put_json("/api/v1/bots/talker/active", json!({ "version": version })).bearer(&ann)).await;
        assert_eq!(chosen.status, 200, "{}", chosen.text);
    };
    fixture.accepted(&ann, b"a later one").await;
    choose(json!(1)).await;
    let why = json!("version 1 is the one that plays, until its owner chooses another");
    assert_eq!(again(&fixture, &ann, b"a later one").await, (200, json!(2), json!("accepted"), why));
    page(2, "</a> is the one that plays.").await;
    choose(json!(null)).await;
    let why = json!("the bot is withdrawn, until its owner chooses a version or a new one is accepted");
    assert_eq!(again(&fixture, &ann, b"a later one").await, (200, json!(2), json!("accepted"), why));
    page(2, "The bot is withdrawn: no version plays.").await;
    // Bytes that were refused are another version, which is judged anew.
    let name = BotName::parse("talker").expect("a name");
    let taken = store.submit(owner, &name, "conquerors@2", b"the latest".as_slice().into(), NOW).await.expect("taken");
    let refused = taken.version().id;
    let objection = Objection { code: "not_wasm".into(), message: "no".into(), hint: "yes".into(), offset: None };
    store.set_verdict(refused, Verdict::Refused(objection)).await.expect("pending");
    page(3, "No version of this bot plays.").await;
    assert_eq!(again(&fixture, &ann, b"the latest").await.0, 422, "and refused again, by the judge");
    let act = json!({ "act": "disable_bot", "name": "talker", "reason": "a test" });
    assert_eq!(fixture.ask(post_json("/api/v1/operator/acts", act).bearer(OPERATOR)).await.status, 200);
    let (status, _, code, _) = again(&fixture, &ann, b"a later one").await;
    assert_eq!((status, code), (403, json!("disabled")));
    let version = fixture.ask(get("/api/v1/bots/talker/versions/2")).await.json();
    assert_eq!(version["out"], "the operator of this site has disabled the bot");
    page(2, "The operator of this site has disabled it: it no longer plays.").await;
    let bot = fixture.ask(get("/bots/talker")).await.text;
    assert!(bot.contains("has disabled it") && !bot.contains("withdrawn it"), "{bot}");
    fixture.end().await;
}
