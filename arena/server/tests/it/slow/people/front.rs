//! `/`.

use arena_rules::Reason;
use arena_store::{Page, TournamentId};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_connection_says_so() {
    let fixture = fixture().await;
    assert_snapshot("people/offline", &fixture.ask(get("/offline")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_has_the_doors_the_top_of_the_standings_and_its_style() {
    let fixture = fixture().await;
    let answer = fixture.ask(get("/")).await;
    let (before, style) = answer.text.split_once("<style>").expect("no file is waited for");
    let (style, behind) = style.split_once("</style>").expect("an end");
    assert_snapshot_of("people/front", &answer, &format!("{before}<style></style>{behind}"));
    let policy = answer.header("content-security-policy");
    let source = format!("style-src 'self' 'sha256-{}';", STANDARD.encode(Sha256::digest(style)));
    assert!(policy.contains(&source), "{policy}");
    // It is the file that other pages ask for, but for where the font is.
    let font = behind.split('"').find(|part| part.ends_with(".woff2")).expect("it is asked for early");
    assert!(!before.contains("stylesheet"));
    // A browser waits with its first paint for a font that is asked for before the body.
    let (head, _) = behind.split_once("<body>").expect("a body");
    assert!(!before.contains("as=\"font\"") && !head.contains("as=\"font\""));
    let file = fixture.ask(get(&font.replace("atkinson.woff2", "style.css"))).await;
    assert_eq!(style, file.text.replace("url(atkinson.woff2)", &format!("url({font})")));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_plays_the_latest_whole_game_of_the_two_best_bots_whoever_lost_it() {
    for (last_ends_by, shown) in [(Reason::Majority, 1), (Reason::Forfeit, 0)] {
        let fixture = fixture().await;
        let edition = TournamentId::parse("standing-1").expect("an id");
        let mut games = fixture.store.games(&edition, Page::first(50)).await.expect("read");
        // The best two met in the first two games. The best bot had another seat in each, so now it has won the first
        // and lost the last.
        for game in &mut games[..2] {
            (game.outcome.winner, game.outcome.reason) = (Some(0), Reason::Majority.code().into());
        }
        games[1].outcome.reason = last_ends_by.code().into();
        fixture.store.reindex(&edition, &games).await.expect("indexed");
        let page = fixture.ask(get("/")).await.text;
        let watched = page.split("id=\"watch\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(watched, Some(format!("/games/standing-1.{shown}").as_str()));
        fixture.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/problem", &fixture.ask(get("/nowhere").with("accept", "text/html")).await);
    fixture.end().await;
}
