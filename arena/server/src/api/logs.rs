//! The logs of bots, for their owners only.

use arena_store::{Account, Bot, SampleLog, Version};
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::bots::find_version;
use crate::app::App;
use crate::games;
use crate::identity::Signed;
use crate::names;
use crate::problem::{Problem, Result};

/// What a bot logged in one game.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogView {
    /// The bot's name.
    pub(crate) bot: String,
    /// The bot's seat, from 0.
    pub(crate) seat: u8,
    /// Its lines as the bot wrote them, each with a newline at its end.
    pub(crate) text: String,
    /// Lines dropped because of the limits.
    pub(crate) dropped: u64,
}

/// What a version of your bot logged in its sample games.
#[utoipa::path(get, path = "/api/v1/bots/{name}/versions/{number}/logs",
    params(("name" = String, Path), ("number" = u32, Path)), security(("player_code" = [])),
    responses((status = 200, body = Vec<LogView>), (status = 401), (status = 404)))]
pub(crate) async fn samples(
    app: App,
    Path((name, number)): Path<(String, String)>,
    Signed(account): Signed,
) -> Result<axum::Json<Vec<LogView>>> {
    let (bot, version) = find_version(&app, &name, &number).await?;
    if bot.account != account.id {
        return Err(Problem::not_your_logs());
    }
    Ok(axum::Json(of_samples(&app, &bot, &version).await?))
}

/// The logs of a version's sample games, for the bot's owner.
pub(crate) async fn of_samples(app: &App, bot: &Bot, version: &Version) -> Result<Vec<LogView>> {
    let logs = app.store().sample_logs(version.id).await?;
    let view = |SampleLog { seat, text, dropped }| LogView { bot: bot.name.to_string(), seat, text, dropped };
    Ok(logs.into_iter().map(view).collect())
}

/// What your bots logged in a finished game. The game is played again to find out: it is a function of its record.
#[utoipa::path(get, path = "/api/v1/games/{id}/log", params(("id" = String, Path)), security(("player_code" = [])),
    responses((status = 200, body = Vec<LogView>), (status = 401), (status = 404), (status = 409), (status = 410)))]
pub(crate) async fn game(
    app: App,
    Path(id): Path<String>,
    Signed(account): Signed,
) -> Result<axum::Json<Vec<LogView>>> {
    Ok(axum::Json(of_game(&app, &id, &account).await?))
}

/// The logs of an account's bots in a game.
pub(crate) async fn of_game(app: &App, id: &str, account: &Account) -> Result<Vec<LogView>> {
    let (record, _) = games::record(app.service(), id).await?;
    let mut named = app.store().named(Some(&record.header.ruleset), &record.header.entrants).await?;
    named.retain(|_, named| named.account == account.id);
    if named.is_empty() {
        return Err(Problem::not_your_logs());
    }
    let mut logs = Vec::new();
    for (bot, named) in named {
        for log in app.service().rooms().slots().game_log(record.clone(), &bot).await? {
            let text = log.lines.iter().map(|line| format!("{line}\n")).collect();
            logs.push(LogView { bot: named.name.to_string(), seat: log.seat.0, text, dropped: log.dropped });
        }
    }
    logs.sort_by_key(|log| log.seat);
    Ok(logs)
}

/// The name of a log's seat, for people.
pub(crate) fn seat_name(ruleset: &str, seat: u8) -> String {
    let seat = arena_rules::Seat(seat);
    names::game(Some(ruleset)).map_or_else(|_| seat.to_string(), |game| game.seat_name(seat))
}
