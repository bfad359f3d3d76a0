//! What machines ask: `machines()` in `src/router.rs`. Sockets are tested with a browser.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_that_it_is_well() {
    let fixture = fixture().await;
    assert_snapshot("machines/healthz", &fixture.ask(get("/healthz")).await);
    assert_snapshot("machines/readyz", &fixture.ask(get("/readyz")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_as_it_is_checked_in() {
    let fixture = fixture().await;
    let document = fixture.ask(get("/api/v1/openapi.json")).await;
    assert_eq!(document.header("content-type"), "application/json");
    assert_eq!(document.text, include_str!("../../openapi.json"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_asked_for_again_and_mostly_unchanged() {
    let fixture = fixture().await;
    for (file, content_type) in
        [("style.css", "text/css; charset=utf-8"), ("engine.js", "text/javascript; charset=utf-8")]
    {
        let path = format!("/static/{file}");
        let url = format!("http://{}{path}", fixture.address);
        let tag = tokio::task::spawn_blocking(move || {
            let response = ureq::get(&url).call().expect("an answer");
            let header = |name| response.headers()[name].to_str().expect("text").to_owned();
            (header("etag"), header("content-type"))
        });
        let (tag, found) = tag.await.expect("asked");
        assert_eq!(found, content_type);
        let again = fixture.ask(get(&path).with("if-none-match", tag)).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    }
    fixture.end().await;
}
