//! Verdicts without a submission.

use arena_service::{Asker, Checked};
use arena_store::{Gate, SubmitError};
use arena_wire::GAMES;
use axum::extract::Request;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::identity::Visitor;
use crate::limits::VERDICT_WAIT;
use crate::names;
use crate::problem::{Problem, Result};
use crate::visitors::Taker;
use crate::{is_closed, upload};

/// What is checked.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The game, with or without its version; default: the first one.
    #[param(required = false)]
    game: Option<String>,
}

/// A bot that would be accepted, and what its sample games showed.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckView {
    /// The hash of its bytes, as in records.
    entrant: String,
    /// Its size in bytes.
    size_bytes: u64,
    /// The game that it was checked for.
    game: String,
    /// The built-in opponent of its sample games.
    opponent: &'static str,
    /// How many sample games were played.
    games: usize,
    /// The most fuel of one of its turns.
    turn_fuel_max: u64,
    /// The fuel that a turn may use.
    turn_fuel: u64,
}

/// Gives the verdict that a submission would get, the same as `arena check`, and keeps nothing: the body is the module,
/// or a script or WebAssembly text to make one of. 200 if it would be accepted, 422 with the reason if it would be
/// refused. It takes one of the submissions that an account may make; a guest has few of a network's.
#[utoipa::path(post, path = "/api/v1/checks", params(Wish),
    request_body(content(
        (Vec<u8> = "application/wasm"), (String = "text/javascript"), (String = "text/webassembly"),
        (String = "text/x-python"),
    )),
    security((), ("player_code" = [])),
    responses((status = 200, body = CheckView), (status = 404), (status = 413), (status = 422), (status = 429),
        (status = 503)))]
pub(crate) async fn check(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Query(Wish { game }): Query<Wish>,
    request: Request,
) -> Result<axum::Json<CheckView>> {
    let account = visitor.account_id();
    let _held = taker.check(account)?;
    if is_closed(Gate::Submissions) {
        return Err(SubmitError::Closed.into());
    }
    let game = names::game(Some(game.as_deref().unwrap_or(GAMES[0].ruleset)))?;
    let module = upload::module(request).await?;
    upload::charge_length(&taker, &module, account)?;
    let size_bytes = module.len() as u64;
    let asker = account.map_or_else(|| Asker::Guest(taker.network().number()), Asker::Account);
    let checked = app.service().judge().check(asker, game, module, VERDICT_WAIT).await?;
    let Checked { entrant, objection, opponent, games, turn_fuel_max } = checked;
    if let Some(objection) = objection {
        return Err(Problem::of_objection(&objection));
    }
    Ok(axum::Json(CheckView {
        entrant: entrant.to_string(),
        size_bytes,
        game: game.ruleset.into(),
        opponent: opponent.unwrap_or_default(),
        games,
        turn_fuel_max,
        turn_fuel: arena_record::Budgets::of(game.allowance).fuel_per_move,
    }))
}
