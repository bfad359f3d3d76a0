//! A site with its accounts, bots and rooms in a PostgreSQL database: moved there and back, served, and cut off for a
//! while.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use arena_record::Hex;
use arena_store::{AskedGame, Store, TournamentId, WorkerName};

use crate::cluster::{self, cluster};
use crate::eventually::eventually;
use crate::process::{Process, finished};
use crate::site::{BLOCK, Game, HONEST, Honest, SECOND_BLOCK, Site, get, post};

fn arena(arguments: &[&str]) -> Output {
    finished(Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).stdin(Stdio::null()))
}

/// The output of a successful command.
fn done(arguments: &[&str]) -> String {
    let output = arena(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one-line error of a failing command.
fn refused(arguments: &[&str]) -> String {
    line_of(&arena(arguments))
}

/// The error of a site that does not start with this database, and its data in `folder/data`.
fn not_served(folder: &Path, url: &str) -> String {
    line_of(&finished(Site::command(folder, &["--database", url]).stdin(Stdio::null())))
}

fn line_of(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success() && said.trim_end().lines().count() == 1, "{said}");
    said
}

/// The digest in a text.
fn digest(text: &str) -> &str {
    let start = text.find("sha256:").unwrap_or_else(|| panic!("no digest in {text}"));
    &text[start..start + "sha256:".len() + 64]
}

/// A bot that is accepted.
fn mason() -> Vec<u8> {
    arena_released::Released::named("conquerors@2", "mason").unwrap().bytes.to_vec()
}

/// The data of a site of an earlier release, in `folder/data`.
fn old_site(folder: &Path) {
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/data-0.1.0.tar.gz");
    assert!(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).status().unwrap().success());
}

#[test]
fn a_site_moves_to_a_database_and_back_and_everything_says_one_digest() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    old_site(folder.path());
    let (data, back) = (folder.path().join("data"), folder.path().join("back"));
    let (data, back) = (data.to_str().unwrap(), back.to_str().unwrap());
    let url = cluster().database(None);
    let copied = done(&["admin", "copy", data, &url]);
    let checked = done(&["admin", "check", "--database", &url, "--data", data]);
    let whole = |text: &str| text.split_once(" is whole: ").unwrap_or_else(|| panic!("{text}")).1.to_owned();
    for once in [&["--data", data], &["--database", &url]] {
        let alone = done(&[&["admin", "check"][..], once].concat());
        assert_eq!(whole(&checked), whole(&alone), "a tournament in both places is one");
    }
    assert_eq!(digest(&copied), digest(&checked));
    assert_eq!(digest(&done(&["admin", "copy", &url, back])), digest(&copied));
    for folder in [data, back] {
        assert_eq!(digest(&done(&["admin", "check", "--data", folder])), digest(&copied));
    }
    // Neither is overwritten, and a folder with rows of its own is not served together with a database.
    assert!(refused(&["admin", "copy", data, &url]).contains("is not empty"));
    assert!(refused(&["admin", "copy", &url, back]).contains("is not empty"));
    assert!(not_served(folder.path(), &url).contains("arena admin copy"));
}

