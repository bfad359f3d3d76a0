//! `/api/v1/tournaments`.

use arena_store::{Page, TournamentId};

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot_of;

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_of_a_finished_edition_is_a_tar_archive() {
    let fixture = fixture().await;
    let answer = fixture.ask(get("/api/v1/tournaments/standing-1/folder")).await;
    assert_snapshot_of("api/folder", &answer, "[the archive]");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"standing-1.tar\"");
    // A header is text, so that names can be found without reading the archive.
    for part in ["manifest.json", "definition.toml", "journal", "index", "results/standings.json"] {
        assert!(answer.text.contains(&format!("standing-1/{part}")), "{part}");
    }
    assert_eq!(answer.text.len() % 512, 0, "whole blocks, with an end");
    for missing in ["standing-2", "cup", "..", "%2e%2e"] {
        let answer = fixture.ask(get(&format!("/api/v1/tournaments/{missing}/folder"))).await;
        assert_eq!(answer.status, 404, "{missing}");
    }
    // Its games are known, and the disk has lost it.
    let [edition, lost] = ["standing-1", "lost"].map(|id| TournamentId::parse(id).expect("an id"));
    let games = fixture.store.games(&edition, Page::first(1)).await.expect("read");
    fixture.store.reindex(&lost, &games).await.expect("indexed");
    let answer = fixture.ask(get("/api/v1/tournaments/lost/folder")).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (500, "damaged".into()), "{}", answer.text);
    fixture.end().await;
}
