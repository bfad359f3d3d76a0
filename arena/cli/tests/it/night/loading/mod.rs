//! Clients of a load: rooms of two people, with their spectators, in a process of their own.
//!
//! A client is this program once more. It goes on in three steps, each when its input has a line, and says in a line of
//! JSON what came of the one before: rooms are open, sockets are, games are played.
#![cfg(target_os = "linux")]

pub(crate) mod bounds;
pub(crate) mod world;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{self, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{array, env, fs};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;

use crate::again;
use crate::eventually::{eventually_spawned, pass, within};
use crate::process::{Lines, Process};
use crate::site::{Answer, Ask, Visited, block, get, post};

/// Plies of a game.
pub(crate) const PLIES: u64 = 24;
/// Spectators of a room.
pub(crate) const SPECTATORS: u64 = 10;
/// The variable of a child that is a client: the address of the site, the number of the first room, how many, and
/// milliseconds from ply to ply.
const CLIENT: &str = "ARENA_TEST_CLIENT";
/// Visitors of a client who are on their way at once.
const AT_ONCE: usize = 32;

/// How long a visitor waits before a command is said again.
const AGAIN: Duration = Duration::from_secs(1);

/// How often all commands of a room are said again at most.
const AGAIN_MAX: u64 = 100;

/// A client that runs, ended with the test.
pub(crate) struct Client {
    process: Process,
    output: Lines,
}

impl Client {
    pub(crate) fn start(to: SocketAddr, first: u64, rooms: u64, ply_ms: u64) -> Client {
        let mut command = again::test("night::loading::child");
        command.env(CLIENT, format!("{to} {first} {rooms} {ply_ms}"));
        let (process, output) = Process::heard(format!("clients from {first} on"), command.stdin(Stdio::piped()));
        Client { process, output }
    }

    /// What its step came to.
    pub(crate) fn said(&mut self) -> Value {
        again::next_json(&self.output)
    }

    pub(crate) fn go_on(&mut self) {
        self.process.input().write_all(b"\n").unwrap();
    }
}

/// What a setting of the environment says.
pub(crate) fn setting(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The client. As a test of its own, without the variable, it does nothing.
#[test]
fn child() {
    let Ok(wanted) = env::var(CLIENT) else { return };
    let (to, numbers) = wanted.split_once(' ').unwrap();
    let numbers: Vec<u64> = numbers.split(' ').map(|text| text.parse().unwrap()).collect();
    let [first, rooms, ply_ms] = numbers[..] else { panic!("{wanted}") };
    let site = Visited { address: to.parse().unwrap() };
    tokio::runtime::Runtime::new().unwrap().block_on(loads(site, first, rooms, Duration::from_millis(ply_ms)));
}

/// How many descriptors a process has open.
pub(crate) fn descriptors(process: u32) -> u64 {
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count() as u64
}

fn say(said: &Value) {
    let mut out = io::stdout();
    // A line of its own: the harness leaves one unfinished.
    writeln!(out, "\n{said}").and_then(|()| out.flush()).unwrap();
}

/// Says what a step came to, and waits for the next.
fn next_step(said: &Value) {
    say(said);
    io::stdin().read_line(&mut String::new()).unwrap();
}

async fn loads(site: Visited, first: u64, rooms: u64, every: Duration) {
    let opened = in_turn((first..first + rooms).map(|number| Room::open(site, number))).await;
    next_step(&json!({ "rooms": opened.len() }));
    let base = Instant::now();
    let seated = in_turn(opened.into_iter().map(|room| room.seat(site, base))).await;
    let sockets = seated.len() as u64 * (2 + SPECTATORS);
    next_step(&json!({ "sockets": sockets, "descriptors": descriptors(process::id()) }));
    let begin = Instant::now();
    let mut games = JoinSet::new();
    for (number, seated) in (0..).zip(seated) {
        // One after the other within the time of a ply.
        games.spawn(seated.play(site, begin + every * number / rooms as u32, every));
    }
    let (mut sums, mut seen, mut late) = (BTreeMap::new(), Vec::new(), Vec::new());
    for played in games.join_all().await {
        for (what, count) in [
            ("again", played.again),
            ("lost", played.lost),
            ("twice", played.twice),
            ("bytes", played.bytes),
            ("views", played.seen.len() as u64),
        ] {
            *sums.entry(what).or_insert(0) += count;
        }
        seen.extend(played.seen);
        late.extend(played.late);
    }
    let mut said = json!(sums);
    said["p50"] = json!(quantile(&mut seen, 50));
    said["p99"] = json!(quantile(&mut seen, 99));
    said["late"] = json!(quantile(&mut late, 99));
    next_step(&said);
}

/// Milliseconds within which so many of a hundred came.
pub(crate) fn quantile(times: &mut [Duration], share: usize) -> f64 {
    times.sort_unstable();
    times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1_000.0
}

/// What visitors do, some at once, in the order in which they came.
async fn in_turn<T: Send + 'static>(work: impl Iterator<Item = impl Future<Output = T> + Send + 'static>) -> Vec<T> {
    let (mut work, mut done, mut running) = (work.enumerate(), BTreeMap::new(), JoinSet::new());
    loop {
        while running.len() < AT_ONCE
            && let Some((number, one)) = work.next()
        {
            running.spawn(async move { (number, one.await) });
        }
        let Some(one) = running.join_next().await else { return done.into_values().collect() };
        let (number, one) = one.unwrap();
        done.insert(number, one);
    }
}

/// The network of a visitor of a room: the players are 0 and 1.
fn network(room: u64, visitor: u64) -> Ipv4Addr {
    let number = room * (2 + SPECTATORS) + visitor;
    Ipv4Addr::new(127, 1 + (number / 250) as u8, (number % 250) as u8, 1)
}

/// Asks until the site has room for it: its limits are on.
async fn ask(site: Visited, from: Ipv4Addr, ask: impl Fn() -> Ask<'static>) -> Answer {
    let place = || {
        let ask = ask();
        async move {
            let answer = site.ask(from, ask).await;
            if !answer.refuses() {
                return Ok(answer);
            }
            pass(Duration::from_secs(answer.header("retry-after").unwrap().parse().unwrap())).await;
            Err(answer.body)
        }
    };
    eventually_spawned("a place on the site", place).await
}

/// A room of two guests.
struct Room {
    number: u64,
    id: String,
    cookies: [String; 2],
}

impl Room {
    async fn open(site: Visited, number: u64) -> Room {
        const FORM: &str = "application/x-www-form-urlencoded";
        let cookie = |answer: &Answer| {
            assert_eq!(answer.status, 303, "{}", answer.body);
            answer.cookies()
        };
        let wanted = "door=public&seat=0&clock=game-600-5";
        let opened = ask(site, network(number, 0), || post("/lobby", FORM, wanted)).await;
        let id = opened.header("location").unwrap().rsplit('/').next().unwrap().to_owned();
        let seat: &'static str = format!("/rooms/{id}/seat").leak();
        let joined = ask(site, network(number, 1), || post(seat, FORM, "seat=1")).await;
        Room { number, id, cookies: [cookie(&opened), cookie(&joined)] }
    }

