//! `/api/v1/accounts` and `/api/v1/account`.

use arena_store::Verdict;
use serde_json::json;

use crate::client::{get, post, post_json};
use crate::fixture::{MODULE, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_claimed_once() {
    let fixture = fixture().await;
    let claim = |name: &str| fixture.ask(post_json("/api/v1/accounts", json!({ "name": name })));
    assert_snapshot("api/accounts", &claim("Ann").await);
    let taken = claim("ann").await;
    assert_eq!((taken.status.as_u16(), taken.code().as_str()), (409, "name_taken"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_its_bots() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    fixture.pending(owner, "lifer", "war-of-life@1").await;
    assert_snapshot("api/account", &fixture.ask(get("/api/v1/account").bearer(&code)).await);
    assert_snapshot("api/account-stranger", &fixture.ask(get("/api/v1/account")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_shown_once_and_replaced_as_a_whole() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let own = fixture.ask(get("/api/v1/account").bearer(&code)).await;
    assert_eq!(own.json()["name"], "Ann");
    assert!(!own.text.contains(&code));
    let page = fixture.ask(post("/account/code", "").form().bearer(&code)).await;
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(&code)).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_is_called_deleted_wherever_it_was_shown() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    let version = fixture.pending(owner, "lifer", "conquerors@2").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    let room = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 })).bearer(&code)).await;
    let room = room.json()["room"].as_str().expect("an id").to_owned();
    let (page, hash) = (format!("/rooms/{room}"), arena_record::EntrantId::of_bytes(MODULE));
    let module = format!("/api/v1/modules/{}", hash.hash().expect("a bot"));
    assert!(fixture.ask(get(&page)).await.text.contains("Ann"));
    let deletion = |name: &str| post_json("/api/v1/account/deletion", json!({ "name": name })).bearer(&code);
    let refused = fixture.ask(deletion("ann")).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "not_confirmed"));
    assert_snapshot("api/account-deletion", &fixture.ask(deletion("Ann")).await);
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(&code)).await.status, 401);
    let shown = fixture.ask(get(&page)).await;
    assert!(shown.text.contains("deleted") && !shown.text.contains("Ann"), "{}", shown.text);
    for path in ["/api/v1/bots/lifer", "/bots/lifer", "/bots/lifer/versions/1"] {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
    }
    for path in ["/bots/deleted", "/api/v1/bots/deleted"] {
        let gone = fixture.ask(get(path)).await;
        assert_eq!((gone.status.as_u16(), gone.code().as_str()), (410, "deleted"), "{path}");
    }
    assert_eq!(fixture.ask(get(&module)).await.status, 200, "its bytes stay under their hash");
    fixture.end().await;
}
