//! Floods: what strangers send from networks of their own, each flood in a process of its own.
//!
//! A flood is this program once more, with its name and the site's address. It does its worst, says in one line of JSON
//! what that came to, and holds what it has got until its input ends.

mod small;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, io};

use arena_record::Budgets;
use arena_sandbox::{BODY_BYTES_MAX, COMPILE_WEIGHT_MAX, COMPILE_WEIGHT_TOTAL_MAX, check, compile_weight};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::again;
use crate::eventually::{eventually, eventually_spawned, pass, within};
use crate::pieces::{COSTLY, DECLARED, Piece, function};
use crate::process::{Lines, Process};
use crate::site::{Answer, Ask, Visited, block, flood, get, play, post, post_json};

pub(crate) use small::{Row, SMALL, WORLD};

/// The variable of a child that is a flood: its name and the address of the site.
const FLOOD: &str = "ARENA_TEST_FLOOD";

/// Modules that are heavy to compile, sent at once: nearly as many as may wait of an account.
pub(crate) const HEAVY: u64 = 9;

/// The functions of such a module if `ARENA_FLOOD_FUNCTIONS` says nothing else: each is 12 kB, and weighs an eightieth
/// of what a module may weigh. With fewer than ten it would be light, and be judged beside others. With 80 of them,
/// which `cargo xtask floods` asks for, it is about as long and as heavy as it may be.
const FUNCTIONS: u64 = 12;

/// Modules that take longest to compile, each by an account of a network of its own, and how many kinds of them there
/// are.
pub(crate) const COSTLIEST: u64 = 20;
const KINDS: usize = 4;

/// More rooms than the site has places for.
const ROOMS_MAX: u32 = 1_000;

/// Connections that a network tries at once, and how often if those that it holds were closed meanwhile.
const CONNECTIONS: u64 = 900;
const CONNECTIONS_TRIES: u64 = 20;

/// Peers of a flood that vanish or trickle.
const TOGETHER: u8 = 30;

/// How often a peer of a flood that trickles sends a byte.
const TRICKLE: Duration = Duration::from_millis(10);

/// Where a proxy asks from, and the first 48 bits of the addresses of one of its visitors.
pub(crate) const PROXY: Ipv4Addr = Ipv4Addr::new(127, 9, 9, 9);
pub(crate) const PREFIX: &str = "2001:db8:1";

/// Requests of a /48 at once, and its networks of a line.
const AT_ONCE: usize = 40;
const NETWORKS: usize = 1 << 16;

/// What it asks for.
const WANTED: [&str; 3] = ["accounts", "rooms", "joins"];

/// Sockets that nobody reads.
pub(crate) const UNREAD: usize = 600;

/// A flood that runs, ended with the test.
pub(crate) struct Flood {
    said: Lines,
    /// It ends when nobody holds its input any more.
    _process: Process,
}

impl Flood {
    pub(crate) fn start(name: &str, to: SocketAddr) -> Flood {
        let mut command = again::test("night::flooding::child");
        command.env(FLOOD, format!("{name} {to}")).stdin(Stdio::piped());
        let (process, said) = Process::heard(format!("the flood {name}"), &mut command);
        Flood { said, _process: process }
    }

    /// What it came to, once it has done its worst. It still holds what it has got.
    pub(crate) fn came_to(&self) -> Value {
        again::next_json(&self.said)
    }
}

/// The flood. As a test of its own, without the variable, it does nothing.
#[test]
fn child() {
    let Ok(wanted) = env::var(FLOOD) else { return };
    let (name, to) = wanted.rsplit_once(' ').unwrap();
    let site = Visited { address: to.parse().unwrap() };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (said, held) = runtime.block_on(does(name, site));
    let mut out = io::stdout();
    // A line of its own: the harness leaves one unfinished.
    writeln!(out, "\n{said}").and_then(|()| out.flush()).unwrap();
    // Until the test has seen enough.
    io::stdin().lines().for_each(drop);
    drop(held);
}

