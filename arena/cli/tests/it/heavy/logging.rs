//! The logs of a site: enough to find the cause of a fault, and nothing private.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::assets;
use crate::eventually::eventually_here;
use crate::process::{Process, finished};

/// How long a silent connection is read, longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A block in blue's home, as bytes.
const BLOCK: &str = "0101040a020a030b020b03";

/// Passes in every turn and logs a secret with what a terminal would obey.
const CHATTY: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 0) "\01\00\00") (data (i32.const 16) "secret-log-line\1b[31m")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (call $log (i32.const 16) (i32.const 20)) (i64.const 0x300000000)))"#;

/// Asks for what no bot gets.
const GREEDY: &str = r#"(module (import "secret-module" "secret-import" (func)) (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#;

/// Traps in a function with a name of its own.
const TRAPPED: &str = r#"(module (memory (export "memory") 1) (func $secret-function unreachable)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (call $secret-function) (i64.const 0)))"#;

/// `arena serve`, ended with the test.
struct Site {
    process: Process,
    address: String,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }

    /// The cookies that it sets, each as `name=value`.
    fn cookies(&self) -> Vec<&str> {
        let set = self.head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        set.map(|cookie| cookie.split(';').next().unwrap()).collect()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }
}

impl Site {
    fn start(folder: &Path, flags: &[&str]) -> Site {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.join("data")).args(flags);
        command.arg("--assets").arg(assets::copy_into(folder));
        let (process, said) = Process::heard("the site", command.stdin(Stdio::null()));
        let address = said.find(|line| Some(line.strip_prefix("listening on http://")?.to_owned()));
        Site { process, address }
    }

    /// Sends bytes and reads what comes until the other side has said all.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.address);
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("content-length: {}\r\n\r\n", body.len());
        let answer = self.send(&[request.as_bytes(), body].concat());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.into(), body: body.into() }
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    fn form(&self, path: &str, form: &str) -> Answer {
        self.ask("POST", path, &[("content-type", "application/x-www-form-urlencoded")], form.as_bytes())
    }

    fn post(&self, path: &str, code: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {code}");
        let headers = [("content-type", "application/json"), ("authorization", &bearer)];
        self.ask("POST", path, &headers, body.to_string().as_bytes())
    }

    fn submit(&self, name: &str, query: &str, code: &str, module: &[u8]) -> Answer {
        let path = format!("/api/v1/bots/{name}/versions{query}");
        self.ask("POST", &path, &[("authorization", &format!("Bearer {code}"))], module)
    }

    /// Asks it to stop, as an operator does, and waits; the whole log.
    fn stop(mut self) -> String {
        assert!(self.process.stop().success());
        self.process.log()
    }
}

/// A bot that is checked and not submitted.
const CHECKED: &str =
    concat!("(data (i32.const 60000) \"secret-checked\")\n", include_str!("../../../../../sdk/templates/wat/bot.wat"));

/// Claims names, each in one of the two ways there are, and plays as a guest: a player code, and what must not be
/// logged.
fn people(site: &Site) -> (String, Vec<String>) {
    let account = json!({ "name": "Ann" }).to_string();
    let created = site.ask("POST", "/api/v1/accounts", &[("content-type", "application/json")], account.as_bytes());
    let code = created.json()["code"].as_str().unwrap().to_owned();
    let claimed = site.form("/account", "name=Bob");
    let cookies = claimed.cookies();
    let page = site.ask("GET", "/account/code", &[("cookie", &cookies.join("; "))], b"");
    let (_, shown) = page.body.split_once(">arena_").unwrap();
    let (shown, _) = shown.split_once('<').unwrap();
    let played = site.form("/play", "opponent=easy&seat=0");
    let room = played.header("location").strip_prefix("/rooms/").unwrap();
    let signed_in = site.form("/session", &format!("code={code}"));
    let set = [cookies, played.cookies(), signed_in.cookies()].concat();
    let mut secrets = vec![&code["arena_".len()..], shown, room];
    secrets.extend(set.iter().map(|cookie| cookie.split_once('=').unwrap().1));
    assert!(secrets.len() >= 7 && secrets.iter().all(|secret| secret.len() >= 32), "{secrets:?}");
    let secrets = secrets.into_iter().map(str::to_owned).collect();
    (code, secrets)
}

