//! The files that a browser keeps, so that practice, lessons and the workshop work offline.

use arena_runner::{Contender, build_id};
use arena_wire::GAMES;
use askama::Template;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::assets::{self, Assets};
use crate::engines;
use crate::guide;
use crate::language::language;
use crate::pages::{Shell, learn, page};
use crate::problem::{Problem, Result};
use crate::upload::WRITTEN;

/// The script that keeps them.
const WORKER: &str = "service-worker.js";

/// The address of the page that says that there is no connection.
const MISSING: &str = "/offline";

/// Pages that work in the browser alone: practice of each game, against each built-in opponent, and of two people at
/// one device; the lessons and their list; and the workshop.
fn pages() -> Vec<String> {
    let mut pages = ["/practice", "/learn", "/workshop"].map(String::from).to_vec();
    pages.extend(learn::addresses());
    for game in GAMES.iter().filter(|game| game.suits_rooms()) {
        let (fewest, most) = game.room_seats;
        // One page for any number of seats, made by the page itself from one for the most:
        // `web/static/rooms/practice.js`.
        let seats = if fewest < most { format!("&seats={most}") } else { String::new() };
        let usual = format!("/practice?game={}{seats}", game.name());
        let nobody = (!game.plays_at_once()).then_some("");
        let opponents = Contender::built_in(game.ruleset).chain(nobody);
        pages.extend(opponents.map(|name| format!("{usual}&opponent={name}")));
        pages.push(usual);
    }
    for game in GAMES {
        let workshop = format!("/workshop?game={}", game.name());
        pages.extend(WRITTEN.iter().map(|language| format!("{workshop}&language={}", language.name)));
        pages.push(workshop);
    }
    pages
}

/// Files that these pages load, in the language of the current answer.
fn files() -> Vec<String> {
    let is_loaded = |name: &&str| engines::is_for_offline(name) && assets::is_loaded(name);
    let texts = WRITTEN.iter().flat_map(|language| [language.template, language.declared]).map(guide::address_of);
    assets::names().filter(is_loaded).map(assets::at).chain(texts).collect()
}

/// `GET /service-worker.js`. Pages that are read from a folder change during development, so nothing is kept then, and
/// what was kept before is deleted.
pub(crate) async fn worker(State(assets): State<Assets>) -> Result<Response> {
    let script = assets.find(WORKER).ok_or_else(Problem::no_such_page)?;
    let kept = if assets.are_fixed() {
        // The program renders the pages of practice and lessons, so another build has other pages.
        let version = format!("{}-{}", assets::version(), build_id());
        json!({ "version": version, "language": language().tag(), "files": files(), "pages": pages(), "missing": MISSING })
    } else {
        json!({ "version": "none", "language": language().tag(), "files": [], "pages": [], "missing": MISSING })
    };
    let script = format!("self.KEPT = {kept};\n{}", String::from_utf8_lossy(&script));
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")], script).into_response())
}

/// The page that the script shows offline, in place of one that is not kept, at the address of that one.
#[derive(Template)]
#[template(path = "offline.html")]
struct NoConnection {
    shell: Shell,
    /// Its own address.
    address: &'static str,
}

/// `GET /offline`.
pub(crate) async fn missing() -> Result<Response> {
    page(&NoConnection { shell: Shell { account: None, here: "" }, address: MISSING })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use axum::body::to_bytes;

    use super::*;

    /// The lists that the script gets with these files.
    async fn kept(assets: Assets) -> serde_json::Value {
        let answer = worker(State(assets)).await.expect("a script");
        let body = to_bytes(answer.into_body(), usize::MAX).await.expect("its text");
        let text = String::from_utf8_lossy(&body);
        let kept = text.lines().next().and_then(|line| line.strip_prefix("self.KEPT = ")?.strip_suffix(';'));
        serde_json::from_str(kept.expect("what is kept")).expect("JSON")
    }

    #[tokio::test]
    async fn a_release_is_kept_and_a_folder_that_changes_is_not() {
        let release = kept(Assets::embedded()).await;
        assert_eq!(release["pages"][0], "/practice");
        let pages = release["pages"].as_array().expect("pages");
        assert!(
            [
                "/learn",
                "/learn/war-of-life/3",
                "/learn/life2",
                "/practice?game=war-of-life",
                "/workshop",
                "/workshop?game=war-of-life&language=wat",
                "/workshop?game=life2",
                "/practice?game=game-of-game-of-life&seats=16&opponent=greedy"
            ]
            .iter()
            .all(|page| pages.iter().any(|kept| kept == page)),
            "{pages:?}"
        );
        assert!(["room.js", "arena_opponents_wide.wasm"].iter().all(|name| {
            release["files"].as_array().is_some_and(|files| files.iter().any(|file| *file == assets::at(name)))
        }));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/static");
        let folder = kept(Assets::embedded().in_folder(&folder).expect("complete")).await;
        assert_eq!((&folder["files"], &folder["pages"]), (&json!([]), &json!([])));
        assert_ne!(folder["version"], release["version"]);
    }
}
