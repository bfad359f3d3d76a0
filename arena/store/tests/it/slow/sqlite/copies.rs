//! Copies of a store, taken while it is written.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use arena_record::EntrantId;
use arena_store::{AccountId, Limits, Page, Store, Verdict, VersionId};
use sha2::{Digest, Sha256};

use super::open_in;
use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, refused, room_id};
use crate::eventually::eventually;

/// Rows are few in these tests.
const ALL: u32 = arena_store::PAGE_MAX;

/// The SHA-256 of everything that can be read, but for secrets.
async fn digest(store: &Store) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut tell = |what: String| hash.update(format!("{what}\n"));
    for number in 1.. {
        let Some(account) = store.account(AccountId(number)).await.expect("read") else { break };
        tell(format!("{account:?}"));
        for bot in store.bots_of(account.id, Page::first(ALL)).await.expect("read") {
            tell(format!("{bot:?}"));
            for version in store.versions(bot.id, Page::first(ALL)).await.expect("read") {
                tell(format!("{version:?} {:?}", store.sample_logs(version.id).await.expect("read")));
                if !matches!(version.state, arena_store::VersionState::Refused(_)) {
                    tell(format!("{:?}", store.module(&version.entrant).await.expect("bytes")));
                }
            }
        }
        let room = store.room(&room_id(number as u128)).await.expect("read");
        tell(format!("{room:?}"));
    }
    hash.finalize().into()
}

/// Step `number` of what a site writes, each made of one call, so that every copy is between two of them.
async fn write(store: &Store, number: u32) {
    let (round, step) = (i64::from(number / 6) + 1, number % 6);
    let (name, room) = (format!("n{round}"), room_id(round as u128));
    let id = async || {
        let bot = store.bot_by_name(&bot_name(&name)).await.expect("read").expect("the bot");
        VersionId { bot: bot.id, number: 1 }
    };
    match step {
        0 => drop(store.create_account(&display(&name), NOW).await.expect("an account")),
        1 => store.create_room(&room, "start", &TERMS, NOW).await.expect("a room"),
        2 => drop(store.submit(AccountId(round), &bot_name(&name), GAME, bytes(&name), NOW).await.expect("taken")),
        3 => drop(store.append(&room, 1, "a ply", NOW).await.expect("a place")),
        // Every third bot is refused, and its bytes are removed.
        4 if round % 3 == 0 => drop(store.set_verdict(id().await, refused()).await.expect("a verdict")),
        4 => drop(store.set_verdict(id().await, Verdict::Accepted).await.expect("a verdict")),
        _ => store.finish_room(&room, &[], NOW).await.expect("finished"),
    }
}

fn limits() -> Limits {
    Limits { accounts_max: 100_000, open_rooms_per_owner_max: 100, ..Limits::DEFAULT }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_under_load_is_what_was_written_up_to_a_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, limits()).await;
    let (written, enough) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
    let writer = tokio::spawn({
        let (store, written, enough) = (store.clone(), written.clone(), enough.clone());
        async move {
            while !enough.load(Ordering::SeqCst) {
                let number = written.load(Ordering::SeqCst);
                write(&store, number).await;
                written.store(number + 1, Ordering::SeqCst);
            }
        }
    });
    let mut copies = Vec::new();
    while copies.len() < 5 {
        let enough = 40 * (copies.len() as u32 + 1);
        let look = async || Some(written.load(Ordering::SeqCst)).filter(|written| *written >= enough);
        let before = eventually("more to be written", look).await;
        let copy = tempfile::tempdir().expect("a folder");
        Store::copy(folder.path(), copy.path()).await.expect("a copy");
        // The step that was under way may be in it.
        copies.push((copy, before, written.load(Ordering::SeqCst) + 1));
    }
    enough.store(true, Ordering::SeqCst);
    writer.await.expect("no panic");
    for (copy, before, after) in copies {
        let copied = open_in(&copy, limits()).await;
        assert_eq!(copied.problems().await.expect("read"), [""; 0]);
        let found = digest(&copied).await;
        // A store without a disk, brought to each moment at which it can have been.
        let model = Store::in_memory(limits()).await.expect("a store");
        let mut moment = None;
        for number in 0..after {
            if number >= before && digest(&model).await == found {
                moment = Some(number);
                break;
            }
            write(&model, number).await;
        }
        let is_last = digest(&model).await == found;
        assert!(moment.is_some() || is_last, "no moment between steps {before} and {after}");
    }
}

#[tokio::test]
async fn a_copy_of_a_store_at_rest_is_equal_and_leaves_it_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, limits()).await;
    for number in 0..60 {
        write(&store, number).await;
    }
    let before = digest(&store).await;
    let copy = tempfile::tempdir().expect("a folder");
    Store::copy(folder.path(), copy.path()).await.expect("a copy");
    assert_eq!(digest(&*open_in(&copy, limits()).await).await, before);
    assert_eq!(digest(&store).await, before);
}

#[tokio::test]
async fn bytes_that_nobody_names_are_removed_and_no_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Store::open(folder.path()).await.expect("a store"));
    for number in 0..20 {
        write(&store, number).await;
    }
    let left = EntrantId::of_bytes(b"left over");
    let hash = left.hash().expect("a bot");
    let replica = folder.path().join("blobs").join(&hash[..2]);
    fs::create_dir_all(&replica).expect("a folder");
    fs::write(replica.join(format!("{hash}.wasm")), b"left over").expect("written");
    fs::write(replica.join("note.txt"), b"somebody's").expect("written");
    let before = digest(&store).await;
    assert_eq!(store.clone().remove_unnamed().await.expect("removed"), [(left, 9)]);
    assert_eq!(store.clone().remove_unnamed().await.expect("removed"), []);
    assert!(replica.join("note.txt").exists());
    assert_eq!(digest(&store).await, before);
}

#[tokio::test]
async fn what_is_damaged_is_named_while_the_store_is_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, limits()).await;
    for number in 0..30 {
        write(&store, number).await;
    }
    assert_eq!(Store::inspect(folder.path()).await.expect("read").problems, [""; 0]);
    let entrant = EntrantId::of_bytes(b"n1");
    let hash = entrant.hash().expect("a bot");
    fs::write(folder.path().join("blobs").join(&hash[..2]).join(format!("{hash}.wasm")), b"x").expect("written");
    let found = Store::inspect(folder.path()).await.expect("read").problems;
    assert_eq!(found, [format!("the bytes of {entrant} have changed")]);
    let copy = tempfile::tempdir().expect("a folder");
    assert!(Store::copy(folder.path(), copy.path()).await.is_err(), "damage is not copied");
}
