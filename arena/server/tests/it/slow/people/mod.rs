//! What people open in a browser: `people()` in `src/router.rs`.

mod account;
mod api;
mod authors;
mod bots;
mod front;
mod game_list;
mod games;
mod guide;
mod history;
mod language;
mod learn;
mod lobby;
mod open;
mod operator;
mod own_bots;
mod own_games;
#[expect(clippy::module_inception, reason = "the page of people, among the pages that people open")]
pub(crate) mod people;
mod play;
mod practice;
mod previews;
mod privacy;
mod profiles;
mod rated;
mod refilled;
mod room;
mod rules;
mod sources;
mod standings;
mod submit;
mod tokens;
mod tournament_form;
mod tournaments;
mod volunteers;
mod what_if;
mod workshop;
mod worlds;

use crate::client::{get, post};
use crate::fixture::fixture;

#[tokio::test(flavor = "multi_thread")]
async fn every_door_opens() {
    let fixture = fixture().await;
    for path in [
        "/",
        "/standings",
        "/play",
        "/learn",
        "/learn/conquerors/1",
        "/learn/life2",
        "/rules/conquerors",
        "/guide",
        "/submit",
        "/workshop",
        "/tournaments",
        "/tournaments/new",
        "/account",
        "/api",
        "/privacy",
        "/people",
        "/volunteers",
        "/operator",
        "/bots/easy",
        "/bots/normal",
        "/bots/hard",
    ] {
        let answer = fixture.ask(get(path)).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        // Nothing that the policy would forbid.
        for inline in ["<script>", " style=", " onclick=", "javascript:"] {
            assert!(!answer.text.contains(inline), "{path} has {inline}");
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_text_wherever_it_is_shown() {
    let fixture = fixture().await;
    let hostile = post("/account", "name=%3Cscript%3Ealert(1)%3C%2Fscript%3E").form();
    let refused = fixture.ask(hostile).await;
    assert_eq!(refused.status, 422);
    assert!(!refused.text.contains("<script>"));
    fixture.end().await;
}

/// A text as pages have it.
fn escaped(text: &str) -> String {
    text.replace('\'', "&#39;")
}
