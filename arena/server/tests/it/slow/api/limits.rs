//! `/api/v1/limits`.

use std::time::Duration;

use arena_store::MODULE_BYTES_MAX;

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_share_of_requests_beside_that_of_its_network() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    // Costs the most of all.
    let costly = |code: &str| fixture.ask(get("/api/v1/games/no.0/log").bearer(code));
    // Less than half of the network's share.
    for _ in 0..7 {
        let answer = costly(&ann).await;
        assert_eq!(answer.status, 404, "{}", answer.text);
    }
    let refused = costly(&ann).await;
    assert!(refused.json()["detail"].as_str().is_some_and(|said| said.starts_with("your account")), "{}", refused.text);
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "2"), "{}", refused.text);
    assert_eq!(fixture.ask(get("/games/no.0/log").bearer(&ann)).await.status, 429, "by a page, too");
    assert_eq!(costly(&bob).await.status, 404, "another account of the same network goes on");
    fixture.clock.advance(Duration::from_secs(2));
    assert_eq!(costly(&ann).await.status, 404, "who waits as long is heard");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_share_of_the_bytes_of_modules() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    // No module, so nothing of it is kept; the share is of what is sent.
    let submit = |code: &str, name: &str, bytes: u64| {
        let ask = post(&format!("/api/v1/bots/{name}/versions"), vec![0; bytes as usize]).bearer(code);
        fixture.ask(ask.with("content-type", "application/wasm"))
    };
    for _ in 0..16 {
        let answer = submit(&ann, "large", MODULE_BYTES_MAX).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
    }
    let refused = submit(&ann, "large", MODULE_BYTES_MAX).await;
    let detail = refused.json()["detail"].to_string();
    assert!(detail.contains("your account has had its share of kilobytes of modules"), "{detail}");
    // One of the largest is earned back in half an hour.
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "1800"), "{}", refused.text);
    assert_eq!(submit(&bob, "other", MODULE_BYTES_MAX).await.status, 422, "another account goes on");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_limit_is_told() {
    let fixture = fixture().await;
    assert_snapshot("api/limits", &fixture.ask(get("/api/v1/limits")).await);
    fixture.end().await;
}
