//! `/account` and `/session`.

use crate::client::{Answer, get, post};
use crate::fixture::{Fixture, fixture};
use crate::snapshot::assert_snapshot;

/// Claims a name in a browser; the session's cookie.
async fn claimed(fixture: &Fixture, name: &str) -> String {
    let claimed = fixture.ask(post("/account", format!("name={name}")).form()).await;
    cookie(&claimed, "arena_session").split(';').next().expect("a cookie").to_owned()
}

/// A cookie that an answer sets, with its attributes.
fn cookie<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let mut set = answer.response.headers().get_all("set-cookie").iter().filter_map(|set| set.to_str().ok());
    set.find(|set| set.starts_with(&format!("{name}="))).expect("the cookie")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_may_claim_a_name_or_sign_in() {
    let fixture = fixture().await;
    assert_snapshot("people/account-stranger", &fixture.ask(get("/account")).await);
    assert_snapshot("people/account-claimed", &fixture.ask(post("/account", "name=Ann").form()).await);
    let refused = post("/account", "name=ann").form().with("accept", "text/html");
    assert_snapshot("people/account-refused", &fixture.ask(refused).await);
    assert_snapshot("people/account-taken", &fixture.ask(post("/account", "name=ann").form()).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_from_the_workshop_is_led_back_to_what_was_written() {
    let fixture = fixture().await;
    let writing = "game=life2&language=wat";
    let hidden = "name=\"game\" value=\"life2\"><input type=\"hidden\" name=\"language\" value=\"wat\"";
    let page = fixture.ask(get(&format!("/account?{writing}"))).await.text;
    assert_eq!(page.matches(hidden).count(), 2, "to claim a name, and to sign in: {page}");
    let claimed = fixture.ask(post("/account", format!("name=Ann&{writing}")).form()).await;
    assert_eq!(claimed.header("location"), format!("/account/code?{writing}"));
    let code = fixture.account("Bob").await;
    let signed = fixture.ask(post("/session", format!("code={code}&{writing}")).form()).await;
    assert_eq!(signed.header("location"), format!("/workshop?{writing}"));
    let elsewhere = fixture.ask(post("/session", format!("code={code}&game=//evil.example")).form()).await;
    assert_eq!(elsewhere.header("location"), "/account");
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
async fn own_bots_without_a_place_are_listed_by_name() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    let sorted = ["Builder", "lifer", "talker"];
    for name in ["talker", "Builder", "lifer"] {
        fixture.pending(owner, name, "war-of-life@1").await;
    }
    for path in ["/account", "/submit"] {
        let page = fixture.ask(get(path).bearer(&code)).await.text;
        let names = page.split("href=\"/bots/").skip(1).filter_map(|rest| rest.split('"').next());
        assert_eq!(names.collect::<Vec<_>>(), sorted, "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_code_is_shown_and_ends_the_old_one() {
    let fixture = fixture().await;
    let before = claimed(&fixture, "Ann").await;
    let replaced = fixture.ask(post("/account/code", "").form().with("cookie", before.clone())).await;
    assert_snapshot("people/account-code", &replaced);
    // The page of the code has an address of its own, and the code is in a cookie that only that page gets.
    let code = cookie(&replaced, "arena_code");
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/account/code", "Max-Age=600"] {
        assert!(code.contains(attribute), "{attribute}");
    }
    let value = |set: &str| set.split(';').next().unwrap_or_default().to_owned();
    let (own, of_code) = (value(cookie(&replaced, "arena_session")), value(code));
    let shown = fixture.ask(get("/account/code").with("cookie", format!("{own}; {of_code}"))).await;
    assert_snapshot("people/account-code-shown", &shown);
    assert_eq!(shown.header("cache-control"), "no-store");
    let stranger = fixture.ask(get("/account/code").with("cookie", of_code)).await;
    assert_eq!(stranger.status, 303, "a code without its owner's session");
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", before)).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_begins_with_a_code_and_ends() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let begun = fixture.ask(post("/session", format!("code={code}")).form()).await;
    assert_snapshot("people/session", &begun);
    let cookie = begun.cookies().join("; ");
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", cookie.clone())).await.status, 200);
    let ended = fixture.ask(post("/session/end", "").form().with("cookie", cookie.clone())).await;
    assert_snapshot("people/session-end", &ended);
    assert_eq!(fixture.ask(get("/api/v1/account").with("cookie", cookie)).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_deleted_by_its_name_typed_and_signed_out() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let session = fixture.ask(post("/session", format!("code={code}")).form()).await;
    let cookie = session.cookies().join("; ");
    let typed = |name: &str| post("/account/deletion", format!("name={name}")).form().with("cookie", cookie.clone());
    let refused = fixture.ask(typed("ann").with("accept", "text/html")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("nothing was deleted"), "{}", refused.text);
    let foreign = typed("Ann").with("origin", "http://evil.example");
    assert_eq!(fixture.ask(foreign).await.code(), "cross_site");
    let deleted = fixture.ask(typed("Ann")).await;
    assert_snapshot("people/account-deleted", &deleted);
    assert!(deleted.header("set-cookie").contains("Max-Age=0"), "{}", deleted.header("set-cookie"));
    let after = fixture.ask(get("/account").with("cookie", cookie)).await;
    assert!(after.text.contains("Claim a name"), "{}", after.text);
    fixture.end().await;
}
