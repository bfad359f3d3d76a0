//! Opening, closing and opening again.

use std::fs;

use arena_store::{Limits, OpenError, Store, StoreError};

use super::open_in;
use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, room_id};

#[tokio::test]
async fn an_empty_folder_becomes_a_sound_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deeper").join("data");
    let store = Store::open(&path).await.expect("a store");
    store.ping().await.expect("it answers");
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
    let mut files: Vec<_> =
        fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    files.sort();
    assert_eq!(files, ["arena.db", "arena.db-shm", "arena.db-wal", "blobs", "lock"]);
}

#[tokio::test]
async fn everything_is_there_after_opening_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, Limits::DEFAULT).await;
    let (ada, code) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    let room = room_id(1);
    store.create_room(&room, "start", &TERMS, NOW).await.expect("a room");
    let submitted = store.submit(ada.id, &bot_name("bot-x"), GAME, bytes("one"), NOW).await.expect("taken");
    fs::write(folder.path().join("blobs/unfinished/half"), "ha").expect("written");
    store.close().await;

    let store = open_in(&folder, Limits::DEFAULT).await;
    assert_eq!(store.account_by_code(&code).await.expect("read"), Some(ada));
    assert_eq!(store.room(&room).await.expect("read").expect("the room").events, ["start"]);
    assert_eq!(store.version(submitted.version().id).await.expect("read").as_ref(), Some(submitted.version()));
    assert_eq!(store.module(&submitted.version().entrant).await.expect("read"), b"one");
    let left = fs::read_dir(folder.path().join("blobs/unfinished")).expect("a folder").count();
    assert_eq!(left, 0, "what a dead process was writing is gone");
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
}

#[tokio::test]
async fn a_store_is_open_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, Limits::DEFAULT).await;
    let second = Store::open(folder.path()).await;
    assert!(matches!(second, Err(OpenError::Busy(_))));
    let clone = store.clone();
    store.close().await;
    assert!(matches!(clone.ping().await, Err(StoreError::Unavailable(_))), "closing closes for all");
    let write = clone.create_account(&display("late"), NOW).await;
    assert!(matches!(write, Err(arena_store::AccountError::Store(StoreError::Unavailable(_)))));
    drop(clone);
    open_in(&folder, Limits::DEFAULT).await;
}

#[tokio::test]
async fn what_is_no_store_is_not_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("arena.db"), "this is not a database, but it is long enough".repeat(99))
        .expect("written");
    let opened = Store::open(folder.path()).await;
    assert!(matches!(opened, Err(OpenError::Store(StoreError::Damaged(_)))), "{:?}", opened.err());
    let file = folder.path().join("arena.db");
    let opened = Store::open(&file).await;
    assert!(matches!(opened, Err(OpenError::Folder { .. })), "{:?}", opened.err());
}
