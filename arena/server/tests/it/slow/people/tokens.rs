//! `/account/tokens` and the page of a new one.

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_made_shown_and_revoked_by_forms() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let session = fixture.ask(post("/session", format!("code={code}")).form()).await;
    let session = session.cookies().join("; ");
    let form = |path: &str, body: &str| post(path, body).form().with("cookie", session.clone());
    let made = fixture.ask(form("/account/tokens", "name=laptop&scope=submit&days=30")).await;
    assert_snapshot("people/token-made", &made);
    let set = made.header("set-cookie").to_owned();
    for attribute in ["arena_token=arena_token_", "HttpOnly", "SameSite=Strict", "Path=/account/token;", "Max-Age=600"]
    {
        assert!(set.contains(attribute), "{attribute}: {set}");
    }
    let of_token = set.split(';').next().expect("a cookie").to_owned();
    let shown = fixture.ask(get("/account/token").with("cookie", format!("{session}; {of_token}"))).await;
    assert_snapshot("people/token", &shown);
    assert_eq!(shown.header("cache-control"), "no-store");
    let stranger = fixture.ask(get("/account/token").with("cookie", of_token)).await;
    assert_eq!(stranger.status, 303, "a token without its owner's session");
    let listed = fixture.ask(get("/account").with("cookie", session.clone())).await;
    assert!(listed.text.contains("<bdi>laptop</bdi>") && listed.text.contains("never"), "{}", listed.text);
    assert_snapshot("people/token-revoked", &fixture.ask(form("/account/tokens/1/revocation", "")).await);
    let listed = fixture.ask(get("/account").with("cookie", session.clone())).await;
    assert!(!listed.text.contains("<bdi>laptop</bdi>"));
    let refused = form("/account/tokens", "name=%3C&scope=read&days=30").with("accept", "text/html");
    let refused = fixture.ask(refused).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("newtoken"), "on the page of the form");
    fixture.end().await;
}
