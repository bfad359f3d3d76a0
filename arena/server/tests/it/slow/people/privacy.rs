//! `/privacy`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_a_page_that_every_page_links() {
    let fixture = fixture().await;
    assert_snapshot("people/privacy", &fixture.ask(get("/privacy")).await);
    for path in ["/", "/standings", "/account", "/nowhere"] {
        let page = fixture.ask(get(path).with("accept", "text/html")).await;
        assert!(page.text.contains("href=\"/privacy\""), "{path}");
    }
    fixture.end().await;
}
