//! `/account` and `/session`.

use crate::client::{get, post};
use crate::fixture::{Fixture, fixture};
use crate::snapshot::assert_snapshot;

/// Claims a name in a browser; the session's cookie.
async fn claimed(fixture: &Fixture, name: &str) -> String {
    let claimed = fixture.ask(post("/account", format!("name={name}")).form()).await;
    claimed.header("set-cookie").split(';').next().expect("a cookie").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_may_claim_a_name_or_sign_in() {
    let fixture = fixture().await;
    assert_snapshot("people/account-stranger", &fixture.ask(get("/account")).await);
    assert_snapshot("people/account-claimed", &fixture.ask(post("/account", "name=Ann").form()).await);
    assert_snapshot("people/account-taken", &fixture.ask(post("/account", "name=ann").form()).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_shows_its_bots_and_can_be_renamed() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    fixture.pending(owner, "lifer", "war-of-life@1").await;
    assert_snapshot("people/account", &fixture.ask(get("/account").bearer(&code)).await);
    let renamed = fixture.ask(post("/account/name", "name=Anna").form().bearer(&code)).await;
    assert_snapshot("people/account-renamed", &renamed);
    assert!(fixture.ask(get("/account").bearer(&code)).await.text.contains("Anna"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_code_is_shown_and_ends_the_old_one() {
    let fixture = fixture().await;
    let cookie = claimed(&fixture, "Ann").await;
    let replaced = fixture.ask(post("/account/code", "").form().with("cookie", cookie.clone())).await;
    assert_snapshot("people/account-code", &replaced);
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", cookie)).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_begins_with_a_code_and_ends() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let begun = fixture.ask(post("/session", format!("code={code}")).form()).await;
    assert_snapshot("people/session", &begun);
    let cookie = begun.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", cookie.clone())).await.status, 200);
    let ended = fixture.ask(post("/session/end", "").form().with("cookie", cookie.clone())).await;
    assert_snapshot("people/session-end", &ended);
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", cookie)).await.status, 401);
    fixture.end().await;
}
