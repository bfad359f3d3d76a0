//! Floods against a real site, each from networks of its own on the loopback, while an honest visitor plays on. What gates is
//! what the visitor was answered, never how fast.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a flood came to")]

mod assets;

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A block in blue's home, as bytes: legal in the first turn.
const BLOCK: &str = "0101040a020a030b020b03";

/// Where the honest visitor comes from.
const HONEST: Ipv4Addr = Ipv4Addr::new(127, 77, 77, 1);

/// An address of the n-th network of a flood.
fn flood(network: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 1, network, 1)
}

/// `arena serve`, ended with the test.
struct Site {
    child: Child,
    address: SocketAddr,
}

impl Site {
    fn start(folder: &Path, flags: &[&str]) -> Site {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.join("data")).args(flags);
        command.arg("--assets").arg(assets::copy_into(folder));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().parse().unwrap();
        Site { child, address }
    }

    async fn connect(&self, from: Ipv4Addr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        timeout(PATIENCE, socket.connect(self.address)).await.unwrap().unwrap()
    }

    /// Asks on a connection of its own; `None` where that is closed without a word.
    async fn try_ask(&self, from: Ipv4Addr, ask: &Ask<'_>) -> Option<Answer> {
        let mut stream = self.connect(from).await;
        let Ask { method, path, headers, body } = ask;
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n",
            self.address
        );
        stream.write_all(&[head.as_bytes(), body.as_slice()].concat()).await.ok()?;
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head: head.to_lowercase(), body: body.into() })
    }

    async fn ask(&self, from: Ipv4Addr, ask: Ask<'_>) -> Answer {
        self.try_ask(from, &ask).await.unwrap_or_else(|| panic!("no answer to {} {}", ask.method, ask.path))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

struct Ask<'a> {
    method: &'a str,
    path: &'a str,
    headers: String,
    body: Vec<u8>,
}

fn get(path: &str) -> Ask<'_> {
    Ask { method: "GET", path, headers: String::new(), body: Vec::new() }
}

fn post<'a>(path: &'a str, kind: &str, body: impl Into<Vec<u8>>) -> Ask<'a> {
    Ask { method: "POST", path, headers: format!("content-type: {kind}\r\n"), body: body.into() }
}

fn post_json<'a>(path: &'a str, body: &Value) -> Ask<'a> {
    post(path, "application/json", body.to_string())
}

/// Opens a room as a guest.
fn play() -> Ask<'static> {
    post("/play", "application/x-www-form-urlencoded", "opponent=easy&seat=0")
}

impl Ask<'_> {
    fn with(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    fn bearer(self, code: &str) -> Self {
        self.with("authorization", &format!("Bearer {code}"))
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Whether this is a refusal as all have to be: 429 or 503, when to come back, and a sentence.
    fn refuses(&self) -> bool {
        if !matches!(self.status, 429 | 503) {
            return false;
        }
        let seconds: u64 = self.header("retry-after").unwrap_or_default().parse().unwrap();
        assert!((1..=86_400).contains(&seconds), "{}", self.head);
        assert!(self.json()["detail"].as_str().is_some_and(|detail| detail.contains(' ')), "{}", self.body);
        true
    }
}

/// A visitor who plays on, whatever others do.
struct Honest<'a> {
    site: &'a Site,
    code: String,
    games: u32,
}

impl Honest<'_> {
    async fn arrive(site: &Site) -> Honest<'_> {
        let claimed = site.ask(HONEST, post_json("/api/v1/accounts", &json!({ "name": "Ann" }))).await;
        assert_eq!(claimed.status, 201, "{}", claimed.body);
        Honest { site, code: claimed.json()["code"].as_str().unwrap().into(), games: 0 }
    }

    /// Opens the front page and a room, plays a turn, waits for the opponent's and resigns: five commands, each answered.
    async fn plays(&mut self) {
        let (site, code) = (self.site, self.code.clone());
        assert_eq!(site.ask(HONEST, get("/")).await.status, 200);
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = site.ask(HONEST, post_json("/api/v1/rooms", &wanted).bearer(&code)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
        let turns = format!("{room}/turns");
        let played = site.ask(HONEST, post_json(&turns, &turn).bearer(&code)).await;
        assert_eq!(played.status, 200, "{}", played.body);
        let ply = loop {
            let state = site.ask(HONEST, get(&room)).await;
            assert_eq!(state.status, 200, "{}", state.body);
            let state = state.json();
            if state["awaiting"] == json!([0]) {
                break state["ply"].as_u64().unwrap();
            }
            tokio::task::yield_now().await;
        };
        let resignation = format!("{room}/resignation");
        let resign = post_json(&resignation, &json!({ "ply": ply })).bearer(&code);
        assert_eq!(site.ask(HONEST, resign).await.status, 200);
        self.games += 1;
    }
}

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
