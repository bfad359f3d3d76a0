//! `/open`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_opened_by_the_page_alone() {
    let fixture = fixture().await;
    assert_snapshot("people/open", &fixture.ask(get("/open")).await);
    fixture.end().await;
}