/// Requests that are refused, each with a secret where people might put one.
fn refusals(site: &Site) {
    for path in [
        "/secret-path",
        "/bots/secret-bot",
        "/bots/secret%1b%5B31m",
        "/api/v1/games/secret.1/record",
        "/api/v1/games?tournament=secret-query",
        "/api/v1/bots?secret-key=1",
        "/standings/secret-game",
        "/play?opponent=secret-opponent",
        "/rooms/secret-room",
    ] {
        let answer = site.get(path);
        assert!(matches!(answer.status, 200 | 400 | 404), "{path}: {}", answer.status);
    }
    for (name, value) in [
        ("authorization", "Bearer secret-bearer"),
        ("cookie", "arena_session=secret-cookie; arena_guest=secret-guest"),
        ("x-request-id", "secret-request-id"),
        ("user-agent", "secret-agent"),
        ("referer", "http://secret-referer/"),
        ("origin", "http://secret-origin"),
        ("x-forwarded-for", "203.0.113.77"),
        ("x-secret-name", "1"),
    ] {
        let answer = site.ask("POST", "/account/name", &[(name, value)], b"name=secret-name");
        assert!(answer.status >= 400, "{name}: {}", answer.status);
        assert_ne!(answer.header("x-request-id"), "secret-request-id");
    }
    for (path, kind, body) in [
        ("/api/v1/accounts", "application/json", r#"{"name":"x","secret-field":1}"#),
        ("/api/v1/accounts", "application/json", "{\"name\":\"secret\\u001b[31m\"}"),
        ("/session", "application/x-www-form-urlencoded", "code=secret-code"),
        ("/account", "application/x-www-form-urlencoded", "name=secret!name"),
        ("/account", "text/secret-type", "secret-text"),
    ] {
        let answer = site.ask("POST", path, &[("content-type", kind)], body.as_bytes());
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
    }
    assert_eq!(site.ask("SECRETMETHOD", "/", &[], b"").status, 405);
    site.send(b"secret-garbage\r\n\r\n");
}

/// A room by requests and by its socket; what must not be logged of it.
fn room(site: &Site, code: &str) -> Vec<String> {
    let room = site.post("/api/v1/rooms", code, &json!({ "opponent": "easy", "seat": 0 })).json();
    let id = room["room"].as_str().unwrap().to_owned();
    let turn = |ply: u16, action: &str| {
        let turn = json!({ "ply": ply, "client_seq": 1, "action": action });
        site.post(&format!("/api/v1/rooms/{id}/turns"), code, &turn).status
    };
    assert_eq!([turn(0, "010000"), turn(0, BLOCK), turn(0, "secret-action")], [422, 200, 422]);
    let mut socket = TcpStream::connect(&site.address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let path = room["socket"].as_str().unwrap();
    let upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                   sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    write!(socket, "GET {path} HTTP/1.1\r\nhost: {}\r\n{upgrade}\r\n\r\n", site.address).unwrap();
    // A text that is no message, masked with zeros, then a frame of a kind that there is not.
    let said = b"{\"type\":\"secret-type\"}";
    socket
        .write_all(&[&[0x81, 0x80 | said.len() as u8, 0, 0, 0, 0], &said[..], &[0x83, 0x80, 0, 0, 0, 0]].concat())
        .unwrap();
    let mut heard = Vec::new();
    socket.read_to_end(&mut heard).unwrap();
    assert!(String::from_utf8_lossy(&heard).contains("bad_message"));
    let seed = eventually_here("the record of the game", || {
        let state = site.get(&format!("/api/v1/rooms/{id}")).json();
        let resigned = site.post(&format!("/api/v1/rooms/{id}/resignation"), code, &json!({ "ply": state["ply"] }));
        let record = site.get(&format!("/api/v1/games/{id}/record"));
        if record.status != 200 {
            return Err(resigned.body);
        }
        Ok(record.json()["header"]["seed"].as_str().unwrap().to_owned())
    });
    vec![id, seed]
}

/// All of it under one form of the log; the log.
fn logged(flags: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[&["--log-level", "trace"], flags].concat());
    let (code, mut secrets) = people(&site);
    refusals(&site);
    secrets.extend(room(&site, &code));
    let module = |text: &str| wat::parse_str(text).unwrap();
    let accepted = site.submit("secret-chatty", "?game=game-of-game-of-life", &code, &module(CHATTY));
    assert_eq!(accepted.status, 201, "{}", accepted.body);
    for (name, bytes, refusal) in [
        ("secret-greedy", module(GREEDY), "unknown_import"),
        ("secret-trapped", module(TRAPPED), "trap"),
        ("secret-junk", b"secret-bytes".to_vec(), "not_wasm"),
    ] {
        let refused = site.submit(name, "", &code, &bytes);
        assert_eq!((refused.status, refused.json()["code"].as_str()), (422, Some(refusal)), "{}", refused.body);
    }
    let checked = site.ask("POST", "/api/v1/checks", &[("content-type", "text/webassembly")], CHECKED.as_bytes());
    assert_eq!(checked.status, 200, "{}", checked.body);
    site.process.logs("an edition begins");
    // Something of the site's own that fails: a bot's bytes are gone.
    let hash = accepted.json()["entrant"].as_str().unwrap().strip_prefix("sha256:").unwrap().to_owned();
    let blobs: Vec<PathBuf> = files(&folder.path().join("data/blobs"));
    let blob = blobs.iter().find(|path| path.ends_with(format!("{hash}.wasm"))).unwrap();
    fs::remove_file(blob).unwrap();
    let failed = site.get(&format!("/api/v1/modules/{hash}"));
    assert_eq!(failed.status, 500, "{}", failed.body);
    let log = site.stop();
    let stored: Vec<Vec<u8>> = files(folder.path()).iter().map(|path| fs::read(path).unwrap()).collect();
    let is_stored = |text: &str| stored.iter().any(|file| file.windows(text.len()).any(|part| part == text.as_bytes()));
    assert!(
        is_stored("secret-chatty") && !is_stored("secret-checked"),
        "what is submitted is kept, and what is checked is not"
    );
    for secret in &secrets {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    let low = log.to_lowercase();
    if let Some(at) = low.find("secret") {
        panic!("a secret in {:?}", low[at.saturating_sub(200)..].chars().take(300).collect::<String>());
    }
    assert!(!log.contains("203.0.113.77"), "what a proxy says of a person");
    assert!(log.lines().all(|line| !line.chars().any(char::is_control)), "{log}");
    // A report with the answer's id is found, and says why.
    let id = failed.header("x-request-id");
    assert_eq!(failed.json()["request"], id);
    let cause = log.lines().find(|line| line.contains(id) && line.contains("a request failed"));
    let cause = cause.unwrap_or_else(|| panic!("no {id} in {log}"));
    assert!(cause.contains("/api/v1/modules/{hash}") && cause.contains("damaged"), "{cause}");
    log
}

/// All files under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_log_in_text_says_what_happened_and_no_secret() {
    let log = logged(&[]);
    for wanted in [
        "submitted",
        "judged",
        "accepted=true",
        "code=\"unknown_import\"",
        "code=\"trap\"",
        "a room is opened",
        "an edition begins",
        "answered status=200",
        "route=\"/bots/{name}\"",
        "method=\"other\"",
        "a worker is started",
        "a connection broke off",
        "a socket does not keep the protocol",
    ] {
        assert!(log.contains(wanted), "no {wanted:?} in {log}");
    }
    assert!(!log.contains("127.0.0.1"), "addresses only where they are asked for");
}

#[test]
fn a_log_in_json_is_an_object_a_line_and_has_addresses_where_they_are_asked_for() {
    let log = logged(&["--log-format", "json", "--log-addresses"]);
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let judged = events.iter().filter(|event| event["fields"]["message"] == "judged");
    assert_eq!(judged.map(|event| &event["fields"]["accepted"]).collect::<Vec<_>>(), [true, false, false, false]);
    let answered = events.iter().find(|event| event["fields"]["message"] == "answered").unwrap();
    let span = &answered["spans"][0];
    assert!(span["address"].as_str().is_some_and(|address| address.starts_with("127.0.0.1:")), "{answered}");
    assert!(span["id"].as_str().is_some_and(|id| id.len() == 16), "{answered}");
}

#[test]
fn other_commands_log_what_the_environment_asks_for() {
    let said = |level: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(["play", "easy", "easy", "--games", "2"]).stdin(Stdio::null()).env_remove("ARENA_LOG");
        level.map(|level| command.env("ARENA_LOG", level));
        let output = finished(&mut command);
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (code, quiet, _) = said(None);
    assert_eq!(code, Some(0));
    assert_eq!(said(Some("trace")).1, quiet, "a log is no part of what a command prints");
    let (code, _, wrong) = said(Some("loud"));
    assert!(code == Some(2) && wrong.contains("ARENA_LOG is not off, error"), "{wrong}");
}
