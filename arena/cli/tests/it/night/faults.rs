//! Faults of the machine under a real site: writes, file descriptors, the clock; `heavy::faults` has those of the disk.
//! Acknowledged data stays, requests that cannot be served are refused in a sentence, reading still works, and
//! everything recovers with the machine.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use arena_rules::Rng;
use arena_worker::limits::{
    ADDRESS_SPACE_BYTES_MAX, COMPILE_CPU_SECONDS_MAX, WORKER_MEMORY_BYTES_MAX, WORKER_STACK_BYTES_MIN,
};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::disk::does;
use crate::eventually::eventually;
use crate::left_out::left_out;
use crate::process::finished;
use crate::site::clock::Clock;
use crate::site::{Answer, Ask, BLOCK, Game, HONEST, Honest, SECOND_BLOCK, Site, flood, get, play, post, post_json};

/// An accepted bot that plays badly.
fn module() -> Vec<u8> {
    wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()
}

/// A site's command run by a line of shell, which ends with `exec "$0" "$@"`.
fn behind(script: &str, site: &Command) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{script}; exec \"$0\" \"$@\"")]).arg(site.get_program()).args(site.get_args());
    command
}

/// Limits the size of any file that a process writes, in bytes.
fn let_write(site: &Site, bytes: &str) -> bool {
    does("prlimit", &["--pid", &site.id().to_string(), &format!("--fsize={bytes}:unlimited")])
}

/// Limits that are drawn, and how often.
const DRAWN: u64 = 60;

/// A machine allows less than a worker needs of something, or as much and more: `arena check` says which, or judges.
#[test]
fn whatever_a_machine_allows_a_bot_is_judged_or_it_is_said_what_is_lacking() {
    let seed = std::env::var("ARENA_NIGHT_SEED").map_or(1, |seed| seed.parse::<u64>().unwrap());
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 0);
    let place = tempfile::tempdir().unwrap();
    let bot = place.path().join("bot.wasm");
    std::fs::write(&bot, module()).unwrap();
    // Its letter in the shell, its unit there, how much a worker needs in that unit, and the unit in the sentence.
    let limits = [
        ("v", ADDRESS_SPACE_BYTES_MAX >> 10, 10, "MiB of address space"),
        ("d", WORKER_MEMORY_BYTES_MAX >> 10, 10, "MiB of memory"),
        ("s", WORKER_STACK_BYTES_MIN >> 10, 0, "KiB of stack"),
        ("t", COMPILE_CPU_SECONDS_MAX, 0, "s of processor time"),
    ];
    let mut lacking = 0;
    for _ in 0..DRAWN {
        let (letter, needed, shift, words) = limits[rng.below(limits.len() as u32) as usize];
        // From what the program itself needs to twice what a worker does; often just there.
        let thousandths = [200 + u64::from(rng.below(1_800)), 999, 1_000, 1_001][rng.below(4) as usize];
        let allowed = needed * thousandths / 1_000;
        let script = format!("ulimit -{letter} {allowed}; exec \"$0\" check \"$1\"");
        let output = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_arena")]).arg(&bot).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let shown =
            format!("{} {words}, and {} are allowed here (`ulimit -{letter}`)", needed >> shift, allowed >> shift);
        let is_less = allowed < needed;
        assert_eq!(output.status.code(), Some(if is_less { 2 } else { 0 }), "{script}: {said}");
        assert_eq!(said.contains(&shown), is_less, "{script}: {shown}: {said}");
        assert!(!said.contains("REFUSED"), "{script}: {said}");
        lacking += usize::from(is_less);
    }
    assert!(lacking > 10 && lacking < DRAWN as usize - 10, "{lacking}");
}

