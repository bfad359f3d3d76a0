//! `/privacy`: what is stored about people, and for how long.

use arena_store::Limits;
use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::fuel::grouped;
use crate::identity::Reader;
use crate::problem::Result;

#[derive(Template)]
#[template(path = "privacy.html")]
struct Privacy {
    shell: Shell,
    rated_games: String,
    practice_games: String,
}

pub(crate) async fn show(Reader(visitor): Reader) -> Result<Response> {
    page(&Privacy {
        shell: Shell::new(&visitor, "privacy"),
        rated_games: grouped(Limits::DEFAULT.rated_games_max.into()),
        practice_games: grouped(Limits::DEFAULT.practice_games_max.into()),
    })
}
