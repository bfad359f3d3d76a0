//! Floods against a real site, each from networks of its own on the loopback, while an honest visitor plays on. What gates is
//! what the visitor was answered, never how fast.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a flood came to")]

mod assets;
mod site;

use std::fs;
use std::net::Ipv4Addr;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use site::{Answer, HONEST, Honest, PATIENCE, Site, flood, get, play, post, post_json, try_ask};

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

/// Mason with more in it: what it does before each turn, and further fields.
fn mason(before: &str, fields: &str) -> Vec<u8> {
    let mason = include_str!("../../../bots/gallery/mason/bot.wat");
    let own = mason.replacen("(func (export \"arena_turn\")", "(func $own", 1);
    let end = own.rfind(')').unwrap();
    let turn = "(func (export \"arena_turn\") (param i32) (result i64) (local i32)";
    wat::parse_str(format!("{} {turn} {before} (call $own (local.get 0))) {fields})", &own[..end])).unwrap()
}

async fn account(site: &Site, network: u8, name: &str) -> String {
    let claimed = site.ask(flood(network), post_json("/api/v1/accounts", &json!({ "name": name }))).await;
    assert_eq!(claimed.status, 201, "{}", claimed.body);
    claimed.json()["code"].as_str().unwrap().into()
}

async fn submit(site: &Site, from: Ipv4Addr, code: &str, name: &str, module: Vec<u8>) -> Answer {
    site.ask(from, post(&format!("/api/v1/bots/{name}/versions"), "application/wasm", module).bearer(code)).await
}

/// How many versions of a bot are judged.
async fn judged(site: &Site, bot: &str, versions: u64) -> u64 {
    let mut judged = 0;
    for number in 1..=versions {
        let version = site.ask(HONEST, get(&format!("/api/v1/bots/{bot}/versions/{number}"))).await;
        judged += u64::from(version.status == 200 && version.json()["state"] != "pending");
    }
    judged
}

const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// One legal bot that thinks for 48 million units of fuel a turn, in a hundred rooms.
#[tokio::test(flavor = "multi_thread")]
async fn one_bot_does_not_take_all_places_to_think() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--operator-token-file", key.to_str().unwrap()]);
    let mut honest = Honest::arrive(&site).await;
    let code = account(&site, 1, "flood").await;
    // Three units a round, and some.
    let burn = "(loop (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 6000000))))";
    let taken = submit(&site, flood(1), &code, "slow", mason(burn, "")).await;
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    let waiting = async || {
        let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
        going["thinking"].as_u64().unwrap()
    };
    // The bot moves first in each of them.
    let room = || post("/play", "application/x-www-form-urlencoded", "opponent=slow&seat=1");
    let flooding: Vec<_> = (0..100)
        .map(|number| {
            let to = site.address;
            tokio::spawn(async move { try_ask(to, flood(1 + number % 2), &room()).await.map(|answer| answer.status) })
        })
        .collect();
    let mut waited = Vec::new();
    for _ in 0..3 {
        honest.plays().await;
        waited.push(waiting().await);
    }
    let mut opened = 0;
    for task in flooding {
        opened += u32::from(task.await.unwrap() == Some(303));
    }
    println!("rooms against a slow bot: {opened} of 100 opened; {waited:?} of its turns waited after each honest game");
    assert!(opened >= 60, "{opened}");
}

/// Large modules that differ in a byte, before an honest newcomer's.
#[tokio::test(flavor = "multi_thread")]
async fn one_account_does_not_take_the_judge() {
    const LARGE: u64 = 5;
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let honest = Honest::arrive(&site).await;
    let code = account(&site, 1, "flood").await;
    let body = "(drop (i64.mul (i64.const 3) (i64.const 5)))".repeat(200);
    let large = |number: u64| {
        let functions =
            (0..30).map(|function| format!("(func (result i64) {body} (i64.const {})) ", number + function));
        mason("", &functions.collect::<String>())
    };
    // None waits for its verdict.
    for number in 0..LARGE {
        let (to, module, code) = (site.address, large(number * 100), code.clone());
        tokio::spawn(async move {
            let submission = post("/api/v1/bots/large/versions", "application/wasm", module).bearer(&code);
            try_ask(to, flood(1), &submission).await.map(|answer| answer.status)
        });
    }
    while site.ask(HONEST, get(&format!("/api/v1/bots/large/versions/{LARGE}"))).await.status != 200 {
        tokio::task::yield_now().await;
    }
    let before = judged(&site, "large", LARGE).await;
    let taken = submit(&site, HONEST, &honest.code, "honest", mason("", "")).await;
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    let after = judged(&site, "large", LARGE).await;
    println!("judge: {before} of {LARGE} large modules were judged before an honest one was sent, {after} when it was");
    assert!(after <= before + 2, "begun after one verdict, and one more in its time: {before}, then {after}");
}

/// Copies that differ in a custom section, by accounts that have ten each.
#[tokio::test(flavor = "multi_thread")]
async fn copies_take_one_place_in_the_standings() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let mut sent = 0;
    for network in 1..=3 {
        let code = account(&site, network, &format!("flood {network}")).await;
        for number in 0..5 {
            let after = format!("(@custom \"copy\" \"{network} {number}\")");
            let name = format!("copy-{network}-{number}");
            let taken = submit(&site, flood(network), &code, &name, mason("", &after)).await;
            sent += u32::from(taken.status == 201);
        }
    }
    let honest = Honest::arrive(&site).await;
    let own = mason("(drop (i32.const 7))", "");
    assert_eq!(submit(&site, HONEST, &honest.code, "honest", own).await.status, 201);
    let names = loop {
        let standings = site.ask(HONEST, get("/api/v1/standings")).await.json();
        let rows = standings["edition"]["standings"]["rows"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> = rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect();
        if standings["playing"].is_null() && names.iter().any(|name| name == "honest") {
            break names;
        }
        tokio::task::yield_now().await;
    };
    let copies = names.iter().filter(|name| name.starts_with("copy")).count();
    println!("standings: {sent} copies accepted, {copies} of them in the field, with {} others", names.len() - copies);
    assert_eq!(copies, 1, "{names:?}");
}

/// Uploads of eight bytes under names that others may want.
#[tokio::test(flavor = "multi_thread")]
async fn refused_uploads_take_no_names() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let honest = Honest::arrive(&site).await;
    let code = account(&site, 1, "flood").await;
    let mut refused = 0;
    for number in 0..10 {
        let taken = submit(&site, flood(1), &code, &format!("name-{number}"), b"\0asm\x01\0\0\0".to_vec()).await;
        refused += u32::from(taken.status == 422);
    }
    let mut got = 0;
    for number in 0..10 {
        let taken = submit(&site, HONEST, &honest.code, &format!("name-{number}"), mason("", "")).await;
        got += u32::from(taken.status == 201);
    }
    println!("names: {refused} of 10 uploads refused, {got} of their names were somebody else's a moment later");
    assert_eq!((refused, got), (10, 10));
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
