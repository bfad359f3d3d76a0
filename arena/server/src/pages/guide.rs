//! `/guide`: how to write a bot, chapter by chapter.

use askama::Template;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Redirect, Response};

use super::{Shell, page};
use crate::guide::{self, Chapter};
use crate::identity::Visitor;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    shell: Shell,
    chapters: &'static [Chapter],
    chapter: &'static Chapter,
    next: Option<&'static Chapter>,
}

pub(crate) async fn first(visitor: Option<Visitor>) -> Result<Response, Problem> {
    shown(visitor, "/guide")
}

/// As people write it who take it for a folder.
pub(crate) async fn moved() -> Redirect {
    Redirect::permanent("/guide")
}

pub(crate) async fn chapter(Path(name): Path<String>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    shown(visitor, &format!("/guide/{name}"))
}

/// A source that a chapter shows or names, by its path in the repository.
pub(crate) async fn file(Path(path): Path<String>) -> Result<Response, Problem> {
    let text = guide::text(&path).ok_or_else(Problem::no_such_page)?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn shown(visitor: Option<Visitor>, address: &str) -> Result<Response, Problem> {
    let chapters = guide::chapters();
    let missing = || Problem::not_found("chapter", "the guide has no such chapter", "its chapters are at /guide");
    let index = chapters.iter().position(|chapter| chapter.address == address).ok_or_else(missing)?;
    page(&GuidePage {
        shell: Shell::new(&visitor.unwrap_or_default(), "guide"),
        chapters,
        chapter: &chapters[index],
        next: chapters.get(index + 1),
    })
}
