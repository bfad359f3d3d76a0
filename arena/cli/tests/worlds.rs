//! A world on a site that is killed at any moment: it comes back at the last answered call or later, and says of every generation
//! what it said before. `cargo xtask kill-world` kills more often.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

mod assets;
#[path = "../../store/tests/postgres/cluster.rs"]
mod cluster;
mod site;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arena_record::Hex;
use arena_rules::Rng;
use arena_rules::life2::FAUCET;
use arena_store::{Page, PostgresStore, SqliteStore, Store, WorldName, WorldSpan};
use arena_world::{Event, Machine, Nobody, Span};
use serde_json::{Value, json};

use cluster::cluster;
use site::{Ask, HONEST, Site, get, post_json};

/// Kills that the tests make in each kind of store.
const KILLS: u64 = 3;
/// How long a life lasts at most: some dozens of generations.
const LIFE: Duration = Duration::from_millis(2_500);
const WORLD: &str = "/api/v1/worlds/meadow";

/// A site with a world; requests block.
struct Meadow {
    site: Site,
    runtime: tokio::runtime::Runtime,
}

impl Meadow {
    fn start(folder: &Path, flags: &[&str]) -> Meadow {
        let flags = [flags, &["--world", "meadow"]].concat();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Meadow { site: Site::start(folder, &flags), runtime }
    }

    /// The answer; `None` where the site is gone.
    fn try_ask(&self, ask: &Ask<'_>) -> Option<Value> {
        let mut answer = self.runtime.block_on(self.site.try_ask(HONEST, ask))?;
        while answer.status == 429 {
            // The share of requests is used up.
            thread::park_timeout(Duration::from_millis(50));
            answer = self.runtime.block_on(self.site.try_ask(HONEST, ask))?;
        }
        assert_eq!(answer.status / 100, 2, "{} {}: {}", ask.method, ask.path, answer.body);
        serde_json::from_str(&answer.body).ok()
    }

    fn call(&self, code: &str, call: &Value) -> Option<Value> {
        self.try_ask(&post_json(&format!("{WORLD}/commands"), call).bearer(code))
    }

    fn generation(&self) -> Option<u64> {
        self.try_ask(&get("/api/v1/worlds"))?[0]["generation"].as_u64()
    }
}

/// What a snapshot said: generations and calls so far, and the digest.
struct Heard {
    generation: u64,
    calls: u64,
    digest: Hex<32>,
}

/// Calls of the one account, which asks the faucet and nothing else.
fn calls(machine: &Machine) -> u64 {
    machine.world().wallets().map(|(_, coins)| coins / FAUCET).sum()
}

impl Meadow {
    /// The world as a snapshot has it; one may be some seconds old.
    fn heard(&self) -> Option<Heard> {
        let opened = self.try_ask(&get(WORLD))?["opened"].take();
        let Ok(Event::Opened(opened)) = serde_json::from_value(opened) else { panic!("no snapshot") };
        let machine = Machine::open(&opened).unwrap();
        Some(Heard { generation: opened.generation, calls: calls(&machine), digest: opened.digest })
    }
}

#[test]
fn a_world_that_is_killed_at_any_moment_comes_back_with_every_answered_call() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = number("ARENA_KILLS").unwrap_or(KILLS);
    let seed = number("ARENA_KILL_SEED").unwrap_or(1);
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    println!("in a file: {}, seed {seed}", killed(None, kills, &mut Rng::new(&key, 0)));
    if cluster::is_there() {
        let url = cluster().database(None);
        println!("in a database: {}, seed {seed}", killed(Some(&url), kills, &mut Rng::new(&key, 1)));
    }
}

