//! A disk that is full or read-only under a real site: acknowledged data stays, requests that cannot be served are
//! refused in a sentence, reading still works, and everything recovers with the disk.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::disk::{Disk, does};
use crate::left_out::left_out;
use crate::night::faults::{assert_goes_on, assert_reads, assert_refuses_writes, assert_whole, claim, submit};
use crate::site::{BLOCK, Game, HONEST, Honest, SECOND_BLOCK, Site, get, play, post_json};

/// A block in blue's home that is legal after two others.
const THIRD_BLOCK: &str = "0101041602160317021703";

/// Games beside the first one: together one fewer than a person may have open.
const OTHER_GAMES: usize = 8;

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
    let ready = site.ask(HONEST, get("/readyz")).await;
    assert_eq!((ready.status, &ready.json()["code"]), (503, &Value::from("no_space")));
    assert!(site.ask(HONEST, play()).await.refuses() && submit(&site, &game.code, "mine").await.refuses());
    let other = post_json("/api/v1/rooms", &json!({ "opponent": "easy", "seat": 0 })).bearer(&game.code);
    assert!(site.ask(HONEST, other).await.refuses());
    assert_reads(&site, &game).await;
    // No space is free. Pages that the database has already may still take some turns.
    disk.fill();
    let turns = [(&game, ply, SECOND_BLOCK)].into_iter().chain(others.iter().map(|other| (other, 0, BLOCK)));
    let mut is_refused = false;
    for (game, ply, action) in turns {
        if is_refused {
            break;
        }
        let turn = game.try_turn(&site, ply, action).await;
        is_refused = turn.refuses();
        assert!(is_refused || turn.status == 200, "{}", turn.body);
    }
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
