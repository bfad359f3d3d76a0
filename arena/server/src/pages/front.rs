//! `/`: what this is, and its four doors.

use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::standings::{Line, lines};
use super::{Shell, page};
use crate::app::App;
use crate::identity::Visitor;
use crate::names::GameLink;
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
    /// The game of these rows, and all there are.
    game: &'static Game,
    all: Vec<GameLink>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let game = &GAMES[0];
    let standing = app.service().standing(game);
    let mut top = standing.edition.as_deref().map(|edition| lines(game, &edition.standings)).unwrap_or_default();
    top.truncate(TOP);
    let (edition, games) = standing.edition.as_ref().map_or((0, 0), |edition| (edition.number, edition.games));
    let all = GameLink::all(GAMES.iter(), game);
    page(&Front { shell: Shell::new(&visitor.unwrap_or_default(), ""), top, edition, games, game, all })
}
