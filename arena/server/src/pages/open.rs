//! `/open`: shows a tournament from the visitor's own file, in the page alone. None of it reaches the server.

use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::identity::Reader;
use crate::problem::Result;

#[derive(Template)]
#[template(path = "open.html")]
struct OpenPage {
    shell: Shell,
}

pub(crate) async fn show(Reader(visitor): Reader) -> Result<Response> {
    page(&OpenPage { shell: Shell::new(&visitor, "tournaments") })
}
