//! Games and their records.

use arena_record::{OutcomeRecord, Record};
use arena_service::Edition;
use arena_store::{IndexedGame, Page, TournamentId};
use arena_wire::Game;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::bot_games;
use crate::games::{self, GameId};
use crate::limits::ROWS_MAX;
use crate::names::{self, Names, Who};
use crate::problem::{Code, Problem, Result};
use crate::tombstones;

/// A finished game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameView {
    /// Its id.
    id: String,
    /// The players, by seat; where seats take turns, seat 0 moved first.
    seats: Vec<Who>,
    /// The players' ids in the record, by seat.
    entrants: Vec<String>,
    /// The winning seat; `null` for a draw.
    winner: Option<u8>,
    /// How it ended: `majority`, `extinction`, `mutual_extinction`, `exhausted`, `stalemate` or `forfeit`.
    reason: String,
    /// The numbers that the game ranks players by, by seat.
    tally: Vec<u32>,
    /// The digest of the whole game.
    digest: String,
    /// Why the operator annulled it, or the tournament that it is of, if so: it no longer counts, but its record stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    annulled: Option<String>,
}

impl GameView {
    fn new(
        names: &Names,
        id: String,
        entrants: &[arena_record::EntrantId],
        outcome: &OutcomeRecord,
        digest: String,
    ) -> GameView {
        GameView {
            id,
            seats: entrants.iter().map(|id| names.who(id)).collect(),
            entrants: entrants.iter().map(ToString::to_string).collect(),
            winner: outcome.winner,
            reason: outcome.reason.clone(),
            tally: outcome.tally.clone(),
            digest,
            annulled: None,
        }
    }

    fn of_record(names: &Names, id: &str, record: &Record) -> GameView {
        GameView::new(names, id.into(), &record.header.entrants, &record.outcome, record.digest.to_string())
    }

    pub(crate) fn of_indexed(app: &App, names: &Names, tournament: &TournamentId, game: &IndexedGame) -> GameView {
        let id = GameId::Tournament(tournament.clone(), game.number).to_string();
        let digest = arena_record::Hex(game.digest).to_string();
        let annulled = app.measures.annulled(tournament.as_str()).map(|annulled| annulled.reason);
        GameView { annulled, ..GameView::new(names, id, game.entrants.values(), &game.outcome, digest) }
    }
}

/// Which games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The tournament; default: the latest edition of the standing one of `game`.
    #[param(required = false)]
    tournament: Option<String>,
    /// The game, with or without its version; default: the first one.
    #[param(required = false)]
    game: Option<String>,
    /// `latest`: the highest number first. Default: the lowest first.
    #[param(required = false)]
    order: Option<String>,
    /// The last number of the previous page.
    #[param(required = false, value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    after: Option<u32>,
}

/// The games of a tournament by number, from the first or from the latest, at most 50 at once.
#[utoipa::path(get, path = "/api/v1/games", params(Which),
    responses((status = 200, body = Vec<GameView>), (status = 404), (status = 410)))]
pub(crate) async fn list(
    app: App,
    Query(Which { tournament, game, order, after }): Query<Which>,
) -> Result<axum::Json<Vec<GameView>>> {
    let missing = || {
        let hint = "/api/v1/tournaments has those of accounts, and /api/v1/standings editions, if there are any";
        Problem::new(Code::NoSuchTournament, "there is no such tournament", hint)
    };
    let game = names::game(game.as_deref())?;
    let latest = app.service().standing().of(game).edition.clone();
    let tournament = match tournament {
        Some(text) => Some(TournamentId::parse(&text).map_err(|_| missing())?),
        None => latest.as_ref().map(|edition| edition.tournament.clone()),
    };
    let Some(tournament) = tournament else { return Ok(axum::Json(Vec::new())) };
    let page = after.map_or(Page::first(ROWS_MAX), |after| Page::after(after, ROWS_MAX));
    let games = if bot_games::latest_first(order.as_ref())? {
        app.store().latest_games(&tournament, page).await?
    } else {
        app.store().games(&tournament, page).await?
    };
    if games.is_empty()
        && let Some(gone) = tombstones::tournament(app.service(), &tournament).await?
    {
        return Err(gone);
    }
    let in_memory: Option<&Edition> = latest.as_deref().filter(|edition| edition.tournament == tournament);
    let entrants = games.iter().flat_map(|game| game.entrants.values());
    let edition = arena_service::edition_of(&tournament);
    let names = Names::of(app.store(), edition.map(|(game, _)| game), in_memory, entrants).await?;
    Ok(axum::Json(games.iter().map(|game| GameView::of_indexed(&app, &names, &tournament, game)).collect()))
}

/// A finished game, of a tournament or of a room.
#[utoipa::path(get, path = "/api/v1/games/{id}", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404), (status = 409), (status = 410)))]
pub(crate) async fn show(app: App, Path(id): Path<String>) -> Result<axum::Json<GameView>> {
    let (record, _) = games::record(app.service(), &id).await?;
    let game = Game::named(&record.header.ruleset).ok();
    let names = Names::of(app.store(), game, None, &record.header.entrants).await?;
    let annulled = games::annulled(&app, &id).await?;
    let view = GameView::of_record(&names, &id, &record);
    let seats = names::marked(view.seats, &games::programs(app.service(), &id).await?);
    Ok(axum::Json(GameView { seats, annulled, ..view }))
}

/// The record of a finished game: the canonical text that `arena replay` reads.
#[utoipa::path(get, path = "/api/v1/games/{id}/record", params(("id" = String, Path)),
    responses((status = 200, body = serde_json::Value, content_type = "application/json"), (status = 404),
        (status = 409), (status = 410)))]
pub(crate) async fn record(app: App, Path(id): Path<String>) -> Result<Response> {
    let (_, text) = games::record(app.service(), &id).await?;
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json")], text).into_response())
}
