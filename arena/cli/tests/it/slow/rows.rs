//! Hostile peers of a real site, over raw connections: one test for each row of families C and D in `docs/threats.md`
//! that no other test answers; and the table itself.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::eventually::within;
use crate::site::{BLOCK, Game, HONEST, Honest, SECOND_BLOCK, Site, flood, get, post, post_json};

/// Bytes that a socket may send as one message, as `arena limits` has them.
const MESSAGE_BYTES_MAX: usize = 16 << 10;

/// A room's socket, frame by frame (RFC 6455).
struct Socket(TcpStream);

impl Socket {
    async fn open(site: &Site, from: Ipv4Addr, room: &str, received_max: Option<u32>) -> Socket {
        Socket::open_with(site, from, room, received_max, "").await
    }

    /// With headers of its own, each a line.
    async fn open_with(site: &Site, from: Ipv4Addr, room: &str, received_max: Option<u32>, headers: &str) -> Socket {
        let socket = TcpSocket::new_v4().unwrap();
        if let Some(bytes) = received_max {
            socket.set_recv_buffer_size(bytes).unwrap();
        }
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        let mut stream = within("a connection", socket.connect(site.address)).await.unwrap();
        let upgrade = format!(
            "GET {room}/socket HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n",
            site.address
        );
        stream.write_all(upgrade.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(within("the end of a head", stream.read_u8()).await.unwrap());
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        Socket(stream)
    }

    /// Sends bytes as they are. The site may have closed meanwhile.
    async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.ok();
    }

    /// The next frame's first byte and its content; `None` at the end.
    async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let first = within("the next frame", self.0.read_u8()).await.ok()?;
        let length = match self.0.read_u8().await.ok()? {
            126 => usize::from(self.0.read_u16().await.ok()?),
            127 => usize::try_from(self.0.read_u64().await.ok()?).ok()?,
            short => usize::from(short),
        };
        let mut content = vec![0; length];
        self.0.read_exact(&mut content).await.ok()?;
        Some((first, content))
    }

    /// The code with which the site closes.
    async fn closed(&mut self) -> Option<u16> {
        loop {
            let (first, content) = self.next().await?;
            if first == 0x88 {
                return content.first_chunk().map(|code| u16::from_be_bytes(*code));
            }
        }
    }
}

/// A frame as a browser sends it, masked with zeros, which change nothing.
fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut bytes = vec![first];
    match u16::try_from(length) {
        Ok(short) if length < 126 => bytes.push(0x80 | short as u8),
        Ok(middle) => bytes.extend([&[0xfe][..], &middle.to_be_bytes()].concat()),
        Err(_) => bytes.extend([&[0xff][..], &(length as u64).to_be_bytes()].concat()),
    }
    bytes.extend([0; 4]);
    bytes.extend(content);
    bytes
}

const TEXT: u8 = 0x81;

