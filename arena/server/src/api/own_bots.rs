//! An owner's acts on a bot: choosing its version, withdrawing, renaming and deleting it.

use arena_store::{Bot, BotName};
use axum::extract::Path;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Json;
use super::bots::{BotView, find};
use crate::app::App;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::problem::{Problem, Result};
use crate::visitors::Taker;

/// The version of a bot that plays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Active {
    /// The number of an accepted version; `null` withdraws the bot.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    version: Option<u32>,
}

/// A new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewName {
    /// 1 to 32 letters, digits, `.`, `-` or `_`, starting with a letter or digit.
    name: String,
}

/// Chooses the version that plays, or withdraws the bot. The choice holds until a version submitted later is accepted.
#[utoipa::path(put, path = "/api/v1/bots/{name}/active", params(("name" = String, Path)), request_body = Active,
    security(("player_code" = [])),
    responses((status = 200, body = BotView), (status = 401), (status = 403), (status = 404), (status = 429)))]
pub(crate) async fn choose(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(Active { version }): Json<Active>,
) -> Result<axum::Json<BotView>> {
    let bot = own(&app, account.id, &name).await?;
    taker.take(LimitKind::Uploads, Some(account.id))?;
    let bot = app.service().choose_version(bot.id, version).await?;
    Ok(axum::Json(BotView::of(&app, &bot)))
}

/// Renames a bot. Nobody else can take its old name; its earlier games appear under the new one.
#[utoipa::path(put, path = "/api/v1/bots/{name}/name", params(("name" = String, Path)), request_body = NewName,
    security(("player_code" = [])),
    responses((status = 200, body = BotView), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 422), (status = 429)))]
pub(crate) async fn rename(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(NewName { name: new }): Json<NewName>,
) -> Result<axum::Json<BotView>> {
    let bot = own(&app, account.id, &name).await?;
    let new = BotName::parse(&new)?;
    taker.take(LimitKind::Uploads, Some(account.id))?;
    let bot = app.service().rename_bot(bot.id, &new).await?;
    Ok(axum::Json(BotView::of(&app, &bot)))
}

/// Deletes a bot for good, with its name and logs. Its games, and the bytes that played them, stay under their hashes
/// as long as their editions do. Nobody else can take its name.
#[utoipa::path(delete, path = "/api/v1/bots/{name}", params(("name" = String, Path)), security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete(app: App, Path(name): Path<String>, Signed(account): Signed) -> Result<StatusCode> {
    let bot = own(&app, account.id, &name).await?;
    app.service().delete_bot(&bot).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// This account's bot of this name.
pub(crate) async fn own(app: &App, account: arena_store::AccountId, name: &str) -> Result<Bot> {
    let bot = find(app, name).await?;
    if bot.account == account { Ok(bot) } else { Err(Problem::not_your_bot()) }
}
