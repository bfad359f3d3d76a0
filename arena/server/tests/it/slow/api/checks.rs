//! `/api/v1/checks`. That a module is accepted is in `web/tests/browser/workshop.test.mjs`: nothing here plays one.

use arena_record::EntrantId;
use arena_store::Page;
use serde_json::json;

use crate::client::{Ask, get, post, post_json};
use crate::fixture::{OPERATOR, fixture};
use crate::snapshot::assert_snapshot;

fn check_as(kind: &str, body: impl Into<Vec<u8>>) -> Ask {
    post("/api/v1/checks", body.into()).with("content-type", kind)
}

fn check(body: impl Into<Vec<u8>>) -> Ask {
    check_as("application/wasm", body)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_hears_why_a_bot_would_be_refused_in_the_language_of_the_page() {
    let fixture = fixture().await;
    let refused = fixture.ask(check("not a module")).await;
    assert_snapshot("api/check-refused", &refused);
    assert!(refused.json().get("translated").is_none(), "{}", refused.text);
    let spanish = fixture.ask(check("not a module").with("accept-language", "es")).await.json();
    assert_eq!((&spanish["code"], &spanish["detail"]), (&refused.json()["code"], &refused.json()["detail"]));
    assert!(spanish["translated"].as_str().is_some_and(|said| said.starts_with("Esto no es un archivo")), "{spanish}");
    let text = |body: &str| check_as("text/webassembly", body);
    assert_eq!(fixture.ask(text("(func $turn (call $oops))")).await.code(), "does_not_assemble");
    assert_eq!(fixture.ask(text(&"x".repeat((64 << 10) + 1))).await.code(), "text_too_long");
    let script = |body: &str| check_as("text/javascript", body);
    assert_eq!(fixture.ask(script("")).await.code(), "does_not_bundle");
    let other = post("/api/v1/checks?game=chess", "x").with("content-type", "application/wasm");
    assert_eq!(fixture.ask(other).await.code(), "no_such_game");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_has_few_verdicts_for_guests_and_an_account_those_of_its_submissions() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    for _ in 0..10 {
        assert_eq!(fixture.ask(check("x")).await.status, 422);
    }
    let used_up = fixture.ask(check("x")).await;
    assert_eq!((used_up.status.as_u16(), used_up.header("retry-after")), (429, "180"), "{}", used_up.text);
    assert!(used_up.text.contains("your network has had its share of verdicts for guests"), "{}", used_up.text);
    for _ in 0..30 {
        assert_eq!(fixture.ask(check("x").bearer(&ann)).await.status, 422);
    }
    let submit = post("/api/v1/bots/mine/versions", "x").with("content-type", "application/wasm").bearer(&ann);
    for used_up in [fixture.ask(check("x").bearer(&ann)).await, fixture.ask(submit).await] {
        assert!(used_up.text.contains("your account has had its share of submissions"), "{}", used_up.text);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_submissions_are_closed_nothing_is_checked_either() {
    let fixture = fixture().await;
    let act = post_json("/api/v1/operator/acts", json!({ "act": "close_submissions", "name": "", "reason": "a test" }));
    assert_eq!(fixture.ask(act.bearer(OPERATOR)).await.status, 200);
    let closed = fixture.ask(check("x")).await;
    assert_eq!((closed.status.as_u16(), closed.code().as_str()), (503, "closed"), "{}", closed.text);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_what_is_checked_is_stored() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let mason = include_str!("../../../../../../bots/gallery/mason/bot.wat");
    let asks = [check_as("text/webassembly", mason), check("no module")];
    for ask in asks.iter().cloned().chain(asks.iter().map(|ask| ask.clone().bearer(&ann))) {
        // No machine here can play it.
        assert!(["unavailable", "not_wasm"].contains(&&*fixture.ask(ask).await.code()));
    }
    let id = EntrantId::of_bytes(b"no module");
    assert!(fixture.store.module(&id).await.is_err());
    assert_eq!(fixture.store.pending_versions(Page::first(50)).await.expect("read"), []);
    assert_eq!(fixture.ask(get("/api/v1/bots")).await.text, "[]");
    fixture.end().await;
}