/// What a flood comes to, and the connections that it holds.
async fn does(name: &str, site: Visited) -> (Value, Vec<TcpStream>) {
    match name {
        "rooms" => (rooms(site).await, Vec::new()),
        "places" => (places(site).await, Vec::new()),
        "waiting" => (waiting(site).await, Vec::new()),
        "accounts" => (accounts(site).await, Vec::new()),
        "connections" => connections(site).await,
        "sockets" => sockets(site).await,
        "unread" => unread(site).await,
        "gone" => (gone(site).await, Vec::new()),
        "slow" => (slow(site).await, Vec::new()),
        "answers" => (answers(site).await, Vec::new()),
        "turns" => (turns(site).await, Vec::new()),
        "starts" => (starts(site).await, Vec::new()),
        "modules" => (modules(site).await, Vec::new()),
        "costliest" => (costliest(site).await, Vec::new()),
        "copies" => (copies(site).await, Vec::new()),
        "names" => (names(site).await, Vec::new()),
        "resigns" => (resigns(site).await, Vec::new()),
        "prefix" => (prefix(site).await, Vec::new()),
        small => match small::gets(small, site).await {
            Some(got) => (json!({ "got": got }), Vec::new()),
            None => panic!("there is no flood of {small}"),
        },
    }
}

/// Accounts of four networks that open all rooms they can and give up at once.
async fn resigns(site: Visited) -> Value {
    let mut resigned = 0;
    for network in 1..=4 {
        for number in 0..3 {
            let code = account(site, network, &format!("flood {network} {number}")).await;
            for _ in 0..20 {
                let wanted = json!({ "opponent": "easy", "seat": 0 });
                let opened = site.ask(flood(network), post_json("/api/v1/rooms", &wanted).bearer(&code)).await;
                if opened.refuses() {
                    continue;
                }
                let path = format!("/api/v1/rooms/{}/resignation", opened.json()["room"].as_str().unwrap());
                let gives_up = post_json(&path, &json!({ "ply": 0 })).bearer(&code);
                assert_eq!(site.ask(flood(network), gives_up).await.status, 200);
                resigned += 1;
            }
        }
    }
    json!({ "resigned": resigned })
}

/// A visitor of a proxy who wants one of [`WANTED`]: an account with this name, a room, or a seat in one that there is
/// not.
pub(crate) fn asks_for(number: usize, name: &str, from: &str) -> Ask<'static> {
    let ask = match number % WANTED.len() {
        0 => post_json("/api/v1/accounts", &json!({ "name": name })),
        1 => play(),
        _ => post("/lobby/joins", "application/x-www-form-urlencoded", "code=zzzzzz"),
    };
    ask.with("x-forwarded-for", from)
}