    /// With all its sockets, which are read from now on.
    async fn seat(self, site: Visited, base: Instant) -> Seated {
        let path = format!("/api/v1/rooms/{}/socket?turns=0", self.id);
        let mut players = Vec::new();
        for (visitor, cookie) in (0..).zip(&self.cookies) {
            players.push(Socket::open(site, network(self.number, visitor), &path, cookie).await.plays());
        }
        let (sent, mut watching) = (Sent::new(array::from_fn(|_| AtomicU64::new(0))), JoinSet::new());
        for visitor in 2..2 + SPECTATORS {
            let socket = Socket::open(site, network(self.number, visitor), &path, "").await;
            watching.spawn(socket.watch(base, sent.clone()));
        }
        Seated { room: self, base, players, sent, watching }
    }
}

/// When each ply was sent, in microseconds since a moment.
type Sent = Arc<[AtomicU64; PLIES as usize]>;

struct Seated {
    room: Room,
    base: Instant,
    players: Vec<Player>,
    sent: Sent,
    /// What became of each spectator, and how long after it was sent each ply was seen.
    watching: JoinSet<(Socket, Vec<Duration>)>,
}

/// What became of a game.
struct Played {
    lost: u64,
    twice: u64,
    /// Commands that were said again.
    again: u64,
    /// That watchers got.
    bytes: u64,
    /// From each ply to each watcher.
    seen: Vec<Duration>,
    /// From the time when a ply was to be sent to when it was.
    late: Vec<Duration>,
}

impl Seated {
    async fn play(self, site: Visited, begin: Instant, every: Duration) -> Played {
        let Seated { room, base, mut players, sent, watching } = self;
        let (mut late, mut again) = (Vec::new(), 0);
        for ply in 0..PLIES {
            let player = &mut players[(ply % 2) as usize];
            player.until(|said| said["ply"] == ply).await;
            let planned = begin + every * ply as u32;
            pass(planned.saturating_duration_since(Instant::now())).await;
            late.push(planned.elapsed());
            sent[ply as usize].store(base.elapsed().as_micros() as u64, Ordering::SeqCst);
            let turn = json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": block(ply) });
            while !player.says(&turn).await {
                again += 1;
                assert!(again < AGAIN_MAX, "the store is never ready");
                pass(AGAIN).await;
            }
        }
        let expected: Vec<String> = (0..PLIES).map(block).collect();
        let path: &'static str = format!("/api/v1/rooms/{}", room.id).leak();
        let state = ask(site, network(room.number, 0), || get(path)).await.json();
        let kept = actions(&state["turns"]);
        let mut played = Played { lost: 0, twice: 0, again, bytes: 0, seen: Vec::new(), late };
        // The room was opened and joined.
        played.twice += state["events"].as_u64().unwrap().saturating_sub(2 + PLIES);
        played.lost += expected.iter().zip(&kept).filter(|(sent, kept)| sent != kept).count() as u64
            + (expected.len() - kept.len()) as u64;
        for (socket, seen) in watching.join_all().await {
            played.lost += u64::from(socket.turns != expected);
            played.twice += socket.twice;
            played.bytes += socket.bytes;
            played.seen.extend(seen);
        }
        played
    }
}

/// The actions of turns in which one seat plays.
fn actions(turns: &Value) -> Vec<String> {
    turns.as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap().to_owned()).collect()
}

