//! Faults of the machine under a real site: writes, the disk, file descriptors, the clock. Acknowledged data stays, requests that cannot be
//! served are refused in a sentence, reading still works, and everything recovers with the machine.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::disk::{Disk, does};
use crate::left_out::left_out;
use crate::site::clock::Clock;
use crate::site::{
    Answer, Ask, BLOCK, Game, HONEST, Honest, PATIENCE, SECOND_BLOCK, Site, flood, get, next_look, play, post,
    post_json,
};

/// A block in blue's home that is legal after two others.
const THIRD_BLOCK: &str = "0101041602160317021703";

/// Games beside the first one: together one fewer than a person may have open.
const OTHER_GAMES: usize = 8;

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
    does("prlimit", &["--pid", &site.child.id().to_string(), &format!("--fsize={bytes}:unlimited")])
}

/// Reading still works.
async fn assert_reads(site: &Site, game: &Game) {
    for path in ["/", "/play", "/standings", "/api/v1/standings", "/api/v1/bots", "/healthz", &game.room] {
        let answer = site.ask(HONEST, get(path)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let account = site.ask(HONEST, get("/api/v1/account").bearer(&game.code)).await;
    assert_eq!((account.status, &account.json()["name"]), (200, &Value::from("Ann")));
}

fn claim(name: &str) -> Ask<'static> {
    post_json("/api/v1/accounts", &json!({ "name": name }))
}

async fn submit(site: &Site, code: &str, name: &str) -> Answer {
    let versions = format!("/api/v1/bots/{name}/versions");
    site.ask(HONEST, post(&versions, "application/wasm", module()).bearer(code)).await
}

/// New data is refused, each time in a sentence.
async fn assert_refuses_writes(site: &Site, game: &Game, ply: u64, action: &str) {
    assert!(site.ask(HONEST, claim("Mallory")).await.refuses());
    assert!(site.ask(HONEST, play()).await.refuses());
    assert!(submit(site, &game.code, "never").await.refuses());
    let turn = game.turn(site, ply, action).await;
    assert!(turn.refuses(), "{} {}", turn.status, turn.body);
}

/// Requests that were refused succeed when repeated: nothing is half done.
async fn assert_goes_on(site: &Site, game: &Game, ply: u64) {
    let since = Instant::now();
    loop {
        // The store may notice a moment later.
        let turn = game.turn(site, ply, SECOND_BLOCK).await;
        if turn.status == 200 {
            break;
        }
        assert!(turn.refuses() && since.elapsed() < PATIENCE, "{} {}", turn.status, turn.body);
    }
    assert!(game.awaited(site).await > ply);
    assert_eq!(site.ask(HONEST, claim("Bob")).await.status, 201);
    let submitted = submit(site, &game.code, "mine").await;
    assert_eq!(submitted.status, 201, "{}", submitted.body);
    assert_eq!(submitted.json()["number"], 1, "a refused upload took no number: {}", submitted.body);
}

/// Stops a site and reads all of its data.
fn assert_whole(site: Site, data: &Path) {
    site.stop();
    let check =
        Command::new(env!("CARGO_BIN_EXE_arena")).args(["admin", "check", "--data"]).arg(data).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_fail_are_refused_and_nothing_that_was_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::run(behind("trap '' XFSZ", &Site::command(folder.path(), &[])));
    if !let_write(&site, "unlimited") {
        return left_out("writes that fail need `prlimit` of util-linux");
    }
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let ply = game.awaited(&site).await;
    assert!(let_write(&site, "0"));
    assert_refuses_writes(&site, &game, ply, SECOND_BLOCK).await;
    assert_reads(&site, &game).await;
    assert_eq!(game.awaited(&site).await, ply, "a refused turn is not shown");
    assert!(let_write(&site, "unlimited"));
    assert_goes_on(&site, &game, ply).await;
    // The edition being played is retried automatically.
    let since = Instant::now();
    while site.ask(HONEST, get("/api/v1/standings")).await.json()["edition"].is_null() {
        assert!(since.elapsed() < PATIENCE, "no edition is finished");
        next_look().await;
    }
    assert_whole(site, &folder.path().join("data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_is_first_spared_then_refused_and_then_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::mounted(folder.path().join("data"), "1g") else {
        return left_out("a disk that fills up needs root with the right to mount");
    };
    let site = Site::start(folder.path(), &[]);
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let ply = game.awaited(&site).await;
    let mut others = Vec::new();
    for _ in 0..OTHER_GAMES {
        others.push(Game::open(&site, &honest.code).await);
    }
    // Less space is free than the floor: nothing new is accepted, but games in progress go on.
    disk.remount("size=256m");
    let spared = site.ask(HONEST, claim("Bob")).await;
    assert_eq!((spared.status, &spared.json()["code"]), (503, &Value::from("no_space")));
    assert!(site.ask(HONEST, play()).await.refuses() && submit(&site, &game.code, "mine").await.refuses());
    let other = post_json("/api/v1/rooms", &json!({ "opponent": "easy", "seat": 0 })).bearer(&game.code);
    assert!(site.ask(HONEST, other).await.refuses());
    assert_reads(&site, &game).await;
    // No space is free. Pages that the database has already may still take some turns.
    disk.fill();
    let mut turns = [(&game, ply, SECOND_BLOCK)].into_iter().chain(others.iter().map(|other| (other, 0, BLOCK)));
    let is_refused = loop {
        let Some((game, ply, action)) = turns.next() else { break false };
        let turn = game.turn(&site, ply, action).await;
        if turn.refuses() {
            break true;
        }
        assert_eq!(turn.status, 200, "{}", turn.body);
    };
    assert!(is_refused, "every turn was kept on a full disk");
    assert_reads(&site, &game).await;
    let acknowledged = game.state(&site).await["ply"].as_u64().unwrap();
    disk.remount("size=1g");
    drop(site);
    let site = Site::start(folder.path(), &[]);
    assert!(game.state(&site).await["ply"].as_u64().unwrap() >= acknowledged, "after a kill on a full disk");
    assert_eq!(site.ask(HONEST, claim("Bob")).await.status, 201);
    assert_eq!(submit(&site, &game.code, "mine").await.status, 201);
    assert_whole(site, &folder.path().join("data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_folder_serves_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let disk = Disk::mounted(data.clone(), "1g");
    let lock = |locked: bool| match &disk {
        Some(disk) => disk.remount(if locked { "ro" } else { "rw" }),
        None => forbid(&data, locked),
    };
    if disk.is_none() && does("test", &["-w", "/proc/1"]) {
        return left_out("a read-only folder needs a user other than root, or root with the right to mount");
    }
    let site = Site::start(folder.path(), &[]);
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    let mut ply = game.awaited(&site).await;
    // A killed site leaves a log beside the database, a stopped one does not.
    let mut site = Some(site);
    for stopped in [false, true] {
        match site.take() {
            Some(site) if stopped => site.stop(),
            other => drop(other),
        }
        lock(true);
        let reading = Site::start(folder.path(), &[]);
        assert_reads(&reading, &game).await;
        assert_eq!(game.awaited(&reading).await, ply);
        assert_refuses_writes(&reading, &game, ply, if stopped { THIRD_BLOCK } else { SECOND_BLOCK }).await;
        reading.stop();
        lock(false);
        let writing = Site::start(folder.path(), &[]);
        if !stopped {
            assert_goes_on(&writing, &game, ply).await;
            ply = game.awaited(&writing).await;
        }
        site = Some(writing);
    }
    assert_whole(site.unwrap(), &data);
}

/// Removes or restores the permission to write in a folder.
fn forbid(path: &Path, forbidden: bool) {
    let mode = match (path.is_dir(), forbidden) {
        (true, true) => 0o500,
        (true, false) => 0o700,
        (false, true) => 0o400,
        (false, false) => 0o600,
    };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| forbid(&entry.unwrap().path(), forbidden));
    }
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
    assert!(site.child.try_wait().unwrap().is_none(), "it is the process that was started");
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

#[tokio::test(flavor = "multi_thread")]
async fn heads_are_read_in_one_way_only() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &[]);
    let host = format!("Host: {}", site.address);
    let answers = async |text: String| {
        let mut stream = site.connect(HONEST).await;
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.split("HTTP/1.1 ").skip(1).map(|answer| answer[..3].to_owned()).collect::<Vec<_>>().join(" ")
    };
    let get = "GET /healthz HTTP/1.1";
    for (text, wanted) in [
        (format!("{get}\r\n{host}\r\nConnection: close\r\n\r\n"), "200"),
        // RFC 9112 §2.2 lets a server accept a single line feed as the end of a line. All heads are read in this way, so none can hide
        // another.
        (format!("{get}\n{host}\nConnection: close\n\n"), "200"),
        (format!("{get}\n{host}\n\n{get}\r\n{host}\r\nConnection: close\r\n\r\n"), "200 200"),
        (format!("{get}\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\n{host}\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\nHost : other\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\n folded: line\r\n\r\n"), "400"),
        // Read by its chunks, and the connection ends after it (§6.3), so that there is no disagreement about its end.
        (
            format!(
                "{get}\r\n{host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{get}\r\n{host}\r\n\r\n"
            ),
            "200",
        ),
        (format!("{get}\r\n{host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), "400"),
    ] {
        let answers = answers(text.clone()).await;
        assert_eq!(answers, wanted, "{text:?}");
    }
}
