//! A site over loopback: what its process spends on a page, on a person's turn, and on each who watches it.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::iter;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use arena_record::{EntrantId, Play};
use arena_rules::conquerors::{Action, Colour, PLACEMENTS, Position, Target, Turn};
use arena_rules::{BySeat, Ruleset, Seat};
use arena_wire::Protocol;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::cpu::{SAMPLE_SECONDS_MIN, per_unit, seconds_of};
use crate::games::{TRIVIAL, released};
use crate::socket::Socket;
use crate::{ARENA, HEALTH, crowd};

/// How long the first edition may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// Requests between two looks at the clock.
const REQUESTS: u64 = 100;
/// What a turn of one of two pages takes at least, and all turns of each, in seconds.
const TURN_SECONDS_MIN: f64 = 0.05;
const TURNS_SECONDS_MIN: f64 = 0.15;
/// Parts in which a kind of change is measured, and answers of [`HEALTH`] between two of them.
const PARTS: usize = 3;
const HEALTH_A_PART: u64 = 500;
/// How long a connection is used again: less than the five seconds after which the server closes it.
const IDLE_MAX: Duration = Duration::from_secs(2);
/// Accounts that ask for what only an account sees, in turns, since each has a share of its own; and games that each
/// has finished.
const AUTHORS: usize = 24;
const GAMES_OF_AUTHOR: usize = 10;
/// Accounts whose rooms wait in the lobby: as many as it lists.
const WAITING: usize = arena_service::limits::LOBBY_ROWS_MAX;
/// The world of a site that is asked, and the corners of its kingdoms.
pub(crate) const WORLD: &str = "meadow";
pub(crate) const CORNERS: [[u16; 2]; 9] =
    [[60, 60], [188, 60], [316, 60], [60, 188], [188, 188], [316, 188], [60, 316], [188, 316], [316, 316]];
/// Rooms that are played in at once, and who watches each.
const ROOMS: usize = 4;
pub(crate) const SPECTATORS: usize = 16;

/// How a proxy says who asks. Every visitor of the benchmark has a network of its own: limits are on, and are not what
/// is measured.
pub(crate) const FORWARDED: &str = "X-Forwarded-For";

/// The operator's token, where a site has one.
pub(crate) const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// Where an account asks, as far as the site has some.
const OF_ACCOUNTS: [&str; 4] = ["/account", "/api/v1/account", "/submit", "/tournaments/new"];

/// `arena serve`, ended with the benchmark.
pub(crate) struct Site {
    child: Child,
    /// Host and port.
    address: String,
    agent: Agent,
    /// The same, which goes nowhere else.
    stays: Agent,
    /// Where it tells its figures.
    metrics: String,
    /// Visitors so far.
    visitors: Cell<u32>,
    /// Codes of accounts with a bot each, called `bot-N`; and which of them asks next.
    authors: Vec<String>,
    next_author: Cell<usize>,
    /// Codes of those who wait in the lobby.
    waiting: Vec<String>,
    /// What words in capitals stand for in [`crate::routes::PAGES`].
    named: Vec<(&'static str, String)>,
    /// Its data, where nobody else keeps them.
    _folder: Option<TempDir>,
}

impl Site {
    /// A site of which every page can be asked: with accounts that have something, rooms, a tournament, a world and
    /// an operator. All editions with the trivial bot are played.
    pub(crate) fn start() -> Site {
        let folder = tempfile::tempdir().expect("a folder");
        let token = folder.path().join("operator");
        std::fs::write(&token, OPERATOR).expect("written");
        let flags = ["--world", WORLD, "--operator-token-file", token.to_str().expect("a path in UTF-8")];
        let mut site = Site::serve(&folder.path().join("site"), &flags);
        site._folder = Some(folder);
        site.submit(TRIVIAL, released(TRIVIAL).bytes, &site.account());
        site.authors = (0..AUTHORS).map(|number| site.author(number)).collect();
        site.waiting = (0..WAITING).map(|_| site.account()).collect();
        let module = EntrantId::of_bytes(released(TRIVIAL).bytes);
        site.named = vec![
            ("ROOM", site.room_and_tournament()),
            ("LONG", site.long_room()),
            ("MODULE", module.hash().expect("a module").to_string()),
            ("SPAN", site.settle()),
            ("RELEASE", site.release()),
        ];
        site.until_at_rest(TRIVIAL, PATIENCE);
        site
    }

