//! Many rooms of two people and their spectators on one server, each visitor from a network of its own, its limits on. What is held is that
//! no ply is lost or there twice, and what a ply and a socket cost; how soon watchers see a ply is reported. `cargo xtask load` has
//! a thousand rooms.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

mod assets;
mod loading;
mod site;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

use loading::{Client, PLIES, SPECTATORS, setting};
use site::{HONEST, Site, get};

/// Rooms where nothing else is said, and milliseconds from ply to ply.
const ROOMS: u64 = 12;
const PLY_MS: u64 = 100;
/// Between two looks at whether the site is at rest.
const PAUSE: Duration = Duration::from_millis(500);
/// Sockets of a world where nothing else is said.
const WATCHERS: u64 = 20;
/// Processes of clients: each has at most 3,000 sockets of a thousand rooms.
const CLIENTS: u64 = 4;

/// Commits for a ply: its own, and its part of the end of its game.
const COMMITS_MAX: f64 = 1.2;
/// Bytes that a watcher gets for a ply, frames and beats included.
const WATCHED_BYTES_MAX: u64 = 800;
/// Bytes by which the database grows for a ply, and what it grows by at once.
const STORED_BYTES_MAX: u64 = 600;
const STORED_AT_ONCE_BYTES_MAX: u64 = 1 << 20;
/// Resident bytes of the server for a socket, with its part of its room.
const SOCKET_BYTES_MAX: u64 = 28 << 10;
/// What a server takes besides, at its start: standings, caches.
const BESIDES_BYTES_MAX: u64 = 48 << 20;

/// A client is this program once more, so it has a beginning of its own.
fn main() -> ExitCode {
    if loading::is_one() {
        return ExitCode::SUCCESS;
    }
    let trial = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    // One after the other: what each costs is weighed.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let tests = vec![
        trial("rooms_of_people_and_their_spectators", rooms_of_people_and_their_spectators),
        trial("a_world_and_its_watchers", a_world_and_its_watchers),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// Every watcher hears every call; how soon is reported.
fn a_world_and_its_watchers() {
    let watchers = setting("ARENA_WATCHERS", WATCHERS);
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--world", "meadow"]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut heard = runtime.block_on(loading::world::watched(*site, watchers));
    println!("{watchers} watchers of a world");
    let say = |what: &str, times: &mut Vec<Duration>| {
        println!("{what} p50 {:.1}, p99 {:.1}", loading::quantile(times, 50), loading::quantile(times, 99));
    };
    say("from call to watchers, ms    ", &mut heard.calls);
    say("from a generation's first watcher to each, ms", &mut heard.generations);
    assert_eq!(heard.calls.len(), watchers as usize * loading::world::CALLS);
}

fn rooms_of_people_and_their_spectators() {
    let (rooms, ply_ms) = (setting("ARENA_ROOMS", ROOMS), setting("ARENA_PLY_MS", PLY_MS));
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let site = Site::start(folder.path(), &[]);
    if setting("ARENA_AT_REST", 0) > 0 {
        until_at_rest(&site);
    }
    let share = rooms.div_ceil(CLIENTS);
    let first_rooms = (0..rooms).step_by(share as usize);
    let mut clients: Vec<Client> =
        first_rooms.map(|first| Client::start(site.address, first, share.min(rooms - first), ply_ms)).collect();
    all(&mut clients, Client::said);
    let before = resident_bytes(&site);
    clients.iter_mut().for_each(Client::go_on);
    all(&mut clients, Client::said);
    let open = resident_bytes(&site);
    let (commits, stored) = (commits(&data), stored_bytes(&data));
    clients.iter_mut().for_each(Client::go_on);
    let came_to = all(&mut clients, Client::said);
    let after = resident_bytes(&site);
    let (commits, stored) = (self::commits(&data) - commits, stored_bytes(&data).saturating_sub(stored));

    let sum = |what: &str| came_to.iter().map(|one| one[what].as_u64().unwrap()).sum::<u64>();
    let spread = |what: &str| {
        let mut all: Vec<f64> = came_to.iter().map(|one| one[what].as_f64().unwrap()).collect();
        all.sort_by(f64::total_cmp);
        format!("{:.1} ({:.1} - {:.1})", all[all.len() / 2], all[0], all[all.len() - 1])
    };
    let (plies, sockets) = (rooms * PLIES, rooms * (SPECTATORS + 2));
    let watched = sum("bytes") / sum("views");
    let commits_of_a_ply = commits as f64 / plies as f64;
    let taken = open.max(after).saturating_sub(before);
    println!("{rooms} rooms, {} spectators, {sockets} sockets, {} client processes", rooms * SPECTATORS, came_to.len());
    println!("plies                        {plies}, one in {ply_ms} ms in each room");
    println!("lost, twice                  {}, {}", sum("lost"), sum("twice"));
    println!("commands said again          {}", sum("again"));
    println!("bytes to a watcher for a ply {watched} (at most {WATCHED_BYTES_MAX})");
    println!("commits for a ply            {commits_of_a_ply:.3} (at most {COMMITS_MAX})");
    println!(
        "bytes stored for a ply       {} (at most {STORED_BYTES_MAX}, and {STORED_AT_ONCE_BYTES_MAX} at once)",
        stored / plies
    );
    println!("resident before, open, after {} {} {} MiB", before >> 20, open >> 20, after >> 20);
    println!(
        "resident for a socket        {} (at most {SOCKET_BYTES_MAX}, and {BESIDES_BYTES_MAX} besides)",
        taken / sockets
    );
    println!("from ply to watchers, ms     p50 {}, p99 {}, of the processes", spread("p50"), spread("p99"));
    println!("sent later than planned, ms  p99 {}", spread("late"));
    assert_eq!((sum("lost"), sum("twice")), (0, 0), "{came_to:?}");
    assert_eq!(sum("views"), plies * SPECTATORS, "every watcher saw every ply");
    assert!(watched <= WATCHED_BYTES_MAX, "{watched}");
    assert!(commits_of_a_ply <= COMMITS_MAX, "{commits_of_a_ply}");
    assert!(stored <= plies * STORED_BYTES_MAX + STORED_AT_ONCE_BYTES_MAX, "{stored}");
    assert!(taken <= sockets * SOCKET_BYTES_MAX + BESIDES_BYTES_MAX, "{taken} bytes of {sockets} sockets");
}

fn all(clients: &mut [Client], what: impl Fn(&mut Client) -> Value) -> Vec<Value> {
    clients.iter_mut().map(what).collect()
}

/// Waits until the site has played its first editions, which would be measured, too.
fn until_at_rest(site: &Site) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let at_rest = |path: &String| {
        let standings = runtime.block_on(site.ask(HONEST, get(path))).json();
        standings["playing"].is_null() && !standings["edition"].is_null()
    };
    let pages: Vec<String> =
        arena_wire::GAMES.iter().map(|game| format!("/api/v1/standings?game={}", game.name())).collect();
    while !pages.iter().all(at_rest) {
        thread::park_timeout(PAUSE);
    }
}

/// Bytes of memory that the server's process has.
fn resident_bytes(site: &Site) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", site.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

/// How often something was committed. Source: <https://sqlite.org/walformat.html#the_wal_index_header>, `iChange`.
fn commits(data: &Path) -> u64 {
    let index = fs::read(data.join("arena.db-shm")).unwrap();
    u32::from_ne_bytes(*index[8..].first_chunk().unwrap()).into()
}

/// Bytes of the database, without its log, which is reused.
fn stored_bytes(data: &Path) -> u64 {
    fs::metadata(data.join("arena.db")).unwrap().len()
}
