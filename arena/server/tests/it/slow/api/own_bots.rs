//! `/api/v1/bots/NAME`, as far as its owner changes it.

use arena_store::Verdict;
use serde_json::json;

use crate::client::{delete, get, put_json};
use crate::fixture::fixture;
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
