//! What the operator can see and do.

mod acts;
mod state;

use arena_store::{AuditEntry, PAGE_MAX, Page, Reason, UnixSeconds};
use arena_tournaments::FormKeys;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::tournaments::{self, OpenedTournament, TournamentToOpen, id_of};
use super::{Json, Query};
use crate::app::App;
use crate::operator_session::Operator;
use crate::problem::Result;
use crate::visitors::Taker;
pub(crate) use acts::NewAct;
use acts::{account, to_its_end};
pub(crate) use state::Going;

/// A tournament that the operator starts for an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentOfOperator {
    /// The account that organises it: its name, or `#` and its number.
    owner: String,
    /// The reason, in one line for the log.
    reason: String,
    /// The tournament.
    tournament: TournamentToOpen,
}

/// Opens a tournament for an account by the limits of a tournament at home: its games may be as many as those of any
/// tournament, and count towards no limit of accounts. The operator's log notes it.
#[utoipa::path(post, path = "/api/v1/operator/tournaments", request_body = TournamentOfOperator,
    security(("operator_token" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401), (status = 404), (status = 422), (status = 429),
        (status = 503)))]
pub(crate) async fn open_tournament(
    _: Operator,
    app: App,
    taker: Taker,
    Json(wanted): Json<TournamentOfOperator>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>)> {
    let reason = Reason::parse(&wanted.reason)?;
    let owner = account(&app, &wanted.owner).await?;
    let wanted = (FormKeys::default(), wanted.tournament);
    let opening = async move { tournaments::open(&app, &taker, owner, Some(reason), wanted).await };
    Ok(OpenedTournament::of(to_its_end(opening).await?))
}

/// An entry in the operator's log.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditView {
    /// Its number, from 1.
    number: i64,
    /// When, in seconds since 1970.
    at: i64,
    /// Who did it: always `operator`.
    who: &'static str,
    /// What was done.
    act: String,
    /// The number of the bot concerned.
    bot: Option<i64>,
    /// The number of the account concerned.
    account: Option<i64>,
    /// The id of the game concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The id of the tournament concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<String>,
    /// The name of the world concerned, or of it and a slot; otherwise the current name of the bot, account or
    /// tournament.
    name: Option<String>,
    /// The reason given.
    reason: String,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> AuditView {
        let AuditEntry { number, at: UnixSeconds(at), act, bot, account, contest, game, name, reason } = entry;
        let (bot, account) = (bot.map(|bot| bot.0), account.map(|account| account.0));
        let (game, tournament) = (game.map(|room| room.to_string()), contest.map(id_of));
        let reason = reason.to_string();
        AuditView { number, at, who: "operator", act, bot, account, game, tournament, name, reason }
    }
}

/// The state of the site: queues, shares, limits that were hit, faults, editions and tournaments, the disk.
#[utoipa::path(get, path = "/api/v1/operator", security(("operator_token" = [])),
    responses((status = 200, body = Going), (status = 401), (status = 404)))]
pub(crate) async fn show(_: Operator, app: App, taker: Taker) -> Result<axum::Json<Going>> {
    Ok(axum::Json(Going::of(&app, &taker).await?))
}

/// Performs an act as the operator, and logs it.
#[utoipa::path(post, path = "/api/v1/operator/acts", request_body = NewAct, security(("operator_token" = [])),
    responses((status = 200, body = AuditView), (status = 401), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn act(_: Operator, app: App, Json(new): Json<NewAct>) -> Result<axum::Json<AuditView>> {
    Ok(axum::Json(new.perform(&app).await?.into()))
}

/// Where the log goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Before {
    /// The number of the last line of the previous page; default: the first page.
    #[param(required = false)]
    before: Option<i64>,
}

/// The operator's log as lines of JSON, newest first, at most 100 at once.
#[utoipa::path(get, path = "/api/v1/operator/audit", params(Before), security(("operator_token" = [])),
    responses((status = 200, body = AuditView, content_type = "application/x-ndjson"), (status = 401),
        (status = 404)))]
pub(crate) async fn audit(_: Operator, app: App, Query(Before { before }): Query<Before>) -> Result<Response> {
    let page = before.map_or(Page::first(PAGE_MAX), |before| Page::after(before, PAGE_MAX));
    let mut lines = String::new();
    for entry in app.store().audit(page).await? {
        // Strings and numbers always serialise.
        lines += &serde_json::to_string(&AuditView::from(entry)).unwrap_or_default();
        lines.push('\n');
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
}
