//! What a browser keeps so that practice works without a network.

use arena_runner::{Contender, build_id};
use arena_wire::GAMES;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::assets::{self, Assets};
use crate::problem::Problem;

/// The script in whose hands that is.
const WORKER: &str = "service-worker.js";

/// Pages that work in the browser alone, the first in place of any other: practice against each built-in opponent in each
/// seat, and of two people at one device.
fn pages() -> Vec<String> {
    let mut pages = vec!["/practice".to_owned()];
    for game in GAMES.iter().filter(|game| game.suits_rooms()) {
        let opponents = Contender::built_in(game.ruleset).chain([""]);
        pages.extend(opponents.map(|name| format!("/practice?game={}&opponent={name}", game.name())));
    }
    pages
}

/// `GET /service-worker.js`. Pages that are read from a folder change while somebody works on them, and are not kept.
pub(crate) async fn worker(State(assets): State<Assets>) -> Result<Response, Problem> {
    let script = assets.find(WORKER).filter(|_| assets.are_fixed()).ok_or_else(Problem::no_such_page)?;
    // Pages of practice are made by the program: with another one they are other pages.
    let version = format!("{}-{}", assets::version(), build_id());
    let kept = json!({ "version": version, "files": assets::addresses(), "pages": pages() });
    let script = format!("self.KEPT = {kept};\n{}", String::from_utf8_lossy(&script));
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")], script).into_response())
}