/// Reading still works.
pub(crate) async fn assert_reads(site: &Site, game: &Game) {
    for path in ["/", "/play", "/standings", "/api/v1/standings", "/api/v1/bots", "/healthz", &game.room] {
        let answer = site.ask(HONEST, get(path)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let account = site.ask(HONEST, get("/api/v1/account").bearer(&game.code)).await;
    assert_eq!((account.status, &account.json()["name"]), (200, &Value::from("Ann")));
}

pub(crate) fn claim(name: &str) -> Ask<'static> {
    post_json("/api/v1/accounts", &json!({ "name": name }))
}

pub(crate) async fn submit(site: &Site, code: &str, name: &str) -> Answer {
    let versions = format!("/api/v1/bots/{name}/versions");
    site.ask(HONEST, post(&versions, "application/wasm", module()).bearer(code)).await
}

/// New data is refused, each time in a sentence.
pub(crate) async fn assert_refuses_writes(site: &Site, game: &Game, ply: u64, action: &str) {
    assert!(site.ask(HONEST, claim("Mallory")).await.refuses());
    assert!(site.ask(HONEST, play()).await.refuses());
    assert!(submit(site, &game.code, "never").await.refuses());
    let turn = game.try_turn(site, ply, action).await;
    assert!(turn.refuses(), "{} {}", turn.status, turn.body);
}

/// Requests that were refused succeed when repeated: nothing is half done.
pub(crate) async fn assert_goes_on(site: &Site, game: &Game, ply: u64) {
    // The store may notice a moment later.
    eventually("a turn that is taken", async || {
        let turn = game.try_turn(site, ply, SECOND_BLOCK).await;
        assert!(turn.status == 200 || turn.refuses(), "{} {}", turn.status, turn.body);
        if turn.status == 200 { Ok(()) } else { Err(turn.body) }
    })
    .await;
    assert!(game.awaited(site).await > ply);
    assert_eq!(site.ask(HONEST, claim("Bob")).await.status, 201);
    let submitted = submit(site, &game.code, "mine").await;
    assert_eq!(submitted.status, 201, "{}", submitted.body);
    assert_eq!(submitted.json()["number"], 1, "a refused upload took no number: {}", submitted.body);
}

/// Stops a site and reads all of its data.
pub(crate) fn assert_whole(site: Site, data: &Path) {
    site.stop();
    let check = finished(Command::new(env!("CARGO_BIN_EXE_arena")).args(["admin", "check", "--data"]).arg(data));
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_fail_are_refused_and_nothing_that_was_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--metrics", "127.0.0.1:0"];
    let site = Site::run(behind("trap '' XFSZ", &Site::command(folder.path(), &flags)));
    if !let_write(&site, "unlimited") {
        return left_out("writes that fail need `prlimit` of util-linux");
    }
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let ply = game.awaited(&site).await;
    let metrics = site.metrics();
    let failed_writes = async || metrics.figure("arena_store_failed_writes_total").await;
    let before = failed_writes().await;
    assert!(let_write(&site, "0"));
    assert_refuses_writes(&site, &game, ply, SECOND_BLOCK).await;
    assert!(failed_writes().await > before, "the operator sees it");
    assert_reads(&site, &game).await;
    assert_eq!(game.awaited(&site).await, ply, "a refused turn is not shown");
    assert!(let_write(&site, "unlimited"));
    assert_goes_on(&site, &game, ply).await;
    // The edition being played is retried automatically.
    eventually("an edition", async || {
        let mut standings = site.ask(HONEST, get("/api/v1/standings")).await.json();
        if standings["edition"].is_null() { Err(standings["playing"].take()) } else { Ok(()) }
    })
    .await;
    assert_whole(site, &folder.path().join("data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_with_few_descriptors_outlives_those_who_take_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::run(behind("ulimit -n 72", &Site::command(folder.path(), &[])));
    let mut honest = Honest::arrive(&site).await;
    honest.plays().await;
    let mut held = Vec::new();
    for number in 0..200 {
        let mut stream = site.connect(flood(number % 4)).await;
        stream.write_all(b"GET / HTTP/1.1\r\n").await.ok();
        held.push(stream);
    }
    // Unfinished heads are closed after some seconds: meanwhile other visitors get a proper answer or a sentence.
    if let Some(answer) = site.try_ask(HONEST, &get("/api/v1/limits")).await {
        assert!(answer.status == 200 || answer.refuses(), "{}", answer.body);
    }
    drop(held);
    honest.plays().await;
    let code = honest.code.clone();
    assert_eq!(submit(&site, &code, "mine").await.status, 201, "a worker starts, with pipes of its own");
    assert!(site.is_running(), "it is the process that was started");
    assert_whole(site, &folder.path().join("data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_ends_sessions_at_most_and_nothing_is_locked_for_ever() {
    const DAY: i64 = 86_400;
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = Clock::new(folder.path(), 1) else { return };
    let site = Site::run(clock.given_to(Site::command(folder.path(), &[])));
    let mut honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    assert_eq!(submit(&site, &honest.code, "mine").await.status, 201);
    let form = format!("code={}", honest.code);
    let session = site.ask(HONEST, post("/session", "application/x-www-form-urlencoded", form)).await.cookies();
    let is_known = async |cookie: &str| {
        let page = site.ask(HONEST, get("/account").with("cookie", cookie).with("accept", "text/html")).await;
        assert_eq!(page.status, 200, "{}", page.body);
        page.body.contains("Ann")
    };
    assert!(is_known(&session).await, "signed in");
    let mut games = 0;
    for days in [1, -1, 400, -400, 0] {
        clock.jump(days * DAY);
        honest.plays().await;
        games += 1;
        assert_eq!(site.ask(HONEST, get("/healthz")).await.status, 200, "{days} days");
        assert_eq!(site.ask(HONEST, claim(&format!("Guest {games}"))).await.status, 201, "{days} days");
        assert_eq!(is_known(&session).await, days < 182, "{days} days: a session lasts half a year");
    }
    // Rooms are closed for inactivity by the same clock; the turns played stay.
    assert!(game.state(&site).await["ply"].as_u64().unwrap() >= 1);
    assert_whole(site, &folder.path().join("data"));
}
