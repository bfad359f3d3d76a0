//! What is in the files of a store.

use std::fs;
use std::path::{Path, PathBuf};

use arena_record::EntrantId;
use arena_store::{Limits, StoreError};

use super::open_in;
use super::suite::{GAME, NOW, bot_name, bytes, display, later};

/// All files below a folder.
fn contents(folder: &Path) -> Vec<u8> {
    fs::read_dir(folder)
        .expect("a folder")
        .flat_map(|entry| {
            let path = entry.expect("an entry").path();
            if path.is_dir() { contents(&path) } else { fs::read(&path).expect("a file") }
        })
        .collect()
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[tokio::test]
async fn no_secret_is_in_any_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, Limits::DEFAULT).await;
    let (ada, code) = store.create_account(&display("Canary in the mine"), NOW).await.expect("an account");
    let session = store.create_session(ada.id, later(60)).await.expect("a session");
    let renewed = store.replace_code(ada.id).await.expect("a code");
    let second = store.create_session(ada.id, later(60)).await.expect("a session");
    let secrets = [code.expose()[6..70].to_owned(), session.expose(), renewed.expose()[6..70].into(), second.expose()];
    for closed in [false, true] {
        if closed {
            store.clone().close().await;
        }
        let files = contents(folder.path());
        assert!(contains(&files, b"Canary in the mine"), "the files are the right ones");
        for secret in &secrets {
            let raw: Vec<u8> =
                (0..64).step_by(2).map(|at| u8::from_str_radix(&secret[at..at + 2], 16).expect("hex")).collect();
            assert!(!contains(&files, &raw) && !contains(&files, secret.as_bytes()), "closed: {closed}");
            // Not in parts either.
            assert!(!contains(&files, &raw[..8]) && !contains(&files, &secret.as_bytes()[..16]), "closed: {closed}");
        }
    }
}

/// Where the bytes of a bot are.
fn file_of(folder: &Path, content: &str) -> PathBuf {
    let entrant = EntrantId::of_bytes(content.as_bytes());
    let hash = entrant.hash().expect("a bot");
    folder.join("blobs").join(&hash[..2]).join(format!("{hash}.wasm"))
}

#[tokio::test]
async fn damaged_bytes_are_seen_and_replaced_by_the_next_submission() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, Limits::DEFAULT).await;
    let (ada, _) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    let submit = async |name: &str, content: &str| {
        let submitted = store.submit(ada.id, &bot_name(name), GAME, bytes(content), NOW).await;
        submitted.expect("taken").version().clone()
    };
    let version = submit("one", "content").await;
    let path = file_of(folder.path(), "content");
    fs::write(&path, "c0ntent").expect("written");
    assert!(matches!(store.module(&version.entrant).await, Err(StoreError::Damaged(_))));
    submit("two", "content").await;
    assert_eq!(store.module(&version.entrant).await.expect("whole again"), b"content");
    fs::remove_file(&path).expect("removed");
    assert!(matches!(store.module(&version.entrant).await, Err(StoreError::Damaged(_))));
}

#[tokio::test]
async fn there_is_one_file_for_each_content_and_none_for_what_was_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { bots_per_account_max: 2, ..Limits::DEFAULT };
    let store = open_in(&folder, limits).await;
    let (ada, _) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    for (name, content) in [("one", "a"), ("one", "b"), ("one", "a"), ("two", "a"), ("three", "c")] {
        let submitted = store.submit(ada.id, &bot_name(name), GAME, bytes(content), NOW).await;
        assert_eq!(submitted.is_ok(), name != "three", "{name}");
    }
    let blobs = fs::read_dir(folder.path().join("blobs")).expect("a folder");
    let files = blobs.flat_map(|entry| {
        fs::read_dir(entry.expect("an entry").path()).expect("a folder").map(|file| file.expect("a file").path())
    });
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let mut wanted = ["a", "b"].map(|content| file_of(folder.path(), content));
    wanted.sort();
    assert_eq!(files, wanted);
}
