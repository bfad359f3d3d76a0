//! Folders of tournaments, in the stores that keep them.

use std::collections::BTreeMap;

use arena_clock::Clock;
use arena_store::{FileChange, Limits, Piece, StoreError, TournamentId};

fn folder(name: &str) -> TournamentId {
    TournamentId::parse(name).expect("a name")
}

fn change(file: &str, from: usize, pieces: &[Piece]) -> FileChange {
    FileChange { file: file.into(), from, pieces: pieces.into() }
}

#[tokio::test]
async fn a_folder_is_changed_by_who_knows_its_version_and_pieces_stay_as_long_as_one_has_them() {
    let (store, _folder) = super::open(Limits::DEFAULT, Clock::system()).await;
    let (one, two) = (folder("cup-1"), folder("cup-2"));
    let mut pieces = Vec::new();
    for content in ["bot", "first", "second"] {
        pieces.push(store.keep_piece(content.as_bytes()).await.expect("kept"));
        assert_eq!(pieces.last(), Some(&Piece::of(content.as_bytes())));
    }
    let [bot, first, second] = pieces[..] else { panic!("three") };
    assert_eq!(store.kept_folder(&one).await.expect("read"), None);
    let begun = [change("bot.wasm", 0, &[bot]), change("journal", 0, &[first])];
    let version = store.keep_folder(&one, 0, &begun).await.expect("written").expect("it is new");
    assert_eq!(store.keep_folder(&one, 0, &begun).await.expect("asked"), None, "it is there");
    let grown = [change("journal", 1, &[second, first])];
    assert_eq!(store.keep_folder(&one, version ^ 1, &grown).await.expect("asked"), None, "another version");
    let grown = store.keep_folder(&one, version, &grown).await.expect("written").expect("that version");
    assert_ne!(grown, version);
    assert_eq!(store.kept_folders().await.expect("read"), BTreeMap::from([(one.clone(), grown)]));
    let kept = store.kept_folder(&one).await.expect("read").expect("it is there");
    let files = [("bot.wasm", vec![bot]), ("journal", vec![first, second, first])];
    assert_eq!(kept.version, grown);
    assert_eq!(kept.files, BTreeMap::from(files.map(|(file, pieces)| (file.to_owned(), pieces))));

    // What was cut off, and a file that is gone.
    let cut = [change("journal", 1, &[]), change("bot.wasm", 0, &[])];
    store.keep_folder(&one, grown, &cut).await.expect("written").expect("that version");
    let kept = store.kept_folder(&one).await.expect("read").expect("it is there");
    assert_eq!(kept.files, BTreeMap::from([("journal".to_owned(), vec![first])]));

    let begun = [change("bot.wasm", 0, &[bot])];
    let version = store.keep_folder(&two, 0, &begun).await.expect("written").expect("it is new");
    for _ in 0..2 {
        store.forget_folder(&one).await.expect("forgotten");
    }
    assert_eq!(store.kept_folder(&one).await.expect("read"), None);
    assert_eq!(store.piece(&bot).await.expect("another folder has it"), b"bot");
    for gone in [first, second] {
        assert!(matches!(store.piece(&gone).await, Err(StoreError::Damaged(_))));
    }
    let forgotten = [change("index", 0, &[second]), change("bot.wasm", 0, &[])];
    assert_eq!(store.keep_folder(&two, version, &forgotten).await.expect("asked"), None, "a piece is gone");
    let kept = store.kept_folder(&two).await.expect("read").expect("it is there");
    assert_eq!((kept.version, kept.files.len()), (version, 1), "nothing is changed");
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
}
