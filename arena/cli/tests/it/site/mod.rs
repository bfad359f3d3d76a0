//! A real site and its visitors, each from an address of its own on the loopback.

pub(crate) mod clock;
pub(crate) mod fill;
pub(crate) mod narrow;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::assets;
use crate::eventually::{eventually, within};
use crate::process::{Lines, Process};

/// A block in blue's home, as bytes: legal in the first turn.
pub(crate) const BLOCK: &str = "0101040a020a030b020b03";

/// Where the honest visitor comes from.
pub(crate) const HONEST: Ipv4Addr = Ipv4Addr::new(127, 77, 77, 1);

/// The networks of a flood are one provider's up to this one; each later one has a provider of its own.
const OF_ONE_PROVIDER: u8 = 19;

/// An address of the n-th network of a flood.
pub(crate) fn flood(network: u8) -> Ipv4Addr {
    if network <= OF_ONE_PROVIDER { Ipv4Addr::new(127, 1, network, 1) } else { Ipv4Addr::new(127, network, 1, 1) }
}

/// `arena serve`, ended with the test.
pub(crate) struct Site {
    process: Process,
    said: Lines,
    visited: Visited,
}

/// The figures of a site.
pub(crate) struct Metrics(Visited);

impl Metrics {
    /// What a series without labels says.
    pub(crate) async fn figure(&self, series: &str) -> f64 {
        let text = self.0.ask(HONEST, get("/metrics")).await.body;
        let value = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok());
        value.unwrap_or_else(|| panic!("no {series}: {text}"))
    }
}

/// A site as its visitors know it.
#[derive(Clone, Copy)]
pub(crate) struct Visited {
    pub(crate) address: SocketAddr,
}

impl Deref for Site {
    type Target = Visited;

    fn deref(&self) -> &Visited {
        &self.visited
    }
}

impl Site {
    pub(crate) fn start(folder: &Path, flags: &[&str]) -> Site {
        Site::run(Site::command(folder, flags))
    }

    /// The command that starts a site with its data in `folder/data`.
    pub(crate) fn command(folder: &Path, flags: &[&str]) -> Command {
        Site::command_at("127.0.0.1:0", folder, flags)
    }

    /// The same at an address that those who come back find again.
    pub(crate) fn command_at(address: &str, folder: &Path, flags: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(["serve", "--listen", address, "--data"]).arg(folder.join("data")).args(flags);
        command.arg("--assets").arg(assets::copy_into(folder));
        command
    }

    pub(crate) fn run(mut command: Command) -> Site {
        let (process, said) = Process::heard("the site", command.stdin(Stdio::null()));
        let address = said.find(|line| line.strip_prefix("listening on http://")?.parse().ok());
        Site { process, said, visited: Visited { address } }
    }

    /// Where a site that runs with `--metrics` tells its figures. It says so once.
    pub(crate) fn metrics(&self) -> Metrics {
        let address = |line: &str| line.strip_prefix("metrics on http://")?.strip_suffix("/metrics")?.parse().ok();
        Metrics(Visited { address: self.said.find(address) })
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// All that it has logged.
    pub(crate) fn log(&self) -> String {
        self.process.log()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to stop, as an operator does, and waits.
    pub(crate) fn stop(mut self) {
        assert!(self.process.stop().success());
    }
}

impl Visited {
    pub(crate) async fn connect(self, from: Ipv4Addr) -> TcpStream {
        self.try_connect(from).await.unwrap()
    }

    pub(crate) async fn try_connect(self, from: Ipv4Addr) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        within("a connection", socket.connect(self.address)).await
    }

    /// Asks on a connection of its own; `None` where nothing listens, or where it is closed without a word.
    pub(crate) async fn try_ask(self, from: Ipv4Addr, ask: &Ask<'_>) -> Option<Answer> {
        let mut stream = self.try_connect(from).await.ok()?;
        let Ask { method, path, headers, body } = ask;
        let (to, length) = (self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body.as_slice()].concat()).await.ok()?;
        let mut bytes = Vec::new();
        within("an answer", stream.read_to_end(&mut bytes)).await.ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head: head.to_lowercase(), body: body.into() })
    }

    pub(crate) async fn ask(self, from: Ipv4Addr, ask: Ask<'_>) -> Answer {
        self.try_ask(from, &ask).await.unwrap_or_else(|| panic!("no answer to {} {}", ask.method, ask.path))
    }

    /// Asks until the site's store is ready. On a machine whose disk is busy with something else it may take too long:
    /// then nothing has happened, and the same request may succeed.
    pub(crate) async fn insist<'a>(self, from: Ipv4Addr, ask: impl Fn() -> Ask<'a>) -> Answer {
        eventually("a store that is ready", async || {
            let answer = self.ask(from, ask()).await;
            if answer.is_unavailable() { Err(answer.body) } else { Ok(answer) }
        })
        .await
    }
}

pub(crate) struct Ask<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn get(path: &str) -> Ask<'_> {
    Ask { method: "GET", path, headers: String::new(), body: Vec::new() }
}

pub(crate) fn post<'a>(path: &'a str, kind: &str, body: impl Into<Vec<u8>>) -> Ask<'a> {
    Ask { method: "POST", path, headers: format!("content-type: {kind}\r\n"), body: body.into() }
}

pub(crate) fn post_json<'a>(path: &'a str, body: &Value) -> Ask<'a> {
    post(path, "application/json", body.to_string())
}

