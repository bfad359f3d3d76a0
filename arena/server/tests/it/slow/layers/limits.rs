//! The limits of requests, at the edge and past it.

use arena_store::MODULE_BYTES_MAX;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{get, post, post_json};
use crate::fixture::fixture;

#[tokio::test(flavor = "multi_thread")]
async fn a_module_may_be_so_long_and_no_longer() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let submit = |bytes: usize| {
        let ask = post("/api/v1/bots/mine/versions", vec![0; bytes]).bearer(&code);
        fixture.ask(ask.with("content-type", "application/wasm"))
    };
    let longer = submit(MODULE_BYTES_MAX as usize + 1).await;
    assert_eq!((longer.status.as_u16(), longer.code().as_str()), (413, "too_large"));
    assert_eq!(fixture.ask(get("/api/v1/bots/mine")).await.status, 404, "nothing was kept");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_may_be_so_long_and_no_longer() {
    let fixture = fixture().await;
    let named = |bytes: usize| json!({ "name": "x".repeat(bytes - r#"{"name":""}"#.len()) });
    let long = fixture.ask(post_json("/api/v1/accounts", named(64 << 10))).await;
    assert_eq!((long.status.as_u16(), long.code().as_str()), (422, "bad_name"));
    let longer = fixture.ask(post_json("/api/v1/accounts", named((64 << 10) + 1))).await;
    assert_eq!((longer.status.as_u16(), longer.code().as_str()), (413, "too_large"));
    for (body, status) in [("{", 400), ("{}", 422), (r#"{"name":"x","admin":true}"#, 422), (r#"{"name":7}"#, 422)] {
        let answer = fixture.ask(post("/api/v1/accounts", body).with("content-type", "application/json")).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, "bad_request"), "{body}");
    }
    assert_eq!(fixture.ask(post("/api/v1/accounts", r#"{"name":"x"}"#)).await.status, 415);
    fixture.end().await;
}

#[tokio::test]
async fn a_head_that_trickles_is_cut_off() {
    let fixture = fixture().await;
    // The deadline is one of tokio's, whose time now goes on as soon as nothing else is left to do.
    tokio::time::pause();
    let mut slow = TcpStream::connect(fixture.address).await.expect("connected");
    slow.write_all(b"GET / HTTP/1.1\r\nHost: arena\r\nX-Slow: ").await.expect("written");
    let mut said = Vec::new();
    // The server closes: reading ends, whatever it says before.
    slow.read_to_end(&mut said).await.ok();
    tokio::time::resume();
    assert!(!said.starts_with(b"HTTP/1.1 200"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_is_too_long_is_refused() {
    let fixture = fixture().await;
    let answer = fixture.ask(get("/").with("x-long", "x".repeat(8 << 10))).await;
    assert_eq!(answer.status, 200);
    let answer = fixture.ask(get("/").with("x-long", "x".repeat(17 << 10))).await;
    assert_eq!(answer.status, 431);
    fixture.end().await;
}
