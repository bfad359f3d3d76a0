//! The limits of requests, at the edge and past it.

use std::time::Duration;

use arena_store::MODULE_BYTES_MAX;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::client::{get, post, post_json};
use crate::eventually::{pass, within};
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

/// A chunk's length may begin with zeros, and be followed by spaces. hyper does not report them.
#[tokio::test(flavor = "multi_thread")]
async fn zeros_before_a_chunks_length_end_the_connection() {
    let fixture = fixture().await;
    let head = format!(
        "POST /api/v1/accounts HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        fixture.address
    );
    let body = json!({ "name": "Ann" }).to_string();
    for (number, filler) in ["0", " "].into_iter().enumerate() {
        let sent = |fill: usize| {
            let length = format!("{:x}", body.len());
            let line = if filler == "0" { filler.repeat(fill) + &length } else { length + &filler.repeat(fill) };
            format!("{head}{line}\r\n{body}\r\n0\r\n\r\n").replace("Ann", ["Ann", "Bob"][number])
        };
        let mut few = TcpStream::connect(fixture.address).await.expect("connected");
        few.write_all(sent(100).as_bytes()).await.expect("written");
        let mut answer = [0; 12];
        few.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 201", "a few are nobody's fault");
        let mut many = TcpStream::connect(fixture.address).await.expect("connected");
        // More than systems keep for somebody who reads nothing.
        let written = many.write_all(sent(64 << 20).as_bytes()).await;
        assert!(written.is_err(), "closed: {filler:?}");
    }
    fixture.end().await;
}

/// Each may be larger than what the system keeps for somebody who reads nothing.
#[tokio::test]
async fn answers_that_nobody_reads_are_given_up() {
    const ASKS: usize = 60;
    let fixture = fixture().await;
    let ask = format!("GET /api/v1/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", fixture.address);
    let whole = fixture.ask(get("/api/v1/openapi.json")).await.text.len();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(1).expect("a small buffer");
    let mut deaf = socket.connect(fixture.address).await.expect("connected");
    deaf.write_all(ask.repeat(ASKS).as_bytes()).await.expect("written");
    tokio::time::pause();
    // As above: no time goes by but on the clock of deadlines.
    pass(Duration::from_secs(60)).await;
    tokio::time::resume();
    let mut said = Vec::new();
    deaf.read_to_end(&mut said).await.ok();
    assert!(said.len() < ASKS * whole, "{} of {ASKS} times {whole} bytes", said.len());
    fixture.end().await;
}

/// The next frame of a socket: its first byte.
async fn frame(stream: &mut TcpStream) -> Option<u8> {
    let first = stream.read_u8().await.ok()?;
    let length = match stream.read_u8().await.ok()? {
        126 => u64::from(stream.read_u16().await.ok()?),
        127 => stream.read_u64().await.ok()?,
        length => u64::from(length),
    };
    tokio::io::copy(&mut stream.take(length), &mut tokio::io::sink()).await.ok()?;
    Some(first)
}

/// A cable was pulled: it hears nothing, and says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_whose_peer_is_gone_is_pinged_for_a_while_and_closed() {
    const PING: u8 = 0x89;
    const CLOSE: u8 = 0x88;
    let fixture = fixture().await;
    fixture.meadow().await;
    let mut gone = TcpStream::connect(fixture.address).await.expect("connected");
    let upgrade = format!(
        "GET /api/v1/worlds/meadow/socket HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        fixture.address
    );
    gone.write_all(upgrade.as_bytes()).await.expect("written");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(within("the end of a head", gone.read_u8()).await.expect("a byte"));
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    let mut pings = 0;
    let mut is_pinged = async || loop {
        match frame(&mut gone).await {
            Some(PING) => return true,
            Some(CLOSE) | None => return false,
            Some(_) => {}
        }
    };
    while within("a ping, or the end", is_pinged()).await {
        pings += 1;
        assert!(pings < 5, "it is never given up");
        fixture.clock.advance(Duration::from_secs(10));
    }
    // At once, and after 10 and 20 seconds; after 30 it has been silent for more than 25.
    assert_eq!(pings, 3);
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
