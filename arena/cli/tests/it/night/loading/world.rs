//! Watchers of a world, in this process, on the machine of the site: how soon each hears of a generation and of a call.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::{Socket, ask, network};
use crate::site::{Visited, get, post_json};

const SOCKET: &str = "/api/v1/worlds/meadow/socket";
const COMMANDS: &str = "/api/v1/worlds/meadow/commands";
/// Calls that the watchers hear of.
pub(crate) const CALLS: usize = 10;
/// Generations that each hears of at least, from the one in which all are there; and of these those that certainly
/// began after all listened.
const GENERATIONS: u64 = 10;
pub(crate) const LATER_GENERATIONS: usize = GENERATIONS as usize - 2;
/// The message with which a site logs that it begins a generation.
const BEGINS: &str = "a generation begins";
const DAY_MICROS: u64 = 24 * 60 * 60 * 1_000_000;

/// What watchers of a world heard.
pub(crate) struct Heard {
    /// From a call to each watcher.
    pub(crate) calls: Vec<Duration>,
    /// Each watcher's generations, and when it heard of them, by the system's clock.
    generations: Vec<(u64, SystemTime)>,
    /// When all listened.
    since: SystemTime,
}

impl Heard {
    /// From when a site began a generation, as its log says, to each watcher.
    pub(crate) fn after_ticks(&self, log: &str) -> Vec<Duration> {
        let ticks: BTreeMap<u64, u64> =
            log.lines().filter_map(|line| begun(&serde_json::from_str(line).ok()?)).collect();
        let late = |(generation, at): &(u64, SystemTime)| {
            let (tick, since) = (ticks.get(generation)?, micros_of_day(self.since));
            // What came before all listened was not read at once. A day may end meanwhile.
            let is_heard = (tick + DAY_MICROS - since) % DAY_MICROS < DAY_MICROS / 2;
            is_heard.then(|| Duration::from_micros((micros_of_day(*at) + DAY_MICROS - tick) % DAY_MICROS))
        };
        self.generations.iter().filter_map(late).collect()
    }
}

/// The generation that begins, by a line of a log, and the microsecond of the day.
fn begun(line: &Value) -> Option<(u64, u64)> {
    let fields = &line["fields"];
    let (_, time) = line["timestamp"].as_str()?.split_once('T')?;
    let [hours, minutes, seconds] = time.trim_end_matches('Z').split(':').collect::<Vec<_>>()[..] else { return None };
    let (seconds, micros) = seconds.split_once('.')?;
    let number = |text: &str| text.parse::<u64>().ok();
    let seconds = (number(hours)? * 60 + number(minutes)?) * 60 + number(seconds)?;
    assert_eq!(micros.len(), 6, "{line}");
    (fields["message"] == BEGINS).then_some((fields["generation"].as_u64()?, seconds * 1_000_000 + number(micros)?))
}

fn micros_of_day(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap().as_micros() as u64 % DAY_MICROS
}

/// Has so many watch a world while somebody calls it.
pub(crate) async fn watched(site: Visited, watchers: u64) -> Heard {
    let caller = network(0, 0);
    let named = ask(site, caller, || post_json("/api/v1/accounts", &json!({ "name": "Caller" }))).await.json();
    let code = named["code"].as_str().unwrap().to_owned();
    let (listening, there) = (Arc::new(Barrier::new(watchers as usize + 1)), Arc::new(AtomicU64::new(0)));
    let mut watching = JoinSet::new();
    for watcher in 1..=watchers {
        let mut socket = Socket::open(site, network(0, watcher), SOCKET, "").await;
        let (listening, there) = (listening.clone(), there.clone());
        watching.spawn(async move {
            listening.wait().await;
            let until = there.load(Ordering::SeqCst) + GENERATIONS;
            let (mut calls, mut generations) = (Vec::new(), Vec::<(u64, SystemTime)>::new());
            while calls.len() < CALLS || generations.last().is_none_or(|(last, _)| *last < until) {
                let said = socket.next().await;
                let now = Instant::now();
                let called =
                    said["lines"].as_array().map_or(0, |lines| lines.iter().filter(|line| is_call(line)).count());
                calls.extend(std::iter::repeat_n(now, called));
                if let Some(latest) = said["generation"].as_u64() {
                    // A message names the latest; with it, those before are heard of.
                    let (first, at) = (generations.last().map_or(latest, |(last, _)| last + 1), SystemTime::now());
                    generations.extend((first..=latest).map(|generation| (generation, at)));
                }
            }
            (calls, generations)
        });
    }
    let worlds = ask(site, caller, || get("/api/v1/worlds")).await.json();
    there.store(worlds[0]["generation"].as_u64().unwrap(), Ordering::SeqCst);
    listening.wait().await;
    let since = SystemTime::now();
    let mut called = Vec::new();
    for _ in 0..CALLS {
        called.push(Instant::now());
        let faucet = || post_json(COMMANDS, &json!({ "type": "faucet" })).bearer(&code);
        let answer = ask(site, caller, faucet).await.json();
        assert_eq!(answer["type"], "answer", "{answer}");
    }
    let watched = watching.join_all().await;
    let calls = watched.iter().flat_map(|(heard, _)| heard.iter().zip(&called).map(|(heard, called)| *heard - *called));
    let calls = calls.collect();
    Heard { calls, generations: watched.into_iter().flat_map(|(_, generations)| generations).collect(), since }
}

fn is_call(line: &Value) -> bool {
    line["event"] == "called"
}
