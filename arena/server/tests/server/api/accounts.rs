//! `/api/v1/accounts` and `/api/v1/account`.

use serde_json::json;

use crate::client::{get, post, post_json};
use crate::fixture::fixture;
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
