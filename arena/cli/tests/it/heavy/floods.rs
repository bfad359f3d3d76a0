//! Floods against a real site, each from its own networks on the loopback and from its own process, while an honest visitor plays on in
//! this one. The test checks the visitor's answers, never their speed.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use arena_service::limits::{ROOM_SILENCE_SECONDS_MIN, SEATED_BOTS_MAX};
use arena_store::Limits;

use super::flooding::{Flood, HEAVY, SMALL, UNREAD, WORLD, mason, submission};
use crate::site::clock::Clock;
use crate::site::fill::fill;
use crate::site::narrow;
use crate::site::{Answer, BLOCK, Game, HONEST, Honest, PATIENCE, Site, flood, get, next_look, play, post, post_json};

/// A site with the default limits.
fn site() -> (TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    (folder, site)
}

/// The same with a standing tournament, which also uses the machine.
fn site_with_standings() -> (TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--standing", "conquerors"]);
    (folder, site)
}

/// The result of a flood before it lets go; an honest visitor plays on meanwhile.
async fn flooded(name: &str, site: &Site) -> Value {
    let mut honest = Honest::arrive(site).await;
    let mut flood = Flood::start(name, site.address);
    honest.plays().await;
    let came_to = flood.came_to();
    honest.plays().await;
    println!("{name}: {came_to}, {} honest games", honest.games);
    came_to
}

