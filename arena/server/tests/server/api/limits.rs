//! `/api/v1/limits`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn every_limit_is_told() {
    let fixture = fixture().await;
    assert_snapshot("api/limits", &fixture.ask(get("/api/v1/limits")).await);
    fixture.end().await;
}
