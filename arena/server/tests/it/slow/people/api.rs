//! `/api`: the page about the API.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_about_the_api() {
    let fixture = fixture().await;
    assert_snapshot("people/api", &fixture.ask(get("/api")).await);
    fixture.end().await;
}
