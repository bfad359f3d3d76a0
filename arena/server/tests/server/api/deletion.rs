//! `/api/v1/account/export` and `/api/v1/account/deletion`.

use arena_store::{Verdict, Versions};
use serde_json::json;

use crate::client::{get, post_json};
use crate::fixture::{MODULE, fixture};
use crate::snapshot::assert_snapshot;

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