/// A text in so many pieces, each of which says the same.
fn in_pieces(piece: &str, pieces: usize) -> Vec<u8> {
    let middle = frame(0x00, piece.as_bytes()).repeat(pieces - 2);
    [frame(0x01, piece.as_bytes()), middle, frame(0x80, piece.as_bytes())].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn c1_a_socket_that_breaks_the_protocol_is_closed_with_a_code_and_others_play_on() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    let mut honest = Honest::arrive(&site).await;
    let room = Game::open(&site, &honest.code).await.room;
    let large = vec![b' '; MESSAGE_BYTES_MAX + 1];
    let pieces = [frame(0x01, &large[..MESSAGE_BYTES_MAX]), frame(0x80, &large[..2])].concat();
    for (what, bytes, wanted) in [
        ("a frame without a mask", vec![TEXT, 2, b'{', b'}'], 1002),
        ("a reserved bit", frame(0xc1, b"{}"), 1002),
        ("an unknown opcode", frame(0x83, b"{}"), 1002),
        ("a ping of 126 bytes", frame(0x89, &[0; 126]), 1002),
        ("a ping in pieces", frame(0x09, b"x"), 1002),
        ("the end of nothing", frame(0x80, b"{}"), 1002),
        ("a frame of 16 KiB and one byte", frame(TEXT, &large), 1009),
        ("a message of so much, in pieces", pieces, 1009),
        ("a message of ten thousand pieces", in_pieces("x", 10_000), 1008),
        ("a close code that nobody may send", frame(0x88, &1005_u16.to_be_bytes()), 1002),
        ("the close code 0", frame(0x88, &0_u16.to_be_bytes()), 1002),
        ("the close code 65535", frame(0x88, &u16::MAX.to_be_bytes()), 1002),
        ("a frame of 1 MiB", frame(TEXT, &vec![b' '; 1 << 20]), 1009),
        ("a text that is none", frame(TEXT, b"\xff\xfe"), 1007),
        ("half a letter at the end", frame(TEXT, b"{\xc3"), 1007),
        ("a text that is none, in pieces", [frame(0x01, b"{}"), frame(0x80, b"\xff")].concat(), 1007),
        ("a surrogate", frame(TEXT, b"\xed\xa0\x80"), 1007),
        ("a reason for closing that is no text", frame(0x88, b"\x03\xe8\xff"), 1007),
    ] {
        let mut socket = Socket::open(&site, flood(1), &room, None).await;
        socket.send(&bytes).await;
        assert_eq!(socket.closed().await, Some(wanted), "{what}");
    }
    for may_be_said in [frame(TEXT, &large[..MESSAGE_BYTES_MAX]), in_pieces("x", 30)] {
        let mut socket = Socket::open(&site, flood(1), &room, None).await;
        socket.send(&may_be_said).await;
        let said = loop {
            let (_, content) = socket.next().await.unwrap();
            let said = serde_json::from_slice::<Value>(&content).unwrap_or_default();
            if said["type"] == "error" {
                break said;
            }
        };
        assert_eq!(said["code"], "bad_message", "so much may be said: {said}");
    }
    honest.plays().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c2_a_socket_that_says_too_much_is_told_so_once_and_closed_and_others_play_on() {
    // Ten times what a bucket holds.
    const SAID: usize = 400;
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    let mut honest = Honest::arrive(&site).await;
    let room = Game::open(&site, &honest.code).await.room;
    for (what, said) in [
        ("pings", frame(0x89, b"").repeat(SAID)),
        ("pieces of nothing", in_pieces("", SAID)),
        ("commands", frame(TEXT, b"{\"type\":\"draw\",\"ply\":0}").repeat(SAID)),
    ] {
        let mut socket = Socket::open(&site, flood(1), &room, None).await;
        socket.send(&said).await;
        let mut limited = 0;
        let code = loop {
            let (first, content) = socket.next().await.unwrap_or_else(|| panic!("{what}: closed without a word"));
            if first == 0x88 {
                break content.first_chunk().map(|code| u16::from_be_bytes(*code));
            }
            let said = serde_json::from_slice::<Value>(&content).unwrap_or_default();
            limited += usize::from(said["code"] == "rate_limited");
        };
        assert_eq!((code, limited), (Some(1008), 1), "{what}");
    }
    honest.plays().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_with_what_its_account_came_by_and_others_stay() {
    const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--operator-token-file", key.to_str().unwrap()]);
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    let (room, code) = (&game.room, &honest.code);
    let mut watcher = Socket::open(&site, flood(1), room, None).await;
    let act = async |act: &str| {
        let act = json!({ "act": act, "name": "Ann", "reason": "a test" });
        assert_eq!(site.ask(HONEST, post_json("/api/v1/operator/acts", &act).bearer(OPERATOR)).await.status, 200);
    };
    let token = async || {
        let wanted = json!({ "name": "laptop", "scope": "play", "days": 1 });
        let made = site.ask(HONEST, post_json("/api/v1/account/tokens", &wanted).bearer(code)).await.json();
        (made["number"].as_i64().unwrap(), made["secret"].as_str().unwrap().to_owned())
    };
    let by = async |headers: String| Socket::open_with(&site, HONEST, room, None, &headers).await;
    let bearer = |secret: &str| format!("authorization: Bearer {secret}\r\n");
    let speak = frame(TEXT, b"{\"type\":\"resign\",\"ply\":9}");

    // A token: of two sockets one says something, the other is found out with a ping.
    let (number, secret) = token().await;
    let (mut says, mut silent) = (by(bearer(&secret)).await, by(bearer(&secret)).await);
    says.send(&speak).await;
    let revoke = format!("/api/v1/account/tokens/{number}/revocation");
    assert_eq!(site.ask(HONEST, post_json(&revoke, &json!({})).bearer(code)).await.status, 200);
    says.send(&speak).await;
    assert_eq!((says.closed().await, silent.closed().await), (Some(1008), Some(1008)), "revoked");

    // A session.
    let signed = site.ask(HONEST, post("/session", "application/x-www-form-urlencoded", format!("code={code}"))).await;
    let cookie = signed.cookies();
    let mut session = by(format!("cookie: {cookie}\r\n")).await;
    let end = post("/session/end", "application/x-www-form-urlencoded", "").with("cookie", &cookie);
    assert_eq!(site.ask(HONEST, end).await.status, 303);
    session.send(&speak).await;
    assert_eq!(session.closed().await, Some(1008), "signed out");

    // The account, disabled and then deleted.
    let mut disabled = by(bearer(code)).await;
    act("disable_account").await;
    disabled.send(&speak).await;
    assert_eq!(disabled.closed().await, Some(1008), "disabled");
    act("enable_account").await;
    let (_, secret) = token().await;
    let (mut deleted, mut by_token) = (by(bearer(code)).await, by(bearer(&secret)).await);
    let delete = post_json("/api/v1/account/deletion", &json!({ "name": "Ann" })).bearer(code);
    assert_eq!(site.ask(HONEST, delete).await.status, 204);
    deleted.send(&speak).await;
    by_token.send(&speak).await;
    assert_eq!((deleted.closed().await, by_token.closed().await), (Some(1008), Some(1008)), "deleted");

    watcher.send(&speak).await;
    let told = loop {
        let (first, content) = watcher.next().await.unwrap();
        assert_ne!(first, 0x88, "who has no account is asked for none");
        let said = serde_json::from_slice::<Value>(&content).unwrap_or_default();
        if said["type"] == "rejected" {
            break said;
        }
    };
    assert_eq!(told["code"], "not_your_seat", "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c4_watchers_who_never_read_hold_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    let mut deaf = Vec::new();
    for number in 0..60 {
        deaf.push(Socket::open(&site, flood(number % 3), &game.room, Some(1)).await);
    }
    let mut hearing = Socket::open(&site, HONEST, &game.room, None).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let ply = game.awaited(&site).await;
    // All states up to this one come by, or later ones.
    loop {
        let (_, content) = hearing.next().await.expect("a watcher who reads gets every message");
        let said = serde_json::from_slice::<Value>(&content).unwrap_or_default();
        if said["ply"].as_u64().is_some_and(|told| told >= ply) {
            break;
        }
    }
    assert_eq!(game.turn(&site, ply, SECOND_BLOCK).await.status, 200);
    assert!(game.awaited(&site).await > ply);
    drop(deaf);
}

#[tokio::test(flavor = "multi_thread")]
async fn c15_a_game_against_a_bot_goes_on_after_the_site_was_killed_in_its_middle() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    let honest = Honest::arrive(&site).await;
    let module = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
    let submitted = post("/api/v1/bots/mason-of-ann/versions", "application/wasm", module).bearer(&honest.code);
    assert_eq!(site.ask(HONEST, submitted).await.status, 201);
    let wanted = json!({ "opponent": "mason-of-ann", "seat": 0 });
    let opened = site.ask(HONEST, post_json("/api/v1/rooms", &wanted).bearer(&honest.code)).await;
    assert_eq!(opened.status, 201, "{}", opened.body);
    let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
    let game = Game { code: honest.code.clone(), room };
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let ply = game.awaited(&site).await;
    let before = game.state(&site).await;
    let code = honest.code.clone();
    drop(site);
    let site = Site::start(folder.path(), &["--no-standing"]);
    assert_eq!(game.state(&site).await, before, "what was acknowledged is there");
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200, "the same turn again is applied once");
    assert_eq!(game.state(&site).await["ply"], before["ply"]);
    // Its bot is another process, which gets its earlier observations again.
    assert_eq!(game.turn(&site, ply, SECOND_BLOCK).await.status, 200);
    assert!(game.awaited(&site).await > ply);
    assert_eq!(site.ask(HONEST, get("/api/v1/account").bearer(&code)).await.status, 200);
}

/// The tests that a line of the table names: `file::name`, the file without its ending, from the folder of all crates.
fn named(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::"))
}

/// Whether a file has a test of this name: a function that is marked as one.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_marked = |at: usize| {
        let mut above = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.any(|line| line.starts_with("#[test") || line.starts_with("#[tokio::test"))
    };
    let function = format!("fn {name}(");
    (0..lines.len()).any(|at| lines[at].contains(&function) && is_marked(at))
}

