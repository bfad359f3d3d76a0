//! `/api/v1/tournaments`.

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
    fixture.end().await;
}
