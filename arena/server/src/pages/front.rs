//! `/`: what this is, and its four doors.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::standings::{Line, lines};
use super::{Shell, page};
use crate::app::App;
use crate::identity::Visitor;
use crate::problem::Problem;

/// Rows of the standings shown here.
const TOP: usize = 5;

#[derive(Template)]
#[template(path = "front.html")]
struct Front {
    shell: Shell,
    top: Vec<Line>,
    edition: u32,
    games: usize,
}

pub(crate) async fn show(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let standing = app.service().standing();
    let mut top = standing.edition.as_deref().map(lines).unwrap_or_default();
    top.truncate(TOP);
    let (edition, games) = standing.edition.as_ref().map_or((0, 0), |edition| (edition.number, edition.games));
    page(&Front { shell: Shell::new(&visitor.unwrap_or_default(), ""), top, edition, games })
}