#[test]
fn a_function_that_is_marked_is_a_test_and_no_other() {
    let text = "#[tokio::test(flavor = \"x\")]\n/// Why.\nasync fn one() {}\nfn two() {}";
    let found = ["one", "two", "three"].map(|name| has_test(text, name));
    assert_eq!(found, [true, false, false]);
}

#[test]
fn every_row_of_the_table_names_a_test_that_exists_or_says_why_there_is_none() {
    let table = document("docs/threats.md");
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| C") || line.starts_with("| D")) {
        rows.push(line.split('|').nth(1).unwrap().trim());
        assert!(line.contains("no such feature") == (tests_of(line) == 0), "{line}");
    }
    let wanted: Vec<String> = (1..=18).map(|n| format!("C{n}")).chain((1..=23).map(|n| format!("D{n}"))).collect();
    assert_eq!(rows, wanted);
}

#[test]
fn every_promise_has_a_proof_in_the_gate() {
    let proofs = document("docs/proofs.md");
    let promises: Vec<&str> =
        proofs.lines().filter(|line| line.starts_with("| ") && !line.contains("| in the gate")).collect();
    assert!(promises.len() > 15, "{} promises", promises.len());
    for promise in promises {
        assert!(tests_of(promise) > 0 || promise.contains("the step"), "{promise}");
    }
}

#[test]
fn every_alarm_was_tried_or_says_that_it_was_not() {
    let operating = document("docs/operating.md");
    let alarms = operating.split_once("## At three in the morning").unwrap().1.split("\n## ").next().unwrap();
    let rows: Vec<&str> =
        alarms.lines().filter(|line| line.starts_with("| `/") || line.starts_with("| `arena_")).collect();
    assert!(rows.len() > 10, "{} alarms", rows.len());
    for row in rows {
        assert!(tests_of(row) > 0 || row.contains("not tried"), "{row}");
    }
}

fn document(path: &str) -> String {
    fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)).unwrap()
}

/// How many tests a row names, all of which exist.
fn tests_of(row: &str) -> usize {
    let tests = named(row).inspect(|(file, test)| {
        let text = document(&format!("{file}.rs"));
        assert!(has_test(&text, test), "{file} has no test {test}");
    });
    tests.count()
}
