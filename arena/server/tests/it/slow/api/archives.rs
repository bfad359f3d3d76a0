//! The archives of `/api/v1/tournaments/ID/folder` and `/api/v1/account/games.tar`, as `tar` reads them.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use serde_json::json;

use crate::client::{get, post_json};
use crate::fixture::fixture;

/// The beginning of 2020: whatever a server sends was written since.
const ANY_SERVER: u64 = 1_577_836_800;

/// The files of an archive in its order, each with its bytes. Folders among them are left out.
fn files(archive: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in tar::Archive::new(archive.as_bytes()).entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        let (path, kind) = (entry.path().expect("a path").into_owned(), entry.header().entry_type());
        assert!(kind.is_file() || kind.is_dir(), "{}: a file or a folder, and no link", path.display());
        // Neither who runs the server, nor when something was written.
        let header = entry.header();
        assert_eq!((header.uid().expect("a number"), header.gid().expect("a number")), (0, 0), "{}", path.display());
        assert_eq!(header.username().expect("text").unwrap_or_default(), "", "{}", path.display());
        assert!(header.mtime().expect("a time") < ANY_SERVER, "{}", path.display());
        if kind.is_file() {
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("text");
            files.push((path, text));
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_sent_byte_by_byte_with_its_results_last_and_alike_each_time() {
    let fixture = fixture().await;
    let ask = get("/api/v1/tournaments/standing-1/folder");
    let sent = fixture.ask(ask.clone()).await;
    assert_eq!((sent.status.as_u16(), sent.header("content-type")), (200, "application/x-tar"));
    let files = files(&sent.text);
    for (path, text) in &files {
        let there = fs::read(fixture.service.tournaments().join(path)).expect("a file of the folder");
        assert!(there == text.as_bytes(), "{}", path.display());
    }
    let is_result = |(path, _): &(PathBuf, String)| path.starts_with("standing-1/results");
    let before = files.iter().take_while(|file| !is_result(file)).count();
    assert!(before > 0 && before < files.len() && files[before..].iter().all(is_result), "what has results is whole");
    assert!(fixture.ask(ask).await.text == sent.text, "the same each time");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finished_no_game_gets_an_archive_of_none() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let wanted = json!({ "opponent": "easy", "seat": 0 });
    assert_eq!(fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await.status, 201);
    let sent = fixture.ask(get("/api/v1/account/games.tar").bearer(&ann)).await;
    assert_eq!((sent.status.as_u16(), sent.header("content-type")), (200, "application/x-tar"));
    assert!(files(&sent.text).is_empty() && !sent.text.is_empty(), "an end without files");
    fixture.end().await;
}