/// A /48 that asks for everything, each time from another of its networks, until the flood ends. What it has got and
/// not when it has been refused each thing.
async fn prefix(site: Visited) -> Value {
    let counts: Arc<[[AtomicU32; 2]; WANTED.len()]> = Arc::default();
    for first in 0..AT_ONCE {
        let counts = counts.clone();
        tokio::spawn(async move {
            for number in (first..).step_by(AT_ONCE) {
                // One after the other of another /56, too.
                let from = format!("{PREFIX}:{:x}::1", number * 257 % NETWORKS);
                let answer = site.try_ask(PROXY, &asks_for(number, &format!("flood {number}"), &from)).await;
                if let Some(answer) = answer.filter(|answer| !answer.is_unavailable()) {
                    counts[number % WANTED.len()][usize::from(answer.refuses())].fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    let count = |wanted: usize, refused: usize| counts[wanted][refused].load(Ordering::Relaxed);
    eventually("a refusal of each thing", async || (0..WANTED.len()).all(|wanted| count(wanted, 1) > 0)).await;
    let came_to = |wanted: usize| json!({ "got": count(wanted, 0), "refused": count(wanted, 1) });
    WANTED.iter().enumerate().map(|(wanted, name)| ((*name).to_owned(), came_to(wanted))).collect()
}

async fn rooms(site: Visited) -> Value {
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..200 {
        let answer = site.ask(flood(1), play()).await;
        if answer.refuses() {
            refused += 1;
        } else {
            assert_eq!(answer.status, 303, "{}", answer.body);
            opened += 1;
        }
    }
    json!({ "opened": opened, "refused": refused })
}

/// Guests of three networks who open rooms against a bot until there is no place left, and never move.
async fn places(site: Visited) -> Value {
    for opened in 0..ROOMS_MAX {
        let room = post("/play", "application/x-www-form-urlencoded", "opponent=mason&seat=0");
        let answer = site.ask(flood(1 + (opened % 3) as u8), room).await;
        if answer.refuses() {
            return json!({ "opened": opened, "refused": answer.json()["code"] });
        }
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    panic!("{ROOMS_MAX} rooms, and there are places left");
}

/// Public rooms in which one network waits as somebody else each time.
async fn waiting(site: Visited) -> Value {
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..55 {
        let form = post("/lobby", "application/x-www-form-urlencoded", "door=public&seat=0&clock=game-600-5");
        let answer = site.ask(flood(1), form).await;
        if answer.refuses() {
            refused += 1;
        } else {
            assert_eq!(answer.status, 303, "{}", answer.body);
            opened += 1;
        }
    }
    json!({ "opened": opened, "refused": refused })
}

async fn accounts(site: Visited) -> Value {
    let mut made = 0;
    for number in 0..200 {
        let claim = post_json("/api/v1/accounts", &json!({ "name": format!("flood {number}") }));
        made += u32::from(!site.ask(flood(1), claim).await.refuses());
    }
    json!({ "made": made })
}

async fn connections(site: Visited) -> (Value, Vec<TcpStream>) {
    let mut held = Vec::new();
    for tries in 1..=CONNECTIONS_TRIES {
        held.clear();
        for _ in 0..CONNECTIONS {
            let mut stream = site.connect(flood(1)).await;
            // An upgrade to a socket would hold it longer; a head that never ends is closed after seconds.
            stream.write_all(b"GET /api/v1/limits HTTP/1.1\r\n").await.ok();
            held.push(stream);
        }
        // On a slow machine those that are held may be closed by now.
        if site.try_ask(flood(1), &get("/")).await.is_none_or(|answer| answer.refuses()) {
            return (json!({ "tried": tries * CONNECTIONS, "next_is_refused": true }), held);
        }
    }
    (json!({ "tried": CONNECTIONS_TRIES * CONNECTIONS, "next_is_refused": false }), held)
}

async fn sockets(site: Visited) -> (Value, Vec<TcpStream>) {
    let opened = site.ask(flood(1), play()).await;
    let room = opened.header("location").unwrap().rsplit('/').next().unwrap().to_owned();
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..300 {
        match socket(site, 1, &room, "").await {
            Some(stream) => open.push(stream),
            None => refused += 1,
        }
    }
    (json!({ "opened": open.len(), "refused": refused }), open)
}

/// Sockets of a long room of many bots, whose states are as long as any, and in which much is said; nobody ever reads
/// one.
async fn unread(site: Visited) -> (Value, Vec<TcpStream>) {
    let code = account(site, 1, "flood").await;
    let wanted = json!({ "game": "game-of-game-of-life", "seats": 16, "turns": 100 });
    let opened = site.ask(flood(1), post_json("/api/v1/lobby", &wanted).bearer(&code)).await;
    let room = opened.json()["room"].as_str().unwrap().to_owned();
    talk(site, &room).await;
    let mut open = Vec::new();
    for number in 0..UNREAD {
        open.push(socket(site, 1 + (number / 150) as u8, &room, "").await.expect("no network has its share"));
    }
    for (path, said) in [("bots", json!({ "opponent": "greedy" })), ("resignation", json!({ "ply": 0 }))] {
        let path = format!("/api/v1/rooms/{room}/{path}");
        let answer = site.ask(flood(1), post_json(&path, &said).bearer(&code)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    (json!({ "room": room }), open)
}

/// Sockets that hear everything and answer no ping: a cable was pulled.
async fn gone(site: Visited) -> Value {
    let opened = site.ask(flood(1), play()).await;
    let room = opened.header("location").unwrap().rsplit('/').next().unwrap().to_owned();
    for number in 0..TOGETHER {
        let mut socket = socket(site, 1 + number % 3, &room, "").await.expect("no network has its share");
        tokio::spawn(async move { tokio::io::copy(&mut socket, &mut tokio::io::sink()).await });
    }
    json!({ "opened": TOGETHER })
}

/// Heads and bodies that are never idle and never whole.
async fn slow(site: Visited) -> Value {
    let host = format!("host: {}", site.address);
    let head = format!("GET / HTTP/1.1\r\n{host}\r\nx-slow: ");
    let json = "content-type: application/json\r\ncontent-length: 60000";
    let body = format!("POST /api/v1/accounts HTTP/1.1\r\n{host}\r\n{json}\r\n\r\n");
    for number in 0..TOGETHER {
        let mut stream = site.connect(flood(1 + number % 3)).await;
        let begins = if number % 2 == 0 { &head } else { &body };
        stream.write_all(begins.as_bytes()).await.unwrap();
        tokio::spawn(async move {
            while stream.write_all(b" ").await.is_ok() {
                pass(TRICKLE).await;
            }
        });
    }
    json!({ "opened": TOGETHER })
}

/// Says as much in a room as is kept, in the longest characters, so that all of it is sent to everybody who comes.
async fn talk(site: Visited, room: &str) {
    let commands = format!("/api/v1/rooms/{room}/commands");
    for speaker in 0..10 {
        let code = account(site, 5, &format!("talker {speaker}")).await;
        for _ in 0..5 {
            let said = post_json(&commands, &json!({ "type": "chat", "text": "\u{1f600}".repeat(200) })).bearer(&code);
            let answer = site.ask(flood(5), said).await;
            assert!(answer.body.contains("applied"), "{}", answer.body);
        }
    }
}

/// A socket of a room, of the account with this code or of a guest, of which no more is read than that it is one;
/// `None` where it is refused.
async fn socket(site: Visited, network: u8, room: &str, code: &str) -> Option<TcpStream> {
    let authorization = if code.is_empty() { String::new() } else { format!("authorization: Bearer {code}\r\n") };
    let upgrade = format!(
        "GET /api/v1/rooms/{room}/socket HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{authorization}\r\n",
        site.address
    );
    let mut stream = site.connect(flood(network)).await;
    stream.write_all(upgrade.as_bytes()).await.unwrap();
    let mut first = [0; 12];
    within("an answer", stream.read_exact(&mut first)).await.unwrap();
    match &first[9..] {
        b"101" if code.is_empty() => Some(stream),
        b"101" => {
            let mut end = [0; 4];
            while end != *b"\r\n\r\n" {
                end.rotate_left(1);
                end[3] = within("the end of a head", stream.read_u8()).await.unwrap();
            }
            Some(stream)
        }
        b"429" => None,
        other => panic!("{}", String::from_utf8_lossy(other)),
    }
}

/// The costliest page there is: a game that is played again. It is charged whether or not it exists.
async fn answers(site: Visited) -> Value {
    let mut refused = 0;
    for _ in 0..40 {
        refused += u32::from(site.ask(flood(1), get("/api/v1/games/standing-1.0/log")).await.refuses());
    }
    json!({ "refused": refused })
}

/// One legal bot that thinks for 48 million units of fuel a turn, in a hundred rooms.
async fn turns(site: Visited) -> Value {
    let code = account(site, 1, "flood").await;
    let taken = submit(site, 1, &code, "slow", mason(&burn(6_000_000), "")).await;
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    // The bot moves first in each of them.
    let room = || post("/play", "application/x-www-form-urlencoded", "opponent=slow&seat=1");
    let opens = move |number: u8| async move {
        let opened = site.try_ask(flood(1 + number % 2), &room()).await;
        // Once more where the store was too busy.
        opened.filter(|answer| !answer.is_unavailable()).map(|answer| answer.status == 303)
    };
    let opening: Vec<_> = (0..100)
        .map(|number| tokio::spawn(async move { eventually_spawned("a room or a refusal", || opens(number)).await }))
        .collect();
    let mut opened = 0;
    for is_open in opening {
        opened += u32::from(is_open.await.unwrap());
    }
    json!({ "opened": opened })
}

/// One legal bot whose start takes 96 million units of fuel and whose turns take next to none, in more rooms than there
/// are bots whose processes wait. Its people answer at once, over sockets, until the games are over.
async fn starts(site: Visited) -> Value {
    const ACCOUNTS: u8 = 6;
    const ROOMS: u64 = 10;
    let author = account(site, 1, "flood").await;
    let module = mason_with("arena_observation", "(result i32)", &burn(12_000_000), "");
    let taken = submit(site, 1, &author, "heavy-start", module).await;
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    let mut opened = 0;
    for number in 0..ACCOUNTS {
        let network = 1 + number / 2;
        let code = account(site, network, &format!("flood {network} {number}")).await;
        for _ in 0..ROOMS {
            let wanted = json!({ "opponent": "heavy-start", "seat": 0 });
            let room = site.ask(flood(network), post_json("/api/v1/rooms", &wanted).bearer(&code)).await;
            assert_eq!(room.status, 201, "{}", room.body);
            let id = room.json()["room"].as_str().unwrap().to_owned();
            let socket = socket(site, network, &id, &code).await.expect("it has a share of sockets");
            opened += 1;
            tokio::spawn(plays_to_the_end(socket));
        }
    }
    json!({ "opened": opened })
}

/// Places a block whenever it is this person's turn. Who has ten rooms has a share for all their turns.
async fn plays_to_the_end(mut socket: TcpStream) {
    while let Some(said) = small::next_heard(&mut socket).await {
        if said["awaiting"] == json!([0]) {
            let ply = said["ply"].as_u64().unwrap();
            let turn = json!({ "type": "turn", "ply": ply, "client_seq": ply + 1, "action": block(ply) });
            small::say(&mut socket, &turn.to_string()).await;
        }
    }
}

/// Modules that differ in constants and are heavy to compile. None waits for the verdict on another.
async fn modules(site: Visited) -> Value {
    let code = account(site, 1, "flood").await;
    let functions = env::var("ARENA_FLOOD_FUNCTIONS").map_or(FUNCTIONS, |count| count.parse().unwrap());
    // Loads are heavy for their length; constants fill it up.
    let body = ["(drop (i64.load (i32.const 0)))".repeat(1_600), "(drop (i32.const 1))".repeat(800)].concat();
    let heavy = |number: u64| {
        let functions =
            (0..functions).map(|function| format!("(func (result i64) {body} (i64.const {})) ", number + function));
        mason("", &functions.collect::<String>())
    };
    // All are ready before the first is sent: that one would otherwise be judged meanwhile.
    let modules: Vec<Vec<u8>> = (0..HEAVY).map(|number| heavy(number * 100)).collect();
    let bytes = modules[0].len();
    let sending: Vec<_> = modules
        .into_iter()
        .map(|module| {
            let code = code.clone();
            tokio::spawn(async move { submit(site, 1, &code, "heavy", module).await.status })
        })
        .collect();
    let mut sent = 0;
    for status in sending {
        sent += u32::from(matches!(status.await.unwrap(), 201 | 202));
    }
    json!({ "sent": sent, "bytes": bytes })
}

/// The modules that take longest to compile of all that pass the check.
async fn costliest(site: Visited) -> Value {
    let mut kinds: Vec<(f64, Vec<u8>)> = COSTLY.iter().map(heaviest).collect();
    kinds.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    kinds.truncate(KINDS);
    let mut codes = Vec::new();
    for number in 0..COSTLIEST as u8 {
        codes.push(account(site, number + 1, &format!("flood {number}")).await);
    }
    let sending: Vec<_> = (0..)
        .zip(codes)
        .map(|(number, code)| {
            let (_, module) = &kinds[usize::from(number) % KINDS];
            // A custom section, so that each is another module.
            let module = [&**module, &[0, 3, 1, b'n', number]].concat();
            let name = format!("costly-{number}");
            tokio::spawn(async move { submit(site, number + 1, &code, &name, module).await.status })
        })
        .collect();
    let mut sent = 0;
    for status in sending {
        sent += u32::from(matches!(status.await.unwrap(), 201 | 202));
    }
    json!({ "sent": sent, "seconds": kinds.iter().map(|(seconds, _)| *seconds).collect::<Vec<_>>() })
}

/// Mason with as much of a piece as passes the check, and the processor time that compiling it takes in a release
/// build, in seconds.
fn heaviest(Piece { piece, micros }: &Piece) -> (f64, Vec<u8>) {
    let made =
        |functions: usize, times: usize| mason("", &[DECLARED, &function(piece, times).repeat(functions)].concat());
    let (one, none) = (made(1, 1), made(1, 0));
    let (weight, bytes) = (compile_weight(&one) - compile_weight(&none), (one.len() - none.len()) as u64);
    let times = (COMPILE_WEIGHT_MAX / weight).min(BODY_BYTES_MAX / bytes) * 9 / 10;
    let most = (COMPILE_WEIGHT_TOTAL_MAX / (times * weight)).min(Budgets::DEFAULT.module_bytes / (times * bytes));
    let modules = (1..=most as usize).rev().map(|functions| (functions, made(functions, times as usize)));
    let mut passing = modules.filter(|(_, bytes)| check(bytes, &Budgets::DEFAULT).is_ok());
    let (functions, module) = passing.next().expect("a module with one function passes");
    (functions as f64 * times as f64 * micros / 1e6, module)
}

/// Copies that differ in a custom section, by accounts that have five each.
async fn copies(site: Visited) -> Value {
    let mut sent = 0;
    for network in 1..=3 {
        let code = account(site, network, &format!("flood {network}")).await;
        for number in 0..5 {
            let after = format!("(@custom \"copy\" \"{network} {number}\")");
            let name = format!("copy-{network}-{number}");
            sent += u32::from(submit(site, network, &code, &name, mason("", &after)).await.status == 201);
        }
    }
    json!({ "sent": sent })
}

/// Uploads of eight bytes under names that others may want.
async fn names(site: Visited) -> Value {
    let code = account(site, 1, "flood").await;
    let mut refused = 0;
    for number in 0..10 {
        let taken = submit(site, 1, &code, &format!("name-{number}"), b"\0asm\x01\0\0\0".to_vec()).await;
        refused += u32::from(taken.status == 422);
    }
    json!({ "refused": refused })
}

/// Mason with more in it: what it does before each turn, and further fields.
pub(crate) fn mason(before: &str, fields: &str) -> Vec<u8> {
    mason_with("arena_turn", "(result i64)", before, fields)
}

/// Mason with more in it: what it does before one of its exports with this result, and further fields.
fn mason_with(export: &str, result: &str, before: &str, fields: &str) -> Vec<u8> {
    let mason = include_str!("../../../../../../bots/gallery/mason/bot.wat");
    let own = mason.replacen(&format!("(func (export \"{export}\")"), "(func $own", 1);
    let end = own.rfind(')').unwrap();
    let export = format!("(func (export \"{export}\") (param i32) {result} (local i32)");
    wat::parse_str(format!("{} {export} {before} (call $own (local.get 0))) {fields})", &own[..end])).unwrap()
}

/// A loop of so many rounds, eight units of fuel each.
fn burn(rounds: u32) -> String {
    format!("(loop (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const {rounds}))))")
}

async fn account(site: Visited, network: u8, name: &str) -> String {
    let claimed = site.ask(flood(network), post_json("/api/v1/accounts", &json!({ "name": name }))).await;
    assert_eq!(claimed.status, 201, "{}", claimed.body);
    claimed.json()["code"].as_str().unwrap().into()
}

async fn submit(site: Visited, network: u8, code: &str, name: &str, module: Vec<u8>) -> Answer {
    site.ask(flood(network), submission(&format!("/api/v1/bots/{name}/versions"), code, module)).await
}

/// A module on its way to a site.
pub(crate) fn submission<'a>(path: &'a str, code: &str, module: Vec<u8>) -> Ask<'a> {
    post(path, "application/wasm", module).bearer(code)
}