#[test]
fn a_tournament_that_is_damaged_in_a_database_is_found_and_named() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    old_site(folder.path());
    let [data, cup, definition] = ["data", "data/tournaments/cup-1", "cup.toml"].map(|name| {
        let path = folder.path().join(name);
        path.to_str().unwrap().to_owned()
    });
    let entrants = ["easy", "normal"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    let text = format!("name = \"cup\"\nseed = 5\npairs = 1\n{}", entrants.concat());
    fs::write(&definition, text).unwrap();
    done(&["tournament", "run", &definition, "--out", &cup]);
    let url = cluster().database(None);
    done(&["admin", "copy", &data, &url]);
    let checked = done(&["admin", "check", "--database", &url]);
    assert!(checked.contains("is whole") && checked.contains("not checked: standing-"), "{checked}");
    assert!(!checked.contains("cup-1"), "{checked}");
    // Each piece is what its hash says, but it is another file's.
    let of = |file: &str| format!("folder = 'cup-1' and file = 'results/standings.{file}'");
    let (csv, json) = (of("csv"), of("json"));
    let swapped =
        format!("update kept_files set (hash, bytes) = (select hash, bytes from kept_files where {csv}) where {json}");
    cluster().sql(url.split(['/', '?']).nth(3).unwrap(), &swapped);
    let output = arena(&["admin", "check", "--database", &url]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    let damaged: Vec<&str> = said.lines().filter(|line| line.starts_with("damaged: ")).collect();
    assert!(damaged.len() == 1 && damaged[0].starts_with("damaged: cup-1: "), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_is_served_from_a_database_that_is_copied_by_nobody_meanwhile_and_outlives_the_servers_crash() {
    if !cluster::is_there() {
        return;
    }
    let cluster = cluster::Cluster::start("");
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let url = cluster.database(None);
    let site = Site::start(first.path(), &["--database", &url]);
    let person = Honest::arrive(&site).await;
    let game = Game::open(&site, &person.code).await;
    let played = game.turn(&site, 0, BLOCK).await;
    assert_eq!(played.status, 200, "{}", played.body);
    let bot = post("/api/v1/bots/mine/versions", "application/wasm", mason()).bearer(&person.code);
    let judged = site.ask(HONEST, bot).await;
    assert_eq!((judged.status, &judged.json()["state"]), (201, &"accepted".into()), "{}", judged.body);
    let copy = second.path().join("copy");
    assert!(refused(&["admin", "copy", &url, copy.to_str().unwrap()]).contains("is in use"));
    assert!(!first.path().join("data/arena.db").exists());
    assert!(not_served(first.path(), &url).contains("each server needs its own"));
    // Another server needs no data folder: its copies are in a cache.
    let mut other = Command::new(env!("CARGO_BIN_EXE_arena"));
    other.args(["serve", "--listen", "127.0.0.1:0", "--database", &url, "--assets"]).arg(first.path().join("assets"));
    other.env("XDG_CACHE_HOME", second.path());
    let other = Site::run(other);
    let copies = second.path().join("arena/site").join(format!("127.0.0.1-{}", other.address.port()));
    assert!(copies.join("tournaments").is_dir());
    drop(other);

    cluster.crash_and_restart();
    // The first request notices that the connection is lost.
    eventually("a site that is ready again", async || {
        let ready = site.ask(HONEST, get("/readyz")).await;
        assert!(matches!(ready.status, 200 | 503), "{}", ready.body);
        if ready.status == 200 { Ok(()) } else { Err(ready.body) }
    })
    .await;
    let ply = game.awaited(&site).await;
    assert!(ply > 0, "the turn that was answered is there");
    let played = game.turn(&site, ply, SECOND_BLOCK).await;
    assert_eq!(played.status, 200, "{}", played.body);
    let name = url.split(['/', '?']).nth(3).unwrap();
    assert_eq!(cluster.sql(name, "select count(*) from rooms"), "1");
    assert_eq!(cluster.sql(name, "select count(*) from modules"), "1");
    let log = site.log();
    assert!(!log.contains("sqlx") && !log.contains("terminating connection"), "a notice of the driver: {log}");
    drop(site);
    // The place is free as soon as the process has ended, for whatever reason.
    drop(Site::start(second.path(), &["--database", &url]));
}

#[test]
fn what_is_wrong_with_a_database_is_one_line_without_its_password() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    cluster().sql("postgres", "create role shut login password 'right'");
    for (url, said) in [
        ("mysql://localhost/arena".to_owned(), "postgres://USER:PASSWORD@HOST:PORT/DATABASE"),
        ("postgres://arena:hunter2@127.0.0.1:1/arena".to_owned(), "no PostgreSQL answers at 127.0.0.1:1"),
        (cluster().url_as("shut:hunter2", "postgres"), "does not let shut in"),
        (cluster().url("not_there"), "has no database not_there"),
    ] {
        let refusals = [
            not_served(folder.path(), &url),
            refused(&["admin", "check", "--database", &url]),
            refused(&["admin", "worker", "list", "--database", &url]),
        ];
        for line in refusals {
            assert!(line.contains(said) && !line.contains("hunter2"), "{line}");
        }
    }
    let empty = cluster().database(None);
    assert!(refused(&["admin", "check", "--database", &empty]).contains("holds no arena"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_says_in_a_line_why_it_gets_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let said = not_served_elsewhere(folder.path());
    assert!(said.contains("--games elsewhere needs --database"), "{said}");
    if !cluster::is_there() {
        return;
    }
    let url = cluster().database(None);
    let store = Store::connect(&url).await.unwrap();
    let game = AskedGame {
        key: Hex([1; 32]),
        semantics: "0".repeat(64),
        build: "arena 9.0.0".into(),
        job: "what it does not know".into(),
        is_sampled: false,
    };
    store.ask_games(&TournamentId::parse("cup-1").unwrap(), &[game]).await.unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--no-standing"]);
    let worker = |arguments: &[&str]| arena(&[&["admin", "worker"][..], arguments, &["--database", &url]].concat());
    let added = |name: &str| {
        let added = worker(&["add", name]);
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        String::from_utf8(added.stdout).unwrap().lines().next().unwrap().to_owned()
    };
    let server = format!("http://{}", site.address);
    let works = |token: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(["worker", "--server", &server]).env("ARENA_TOKEN", token).stdin(Stdio::null());
        command
    };
    let [old, broken, gone] = ["old", "broken", "gone"].map(added);
    let (mut process, told) = Process::heard("the worker", &mut works(&old));
    process.logs("waiting games need arena 9.0.0; this is");
    let ended = process.stop();
    let said = told.rest().collect::<Vec<_>>().join("\n");
    assert!(ended.success() && said.starts_with("worker for http://") && said.contains("0 games played"), "{said}");
    store.quarantine(&WorkerName::parse("broken").unwrap(), "the record is misspelt").await.unwrap();
    let said = line_of(&finished(&mut works(&broken)));
    assert!(said.contains("the worker broken is quarantined: the record is misspelt"), "{said}");
    assert!(worker(&["revoke", "gone"]).status.success());
    let said = line_of(&finished(&mut works(&gone)));
    assert!(said.contains("no worker has this token (unknown_token)"), "{said}");
    let listed = String::from_utf8(worker(&["list"]).stdout).unwrap();
    let [broken, old] = listed.lines().collect::<Vec<_>>()[..] else { panic!("{listed}") };
    assert!(broken.starts_with("broken: added") && broken.contains("quarantined: the record is misspelt"), "{listed}");
    assert!(old.starts_with("old: added") && old.contains("last used"), "{listed}");
    assert!(line_of(&worker(&["add", "old"])).contains("there is a worker with this name"));
    assert!(line_of(&worker(&["add", "broken"])).contains("is quarantined: the record is misspelt"));
    assert!(line_of(&worker(&["revoke", "gone"])).contains("there is no worker gone"));
    let said = String::from_utf8(worker(&["add", "a b"]).stderr).unwrap();
    assert!(said.contains("a worker's name has 1 to 64 characters"), "{said}");
}

/// The error of a site without a database for workers.
fn not_served_elsewhere(folder: &Path) -> String {
    line_of(&finished(Site::command(folder, &["--games", "elsewhere"]).stdin(Stdio::null())))
}
