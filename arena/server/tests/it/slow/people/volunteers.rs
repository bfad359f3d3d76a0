//! `/volunteers`: who plays games for the site, and what a forger risks.

use serde_json::json;

use crate::client::{get, post_json};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_lists_who_plays_and_says_how_probable_it_is_that_forged_games_stay_undetected() {
    let fixture = fixture().await;
    assert!(fixture.ask(get("/volunteers")).await.text.contains("Nobody has played one yet."));
    fixture.games_wait().await;
    let code = fixture.account("Vera").await;
    let (_, token) = fixture.token(&code, "work").await;
    let wanted = json!({ "semantics": ["ab".repeat(32)], "games": 1, "lease_ms": 1_000_000 });
    let claimed = fixture.ask(post_json("/api/v1/volunteers/claims", wanted).bearer(&token)).await.json();
    let end = json!({ "lease": claimed["games"][0]["lease"], "is_void": false, "text": "played" });
    let ends = post_json("/api/v1/volunteers/ends", json!({ "ends": [end] }));
    assert_eq!(fixture.ask(ends.bearer(&token)).await.status, 200);
    // Browsers check it, too, as it is in this snapshot: `web/tests/lib/pages.mjs`.
    let page = fixture.ask(get("/volunteers")).await;
    assert_snapshot("people/volunteers", &page);
    // A tenth is played again: nine games of ten stay, and of ten together a third.
    for chance in ["90.0 %", "34.9 %", "&#60; 0.1 %"] {
        assert!(page.text.contains(chance), "{chance}: {}", page.text);
    }
    assert!(fixture.ask(get("/tournaments")).await.text.contains("href=\"/volunteers\""));
    fixture.end().await;
}
