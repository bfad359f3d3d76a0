//! What was acknowledged is there after a SIGKILL, once.
//!
//! The test starts itself again as a child that writes as fast as it can and says on its standard output what the store
//! has acknowledged; the parent reads some lines, kills the child in the middle of whatever it is doing, reads what was
//! still in the pipe, and starts the next child on the same folder.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use arena_record::EntrantId;
use arena_store::{Appended, Limits, Page, PlayerCode, Store, VersionId};

use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, room_id};

const FOLDER: &str = "ARENA_STORE_CRASH_FOLDER";
const KILLS: u32 = 20;
const LIMITS: Limits = Limits {
    versions_per_bot_max: 1_000_000,
    versions_per_bot_per_day_max: 1_000_000,
    pending_per_account_max: 1_000_000,
    pending_max: 1_000_000,
    events_per_room_max: 1_000_000,
    ..Limits::DEFAULT
};

/// One line of the child: what the store has acknowledged. It starts a line of its own, because the test harness leaves
/// one unfinished.
fn acknowledge(what: &str) {
    let line = format!("\nack {what}\n");
    io::stdout().write_all(line.as_bytes()).expect("the parent listens until it kills");
}

/// Opens the store, whatever state the last process left it in.
async fn open_at(folder: &Path) -> Arc<Store> {
    Arc::new(Store::open_with(folder, LIMITS).await.expect("a store"))
}

/// The child. As a test of its own, without the parent's folder, it does nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let store = open_at(Path::new(&folder)).await;
    let run = env::var("RUN").expect("the number of this child");
    let owner = display(&format!("owner {run}"));
    let (owner, code) = store.create_account(&owner, NOW).await.expect("an account");
    acknowledge(&format!("account {}", code.expose()));
    let mut tasks = Vec::new();
    for task in 0..2 {
        let (store, run) = (store.clone(), run.clone());
        tasks.push(tokio::spawn(async move { write_events(&store, &run, task).await }));
    }
    for task in 0..2 {
        let (store, run) = (store.clone(), run.clone());
        tasks.push(tokio::spawn(async move {
            for number in 0.. {
                let name = bot_name(&format!("bot-{run}-{task}"));
                let content = bytes(&format!("{run} {task} {number}"));
                let submitted = store.submit(owner.id, &name, GAME, content, NOW).await.expect("taken");
                let version = submitted.version();
                acknowledge(&format!("version {} {} {}", version.id.bot.0, version.id.number, version.entrant));
            }
        }));
    }
    for task in tasks {
        task.await.expect("no panic");
    }
}

/// Continues the room of this task, as a client would: first it sends the last event again, unsure whether it
/// arrived.
async fn write_events(store: &Store, run: &str, task: u32) {
    let id = room_id(task.into());
    store.create_room(&id, "start", &TERMS, NOW).await.expect("a room");
    let events = store.room(&id).await.expect("read").expect("the room").events;
    let last = events.len() as u32 - 1;
    let again = store.append(&id, last, &events[last as usize], NOW).await;
    assert_eq!(again.expect("it is there"), Appended::Already);
    for seq in last + 1.. {
        let event = format!("{run} at {seq}");
        assert_eq!(store.append(&id, seq, &event, NOW).await.expect("appended"), Appended::New);
        acknowledge(&format!("event {id} {seq} {event}"));
    }
}

/// Starts a child, kills it after so many lines, and returns its output.
fn killed_child(folder: &Path, run: u32, lines: usize) -> Vec<String> {
    let mut child = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "slow::sqlite::crash::child", "--test-threads", "1", "--nocapture"])
        .env(FOLDER, folder)
        .env("RUN", run.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    // A line that the kill cut short says nothing: it has no newline at its end.
    let mut whole = output.split(b'\n').map(|line| String::from_utf8(line.expect("a pipe")).expect("text"));
    let said = |line: String| line.strip_prefix("ack ").map(str::to_owned);
    let mut acknowledged: Vec<String> = whole.by_ref().filter_map(said).take(lines).collect();
    child.kill().expect("a running child");
    let mut rest: Vec<String> = whole.collect();
    rest.pop();
    acknowledged.extend(rest.into_iter().filter_map(said));
    child.wait().expect("a dead child");
    acknowledged
}

#[tokio::test]
async fn what_was_acknowledged_survives_twenty_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut acknowledged = Vec::new();
    for run in 0..KILLS {
        // Sometimes at once, sometimes after a while.
        let lines = 1 + (run as usize * 7) % 23;
        let said = killed_child(folder.path(), run, lines);
        assert!(said.len() >= lines, "the child died on its own after {said:?}");
        acknowledged.extend(said);

        let store = open_at(folder.path()).await;
        assert_eq!(store.problems().await.expect("read"), [""; 0], "after kill {run}");
        store.close().await;
    }
    let store = open_at(folder.path()).await;
    let mut logs = BTreeMap::new();
    for id in store.open_rooms(Page::first(100)).await.expect("read") {
        let room = store.room(&id).await.expect("read").expect("the room");
        let mut once = room.events.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), room.events.len(), "an event is there twice");
        logs.insert(id.to_string(), room.events);
    }
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for line in &acknowledged {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        *kinds.entry(words[0].into()).or_default() += 1;
        match words[..] {
            ["account", code] => {
                let code = PlayerCode::parse(code).expect("a code");
                assert!(store.account_by_code(&code).await.expect("read").is_some(), "{line}");
            }
            ["event", room, seq, event] => {
                assert_eq!(logs[room][seq.parse::<usize>().expect("a number")], event, "{line}");
            }
            ["version", bot, number, entrant] => {
                let bot = arena_store::BotId(bot.parse().expect("a number"));
                let id = VersionId { bot, number: number.parse().expect("a number") };
                let version = store.version(id).await.expect("read").expect(line);
                assert_eq!(version.entrant.as_str(), entrant, "{line}");
                let module = store.module(&version.entrant).await.expect("the bytes are there");
                assert_eq!(EntrantId::of_bytes(&module), version.entrant);
            }
            _ => panic!("{line}"),
        }
    }
    // A bot's versions are of different bytes each: none is there twice.
    for version in store.pending_versions(Page::first(100)).await.expect("read") {
        let versions = store.versions(version.id.bot, Page::first(100)).await.expect("read");
        let same = versions.iter().filter(|other| other.entrant == version.entrant).count();
        assert_eq!(same, 1, "{version:?}");
    }
    assert!(kinds.len() == 3 && kinds.values().all(|count| *count >= KILLS / 2), "{kinds:?}");
}
