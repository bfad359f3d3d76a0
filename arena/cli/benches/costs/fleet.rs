//! What it costs that other processes play a tournament's games: two workers against one, the queue against the games
//! themselves, and what the server and the database do for them. `cargo bench --package arena --bench costs -- fleet`.
//!
//! A game's own cost is what `arena verify` spends on it, on one thread: it plays every game again, in the same kind of
//! processes. The queue is measured by its calls alone, with a game's texts and without playing: asking for games,
//! claiming them and submitting their results over HTTP, reading and forgetting these. The server that answers requests
//! is counted, their client is not. What all of them spend while an edition is played is printed apart.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use arena_record::Hex;
use arena_store::{AskedGame, BotName, DisplayName, Store, TournamentId, UnixSeconds, Verdict, WorkerName};
use arena_wire::GAMES;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::cluster::Cluster;
use crate::cpu::seconds_of;
use crate::games::{released, run};
use crate::site::Site;
use crate::table::{Table, Unit};
use crate::{ARENA, ROUNDS};

/// Bots of the gallery that play beside the built-in opponents: with them, the field of `cargo xtask demo`, so that a
/// game costs what the games cost that a newcomer sees, and not what the cheapest do.
const BOTS: [&str; 4] = ["strategist", "gardener", "mason", "scatter"];
/// What a game may take with two workers, times one with one.
const TWO_TIMES_ONE: f64 = 1.1;
/// What the queue may take for a game, times the game's own: in the process that asks, in the server that workers ask,
/// and in the database.
const QUEUE_TIMES_GAME: f64 = 0.05;
/// Games that only pass through the queue, as many in a call as a worker claims at once by default.
const QUEUED_GAMES: u64 = 2_048;
const BATCH: usize = 32;
const LEASE_MS: u64 = 30_000;
/// A database that says how often it was asked, and how long it took.
const COUNTING: &str =
    "-c shared_preload_libraries=pg_stat_statements -c fsync=on -c full_page_writes=on -c autovacuum=on";
const EDITION: &str = "standing-1";
/// How often it is looked whether all is played: each look asks the database twice.
const LOOK: Duration = Duration::from_millis(500);
/// Processor time of a server in that time that is at rest, in seconds.
const REST_SECONDS: f64 = 0.02;

/// An edition that workers played: how many games, and seconds of all.
struct Sample {
    games: f64,
    own: f64,
    workers: f64,
    server: f64,
    database: f64,
    /// In the process that calls it, in the server that workers ask, and in the database.
    queue: [f64; 3],
    /// Statements, and seconds in which they were executed.
    asked: f64,
    executed: f64,
}

pub(crate) fn run_all() {
    let cluster = Cluster::start(COUNTING);
    let mut table = Table::default();
    for _ in 0..ROUNDS {
        let [one, two] = [1, 2].map(|workers| sample(&cluster, workers));
        let of = |sample: &Sample, seconds: f64| seconds / sample.games;
        let section = "a game that other processes play";
        table.note(section, "its own, by `arena verify`, which also compares", Unit::Millis, of(&one, one.own));
        table.note(section, "in one worker", Unit::Millis, of(&one, one.workers));
        table.note(section, "in each of two workers", Unit::Millis, of(&two, two.workers));
        table.note(section, "the server: asking, checking, journal, results", Unit::Millis, of(&one, one.server));
        table.note(section, "PostgreSQL", Unit::Millis, of(&one, one.database));
        let times = of(&two, two.workers) / of(&one, one.workers);
        table.hold(section, "with two workers, times one", Unit::Times, times, TWO_TIMES_ONE);
        table.note(section, "the queue's calls, in the process that makes them", Unit::Micros, one.queue[0]);
        table.note(section, "the queue's requests, in the server that answers", Unit::Micros, one.queue[1]);
        table.note(section, "the queue's calls, in PostgreSQL", Unit::Micros, one.queue[2]);
        let queue = one.queue.iter().sum::<f64>() / of(&one, one.own);
        let title = format!("the queue, in batches of {BATCH}, in parts of the game");
        table.hold(section, &title, Unit::Times, queue, QUEUE_TIMES_GAME);
        let more = (one.workers - one.own + one.database + one.server) / one.own;
        table.note(section, "all that is not the game, in parts of it", Unit::Times, more);
        let section = "1,000 games that other processes play";
        for (workers, sample) in [("one worker", &one), ("two workers", &two)] {
            let of = |value: f64| 1_000.0 * value / sample.games;
            table.note(section, &format!("{workers}: statements"), Unit::Count, of(sample.asked));
            table.note(section, &format!("{workers}: executing them"), Unit::Millis, of(sample.executed));
        }
    }
    table.print(ROUNDS);
    let holds = table.holds();
    // Leaving the process would not end it.
    drop(cluster);
    if !holds {
        std::process::exit(1);
    }
}

