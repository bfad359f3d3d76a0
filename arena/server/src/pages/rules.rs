//! `/rules/GAME`: a game's rules with pictures.

use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::{Shell, page};
use crate::identity::Reader;
use crate::names::{self, GameLink};
use crate::pictures::{self, Figure};
use crate::problem::Result;

#[derive(Template)]
#[template(path = "rules_page.html")]
struct Rules {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    figures: &'static [Figure],
}

pub(crate) async fn show(Path(game): Path<String>, Reader(visitor): Reader) -> Result<Response> {
    let game = names::game(Some(&game))?;
    page(&Rules {
        shell: Shell::new(&visitor, "learn"),
        game,
        games: GameLink::all(GAMES.iter(), game),
        figures: pictures::of(game),
    })
}
