//! Opening, closing and opening again.

use std::fs;

use arena_store::{OpenError, RoomId, Store, StoreError};

use crate::{GAME, NOW, bot_name, bytes, display, fixture};

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
    let fixture = fixture().await;
    let (ada, code) = fixture.account("Ada").await;
    let room = RoomId::random().expect("an id");
    fixture.store.create_room(&room, "start", NOW).await.expect("a room");
    let submitted = fixture.store.submit(ada.id, &bot_name("bot-x"), GAME, bytes("one"), NOW).await.expect("taken");
    fs::write(fixture.folder.path().join("blobs/unfinished/half"), "ha").expect("written");
    fixture.store.close().await;

    let store = Store::open(fixture.folder.path()).await.expect("the same store");
    assert_eq!(store.account_by_code(&code).await.expect("read"), Some(ada));
    assert_eq!(store.room(&room).await.expect("read").expect("the room").events, ["start"]);
    assert_eq!(store.version(submitted.version().id).await.expect("read").as_ref(), Some(submitted.version()));
    assert_eq!(store.module(&submitted.version().entrant).await.expect("read"), b"one");
    let left = fs::read_dir(fixture.folder.path().join("blobs/unfinished")).expect("a folder").count();
    assert_eq!(left, 0, "what a dead process was writing is gone");
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
}

#[tokio::test]
async fn a_store_is_open_once() {
    let fixture = fixture().await;
    let second = Store::open(fixture.folder.path()).await;
    assert!(matches!(second, Err(OpenError::Busy(_))));
    let clone = fixture.store.clone();
    fixture.store.close().await;
    assert!(matches!(clone.ping().await, Err(StoreError::Unavailable(_))), "closing closes for all");
    let write = clone.create_account(&display("late"), NOW).await;
    assert!(matches!(write, Err(arena_store::AccountError::Store(StoreError::Unavailable(_)))));
    drop(clone);
    Store::open(fixture.folder.path()).await.expect("open again");
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