/// Accounts with bots that play, and the secrets of draws: the same games in each sample. Returns the tokens of so many
/// workers.
async fn furnish(url: &str, workers: usize) -> Vec<String> {
    let (store, now) = (Arc::new(Store::connect(url).await.expect("a store")), UnixSeconds(1_700_000_000));
    for (number, bot) in BOTS.into_iter().enumerate() {
        let name = DisplayName::parse(&format!("Visitor {number}")).expect("a name");
        let (account, _) = store.create_account(&name, now).await.expect("a place");
        let name = BotName::parse(bot).expect("a name");
        let bytes = released(bot).bytes;
        let taken = store.submit(account.id, &name, GAMES[0].ruleset, bytes.into(), now).await.expect("taken");
        store.set_verdict(taken.version().id, Verdict::Accepted).await.expect("pending");
    }
    for number in 1..=2 {
        store.secret(GAMES[0].ruleset, number, [number as u8; 32]).await.expect("kept");
    }
    let mut tokens = Vec::new();
    for number in 0..workers {
        let name = WorkerName::parse(&format!("worker-{number}")).expect("a name");
        tokens.push(store.add_worker(&name, now).await.expect("a place").expose());
    }
    store.close().await;
    tokens
}

fn sample(cluster: &Cluster, workers: usize) -> Sample {
    let folder = tempfile::tempdir().expect("a folder");
    let url = cluster.database(None);
    let name = url.split(['/', '?']).nth(3).expect("a name").to_owned();
    let ask = |statement: &str| cluster.sql(&name, statement);
    let tokens = Runtime::new().expect("a runtime").block_on(furnish(&url, workers));
    ask("create extension pg_stat_statements");
    let data = folder.path().join("site");
    let flags = ["--database", &url, "--games", "elsewhere", "--standing", "conquerors"];
    let site = Site::serve(&data, &flags);
    while ask("select count(*) from queued_games") == "0" {
        sleep(LOOK);
    }
    until_at_rest(site.process());
    let job = ask("select job from queued_games order by number limit 1");
    ask("select pg_stat_statements_reset()");
    let before = [site.process(), cluster.process()].map(seconds_of);
    let play = |(number, token): (usize, &String)| worker(&site.url(""), token, number, &data);
    let mut playing: Vec<Child> = tokens.iter().enumerate().map(play).collect();
    // To look at the database would cost it about as much as some games do.
    let edition = data.join("tournaments").join(EDITION);
    while !edition.join("results").exists() {
        sleep(LOOK);
    }
    let results = format!("select count(*) from kept_files where folder = '{EDITION}' and file like 'results/%'");
    while ask(&results) == "0" || ask("select count(*) from queued_games") != "0" {
        sleep(LOOK);
    }
    let played = playing.iter().map(|worker| seconds_of(worker.id())).sum();
    let [server, database] = [site.process(), cluster.process()].map(seconds_of);
    let statements = "select sum(calls) || ' ' || sum(total_exec_time) / 1000 from pg_stat_statements s
                      join pg_database d on d.oid = s.dbid where d.datname = current_database()";
    let asked: Vec<f64> = ask(statements).split(' ').map(|figure| figure.parse().expect("a figure")).collect();
    for worker in &mut playing {
        worker.kill().expect("it runs");
        worker.wait().expect("it ends");
    }
    let games = format!("select count(*) from games where tournament = '{EDITION}'");
    // They are indexed last.
    while ask(&games) == "0" {
        sleep(LOOK);
    }
    let games = ask(&games);
    site.stop();
    let here = std::process::id();
    let own = seconds_of(here);
    run(Command::new(ARENA).arg("verify").arg(&edition).args(["--threads", "1"]));
    let own = seconds_of(here) - own;
    let record = Command::new(ARENA).args(["record", "to-json"]).arg(format!("{}#0", edition.display())).output();
    let record = String::from_utf8(record.expect("the arena runs").stdout).expect("a text");
    assert!(!record.is_empty(), "a game's record");
    Sample {
        queue: queue(cluster, &url, &job, &record, &data.with_extension("queue"), &tokens[0]),
        games: games.parse().expect("a count"),
        own,
        workers: played,
        server: server - before[0],
        database: database - before[1],
        asked: asked[0],
        executed: asked[1],
    }
}

