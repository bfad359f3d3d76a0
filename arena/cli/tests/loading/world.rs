//! Watchers of a world, in this process: how soon each hears of a generation and of a call.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Socket, ask, network};
use crate::site::{Visited, post_json};

const SOCKET: &str = "/api/v1/worlds/meadow/socket";
const COMMANDS: &str = "/api/v1/worlds/meadow/commands";
/// Calls that the watchers hear of.
pub(crate) const CALLS: usize = 10;

/// What watchers of a world heard.
pub(crate) struct Heard {
    /// From a call to each watcher.
    pub(crate) calls: Vec<Duration>,
    /// From when the first watcher heard of a generation to when each did.
    pub(crate) generations: Vec<Duration>,
}

/// Has so many watch a world while somebody calls it.
pub(crate) async fn watched(site: Visited, watchers: u64) -> Heard {
    let caller = network(0, 0);
    let named = ask(site, caller, || post_json("/api/v1/accounts", &json!({ "name": "Caller" }))).await.json();
    let code = named["code"].as_str().unwrap().to_owned();
    let listening = Arc::new(Barrier::new(watchers as usize + 1));
    let mut watching = JoinSet::new();
    for watcher in 1..=watchers {
        let mut socket = Socket::open(site, network(0, watcher), SOCKET, "").await;
        let listening = listening.clone();
        watching.spawn(async move {
            listening.wait().await;
            let (mut calls, mut generations) = (Vec::new(), BTreeMap::new());
            while calls.len() < CALLS {
                let said = socket.next().await;
                let now = Instant::now();
                let called =
                    said["lines"].as_array().map_or(0, |lines| lines.iter().filter(|line| is_call(line)).count());
                calls.extend(std::iter::repeat_n(now, called));
                said["generation"].as_u64().map(|generation| generations.entry(generation).or_insert(now));
            }
            (calls, generations)
        });
    }
    listening.wait().await;
    let mut called = Vec::new();
    for _ in 0..CALLS {
        called.push(Instant::now());
        let faucet = || post_json(COMMANDS, &json!({ "type": "faucet" })).bearer(&code);
        let answer = ask(site, caller, faucet).await.json();
        assert_eq!(answer["type"], "answer", "{answer}");
    }
    let watched = watching.join_all().await;
    let mut first = BTreeMap::new();
    for (generation, at) in watched.iter().flat_map(|(_, generations)| generations) {
        first.entry(*generation).and_modify(|first: &mut Instant| *first = (*first).min(*at)).or_insert(*at);
    }
    let calls = watched.iter().flat_map(|(heard, _)| heard.iter().zip(&called).map(|(heard, called)| *heard - *called));
    let generations = watched.iter().flat_map(|(_, generations)| generations);
    Heard { calls: calls.collect(), generations: generations.map(|(generation, at)| *at - first[generation]).collect() }
}

fn is_call(line: &Value) -> bool {
    line["event"] == "called"
}