/// Kills a site until there were so many kills, and says how that went.
fn killed(database: Option<&str>, kills: u64, rng: &mut Rng) -> String {
    let folder = tempfile::tempdir().unwrap();
    let flags: Vec<&str> = database.into_iter().flat_map(|url| ["--database", url]).collect();
    let mut meadow = Meadow::start(folder.path(), &flags);
    let claimed = meadow.try_ask(&post_json("/api/v1/accounts", &json!({ "name": "Ann" }))).unwrap();
    let code = claimed["code"].as_str().unwrap().to_owned();
    let (mut coins, mut latest, mut lost, mut heard) = (0_u64, 0_u64, 0_u64, Vec::new());
    for _ in 0..kills {
        let process = meadow.site.child.id();
        let life = Duration::from_micros(rng.below(LIFE.as_micros() as u32).into());
        let end = thread::spawn(move || {
            // Not to wait for anything: the moment is drawn.
            thread::sleep(life);
            assert!(Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap().success());
        });
        let mut furthest = latest;
        while let Some(answer) = meadow.call(&code, &json!({ "type": "faucet" })) {
            if answer["type"] == "answer" {
                coins += FAUCET;
                assert_eq!(answer["answer"], coins, "{answer}");
                latest = answer["generation"].as_u64().unwrap();
            } else {
                // The share of calls is used up: look on.
                thread::park_timeout(Duration::from_millis(20));
            }
            let Some(snapshot) = meadow.heard() else { break };
            furthest = furthest.max(snapshot.generation);
            heard.push(snapshot);
        }
        end.join().unwrap();
        meadow.site.child.wait().unwrap();
        meadow = Meadow::start(folder.path(), &flags);
        let back = meadow.generation().unwrap();
        assert!(back >= latest, "{back} is before the last answer, at {latest}");
        lost = lost.max(furthest.saturating_sub(back));
        let balance = meadow.call(&code, &json!({ "type": "get_balance" })).unwrap()["answer"].as_u64().unwrap();
        // The last call may be in the log without having been answered.
        assert!(balance == coins || balance == coins + FAUCET, "{balance} after {coins}");
        coins = balance;
    }
    let Meadow { site, runtime } = meadow;
    site.stop();
    let spans = runtime.block_on(spans(database, folder.path()));
    let verified: Vec<Span> =
        spans.iter().map(|span| Span::verify(&span.lines.concat(), &mut Nobody).unwrap()).collect();
    assert_eq!(verified.iter().map(|span| span.calls).sum::<u64>(), coins / FAUCET, "calls in the log");
    let generations = verified.iter().map(|span| span.to).max().unwrap();
    for snapshot in &heard {
        assert_eq!(digest(&spans, snapshot), snapshot.digest, "generation {}", snapshot.generation);
    }
    let path = folder.path().join("span");
    fs::write(&path, spans[0].lines.concat()).unwrap();
    assert!(Command::new(env!("CARGO_BIN_EXE_arena")).arg("verify").arg(&path).status().unwrap().success());
    format!(
        "{kills} kills in {generations} generations, {} answered calls, all of them in the world after each; it went back by at most \
         {lost} generations, before the last call never; {} snapshots have the digest that the log comes to",
        coins / FAUCET,
        heard.len()
    )
}

/// The log of the world, the latest span first.
async fn spans(database: Option<&str>, folder: &Path) -> Vec<WorldSpan> {
    let store: Arc<dyn Store> = match database {
        Some(url) => Arc::new(PostgresStore::open_to_serve(url, folder).await.unwrap()),
        None => Arc::new(SqliteStore::open(&folder.join("data")).await.unwrap()),
    };
    let world = WorldName::parse("meadow").unwrap();
    let mut spans = Vec::new();
    for from in store.world_spans(&world, Page::first(100)).await.unwrap() {
        spans.push(store.world_span(&world, from).await.unwrap().unwrap());
    }
    store.close().await;
    spans
}

/// What the log says that the world was after so many calls and generations.
fn digest(spans: &[WorldSpan], heard: &Heard) -> Hex<32> {
    for span in spans {
        let mut events = span.lines.iter().map(|line| Event::parse(line).unwrap());
        let Some(Event::Opened(opened)) = events.next() else { panic!("no snapshot") };
        let mut machine = Machine::open(&opened).unwrap();
        if machine.world().generation() > heard.generation || calls(&machine) > heard.calls {
            continue;
        }
        for event in events.filter(|event| matches!(event, Event::Called { .. })) {
            if calls(&machine) == heard.calls {
                break;
            }
            machine.follow(&event).unwrap();
        }
        while machine.world().generation() < heard.generation {
            machine.step();
        }
        return machine.digest();
    }
    panic!("no span has generation {}", heard.generation);
}