/// Seconds for a game that passes through the queue with these texts: in this process, in the server that workers ask,
/// and in the database. The requests are made while this process, their client, is not looked at.
fn queue(cluster: &Cluster, url: &str, job: &str, end: &str, data: &Path, token: &str) -> [f64; 3] {
    let site = Site::serve(data, &["--database", url, "--games", "elsewhere", "--no-standing"]);
    until_at_rest(site.process());
    let runtime = Runtime::new().expect("a runtime");
    let store = Arc::new(runtime.block_on(Store::connect(url)).expect("a store"));
    let tournament = TournamentId::parse("queue").expect("a name");
    let semantics = "ab".repeat(32);
    let key = |number: u64| {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Hex(key)
    };
    let asked = |number| {
        let (semantics, build, job) = (semantics.clone(), "any".into(), job.into());
        AskedGame { key: key(number), semantics, build, job, is_sampled: false }
    };
    let games: Vec<u64> = (0..QUEUED_GAMES).collect();
    let processes = [std::process::id(), site.process(), cluster.process()];
    let spent = || processes.map(seconds_of);
    let before = spent();
    for batch in games.chunks(BATCH) {
        let asked: Vec<AskedGame> = batch.iter().copied().map(asked).collect();
        runtime.block_on(store.ask_games(&tournament, &asked)).expect("asked");
    }
    let requests = spent();
    let visitor = site.visitor();
    for _ in games.chunks(BATCH) {
        let wanted = json!({ "semantics": [semantics], "games": BATCH, "lease_ms": LEASE_MS });
        let claim = site.post("volunteers/claims", &visitor, token, wanted);
        let ended = |game: &Value| json!({ "lease": game["lease"], "is_void": false, "text": end });
        let ends: Vec<Value> = claim["games"].as_array().expect("games").iter().map(ended).collect();
        assert_eq!(ends.len(), BATCH, "as many as are claimed at once");
        let taken = site.post("volunteers/ends", &visitor, token, json!({ "ends": ends }));
        assert_eq!(taken["taken"], json!(vec!["taken"; BATCH]));
    }
    let answered = spent();
    for batch in games.chunks(BATCH) {
        let keys: Vec<Hex<32>> = batch.iter().copied().map(key).collect();
        assert_eq!(runtime.block_on(store.ends(&tournament, &keys)).expect("read").len(), batch.len());
    }
    runtime.block_on(store.forget_games(&tournament)).expect("forgotten");
    let after = spent();
    runtime.block_on(store.close());
    site.stop();
    let outside = |process: usize| requests[process] - before[process] + after[process] - answered[process];
    // What this process has started, the server, is part of what it has spent.
    let spent = [outside(0) - outside(1), answered[1] - requests[1], after[2] - before[2]];
    spent.map(|seconds| seconds / QUEUED_GAMES as f64)
}

/// A server packs its files when it starts.
fn until_at_rest(process: u32) {
    loop {
        let before = seconds_of(process);
        sleep(LOOK);
        if seconds_of(process) - before <= REST_SECONDS {
            return;
        }
    }
}

fn worker(server: &str, token: &str, number: usize, data: &Path) -> Child {
    let mut command = Command::new(ARENA);
    command.args(["worker", "--server", server, "--threads", "1", "--cache"]);
    command.arg(data.with_extension(format!("cache-{number}"))).env("ARENA_TOKEN", token);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the arena runs")
}
