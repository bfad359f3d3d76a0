//! `/submit`.

use arena_record::Budgets;
use arena_store::{Bot, BotName, Page};
use arena_wire::GAMES;
use askama::Template;
use axum::extract::{Multipart, State};
use axum::response::{IntoResponse, Redirect, Response};

use super::{Shell, page};
use crate::api::bots::game_of;
use crate::app::App;
use crate::identity::{Signed, Visitor};
use crate::limits::ROWS_MAX;
use crate::names::{self, GameLink};
use crate::problem::Problem;
use crate::upload;
use crate::visitors::{Taker, What};

#[derive(Template)]
#[template(path = "submit.html")]
struct Submit {
    shell: Shell,
    /// The visitor's bots with their games, to choose a name from.
    bots: Vec<(String, String)>,
    games: Vec<GameLink>,
    module_kib: u64,
    fuel_millions: u64,
}

pub(crate) async fn show(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let visitor = visitor.unwrap_or_default();
    let bots = match &visitor.account {
        Some(account) => app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?,
        None => Vec::new(),
    };
    page(&Submit {
        shell: Shell::new(&visitor, "submit"),
        bots: bots.iter().map(|bot| (bot.name.to_string(), title(bot))).collect(),
        games: GameLink::all(GAMES.iter(), &GAMES[0]),
        module_kib: Budgets::DEFAULT.module_bytes >> 10,
        fuel_millions: Budgets::DEFAULT.fuel_per_move / 1_000_000,
    })
}

/// What a bot's game is called.
fn title(bot: &Bot) -> String {
    game_of(bot).map_or_else(|| bot.game.clone(), |game| game.title.into())
}

pub(crate) async fn submit(
    State(app): State<App>,
    taker: Taker,
    Signed(account): Signed,
    fields: Multipart,
) -> Result<Response, Problem> {
    taker.take(What::Uploads, Some(account.id))?;
    let form = upload::form(fields).await?;
    let name = BotName::parse(&form.name)?;
    let game = if form.game.is_empty() { None } else { Some(names::game(Some(&form.game))?) };
    let submitted = upload::submit(&app, account.id, &name, game, form.module).await?;
    let number = submitted.version.id.number;
    // The verdict has an address of its own: reloading it submits nothing.
    Ok(Redirect::to(&format!("/bots/{name}/versions/{number}")).into_response())
}