/// TR-001 §4.4 has flood limits for each address; these are for each network.
#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_rooms() {
    let (_folder, site) = site_with_standings();
    let came_to = flooded("rooms", &site).await;
    let [opened, refused] = ["opened", "refused"].map(|what| came_to[what].as_u64().unwrap());
    assert!((60..=90).contains(&opened) && refused >= 110, "{came_to}");
    // A new cookie makes a new guest, but in the same network.
    let told: u64 = site.ask(flood(1), play()).await.header("retry-after").unwrap().parse().unwrap();
    assert!(told <= 10, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_that_are_left_open_take_no_core_and_make_way_when_places_run_short() {
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = Clock::new(folder.path(), 1) else { return };
    let site = Site::run(clock.given_to(narrow::command(folder.path(), OPERATOR)));
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    let came_to = Flood::start("places", site.address).came_to();
    println!("places: {came_to} of {}", narrow::ROOMS);
    assert_eq!(came_to["opened"], narrow::ROOMS - 1, "{came_to}");
    // No network gets a place now.
    let full = site.ask(HONEST, play()).await;
    assert!(full.refuses());
    let minute = ROOM_SILENCE_SECONDS_MIN.to_string();
    assert_eq!((full.status, full.header("retry-after"), &full.json()["code"]), (503, Some(&*minute), &json!("full")));
    // Their bots wait for people who never move, and who plays gets an answer.
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    assert!(game.awaited(&site).await > 0);
    let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
    assert_eq!(going["thinking"], 0);
    clock.jump(ROOM_SILENCE_SECONDS_MIN + 1);
    for _ in 0..10 {
        let opened = site.ask(HONEST, play()).await;
        assert_eq!(opened.status, 303, "silent rooms make way: {}", opened.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_the_lobby() {
    let (_folder, site) = site();
    let came_to = flooded("waiting", &site).await;
    assert_eq!(came_to, json!({ "opened": 40, "refused": 15 }));
    let open = post("/lobby", "application/x-www-form-urlencoded", "door=public&seat=0&clock=game-600-5");
    let opened = site.ask(HONEST, open).await;
    assert_eq!(opened.status, 303, "{}", opened.body);
    let room = opened.header("location").unwrap().rsplit('/').next().unwrap();
    let lobby = site.ask(HONEST, get("/api/v1/lobby")).await.json();
    let rows = lobby["waiting"].as_array().unwrap();
    let place = rows.iter().position(|row| row["room"] == room);
    println!("lobby: {} rooms of one network listed, another visitor's in row {place:?}", rows.len() - 1);
    assert!(place.is_some_and(|place| place <= 1), "{place:?} of {}", rows.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_accounts() {
    let (_folder, site) = site();
    let made = flooded("accounts", &site).await["made"].as_u64().unwrap();
    assert!((40..=42).contains(&made), "{made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_connections() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    let mut held = Flood::start("connections", site.address);
    honest.plays().await;
    let came_to = held.came_to();
    println!("connections: {came_to}");
    assert_eq!(came_to["next_is_refused"], true, "its network has had its share");
    honest.plays().await;
    let others = site.ask(flood(2), get("/")).await;
    assert_eq!(others.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_sockets() {
    let (_folder, site) = site();
    assert_eq!(flooded("sockets", &site).await, json!({ "opened": 200, "refused": 100 }));
}

/// The maximum memory held for an unread socket, in the server and in the system.
const HELD_BYTES_MAX: usize = 64 << 10;

#[tokio::test(flavor = "multi_thread")]
async fn sockets_that_nobody_reads_hold_little() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    honest.plays().await;
    let before = resident_bytes(&site);
    let mut flood = Flood::start("unread", site.address);
    let room = format!("/api/v1/rooms/{}", flood.came_to()["room"].as_str().unwrap());
    let (mut unreceived, mut resident) = (0, before);
    // Their room goes on, and so does another one.
    loop {
        // At the end, too: what nobody reads is there for a while.
        let is_over = !site.ask(HONEST, get(&room)).await.json()["outcome"].is_null();
        unreceived = unreceived.max(unreceived_bytes(&site));
        resident = resident.max(resident_bytes(&site));
        if is_over {
            break;
        }
        if honest.games < 10 {
            honest.plays().await;
        }
    }
    let each = resident.saturating_sub(before) / UNREAD;
    println!(
        "unread: {UNREAD} sockets, {each} bytes each in the server, at most {unreceived} in the system, {} honest games",
        honest.games
    );
    assert!(unreceived > 0, "nothing had to wait");
    assert!(each + unreceived <= HELD_BYTES_MAX, "{each} and {unreceived} bytes");
    let given_up = async {
        while open_to_floods(&site) > 0 {
            next_look().await;
        }
    };
    timeout(PATIENCE, given_up).await.expect("who reads nothing is given up");
}

/// The resident memory of the server's process, in bytes.
fn resident_bytes(site: &Site) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", site.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() << 10
}

/// The number of the site's connections with floods' addresses that are open on its side.
fn open_to_floods(site: &Site) -> usize {
    // 127.1.0.0/16 and `ESTABLISHED`, as the system writes them.
    const FLOODS: &str = "017F";
    const ESTABLISHED: &str = "01";
    let connections = fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", site.address.port());
    let is_open = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let [_, at, to, ESTABLISHED] = fields[..] else { return false };
        at.ends_with(&port) && to.split(':').next().is_some_and(|address| address.ends_with(FLOODS))
    };
    connections.lines().filter(is_open).count()
}

/// The largest number of unreceived bytes that the system holds for one connection of the site.
fn unreceived_bytes(site: &Site) -> usize {
    let connections = fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", site.address.port());
    let waiting = connections.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let queue = fields.get(4)?.split(':').next()?;
        fields[1].ends_with(&port).then(|| usize::from_str_radix(queue, 16).unwrap())
    });
    waiting.max().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_vanishes_or_trickles_is_given_up_and_others_play_on() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    for (name, games) in [("gone", 5), ("slow", 10)] {
        let mut flood = Flood::start(name, site.address);
        let opened = flood.came_to()["opened"].clone();
        assert!(open_to_floods(&site) > 0, "{name}");
        let given_up = async {
            while open_to_floods(&site) > 0 {
                if honest.games < games {
                    honest.plays().await;
                }
                next_look().await;
            }
        };
        timeout(PATIENCE, given_up).await.unwrap_or_else(|_| panic!("{name}: they are given up"));
        honest.plays().await;
        println!("{name}: {opened} peers are given up, {} honest games", honest.games);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_answers() {
    let (_folder, site) = site_with_standings();
    let refused = flooded("answers", &site).await["refused"].as_u64().unwrap();
    assert!(refused >= 10, "{refused}");
}

/// A network gets its share of every other shared resource, and the honest visitor is answered meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn small_floods_get_their_share_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--world", WORLD]);
    let mut honest = Honest::arrive(&site).await;
    for (name, tries, share) in SMALL {
        let mut flood = Flood::start(name, site.address);
        honest.plays().await;
        let got = flood.came_to()["got"].as_u64().unwrap();
        println!("{name}: {got} of {tries}");
        assert!(share.contains(&got), "{name}: {got} of {tries}, and a share is {share:?}");
    }
    honest.plays().await;
    println!("beside them {} honest games", honest.games);
}

/// The maximum growth of the database, in bytes, while rooms that yield their places end: its log is written first.
const GROWS_BYTES_MAX: u64 = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn opening_and_resigning_takes_no_more_of_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("data"), folder.path().join("operator"));
    fill(&data).await;
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--operator-token-file", key.to_str().unwrap()]);
    let stored = || -> u64 {
        let files =
            ["arena.db", "arena.db-wal"].map(|name| fs::metadata(data.join(name)).map_or(0, |about| about.len()));
        files.iter().sum()
    };
    let before = stored();
    let resigned = flooded("resigns", &site).await["resigned"].as_u64().unwrap();
    let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
    let kept = going["finished_room_bytes"].as_u64().unwrap();
    let grown = stored().saturating_sub(before);
    println!("open and resign: {resigned} rooms, {kept} bytes of finished rooms kept, {grown} bytes more on the disk");
    assert!(resigned >= 200, "{resigned}");
    assert!(kept <= Limits::DEFAULT.finished_room_bytes_max && grown <= GROWS_BYTES_MAX, "{kept} {grown}");
}

async fn submit(site: &Site, code: &str, name: &str, module: Vec<u8>) -> Answer {
    site.ask(HONEST, submission(&format!("/api/v1/bots/{name}/versions"), code, module)).await
}

/// Waits until a number of versions of a bot have been judged.
async fn judged(site: &Site, bot: &str, versions: u64) -> u64 {
    let mut judged = 0;
    for number in 1..=versions {
        let version = site.ask(HONEST, get(&format!("/api/v1/bots/{bot}/versions/{number}"))).await;
        judged += u64::from(version.status == 200 && version.json()["state"] != "pending");
    }
    judged
}

const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// Three honest games beside a flood of players that think: how many of these waited after each, and how many rooms the flood opened. The
/// first game begins once a turn is seen to wait or, where turns are too short to be seen, once all rooms are open.
async fn thinking_beside(name: &str, are_long: bool) -> (Vec<u64>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--operator-token-file", key.to_str().unwrap()]);
    let mut honest = Honest::arrive(&site).await;
    let waiting = async || {
        let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
        going["thinking"].as_u64().unwrap()
    };
    let mut flood = Flood::start(name, site.address);
    let mut opened = || flood.came_to()["opened"].as_u64().unwrap();
    let before = (!are_long).then(&mut opened);
    while are_long && waiting().await == 0 {
        next_look().await;
    }
    let mut waited = Vec::new();
    for _ in 0..3 {
        timeout(PATIENCE, honest.plays()).await.expect("its turn comes");
        waited.push(waiting().await);
    }
    (waited, before.unwrap_or_else(opened))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bot_does_not_take_all_places_to_think() {
    let (waited, opened) = thinking_beside("turns", true).await;
    println!("rooms against a slow bot: {opened} of 100 opened; {waited:?} of its turns waited after each honest game");
    assert!(opened >= 60, "{opened}");
}

/// More rooms than there are bots whose processes wait for their next turn, so that it starts again for the turns of the others.
#[tokio::test(flavor = "multi_thread")]
async fn one_bot_that_starts_again_does_not_either() {
    let (waited, opened) = thinking_beside("starts", false).await;
    println!("rooms against a slow start: {opened} opened; {waited:?} of its turns waited after each honest game");
    assert!(opened > SEATED_BOTS_MAX as u64, "{opened}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_account_does_not_take_the_judge() {
    let (_folder, site) = site_with_standings();
    let mut honest = Honest::arrive(&site).await;
    honest.plays().await;
    let mut modules = Flood::start("modules", site.address);
    while site.ask(HONEST, get(&format!("/api/v1/bots/heavy/versions/{HEAVY}"))).await.status != 200 {
        next_look().await;
    }
    let before = judged(&site, "heavy", HEAVY).await;
    let taken = submit(&site, &honest.code, "honest", mason("", "")).await;
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    let after = judged(&site, "heavy", HEAVY).await;
    honest.plays().await;
    let came_to = modules.came_to();
    println!(
        "judge: {before} of {HEAVY} heavy modules were judged before an honest one was sent, {after} when it was: {came_to}"
    );
    assert!(before + 3 < HEAVY, "too few were left for the honest one to wait for: {before} of {HEAVY}");
    // One verdict before it is begun. And while this test asks, one may be given before it is sent, and one after it is judged.
    assert!(after <= before + 3, "{before} were judged, then {after}");
    assert_eq!(came_to["sent"], HEAVY, "and all of them are taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_take_one_place_in_the_standings() {
    let (_folder, site) = site_with_standings();
    let mut honest = Honest::arrive(&site).await;
    let mut copies = Flood::start("copies", site.address);
    honest.plays().await;
    let sent = copies.came_to()["sent"].clone();
    honest.plays().await;
    assert_eq!(submit(&site, &honest.code, "honest", mason("(drop (i32.const 7))", "")).await.status, 201);
    let names = loop {
        let standings = site.ask(HONEST, get("/api/v1/standings")).await.json();
        let rows = standings["edition"]["standings"]["rows"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> = rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect();
        if standings["playing"].is_null() && names.iter().any(|name| name == "honest") {
            break names;
        }
        if honest.games < 5 {
            honest.plays().await;
        }
        next_look().await;
    };
    let copies = names.iter().filter(|name| name.starts_with("copy")).count();
    println!("standings: {sent} copies accepted, {copies} of them in the field, with {} others", names.len() - copies);
    assert_eq!(copies, 1, "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_uploads_take_no_names() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    let mut names = Flood::start("names", site.address);
    honest.plays().await;
    let refused = names.came_to()["refused"].clone();
    let mut got = 0;
    for number in 0..10 {
        let taken = submit(&site, &honest.code, &format!("name-{number}"), mason("", "")).await;
        got += u32::from(taken.status == 201);
    }
    println!("names: {refused} of 10 uploads refused, {got} of their names were somebody else's a moment later");
    assert_eq!((refused, got), (json!(10), 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_proxy_says_is_believed_when_it_is_trusted_and_not_otherwise() {
    for (flags, made) in
        [(&["--no-standing"][..], 40..=42), (&["--no-standing", "--trusted-proxy", "127.0.0.0/8"][..], 80..=80)]
    {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::start(folder.path(), flags);
        let mut accounts = 0;
        for number in 0..80 {
            let claim = post_json("/api/v1/accounts", &json!({ "name": format!("flood {number}") }));
            // Two visitors behind one proxy; each puts another's address before its own.
            let hops = format!("203.0.113.{number}, 198.51.{}.7", number % 2);
            accounts += u32::from(!site.ask(flood(1), claim.with("x-forwarded-for", &hops)).await.refuses());
        }
        assert!(made.contains(&accounts), "{accounts} {flags:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_answers_to_its_own_name_and_to_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--public-url", "https://arena.example"]);
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
