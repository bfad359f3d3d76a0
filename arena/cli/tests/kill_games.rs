//! A server that is killed at random points of games between people: every acknowledged turn is there, none twice, no clock ran while
//! the server was down, and all of them run on. `cargo xtask kill-games` kills it a hundred times.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

mod assets;
mod site;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena_rules::Rng;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use site::{Answer, Ask, PATIENCE, Site, Visited, block, get, post_json};

/// Games at once.
const GAMES: u8 = 20;
/// Kills where nothing else is said.
const KILLS: u64 = 5;
/// Turns of a game.
const PLIES: u64 = 24;
/// The clock of each person, in milliseconds: nobody runs out of time.
const CLOCK_MS: u64 = 3_600_000;

/// A game between two people, of whom each comes from a network of their own.
struct Game {
    number: u8,
    /// The room's address in the API.
    room: String,
    codes: [String; 2],
    /// Turns that were acknowledged: all before this one.
    acknowledged: AtomicU64,
}

/// What a setting of the environment says.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

impl Game {
    /// Where a seat's person comes from.
    fn network(number: u8, seat: usize) -> Ipv4Addr {
        Ipv4Addr::new(127, 81, 2 * number + seat as u8, 1)
    }

    /// Two people with accounts, at a board.
    async fn begin(site: &Site, number: u8) -> Game {
        let mut codes = Vec::new();
        for seat in [0, 1] {
            let claim = json!({ "name": format!("Player {number} {seat}") });
            let claimed = site.ask(Game::network(number, seat), post_json("/api/v1/accounts", &claim)).await;
            codes.push(claimed.json()["code"].as_str().unwrap().to_owned());
        }
        let codes: [String; 2] = codes.try_into().unwrap();
        let wanted = json!({ "seat": 0, "clock": format!("game-{}-0", CLOCK_MS / 1_000) });
        let open = post_json("/api/v1/lobby", &wanted).bearer(&codes[0]);
        let opened = site.ask(Game::network(number, 0), open).await.json();
        let join = post_json("/api/v1/lobby/joins", &json!({ "code": opened["code"] })).bearer(&codes[1]);
        let joined = site.ask(Game::network(number, 1), join).await;
        assert_eq!(joined.status, 201, "{}", joined.body);
        let room = format!("/api/v1/rooms/{}", opened["room"].as_str().unwrap());
        Game { number, room, codes, acknowledged: AtomicU64::new(0) }
    }

    /// Plays every turn of both, each said again until somebody answers.
    async fn play(&self, mut site: watch::Receiver<SocketAddr>, acknowledged: &watch::Sender<u64>) {
        let commands = format!("{}/commands", self.room);
        for ply in 0..PLIES {
            let seat = (ply % 2) as usize;
            let said = json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": block(ply) });
            loop {
                let address = *site.borrow_and_update();
                let ask = post_json(&commands, &said).bearer(&self.codes[seat]);
                let answer = Visited { address }.try_ask(Game::network(self.number, seat), &ask).await;
                if let Some(Answer { status, body, .. }) = answer {
                    assert!(status == 200 && body.contains("\"type\":\"applied\""), "ply {ply}: {status} {body}");
                    break;
                }
                timeout(PATIENCE, site.changed()).await.unwrap().unwrap();
            }
            self.acknowledged.store(ply + 1, Ordering::SeqCst);
            acknowledged.send_modify(|count| *count += 1);
        }
    }

    async fn state(&self, address: SocketAddr) -> Value {
        let ask: Ask<'_> = get(&self.room);
        let answer = Visited { address }.ask(Game::network(self.number, 0), ask).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    }

    /// Looks whether all is there, once, in a site that was up for so long in all.
    async fn check(&self, address: SocketAddr, up: impl Fn() -> Duration) {
        let acknowledged = self.acknowledged.load(Ordering::SeqCst);
        let state = self.state(address).await;
        let turns: Vec<&str> =
            state["turns"].as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap()).collect();
        let count = turns.len() as u64;
        assert!(acknowledged <= count && count <= acknowledged + 1, "{count} turns, {acknowledged} acknowledged");
        let sent: Vec<String> = (0..count).map(block).collect();
        assert_eq!(turns, sent, "game {}", self.number);
        assert_eq!(state["events"], 2 + count, "the room was opened and joined, and nothing is there twice");
        let left = clocks(&state);
        let spent = 2 * CLOCK_MS - left[0] - left[1];
        assert!(u128::from(spent) <= up().as_millis(), "game {}: {spent} ms of clocks in {:?}", self.number, up());
        if state["outcome"].is_null() {
            let runs = (count % 2) as usize;
            let goes_on = async { while clocks(&self.state(address).await)[runs] >= left[runs] {} };
            timeout(PATIENCE, goes_on).await.expect("its clock runs");
        }
    }
}

/// What the clocks have left, in milliseconds.
fn clocks(state: &Value) -> [u64; 2] {
    [0, 1].map(|seat| state["people"]["left_ms"][seat].as_u64().unwrap())
}

/// Reads all of a store that nobody has open.
fn read_all(data: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let done = command.args(["admin", "check", "--data"]).arg(data).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_keeps_every_turn_of_games_between_people_once_and_their_clocks() {
    let (kills, seed) = (setting("ARENA_GAME_KILLS", KILLS), setting("ARENA_GAME_KILL_SEED", 1));
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 0);
    let all = u64::from(GAMES) * PLIES;
    let mut points: Vec<u64> = (0..kills).map(|_| u64::from(rng.below(all as u32))).collect();
    points.sort_unstable();

    let folder = tempfile::tempdir().unwrap();
    let (mut up, mut since) = (Duration::ZERO, Instant::now());
    let mut site = Site::start(folder.path(), &[]);
    let mut games = Vec::new();
    for number in 0..GAMES {
        games.push(Arc::new(Game::begin(&site, number).await));
    }
    let (moves, address) = watch::channel(site.address);
    let (counts, mut acknowledged) = watch::channel(0);
    let playing: Vec<_> = games
        .iter()
        .map(|game| {
            let (game, address, counts) = (game.clone(), address.clone(), counts.clone());
            tokio::spawn(async move { game.play(address, &counts).await })
        })
        .collect();
    for point in &points {
        timeout(PATIENCE, acknowledged.wait_for(|count| count >= point)).await.unwrap().unwrap();
        site.child.kill().unwrap();
        site.child.wait().unwrap();
        up += since.elapsed();
        // Long enough that a clock which ran meanwhile would show.
        read_all(&folder.path().join("data"));
        since = Instant::now();
        site = Site::start(folder.path(), &[]);
        for game in &games {
            game.check(site.address, || up + since.elapsed()).await;
        }
        moves.send_replace(site.address);
    }
    for game in playing {
        timeout(PATIENCE, game).await.unwrap().unwrap();
    }
    for game in &games {
        game.check(site.address, || up + since.elapsed()).await;
        assert!(!game.state(site.address).await["outcome"].is_null());
    }
    println!("{kills} kills at {points:?} of {all} turns in {GAMES} games: all are there, none twice, clocks ran on");
}