/// Who plays: what its socket heard, and where it speaks.
struct Player {
    heard: UnboundedReceiver<Value>,
    write: Arc<Mutex<OwnedWriteHalf>>,
}

impl Player {
    /// The first message that is like this.
    async fn until(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let said = within("a message", self.heard.recv()).await.unwrap();
            if is(&said) {
                return said;
            }
        }
    }

    /// Says a turn; whether it is there, or is to be said again, since the store was too busy.
    async fn says(&mut self, turn: &Value) -> bool {
        send(&self.write, 0x81, turn.to_string().as_bytes()).await;
        let said = self.until(|said| said["what"] == "turn").await;
        assert!(said["type"] == "applied" || said["code"] == "unavailable", "{said}");
        said["type"] == "applied"
    }
}

/// Sends a frame, masked with zeros, which change nothing.
async fn send(write: &Mutex<OwnedWriteHalf>, first: u8, content: &[u8]) {
    let length = content.len() as u16;
    let mut bytes = vec![first];
    match content.len() {
        ..126 => bytes.push(0x80 | length as u8),
        _ => bytes.extend([&[0xfe][..], &length.to_be_bytes()].concat()),
    }
    bytes.extend([0; 4]);
    bytes.extend(content);
    write.lock().await.write_all(&bytes).await.unwrap();
}

/// A socket of a room or a world. That of a room says each turn once.
struct Socket {
    read: OwnedReadHalf,
    write: Arc<Mutex<OwnedWriteHalf>>,
    turns: Vec<String>,
    /// Turns that it heard again.
    twice: u64,
    bytes: u64,
}

impl Socket {
    async fn open(site: Visited, from: Ipv4Addr, path: &str, cookie: &str) -> Socket {
        let socket = || async move {
            let mut stream = site.connect(from).await;
            let upgrade = format!(
                "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\n\
                 upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                 cookie: {cookie}\r\n\r\n",
                site.address
            );
            stream.write_all(upgrade.as_bytes()).await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(within("the end of a head", stream.read_u8()).await.unwrap());
            }
            match &head[9..12] {
                b"101" => {
                    let (read, write) = stream.into_split();
                    let write = Arc::new(Mutex::new(write));
                    Some(Socket { read, write, turns: Vec::new(), twice: 0, bytes: 0 })
                }
                b"429" => {
                    pass(AGAIN).await;
                    None
                }
                _ => panic!("{}", String::from_utf8_lossy(&head)),
            }
        };
        eventually_spawned("a socket", socket).await
    }

    /// Reads on for a player, to whom it hands everything.
    fn plays(mut self) -> Player {
        let (hears, heard) = unbounded_channel();
        let write = self.write.clone();
        tokio::spawn(async move { while hears.send(self.next().await).is_ok() {} });
        Player { heard, write }
    }

    /// The next message, its turns taken in. Pings are answered.
    async fn next(&mut self) -> Value {
        loop {
            let first = within("a frame", self.read.read_u8()).await.unwrap();
            let short = self.read.read_u8().await.unwrap();
            let (length, head) = match short {
                126 => (usize::from(self.read.read_u16().await.unwrap()), 4),
                short => (usize::from(short), 2),
            };
            let mut content = vec![0; length];
            self.read.read_exact(&mut content).await.unwrap();
            self.bytes += head + length as u64;
            match first {
                0x81 => {
                    let said: Value = serde_json::from_slice(&content).unwrap();
                    self.take(&said);
                    return said;
                }
                0x89 => send(&self.write, 0x8a, &content).await,
                other => panic!("a frame of {other:x}: {}", String::from_utf8_lossy(&content)),
            }
        }
    }

    fn take(&mut self, said: &Value) {
        if said["type"] != "state" {
            return;
        }
        let first = said["first"].as_u64().unwrap_or(0) as usize;
        let turns = actions(&said["turns"]);
        self.twice += (self.turns.len().saturating_sub(first) as u64).min(turns.len() as u64);
        // Turns that were missed are not made up, so that the comparison with what was played fails.
        self.turns.extend(turns.into_iter().skip(self.turns.len().saturating_sub(first)));
    }

    /// Watches a game to its end; how long after it was sent each ply was seen.
    async fn watch(mut self, base: Instant, sent: Sent) -> (Socket, Vec<Duration>) {
        let mut seen = Vec::new();
        while self.turns.len() < PLIES as usize {
            let known = self.turns.len();
            self.next().await;
            let now = base.elapsed();
            for sent in &sent[known.min(sent.len())..self.turns.len().min(sent.len())] {
                seen.push(now.saturating_sub(Duration::from_micros(sent.load(Ordering::SeqCst))));
            }
        }
        (self, seen)
    }
}
