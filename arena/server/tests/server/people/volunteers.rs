//! `/volunteers`: who plays games for the site, and what a forger risks.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_how_probable_it_is_that_forged_games_stay_undetected() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/volunteers")).await;
    assert_snapshot("people/volunteers", &page);
    // A tenth is played again: nine games of ten stay, and of ten together a third.
    for chance in ["90.0 %", "34.9 %", "&#60; 0.1 %"] {
        assert!(page.text.contains(chance), "{chance}: {}", page.text);
    }
    assert!(fixture.ask(get("/tournaments")).await.text.contains("href=\"/volunteers\""));
    fixture.end().await;
}
