//! Folders of tournaments, in the stores that keep them.

use std::collections::BTreeMap;

use arena_clock::Clock;
use arena_record::Hex;
use arena_store::{
    AskedGame, FileChange, JournalChange, KeptFolder, KeptLine, Limits, NewEnd, NewLine, Piece, Store, StoreError,
    TournamentId, WorkerName,
};

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
    let version = store.keep_folder(&one, 0, &begun, None).await.expect("written").expect("it is new");
    assert_eq!(store.keep_folder(&one, 0, &begun, None).await.expect("asked"), None, "it is there");
    let grown = [change("journal", 1, &[second, first])];
    assert_eq!(store.keep_folder(&one, version ^ 1, &grown, None).await.expect("asked"), None, "another version");
    let grown = store.keep_folder(&one, version, &grown, None).await.expect("written").expect("that version");
    assert_ne!(grown, version);
    assert_eq!(store.kept_folders().await.expect("read"), BTreeMap::from([(one.clone(), grown)]));
    let kept = store.kept_folder(&one).await.expect("read").expect("it is there");
    let files = [("bot.wasm", vec![bot]), ("journal", vec![first, second, first])];
    assert_eq!(kept.version, grown);
    assert_eq!(kept.files, BTreeMap::from(files.map(|(file, pieces)| (file.to_owned(), pieces))));

    // What was cut off, and a file that is gone.
    let cut = [change("journal", 1, &[]), change("bot.wasm", 0, &[])];
    store.keep_folder(&one, grown, &cut, None).await.expect("written").expect("that version");
    let kept = store.kept_folder(&one).await.expect("read").expect("it is there");
    assert_eq!(kept.files, BTreeMap::from([("journal".to_owned(), vec![first])]));

    let begun = [change("bot.wasm", 0, &[bot])];
    let version = store.keep_folder(&two, 0, &begun, None).await.expect("written").expect("it is new");
    for _ in 0..2 {
        store.forget_folder(&one).await.expect("forgotten");
    }
    assert_eq!(store.kept_folder(&one).await.expect("read"), None);
    assert_eq!(store.piece(&bot).await.expect("another folder has it"), b"bot");
    for gone in [first, second] {
        assert!(matches!(store.piece(&gone).await, Err(StoreError::Damaged(_))));
    }
    let forgotten = [change("index", 0, &[second]), change("bot.wasm", 0, &[])];
    assert_eq!(store.keep_folder(&two, version, &forgotten, None).await.expect("asked"), None, "a piece is gone");
    let kept = store.kept_folder(&two).await.expect("read").expect("it is there");
    assert_eq!((kept.version, kept.files.len()), (version, 1), "nothing is changed");
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
}

/// Keeps these results, and changes a journal from a line on.
async fn journal(store: &Store, kept: &mut KeptFolder, from: u64, texts: &[&str]) -> Option<u64> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let line = |(place, text): (usize, &String)| NewLine::of(&place.to_string(), text, text.len() as u64);
    let lines = texts.iter().enumerate().map(line).collect();
    // The last one goes with the lines.
    let (before, last) = texts.split_at(texts.len().saturating_sub(1));
    store.keep_results(&folder("cup-1"), before).await.expect("kept");
    change_journal(store, kept, JournalChange { from, from_bytes: from, lines, results: last.into() }).await
}

async fn change_journal(store: &Store, kept: &mut KeptFolder, change: JournalChange) -> Option<u64> {
    let version = store.keep_folder(&folder("cup-1"), kept.version, &[], Some(&change)).await.expect("asked")?;
    kept.version = version;
    kept.change(&[], Some(&change));
    Some(version)
}

async fn texts(store: &Store) -> Vec<String> {
    let lines = store.kept_lines(&folder("cup-1"), 0).await.expect("read");
    lines.into_iter().map(|KeptLine { label, text }| format!("{label}{text}")).collect()
}

#[tokio::test]
async fn a_journal_names_results_that_stay_as_long_as_a_worker_or_a_line_has_them() {
    let (store, _folder) = super::open(Limits::DEFAULT, Clock::system()).await;
    let (cup, worker) = (folder("cup-1"), WorkerName::parse("one").expect("a name"));
    let key = Hex([1; 32]);
    let (semantics, build) = ("s".to_owned(), "b".to_owned());
    let game = AskedGame { key, semantics: semantics.clone(), build, job: "job".into(), is_sampled: false };
    store.ask_games(&cup, &[game]).await.expect("asked");
    let claimed = store.claim(&worker, &[semantics], 1, 60_000).await.expect("claimed").games;
    let lease = claimed[0].lease.clone();
    let end = NewEnd { lease, is_void: false, is_sampled: false, text: "a".into() };
    store.submit_ends(&worker, &[end]).await.expect("taken");

    let mut kept = KeptFolder::default();
    journal(&store, &mut kept, 0, &["a", "b", "a"]).await.expect("a new folder");
    assert_eq!(texts(&store).await, ["0a", "1b", "2a"]);
    assert_eq!(store.ends(&cup, &[key]).await.expect("read")[0].text, "a");
    assert_eq!(store.kept_folder(&cup).await.expect("read"), Some(kept.clone()));
    journal(&store, &mut kept, 2, &["c", "d"]).await.expect("that version");
    assert_eq!((texts(&store).await, kept.cuts), (["0a", "1b", "0c", "1d"].map(str::to_owned).into(), 1));
    journal(&store, &mut kept, 4, &[]).await.expect("that version");
    assert_eq!(store.kept_folder(&cup).await.expect("read"), Some(kept.clone()), "nothing was cut");

    // The queue forgets its games; what lines name stays, and what was cut off goes.
    journal(&store, &mut kept, 3, &[]).await.expect("that version");
    store.forget_games(&cup).await.expect("forgotten");
    assert_eq!(texts(&store).await, ["0a", "1b", "0c"]);
    store.keep_results(&cup, &["d".into()]).await.expect("kept again");
    store.forget_games(&cup).await.expect("forgotten");
    let lines = vec![NewLine::of("3", "d", 1)];
    let named = JournalChange { from: 3, from_bytes: 3, lines, results: Vec::new() };
    assert_eq!(change_journal(&store, &mut kept, named).await, None, "its result is gone");
    assert_eq!(texts(&store).await, ["0a", "1b", "0c"], "nothing is changed");
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    store.forget_folder(&cup).await.expect("forgotten");
    assert_eq!((texts(&store).await, store.kept_folder(&cup).await.expect("read")), (Vec::new(), None));
}
