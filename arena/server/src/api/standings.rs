//! Standings of the standing tournament.

use arena_service::{Edition, Progress, Standing};
use arena_tournaments::Row;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::Problem;

/// A strength in Elo points, with its 95 % interval.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct RatingView {
    /// From 1.
    pub(crate) rank: usize,
    /// The estimate.
    pub(crate) rating: f64,
    /// The lower end of the interval.
    pub(crate) low: f64,
    /// The upper end of the interval.
    pub(crate) high: f64,
}

impl RatingView {
    /// The place of the entrant with this name in the latest edition.
    pub(crate) fn of(standing: &Standing, name: &str) -> Option<RatingView> {
        row(standing.edition.as_deref()?, name).map(RatingView::of_row)
    }

    pub(crate) fn of_row(row: &Row) -> RatingView {
        let elo = |tenths: i64| tenths as f64 / 10.0;
        let (tenths, half) = (row.rating.tenths, row.rating.half_interval_tenths);
        RatingView { rank: row.rank, rating: elo(tenths), low: elo(tenths - half), high: elo(tenths + half) }
    }
}

/// The row of an entrant, whose name is compared as names of bots are.
pub(crate) fn row<'a>(edition: &'a Edition, name: &str) -> Option<&'a Row> {
    edition.standings.rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The standings.
#[derive(Serialize, ToSchema)]
pub(crate) struct StandingsView {
    /// The latest finished edition; `null` before the first is finished.
    edition: Option<EditionView>,
    /// The edition being played.
    playing: Option<PlayingView>,
    /// Bots that play only in the next edition, because the field is full.
    left_out: usize,
}

/// A finished edition of the standing tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct EditionView {
    /// Counted from 1.
    number: u32,
    /// The tournament's id, as ids of games have it.
    tournament: String,
    /// Names what its verdicts depend on.
    semantics: String,
    /// The build that played it.
    build: String,
    /// Games of its schedule.
    games: usize,
    /// `standings.json` of its folder, byte for byte the same numbers.
    standings: Value,
}

/// How far an edition is.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayingView {
    edition: u32,
    played: usize,
    total: usize,
}

impl From<&Progress> for PlayingView {
    fn from(progress: &Progress) -> PlayingView {
        PlayingView { edition: progress.edition, played: progress.played, total: progress.total }
    }
}

/// The latest standings, and what is being played.
#[utoipa::path(get, path = "/api/v1/standings", responses((status = 200, body = StandingsView)))]
pub(crate) async fn show(State(app): State<App>) -> Result<axum::Json<StandingsView>, Problem> {
    let standing = app.service().standing();
    let edition = standing.edition.as_deref().map(|edition| EditionView {
        number: edition.number,
        tournament: edition.tournament.to_string(),
        semantics: edition.semantics.clone(),
        build: edition.build.clone(),
        games: edition.games,
        standings: serde_json::from_str(&edition.standings.to_json()).unwrap_or_default(),
    });
    let playing = standing.playing.as_ref().map(PlayingView::from);
    Ok(axum::Json(StandingsView { edition, playing, left_out: standing.left_out }))
}
