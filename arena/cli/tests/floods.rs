//! Floods against a real site, each from networks of its own on the loopback, while an honest visitor plays on. What gates is
//! what the visitor was answered, never how fast.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a flood came to")]

mod assets;
mod site;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use site::{HONEST, Honest, PATIENCE, Site, flood, get, play, post_json};

/// TR-001 §4.4 has flood limits for each address; these are for each network.
#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_rooms() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut honest = Honest::arrive(&site).await;
    let (mut opened, mut refused) = (0, 0);
    for round in 0..200 {
        let answer = site.ask(flood(1), play()).await;
        if answer.refuses() {
            refused += 1;
        } else {
            assert_eq!(answer.status, 303, "{}", answer.body);
            opened += 1;
        }
        if round % 100 == 99 {
            honest.plays().await;
        }
    }
    println!("rooms: {opened} opened, {refused} refused, {} honest games", honest.games);
    assert!((60..=90).contains(&opened) && refused >= 110, "{opened} opened, {refused} refused");
    // A new cookie is a new guest, and the same network.
    let told: u64 = site.ask(flood(1), play()).await.header("retry-after").unwrap().parse().unwrap();
    assert!(told <= 10, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_accounts() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut honest = Honest::arrive(&site).await;
    let mut made = 0;
    for number in 0..200 {
        let claim = post_json("/api/v1/accounts", &json!({ "name": format!("flood {number}") }));
        let answer = site.ask(flood(1), claim).await;
        made += u32::from(!answer.refuses());
    }
    honest.plays().await;
    println!("accounts: {made} of 200 made");
    assert!((40..=42).contains(&made), "{made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_connections() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut honest = Honest::arrive(&site).await;
    let mut held = Vec::new();
    for _ in 0..900 {
        let mut stream = site.connect(flood(1)).await;
        // An upgrade to a socket would hold it longer; a head that never ends is closed after seconds.
        stream.write_all(b"GET /api/v1/limits HTTP/1.1\r\n").await.ok();
        held.push(stream);
    }
    let answer = site.try_ask(flood(1), &get("/")).await;
    assert!(answer.is_none_or(|answer| answer.refuses()), "its network has had its share");
    honest.plays().await;
    let others = site.ask(flood(2), get("/")).await;
    assert_eq!(others.status, 200);
    println!("connections: {} tried", held.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_sockets() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut honest = Honest::arrive(&site).await;
    let opened = site.ask(flood(1), play()).await;
    let room = opened.header("location").unwrap().rsplit('/').next().unwrap().to_owned();
    let upgrade = format!(
        "GET /api/v1/rooms/{room}/socket HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        site.address
    );
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..300 {
        let mut stream = site.connect(flood(1)).await;
        stream.write_all(upgrade.as_bytes()).await.unwrap();
        let mut first = [0; 12];
        timeout(PATIENCE, stream.read_exact(&mut first)).await.unwrap().unwrap();
        match &first[9..] {
            b"101" => open.push(stream),
            b"429" => refused += 1,
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    println!("sockets: {} opened, {refused} refused", open.len());
    assert_eq!((open.len(), refused), (200, 100));
    honest.plays().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_answers_or_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut honest = Honest::arrive(&site).await;
    // The costliest page there is: a game that is played again. It is charged whether or not it exists.
    let mut refused = 0;
    for _ in 0..40 {
        refused += u32::from(site.ask(flood(1), get("/api/v1/games/standing-1.0/log")).await.refuses());
    }
    assert!(refused >= 10, "{refused}");
    honest.plays().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_proxy_says_is_believed_when_it_is_trusted_and_not_otherwise() {
    for (flags, made) in [(&[][..], 40..=42), (&["--trusted-proxy", "127.0.0.0/8"][..], 80..=80)] {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::start(folder.path(), flags);
        let mut accounts = 0;
        for number in 0..80 {
            let claim = post_json("/api/v1/accounts", &json!({ "name": format!("flood {number}") }));
            // Two visitors behind one proxy; each writes another's address in front of its own.
            let hops = format!("203.0.113.{number}, 198.51.{}.7", number % 2);
            accounts += u32::from(!site.ask(flood(1), claim.with("x-forwarded-for", &hops)).await.refuses());
        }
        assert!(made.contains(&accounts), "{accounts} {flags:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_answers_to_its_own_name_and_to_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--public-url", "https://arena.example"]);
    let ask = async |head: &str| {
        let mut stream = site.connect(HONEST).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
        String::from_utf8_lossy(&bytes)[9..12].to_owned()
    };
    let close = "Connection: close\r\n\r\n";
    for (hosts, status) in [
        ("Host: arena.example\r\n", "200"),
        ("Host: evil.example\r\n", "421"),
        ("Host: evil.example\r\nOrigin: http://evil.example\r\n", "421"),
        ("Host: arena.example\r\nHost: evil.example\r\n", "400"),
        ("", "400"),
    ] {
        assert_eq!(ask(&format!("GET / HTTP/1.1\r\n{hosts}{close}")).await, status, "{hosts}");
    }
    assert_eq!(ask(&format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n{close}", site.address)).await, "200");
}
