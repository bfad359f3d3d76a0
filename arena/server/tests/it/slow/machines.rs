//! What machines ask: `machines()` in `src/router.rs`. Sockets are tested with a browser.

use crate::client::{Answer, get, post};
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
    assert_eq!(document.text, include_str!("../../../openapi.json"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_under_an_unknown_version_are_asked_for_again_and_mostly_unchanged() {
    let fixture = fixture().await;
    for (file, content_type) in
        [("style.css", "text/css; charset=utf-8"), ("room.js", "text/javascript; charset=utf-8")]
    {
        let path = format!("/static/earlier/{file}");
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

#[tokio::test(flavor = "multi_thread")]
async fn files_that_pages_name_are_kept_for_good_and_travel_compressed() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/standings")).await.text;
    let style = page.split('"').find(|part| part.ends_with("/style.css")).expect("a style").to_owned();
    let version = style.strip_suffix("style.css").expect("a folder");
    for (file, encoding) in [("style.css", "br"), ("room.js", "br"), ("favicon.svg", "br"), ("atkinson.woff2", "")] {
        let path = format!("{version}{file}");
        let plain = fixture.ask(get(&path)).await;
        assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable", "{file}");
        assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"), "{file}");
        let packed = fixture.ask(get(&path).with("accept-encoding", "gzip, deflate, br;q=0.9")).await;
        assert_eq!(packed.header("content-encoding"), encoding, "{file}");
        assert_eq!(packed.header("content-type"), plain.header("content-type"), "{file}");
        let bytes = |answer: &Answer| answer.header("content-length").parse::<usize>().expect("a number");
        assert_eq!(bytes(&packed) < bytes(&plain), !encoding.is_empty(), "{file}");
    }
    assert_eq!(fixture.ask(get(&format!("{version}nothing.js"))).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_records_travel_compressed_and_what_is_secret_does_not() {
    let fixture = fixture().await;
    let packed = |path: &str| fixture.ask(get(path).with("accept-encoding", "br"));
    for path in ["/", "/standings", "/api/v1/games/standing-1.0/record"] {
        assert_eq!(packed(path).await.header("content-encoding"), "br", "{path}");
    }
    assert_eq!(packed("/healthz").await.header("content-encoding"), "", "too small to gain");
    let claimed = post("/account", "name=Ann").form().with("accept-encoding", "br");
    let claimed = fixture.ask(claimed).await;
    let cookies = claimed.response.headers().get_all("set-cookie").iter();
    let cookies = cookies.filter_map(|set| set.to_str().ok()?.split(';').next()).collect::<Vec<_>>().join("; ");
    let code = fixture.ask(get("/account/code").with("cookie", cookies).with("accept-encoding", "br")).await;
    assert!(code.text.contains("player-code"), "{}", code.text);
    assert_eq!(code.header("content-encoding"), "", "how well a secret compresses would tell of it");
    fixture.end().await;
}
