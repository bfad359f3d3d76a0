//! `/worlds`, and a world's page: the world itself is stepped in it.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::{Shell, page};
use crate::api::worlds::find;
use crate::app::App;
use crate::identity::Visitor;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "worlds.html")]
struct Worlds {
    shell: Shell,
    worlds: Vec<Row>,
}

/// A world of the list.
struct Row {
    name: String,
    generation: u64,
    /// How many slots are held.
    held: usize,
}

#[derive(Template)]
#[template(path = "world.html")]
struct WorldPage {
    shell: Shell,
    name: String,
}

pub(crate) async fn list(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let mut worlds = Vec::new();
    for world in app.service().worlds() {
        let held = world.look(|world| world.kingdoms().count()).await;
        worlds.push(Row { name: world.name().to_string(), generation: world.shown().generation, held });
    }
    page(&Worlds { shell: Shell::new(&visitor.unwrap_or_default(), "play"), worlds })
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let name = find(&app, &name)?.name().to_string();
    page(&WorldPage { shell: Shell::new(&visitor.unwrap_or_default(), "play"), name })
}