    fn submit(&self, bot: &str, module: &[u8], code: &str) {
        let submit = self.agent.post(self.url(&format!("/api/v1/bots/{bot}/versions")));
        let submit = submit.header(FORWARDED, self.visitor()).header("authorization", format!("Bearer {code}"));
        let answer = submit.header("content-type", "application/wasm").send(module).expect("an answer");
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    /// An account with a bot, which is withdrawn so that editions are short, tokens and finished games: its player
    /// code.
    fn author(&self, number: usize) -> String {
        let (code, visitor) = (self.account(), self.visitor());
        let bot = format!("bot-{number}");
        self.submit(&bot, &crowd::module(number), &code);
        let path = format!("/api/v1/bots/{bot}/active");
        let body = json!({ "version": null }).to_string().into_bytes();
        let kind = "application/json";
        self.send(&Change { method: "PUT", path, kind, visitor: visitor.clone(), code: code.clone(), body });
        for token in 0..3 {
            let token = json!({ "name": format!("laptop {token}"), "scope": "play", "days": 30 });
            self.post("account/tokens", &visitor, &code, token);
        }
        for _ in 0..GAMES_OF_AUTHOR {
            let room = self.post("rooms", &visitor, &code, json!({ "opponent": "easy", "seat": 0 }));
            let room = room["room"].as_str().expect("an id");
            self.post(&format!("rooms/{room}/resignation"), &visitor, &code, json!({ "ply": 0 }));
        }
        code
    }

    /// Has the lobby be as long as it gets. Rooms in which nobody sits down end after a while.
    pub(crate) fn fill_the_lobby(&self) {
        let lobby: Value = serde_json::from_str(&self.get("/api/v1/lobby")).expect("JSON");
        let missing = WAITING - lobby["waiting"].as_array().expect("a list").len();
        let room = json!({ "public": true, "clock": "game-600-5" });
        for code in self.waiting.iter().take(missing) {
            self.post("lobby", &self.visitor(), code, room.clone());
        }
    }

    /// A finished game with the most seats, whose states are as long as any: its room's id.
    fn long_room(&self) -> String {
        let (code, visitor) = (self.account(), self.visitor());
        let wanted = json!({ "game": "game-of-game-of-life", "seats": 16, "turns": 100 });
        let room = self.post("lobby", &visitor, &code, wanted)["room"].as_str().expect("an id").to_owned();
        for (what, said) in [("bots", json!({ "opponent": "greedy" })), ("resignation", json!({ "ply": 0 }))] {
            self.post(&format!("rooms/{room}/{what}"), &visitor, &code, said);
        }
        self.until("the end of a room", || {
            let state: Value = serde_json::from_str(&self.get(&format!("/api/v1/rooms/{room}"))).expect("JSON");
            (!state["outcome"].is_null()).then_some(())
        });
        room
    }

    /// Founds all kingdoms of the world; the first generation of a span of its log that is finished since.
    fn settle(&self) -> String {
        let commands = format!("worlds/{WORLD}/commands");
        for [x, y] in CORNERS {
            let (code, visitor) = (self.account(), self.visitor());
            let cells: Vec<[u16; 2]> = (1..7).flat_map(|row| [1, 2, 4].map(|col| [x + col, y + row])).collect();
            for call in [
                json!({ "type": "faucet" }),
                json!({ "type": "join_game", "base_x": x, "base_y": y }),
                json!({ "type": "place_cells", "cells": cells }),
            ] {
                let answer = self.post(&commands, &visitor, &code, call);
                assert_eq!(answer["type"], "answer", "{answer}");
            }
        }
        let spans = || -> Vec<u64> {
            let spans = self.get(&format!("/api/v1/worlds/{WORLD}/spans"));
            serde_json::from_str(&spans).expect("numbers")
        };
        let now = spans()[0];
        self.until("the end of a span", || spans().windows(2).find(|span| span[0] > now).map(|span| span[1]))
            .to_string()
    }

    /// Where files of pages are kept.
    fn release(&self) -> String {
        let page = self.get("/");
        let (_, rest) = page.split_once("/static/").expect("pages have files");
        rest.split('/').next().expect("a release").into()
    }

    /// Waits for something.
    fn until<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        self.within(PATIENCE, what, look)
    }

