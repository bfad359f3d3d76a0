//! `/guide`: how to write a bot, chapter by chapter, as pages and as Markdown.

use askama::Template;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::{Shell, page};
use crate::api::Query;
use crate::assets;
use crate::guide::plain::{ENDING, plain};
use crate::guide::search::{Found, QUERY_CHARS_MAX, search};
use crate::guide::{self, Chapter};
use crate::identity::{Reader, Visitor};
use crate::problem::{Code, Problem, Result};

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    shell: Shell,
    chapters: &'static [Chapter],
    /// The address of the current chapter.
    here: &'static str,
    query: &'static str,
    chapter: &'static Chapter,
    next: Option<&'static Chapter>,
}

pub(crate) async fn first(Reader(visitor): Reader) -> Result<Response> {
    shown(&visitor, "/guide")
}

/// The guide's address with a slash at its end, as people type it.
pub(crate) async fn moved() -> Redirect {
    Redirect::permanent("/guide")
}

/// A chapter as a page, or as Markdown.
pub(crate) async fn chapter(Path(name): Path<String>, headers: HeaderMap, Reader(visitor): Reader) -> Result<Response> {
    let address = format!("/guide/{name}");
    if name.ends_with(ENDING) { as_text(&address, &headers) } else { shown(&visitor, &address) }
}

/// `/llms.txt` and `/guide.md`.
pub(crate) async fn list(uri: Uri, headers: HeaderMap) -> Result<Response> {
    as_text(uri.path(), &headers)
}

fn as_text(address: &str, headers: &HeaderMap) -> Result<Response> {
    let text = plain(address).ok_or_else(missing)?;
    Ok(assets::revalidated(headers, address, text.as_bytes().into()))
}

fn missing() -> Problem {
    Problem::new(Code::NoSuchChapter, "the guide has no such chapter", "its chapters are at /guide")
}

/// A query.
#[derive(Deserialize)]
pub(crate) struct Question {
    #[serde(default)]
    q: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    shell: Shell,
    chapters: &'static [Chapter],
    /// Empty, because no chapter is shown: the form is above the results.
    here: &'static str,
    query: String,
    found: Vec<Found>,
}

/// Shows the sections with these words.
pub(crate) async fn look(Query(Question { q }): Query<Question>, Reader(visitor): Reader) -> Result<Response> {
    let query: String = q.chars().take(QUERY_CHARS_MAX).collect();
    let asked = query.clone();
    let found = spawn_blocking(move || search(&asked))
        .await
        .map_err(|error| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error))?;
    page(&SearchPage { shell: Shell::new(&visitor, "guide"), chapters: guide::chapters(), here: "", found, query })
}

/// Shows a source or a picture that a chapter includes or names, by its path in the repository.
pub(crate) async fn file(Path(path): Path<String>) -> Result<Response> {
    let text = guide::text(&path).ok_or_else(Problem::no_such_page)?;
    let is_picture = path.rsplit('.').next() == Some("svg");
    let kind = if is_picture { "image/svg+xml" } else { "text/plain; charset=utf-8" };
    Ok(([(CONTENT_TYPE, kind)], text).into_response())
}

fn shown(visitor: &Visitor, address: &str) -> Result<Response> {
    let chapters = guide::chapters();
    let index = chapters.iter().position(|chapter| chapter.address == address).ok_or_else(missing)?;
    page(&GuidePage {
        shell: Shell::new(visitor, "guide"),
        chapters,
        here: &chapters[index].address,
        query: "",
        chapter: &chapters[index],
        next: chapters.get(index + 1),
    })
}
