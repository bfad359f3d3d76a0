//! `/`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_has_the_doors_and_the_top_of_the_standings() {
    let fixture = fixture().await;
    assert_snapshot("people/front", &fixture.ask(get("/")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/problem", &fixture.ask(get("/nowhere").with("accept", "text/html")).await);
    fixture.end().await;
}
