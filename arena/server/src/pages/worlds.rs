//! `/worlds`, and the page of a world, which steps the world itself. The lesson of Life2 is the same page with a world
//! of its own.

use arena_rules::Ruleset;
use arena_rules::life2::Position;
use arena_runner::Contender;
use arena_store::{Bot, Page};
use arena_wire::Protocol;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::{Shell, page};
use crate::api::worlds::find;
use crate::app::App;
use crate::identity::Reader;
use crate::language::Message;
use crate::limits::ROWS_MAX;
use crate::pictures::Figure;
use crate::problem::Result;
use crate::text;
use crate::world_protocol::bots;
use crate::world_rules;

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
    /// The number of slots that are held.
    held: usize,
}

#[derive(Template)]
#[template(path = "world.html")]
struct WorldPage {
    shell: Shell,
    title: String,
    /// The world's name; empty in the lesson.
    name: String,
    /// Whether this is the lesson, whose world is in the page alone.
    lesson: bool,
    /// The bots that can play for the visitor: own ones and built-in opponents; none in the lesson.
    bots: Vec<String>,
    /// The one that plays.
    playing: Option<String>,
}

#[derive(Template)]
#[template(path = "world_rules.html")]
struct WorldRules {
    shell: Shell,
    rules: &'static [Message],
    figures: &'static [Figure],
}

impl WorldPage {
    /// Whether the visitor may have a kingdom.
    fn plays(&self) -> bool {
        self.lesson || self.shell.account.is_some()
    }
}

pub(crate) async fn list(app: App, Reader(visitor): Reader) -> Result<Response> {
    let mut worlds = Vec::new();
    for world in app.service().worlds().all() {
        let held = world.look(|world| world.kingdoms().count()).await;
        worlds.push(Row { name: world.name().to_string(), generation: world.shown().generation, held });
    }
    page(&Worlds { shell: Shell::new(&visitor, "play"), worlds })
}

pub(crate) async fn show(app: App, Path(name): Path<String>, Reader(visitor): Reader) -> Result<Response> {
    let world = find(&app, &name)?;
    let (mut names, mut playing) = (Vec::new(), None);
    if let Some(account) = visitor.account_id() {
        let own = app.store().bots_of(account, Page::first(ROWS_MAX)).await?;
        let plays = |bot: &Bot| bot.game == Position::ID && bot.active.is_some();
        names.extend(own.into_iter().filter(plays).map(|bot| bot.name.to_string()));
        names.extend(Contender::built_in(Position::ID).map(str::to_owned));
        playing = bots(app.store(), &world.seated().await).await?.remove(&account);
    }
    let name = world.name().to_string();
    let title = format!("{}: {name}", text::worlds_world());
    page(&WorldPage { shell: Shell::new(&visitor, "play"), title, name, lesson: false, bots: names, playing })
}

/// `/rules/world`: all rules of a world, with pictures.
pub(crate) async fn rules(Reader(visitor): Reader) -> Result<Response> {
    let shell = Shell::new(&visitor, "learn");
    page(&WorldRules { shell, rules: world_rules::RULES, figures: world_rules::figures() })
}

/// `/learn/life2`: the steps of a world's page, in a world that needs neither an account nor the server.
pub(crate) async fn lesson(Reader(visitor): Reader) -> Result<Response> {
    page(&WorldPage {
        shell: Shell::new(&visitor, "learn"),
        title: Position::TITLE.into(),
        name: String::new(),
        lesson: true,
        bots: Vec::new(),
        playing: None,
    })
}
