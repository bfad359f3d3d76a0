//! Many rooms of two people and their spectators on one server, each visitor from a network of its own, its limits on.
//! What is held is that no ply is lost or there twice, and what a ply and a socket cost; how soon watchers see a ply is
//! reported. `cargo xtask load` has a thousand rooms.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::loading::bounds::{self, Weighed};
use super::loading::{self, Client, PLIES, SPECTATORS, setting};
use crate::eventually::eventually_here;
use crate::site::{HONEST, Site, get};

/// Rooms where nothing else is said, and milliseconds from ply to ply.
const ROOMS: u64 = 12;
const PLY_MS: u64 = 100;
/// Sockets of a world where nothing else is said.
const WATCHERS: u64 = 20;
/// Processes of clients: each has at most 3,000 sockets of a thousand rooms.
const CLIENTS: u64 = 4;

/// Every watcher hears every call; how soon is reported.
#[test]
fn a_world_and_its_watchers() {
    let watchers = setting("ARENA_WATCHERS", WATCHERS);
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--world", "meadow", "--log-level", "trace", "--log-format", "json"];
    let site = Site::start(folder.path(), &flags);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut heard = runtime.block_on(loading::world::watched(*site, watchers));
    println!("{watchers} watchers of a world");
    let say = |what: &str, times: &mut Vec<Duration>| {
        println!("{what} p50 {:.1}, p99 {:.1}", loading::quantile(times, 50), loading::quantile(times, 99));
    };
    say("from call to watchers, ms    ", &mut heard.calls);
    let mut generations = heard.after_ticks(&site.log());
    say("from tick to watchers, ms    ", &mut generations);
    assert!(
        generations.len() >= watchers as usize * loading::world::LATER_GENERATIONS,
        "{} messages",
        generations.len()
    );
    assert_eq!(heard.calls.len(), watchers as usize * loading::world::CALLS);
}

#[test]
fn rooms_of_people_and_their_spectators() {
    loaded(setting("ARENA_ROOMS", ROOMS), setting("ARENA_PLY_MS", PLY_MS), setting("ARENA_AT_REST", 0) > 0);
}

/// Plays in so many rooms; with standing tournaments, if so, once their first editions are over.
pub(crate) fn loaded(rooms: u64, ply_ms: u64, with_standing: bool) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let site = Site::start(folder.path(), if with_standing { &[] } else { &["--no-standing"] });
    if with_standing {
        until_at_rest(&site);
    }
    let share = rooms.div_ceil(CLIENTS);
    let first_rooms = (0..rooms).step_by(share as usize);
    let mut clients: Vec<Client> =
        first_rooms.map(|first| Client::start(site.address, first, share.min(rooms - first), ply_ms)).collect();
    all(&mut clients, Client::said);
    let before = resident_bytes(&site);
    clients.iter_mut().for_each(Client::go_on);
    let seated = all(&mut clients, Client::said);
    let open = resident_bytes(&site);
    let descriptors = seated.iter().map(|one| one["descriptors"].as_u64().unwrap());
    let descriptors = descriptors.chain([loading::descriptors(site.id())]).max().unwrap();
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
    let taken = open.max(after).saturating_sub(before);
    let most = bounds::of(rooms);
    let weighed = [
        Weighed::new("bytes to a watcher for a ply", sum("bytes"), sum("views"), most.watched_bytes),
        Weighed::new("commits for a ply", commits, plies, most.commits.of(plies)),
        Weighed::new("bytes stored for a ply", stored, plies, most.stored_bytes.of(plies)),
        Weighed::new("resident bytes for a socket", taken, sockets, most.resident_bytes.of(sockets)),
        Weighed::new("descriptors of a process", descriptors, 1, bounds::DESCRIPTORS_MAX),
    ];
    println!("{rooms} rooms, {} spectators, {sockets} sockets, {} client processes", rooms * SPECTATORS, came_to.len());
    println!("plies                        {plies}, one in {ply_ms} ms in each room");
    println!("lost, twice                  {}, {}", sum("lost"), sum("twice"));
    println!("commands said again          {}", sum("again"));
    weighed.iter().for_each(|one| println!("{one}"));
    println!("resident before, open, after {} {} {} MiB", before >> 20, open >> 20, after >> 20);
    println!("from ply to watchers, ms     p50 {}, p99 {}, of the processes", spread("p50"), spread("p99"));
    println!("sent later than planned, ms  p99 {}", spread("late"));
    assert_eq!((sum("lost"), sum("twice")), (0, 0), "{came_to:?}");
    assert_eq!(sum("views"), plies * SPECTATORS, "every watcher saw every ply");
    for one in weighed {
        assert!(one.is_within(), "{one}");
    }
}

fn all(clients: &mut [Client], what: impl Fn(&mut Client) -> Value) -> Vec<Value> {
    clients.iter_mut().map(what).collect()
}

/// Waits until the site has played its first editions, which would be measured, too.
fn until_at_rest(site: &Site) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for game in arena_wire::GAMES {
        let path = format!("/api/v1/standings?game={}", game.name());
        eventually_here("the first edition", || {
            let mut standings = runtime.block_on(site.ask(HONEST, get(&path))).json();
            let is_at_rest = standings["playing"].is_null() && !standings["edition"].is_null();
            if is_at_rest { Ok(()) } else { Err(standings["playing"].take()) }
        });
    }
}

/// Bytes of memory that the server's process has.
fn resident_bytes(site: &Site) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", site.id())).unwrap();
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