/// Opens a room as a guest.
pub(crate) fn play() -> Ask<'static> {
    post("/play", "application/x-www-form-urlencoded", "opponent=easy&seat=0")
}

impl Ask<'_> {
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    pub(crate) fn bearer(self, code: &str) -> Self {
        self.with("authorization", &format!("Bearer {code}"))
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Whether it says that the store is not ready.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.status == 503 && self.body.contains("unavailable")
    }

    /// The cookies that it sets, as they are sent back.
    pub(crate) fn cookies(&self) -> String {
        let set = self.head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
        set.collect::<Vec<_>>().join("; ")
    }

    /// Whether this is a refusal as all have to be: 429 or 503, when to come back, and a sentence.
    pub(crate) fn refuses(&self) -> bool {
        if !matches!(self.status, 429 | 503) {
            return false;
        }
        let seconds: u64 = self.header("retry-after").unwrap_or_default().parse().unwrap();
        assert!((1..=86_400).contains(&seconds), "{}", self.head);
        // Of a command it is said as the socket says it.
        let said = self.json();
        let sentence = said["detail"].as_str().or(said["message"].as_str());
        assert!(sentence.is_some_and(|sentence| sentence.contains(' ')), "{}", self.body);
        true
    }
}

/// A visitor who plays on, whatever others do.
pub(crate) struct Honest<'a> {
    pub(crate) site: &'a Site,
    pub(crate) code: String,
    pub(crate) games: u32,
}

impl Honest<'_> {
    pub(crate) async fn arrive(site: &Site) -> Honest<'_> {
        let claimed = site.insist(HONEST, || post_json("/api/v1/accounts", &json!({ "name": "Ann" }))).await;
        assert_eq!(claimed.status, 201, "{}", claimed.body);
        Honest { site, code: claimed.json()["code"].as_str().unwrap().into(), games: 0 }
    }

    /// Opens the front page and a room, plays a turn, waits for the opponent's and resigns: five commands, each
    /// answered.
    pub(crate) async fn plays(&mut self) {
        let (site, code) = (self.site, self.code.clone());
        assert_eq!(site.insist(HONEST, || get("/")).await.status, 200);
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = site.insist(HONEST, || post_json("/api/v1/rooms", &wanted).bearer(&code)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
        let turns = format!("{room}/turns");
        let played = site.insist(HONEST, || post_json(&turns, &turn).bearer(&code)).await;
        assert_eq!(played.status, 200, "{}", played.body);
        let ply = awaited(site, &room).await;
        let resignation = format!("{room}/resignation");
        let resign = || post_json(&resignation, &json!({ "ply": ply })).bearer(&code);
        assert_eq!(site.insist(HONEST, resign).await.status, 200);
        self.games += 1;
    }
}

/// A second block in blue's home, beside [`BLOCK`], which stays: legal in the second turn.
pub(crate) const SECOND_BLOCK: &str = "0101041002100311021103";

/// A game of a person with an account against `easy`, command by command.
pub(crate) struct Game {
    pub(crate) code: String,
    /// The room's address in the API.
    pub(crate) room: String,
}

impl Game {
    /// Opens a room for the account with this code.
    pub(crate) async fn open(site: &Site, code: &str) -> Game {
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = site.insist(HONEST, || post_json("/api/v1/rooms", &wanted).bearer(code)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        Game { code: code.into(), room }
    }

    /// Plays a turn, and says what was answered.
    pub(crate) async fn turn(&self, site: &Site, ply: u64, action: &str) -> Answer {
        let turn = async || {
            let answer = self.try_turn(site, ply, action).await;
            if answer.is_unavailable() { Err(answer.body) } else { Ok(answer) }
        };
        eventually("a store that is ready", turn).await
    }

    /// The same, also where the store is not ready.
    pub(crate) async fn try_turn(&self, site: &Site, ply: u64, action: &str) -> Answer {
        let turn = json!({ "ply": ply, "client_seq": ply + 1, "action": action });
        site.ask(HONEST, post_json(&format!("{}/turns", self.room), &turn).bearer(&self.code)).await
    }

    pub(crate) async fn state(&self, site: &Site) -> Value {
        state(site, &self.room).await
    }

    /// Waits until the person is to move; the turn's number.
    pub(crate) async fn awaited(&self, site: &Site) -> u64 {
        awaited(site, &self.room).await
    }
}

/// Waits until the person of seat 0 is to move in a room; the turn's number.
async fn awaited(site: &Site, room: &str) -> u64 {
    let turn = async || {
        let state = state(site, room).await;
        if state["awaiting"] == json!([0]) { Ok(state["ply"].as_u64().unwrap()) } else { Err(state) }
    };
    eventually("the person's turn", turn).await
}

async fn state(site: &Site, room: &str) -> Value {
    let state = site.insist(HONEST, || get(room)).await;
    assert_eq!(state.status, 200, "{}", state.body);
    state.json()
}

/// The block that is placed in a turn of two people who place nothing else, in a place of its own: legal in each of the
/// 24 turns.
pub(crate) fn block(ply: u64) -> String {
    let (number, seat) = (ply / 2, ply % 2);
    let (row, col) = (1 + 3 * (number % 6), 1 + 4 * (number / 6) + 20 * seat);
    let cells = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| format!("{:02x}{:02x}", row + down, col + right));
    format!("010104{}", cells.concat())
}