    fn within<T>(&self, patience: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let since = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(since.elapsed() < patience, "{what} does not come");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// A site of its own, when its first editions are played.
    pub(crate) fn with(flags: &[&str]) -> Site {
        let folder = tempfile::tempdir().expect("a folder");
        let mut site = Site::serve(&folder.path().join("site"), flags);
        site._folder = Some(folder);
        site.until_at_rest("", PATIENCE);
        site
    }

    /// A site without standing tournaments, which rests from the start.
    pub(crate) fn without_standings(flags: &[&str]) -> Site {
        let folder = tempfile::tempdir().expect("a folder");
        let mut site = Site::serve(&folder.path().join("site"), &[&["--no-standing"], flags].concat());
        site._folder = Some(folder);
        site
    }

    /// A site over a folder, which stays.
    pub(crate) fn serve(data: &Path, flags: &[&str]) -> Site {
        let mut command = Command::new(ARENA);
        let proxy = "127.0.0.0/8";
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--trusted-proxy", proxy])
            .args(flags)
            .arg("--data")
            .arg(data);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the arena runs");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines().take(3);
        let lines: Vec<String> = lines.collect::<Result<_, _>>().expect("lines");
        let said = |begin: &str| lines.iter().find_map(|line| line.strip_prefix(begin)).expect(begin).to_owned();
        let (address, metrics) = (said("listening on http://"), said("metrics on "));
        let agent = || Agent::config_builder().http_status_as_error(false).max_idle_age(IDLE_MAX);
        let stays = agent().max_redirects(0).build().into();
        let agent = agent().build().into();
        Site {
            child,
            address,
            agent,
            stays,
            metrics,
            visitors: Cell::default(),
            authors: Vec::new(),
            next_author: Cell::default(),
            waiting: Vec::new(),
            named: Vec::new(),
            _folder: None,
        }
    }

    /// The process that answers.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// How many connections of the store were taken so far, and how many statements were sent over them. To find out
    /// takes some, too.
    pub(crate) fn asked(&self) -> [u64; 2] {
        let figures = self.figures();
        ["arena_store_asked_total ", "arena_store_statements_total "].map(|name| figure(&figures, name) as u64)
    }

    fn figures(&self) -> String {
        let figures = self.agent.get(&self.metrics).call().and_then(|mut answer| answer.body_mut().read_to_string());
        figures.expect("figures")
    }

    /// Ends it as an operator does.
    pub(crate) fn stop(mut self) {
        let process = rustix::process::Pid::from_raw(self.child.id() as i32).expect("a process");
        rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("told");
        assert!(self.child.wait().expect("it ends").success());
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The address of somebody who has not been here: of another provider than the one before.
    pub(crate) fn visitor(&self) -> String {
        let number = self.visitors.replace(self.visitors.get() + 1);
        format!("10.{}.{}.1", number % 256, number / 256 % 256)
    }

    /// The account of a new visitor: its player code.
    fn account(&self) -> String {
        let name = format!("Visitor {}", self.visitors.get());
        self.post("accounts", &self.visitor(), "", json!({ "name": name }))["code"].as_str().expect("a code").into()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.answer(path, "identity")
    }

    /// An answer in this encoding, as a text: one in brotli is none that anybody reads.
    fn answer(&self, page: &str, encoding: &str) -> String {
        let author = self.next_author.replace(self.next_author.get() + 1) % self.authors.len().max(1);
        let mut path = page.replace("OWN", &format!("bot-{author}"));
        for (word, name) in &self.named {
            path = path.replace(word, name);
        }
        let path = path.as_str();
        loop {
            let asked = self.agent.get(self.url(path)).header(FORWARDED, self.visitor());
            let asked = asked.header("accept-encoding", encoding);
            let code = match self.authors.get(author) {
                _ if ["/operator", "/api/v1/operator"].iter().any(|start| path.starts_with(start)) => OPERATOR,
                Some(code) if page.contains("OWN") || OF_ACCOUNTS.iter().any(|start| path.starts_with(start)) => code,
                _ => "",
            };
            let asked = if code.is_empty() { asked } else { asked.header("authorization", format!("Bearer {code}")) };
            let mut answer = asked.call().expect(path);
            let wait = retry_after(&answer);
            // A picture is no text.
            let text = String::from_utf8_lossy(&answer.body_mut().read_to_vec().expect(path)).into_owned();
            match wait {
                Some(seconds) => std::thread::sleep(Duration::from_secs(seconds)),
                None => {
                    assert!(answer.status().is_success(), "{path}: {text}");
                    return text;
                }
            }
        }
    }

    /// Opens a room, and a tournament, `cup-1`, whose entry stays open; the room's id.
    pub(crate) fn room_and_tournament(&self) -> String {
        let visitor = self.visitor();
        let claimed = self.post("accounts", &visitor, "", json!({ "name": "Organiser" }));
        let code = claimed["code"].as_str().expect("a code");
        let definition = "name = \"cup\"\nformat = \"swiss\"\npairs = 1\nrounds = 1";
        self.post("tournaments", &visitor, code, json!({ "definition": definition, "entry": "open" }));
        let room = self.post("rooms", &visitor, code, json!({ "opponent": "easy", "seat": 0 }));
        room["room"].as_str().expect("an id").into()
    }

    pub(crate) fn post(&self, path: &str, visitor: &str, code: &str, body: Value) -> Value {
        let asked = self.agent.post(self.url(&format!("/api/v1/{path}"))).header(FORWARDED, visitor);
        let asked = if code.is_empty() { asked } else { asked.header("authorization", format!("Bearer {code}")) };
        let mut answer = asked.send_json(body).expect(path);
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.body_mut().read_json().expect("JSON")
    }

    /// Waits for editions of all games, that of the first one with the bot in it.
    pub(crate) fn until_at_rest(&self, bot: &str, patience: Duration) {
        let at_rest = || {
            arena_wire::GAMES.iter().zip(iter::once(bot).chain(iter::repeat(""))).all(|(game, bot)| {
                let standings = self.get(&format!("/api/v1/standings?game={}", game.name()));
                let standings: Value = serde_json::from_str(&standings).expect("JSON");
                standings["playing"].is_null() && standings["edition"].to_string().contains(&format!("\"{bot}"))
            })
        };
        self.within(patience, "the first edition", || at_rest().then_some(()));
    }

    /// Seconds of an answer.
    pub(crate) fn page(&self, path: &str) -> f64 {
        per_unit(self.child.id(), || {
            (0..REQUESTS).for_each(|_| drop(self.get(path)));
            REQUESTS
        })
    }

    /// Seconds of an answer of each of two pages, which are asked in turns: a machine that becomes faster or slower
    /// does so for both.
    pub(crate) fn interleaved(&self, paths: [&str; 2]) -> [f64; 2] {
        let (mut seconds, mut answers, mut times) = ([0.0; 2], [0; 2], [1; 2]);
        while seconds.into_iter().fold(f64::INFINITY, f64::min) < TURNS_SECONDS_MIN {
            for (which, path) in paths.into_iter().enumerate() {
                let start = seconds_of(self.child.id());
                // As a browser asks.
                (0..times[which]).for_each(|_| drop(self.answer(path, "br")));
                let spent = seconds_of(self.child.id()) - start;
                seconds[which] += spent;
                answers[which] += times[which];
                // A look at the clock takes milliseconds, and a turn should be many of its ticks.
                if spent < TURN_SECONDS_MIN {
                    times[which] *= 2;
                }
            }
        }
        std::array::from_fn(|which| seconds[which] / answers[which] as f64)
    }

    /// What an answer is charged, in units of the cost of requests.
    pub(crate) fn charged(&self, path: &str) -> f64 {
        let before = self.charged_so_far();
        self.get(path);
        self.charged_so_far() - before
    }

    fn charged_so_far(&self) -> f64 {
        figure(&self.figures(), "arena_requests_charged_total ")
    }

    /// Makes a change; the answer, if it is JSON.
    pub(crate) fn send(&self, change: &Change) -> Value {
        let Change { method, path, kind, visitor, code, body } = change;
        let url = self.url(path);
        let authorization = format!("Bearer {code}");
        let ask = || {
            if *method == "DELETE" {
                let asked = self.stays.delete(&url).header(FORWARDED, visitor);
                return asked.header("authorization", &authorization).call();
            }
            let asked = if *method == "PUT" { self.stays.put(&url) } else { self.stays.post(&url) };
            let asked = asked.header(FORWARDED, visitor).header("content-type", *kind);
            let asked = if code.is_empty() { asked } else { asked.header("authorization", &authorization) };
            asked.send(&body[..])
        };
        let mut answer = ask().expect(path);
        while let Some(seconds) = retry_after(&answer) {
            std::thread::sleep(Duration::from_secs(seconds));
            answer = ask().expect(path);
        }
        let status = answer.status();
        let text = answer.body_mut().read_to_string().expect(path);
        // Bytes that are no bot are refused when all is done.
        let is_no_bot = path.contains("/large/") || path == "/submit";
        let is_done = status.is_success() || status.is_redirection() || status.as_u16() == 422 && is_no_bot;
        assert!(is_done, "{method} {path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Makes changes of one kind, in turns with answers of [`HEALTH`].
    pub(crate) fn measured(&self, changes: &[Change]) -> Measured {
        let (first, rest) = changes.split_first().expect("at least one");
        let before = self.charged_so_far();
        let mut answers = vec![self.send(first)];
        let charged = self.charged_so_far() - before;
        let (mut seconds, mut health) = (0.0, 0.0);
        let parts = rest.chunks(rest.len().div_ceil(PARTS));
        let count = parts.len() as u64;
        for part in parts {
            let begun = seconds_of(self.child.id());
            (0..HEALTH_A_PART).for_each(|_| drop(self.answer(HEALTH, "br")));
            let between = seconds_of(self.child.id());
            answers.extend(part.iter().map(|change| self.send(change)));
            seconds += seconds_of(self.child.id()) - between;
            health += between - begun;
        }
        let health = health / (count * HEALTH_A_PART) as f64;
        Measured { answers, seconds: seconds / rest.len() as f64, health, charged }
    }

    /// Seconds of a person's turn together with the answer of a native opponent, with so many who watch; and how many
    /// messages these got.
    pub(crate) fn ply(&self, spectators: usize) -> (f64, f64) {
        let (mut seconds, mut plies, mut messages) = (0.0, 0, 0);
        while seconds < SAMPLE_SECONDS_MIN {
            let mut rooms: Vec<Room> = (0..ROOMS).map(|_| Room::open(self, spectators)).collect();
            let start = seconds_of(self.child.id());
            while rooms.iter().any(|room| !room.is_over()) {
                plies += rooms.iter_mut().map(Room::play).sum::<u64>();
                rooms.iter_mut().for_each(Room::until_asked);
            }
            seconds += seconds_of(self.child.id()) - start;
            messages += rooms.iter().map(|room| room.messages).sum::<u64>();
        }
        (seconds / plies as f64, messages as f64 / plies as f64)
    }
}

/// A request that changes something.
pub(crate) struct Change {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    /// The type of the body.
    pub(crate) kind: &'static str,
    /// Who asks: an address, and the code of an account or nothing.
    pub(crate) visitor: String,
    pub(crate) code: String,
    pub(crate) body: Vec<u8>,
}

/// Changes of one kind: the answers, seconds of each, seconds of an answer of [`HEALTH`] meanwhile, and what each is
/// charged.
pub(crate) struct Measured {
    pub(crate) answers: Vec<Value>,
    pub(crate) seconds: f64,
    pub(crate) health: f64,
    pub(crate) charged: f64,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Seconds after which what all visitors together may ask has come back, where it was used up. To wait costs nothing.
fn retry_after(answer: &Response<Body>) -> Option<u64> {
    answer.headers().get("retry-after")?.to_str().ok()?.parse().ok()
}

/// One of the figures.
fn figure(figures: &str, name: &str) -> f64 {
    let line = figures.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|value| value.parse().ok()).expect("a figure")
}

/// What a state says that matters here.
#[derive(Deserialize)]
struct State {
    options: String,
    ply: u16,
    turns: Vec<Vec<Play>>,
    awaiting: Vec<u8>,
    outcome: Option<Value>,
}

/// A room in which seat 0 is ours.
struct Room {
    own: Socket,
    spectators: Vec<Socket>,
    /// What these got since the room was opened.
    messages: u64,
    state: State,
}

impl Room {
    fn open(site: &Site, spectators: usize) -> Room {
        let (code, visitor) = (site.account(), site.visitor());
        let room = site.post("rooms", &visitor, &code, json!({ "opponent": "easy", "seat": 0 }));
        let room = room["room"].as_str().expect("an id");
        let mut own = Socket::open(&site.address, room, &visitor, Some(&code));
        let watch = |_| Socket::open(&site.address, room, &visitor, None);
        let mut spectators: Vec<Socket> = (0..spectators).map(watch).collect();
        let state = next_state(&mut own);
        spectators.iter_mut().for_each(|spectator| drop(next_state(spectator)));
        Room { own, spectators, messages: 0, state }
    }

    fn is_over(&self) -> bool {
        self.state.outcome.is_some()
    }

    /// Plays our turn, if there is one; how many.
    fn play(&mut self) -> u64 {
        if self.is_over() {
            return 0;
        }
        let action = Position::encode_action(&self.action());
        let hex: String = action.iter().map(|byte| format!("{byte:02x}")).collect();
        let ply = self.state.ply;
        self.own.say(&json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": hex }).to_string());
        1
    }

    /// Reads, and has the others read, until it is our turn again.
    fn until_asked(&mut self) {
        if self.is_over() {
            return;
        }
        let ply = self.state.ply;
        let is_next = |state: &State| state.outcome.is_some() || state.ply > ply && state.awaiting == [0];
        for spectator in &mut self.spectators {
            self.messages += 1;
            while !is_next(&next_state(spectator)) {
                self.messages += 1;
            }
        }
        loop {
            self.state = next_state(&mut self.own);
            if is_next(&self.state) {
                return;
            }
        }
    }

    /// The first cells that are open.
    fn action(&self) -> Action {
        let options = Position::parse_options(&self.state.options).expect("the room's options");
        let mut position = Position::start(&options, &[0; 32]);
        for play in self.state.turns.iter().flatten() {
            let action = Position::decode_action(&play.action.0).expect("an action");
            let turn: Turn = position.check(Seat(play.seat), &action).expect("it was played");
            position.advance(BySeat::new(2, |seat| (seat.0 == play.seat).then(|| turn.clone())));
        }
        let cells = position.placeable(Colour::Blue).cells();
        Action::Place(cells.take(PLACEMENTS.into()).map(Target::from).collect())
    }
}

/// The next state among what a socket says.
fn next_state(socket: &mut Socket) -> State {
    loop {
        let text = socket.read();
        assert!(!text.contains("\"type\":\"rejected\""), "{text}");
        if text.contains("\"type\":\"state\"") {
            return serde_json::from_str(&text).expect("a state");
        }
    }
}

/// Sites that nobody visits while all else is measured.
pub(crate) struct Unvisited<const N: usize> {
    sites: [Site; N],
    /// What each had spent at a moment.
    spent: [f64; N],
    at: Instant,
}

impl<const N: usize> Unvisited<N> {
    pub(crate) fn new(sites: [Site; N]) -> Self {
        Unvisited { spent: sites.each_ref().map(|site| seconds_of(site.process())), sites, at: Instant::now() }
    }

    /// What each spent on a second since it was asked last.
    pub(crate) fn of_a_second(&mut self) -> [f64; N] {
        let (spent, seconds) = (self.sites.each_ref().map(|site| seconds_of(site.process())), self.at.elapsed());
        let of_a_second = std::array::from_fn(|site| (spent[site] - self.spent[site]) / seconds.as_secs_f64());
        (self.spent, self.at) = (spent, Instant::now());
        of_a_second
    }
}
