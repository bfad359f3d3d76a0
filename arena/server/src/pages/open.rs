//! `/open`: shows a tournament from the visitor's own file, in the page alone. None of it reaches the server.

use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::identity::Visitor;
use crate::problem::Result;

#[derive(Template)]
#[template(path = "open.html")]
struct OpenPage {
    shell: Shell,
}

pub(crate) async fn show(visitor: Option<Visitor>) -> Result<Response> {
    page(&OpenPage { shell: Shell::new(&visitor.unwrap_or_default(), "tournaments") })
}
