//! The functions that used a bot's fuel in a game, for its owner only.

use arena_service::GameProfile;
use arena_store::Account;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use super::what_if::{Mine, mine};
use crate::app::App;
use crate::games;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::problem::Result;
use crate::visitors::Taker;

/// In whose place.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// Your bot's seat, from 0; default: its first one.
    #[param(required = false, maximum = 255)]
    pub(crate) seat: Option<u8>,
}

/// Where a bot's fuel went in a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProfileView {
    /// The bot's name.
    pub(crate) bot: String,
    /// The bot's seat, from 0.
    pub(crate) seat: u8,
    /// The version that played.
    pub(crate) version: u32,
    /// The fuel of all its turns in the game.
    pub(crate) fuel: u64,
    /// Of a script, the number of samples of the running lines, spread evenly over that fuel: at most 100, and 0 if the
    /// game uses too much fuel to be sampled here. What functions use is counted, to the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) points: Option<u64>,
    /// The functions that used the most fuel themselves, at most 20.
    pub(crate) functions: Vec<FunctionView>,
}

/// The fuel that a function used.
#[derive(Serialize, ToSchema)]
pub(crate) struct FunctionView {
    /// Its name in the module, or its number there; of a script, a line: `bot.js:12`.
    pub(crate) function: String,
    /// Percent of the fuel used by the function itself.
    pub(crate) self_percent: f64,
    /// Percent of the fuel used by it and everything it called.
    pub(crate) total_percent: f64,
    /// Fuel used by the function itself; not of lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) self_fuel: Option<u64>,
    /// Fuel used by it and everything it called; not of lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total_fuel: Option<u64>,
}

/// Which functions used your bot's fuel in a finished game. The game is played again to find out: it has the same
/// profile on every machine.
#[utoipa::path(get, path = "/api/v1/games/{id}/profile", params(("id" = String, Path), Wish),
    security(("player_code" = [])),
    responses((status = 200, body = ProfileView), (status = 401), (status = 404), (status = 409), (status = 410),
        (status = 429)))]
pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    Query(wish): Query<Wish>,
    taker: Taker,
    Signed(account): Signed,
) -> Result<axum::Json<ProfileView>> {
    let (_, _, view) = of_game(&app, &id, wish.seat, &taker, &account).await?;
    Ok(axum::Json(view))
}

/// The profile of an account's bot in a game, in the given seat or its first one there, with the game's ruleset and the
/// bot's seats.
pub(crate) async fn of_game(
    app: &App,
    id: &str,
    seat: Option<u8>,
    taker: &Taker,
    account: &Account,
) -> Result<(String, Mine, ProfileView)> {
    let (record, _) = games::record(app.service(), id).await?;
    let mine = mine(app, &record, account, seat).await?;
    let ruleset = record.header.ruleset.clone();
    taker.take(LimitKind::Replays, Some(account.id))?;
    let GameProfile { fuel, points, functions } = app.service().rooms().slots().game_profile(record, mine.seat).await?;
    let functions = functions.into_iter().map(|used| FunctionView {
        function: used.function,
        self_percent: used.self_percent,
        total_percent: used.total_percent,
        self_fuel: used.self_fuel,
        total_fuel: used.total_fuel,
    });
    let (bot, version) = (mine.bot.clone(), mine.played);
    let view = ProfileView { bot, seat: mine.seat.0, version, fuel, points, functions: functions.collect() };
    Ok((ruleset, mine, view))
}
