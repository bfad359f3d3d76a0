//! Standings of the standing tournaments.

use arena_service::{Edition, Progress, Standing};
use arena_tournaments::{FieldRow, Ranking, Row};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::names;
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
    /// Whether it was taken out of the tournament: it stands below everybody who was not.
    pub(crate) quarantined: bool,
}

impl RatingView {
    pub(crate) fn of_row(row: &Row) -> RatingView {
        let elo = |tenths: i64| tenths as f64 / 10.0;
        let (tenths, half) = (row.rating.tenths, row.rating.half_interval_tenths);
        RatingView {
            rank: row.rank,
            rating: elo(tenths),
            low: elo(tenths - half),
            high: elo(tenths + half),
            quarantined: row.quarantined,
        }
    }
}

/// A mean share of what counts at the end of a game with more than two seats, from 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct ScoreView {
    /// From 1.
    rank: usize,
    /// The mean.
    score: f64,
    /// The lower end of the interval.
    low: f64,
    /// The upper end of the interval.
    high: f64,
    /// Whether it was taken out of the tournament: it stands below everybody who was not.
    quarantined: bool,
}

impl ScoreView {
    pub(crate) fn of_row(row: &FieldRow) -> ScoreView {
        let share = |millionths: u64| millionths as f64 / 1e6;
        ScoreView {
            rank: row.rank,
            score: share(row.mean),
            low: share(row.mean.saturating_sub(row.half_interval)),
            high: share(row.mean + row.half_interval).min(1.0),
            quarantined: row.quarantined,
        }
    }
}

/// The row of an entrant of two-seat games, whose name is compared as names of bots are.
pub(crate) fn row<'a>(edition: &'a Edition, name: &str) -> Option<&'a Row> {
    edition.ranking.pairs()?.rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The same of games with more seats.
pub(crate) fn field_row<'a>(edition: &'a Edition, name: &str) -> Option<&'a FieldRow> {
    edition.ranking.field()?.rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// What has to be said beside the standings of an edition, in sentences: games that count for nobody, and why.
pub(crate) fn notes(ranking: &Ranking) -> Vec<String> {
    let mut notes = Vec::new();
    if let games @ 1.. = ranking.void() {
        notes.push(format!(
            "{games} games are void and count for nobody: a bot's process died in them each time, or a bot was quarantined before."
        ));
    }
    let quarantined: Vec<&str> =
        ranking.places().iter().filter(|place| place.quarantined).map(|place| place.name).collect();
    if !quarantined.is_empty() {
        notes.push(format!(
            "QUARANTINED: {}. The process died again with nobody else in the game, so it played no later game and stands \
             below everybody who was not.",
            quarantined.join(", ")
        ));
    }
    notes
}

/// The standings of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct StandingsView {
    /// Name and version of the ruleset.
    game: &'static str,
    /// What the game is called.
    title: &'static str,
    /// The latest finished edition; `null` before the first is finished.
    edition: Option<EditionView>,
    /// The edition being played.
    playing: Option<PlayingView>,
    /// Bots that have no place in the field: it is full, or their owner has as many in it as may be.
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
    /// Games of it that are void.
    void: u32,
    /// What has to be said beside the standings, in sentences: void games, quarantined bots.
    notes: Vec<String>,
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

impl EditionView {
    fn of(edition: &Edition) -> EditionView {
        EditionView {
            number: edition.number,
            tournament: edition.tournament.to_string(),
            semantics: edition.semantics.clone(),
            build: edition.build.clone(),
            games: edition.games,
            void: edition.ranking.void(),
            notes: notes(&edition.ranking),
            standings: serde_json::from_str(&edition.ranking.to_json()).unwrap_or_default(),
        }
    }
}

/// Which game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    /// The game's name, with or without its version; the first one when left out.
    #[param(required = false)]
    game: Option<String>,
}

/// The latest standings of a game, and what is being played.
#[utoipa::path(get, path = "/api/v1/standings", params(OfGame),
    responses((status = 200, body = StandingsView), (status = 404, body = Problem)))]
pub(crate) async fn show(
    State(app): State<App>,
    Query(OfGame { game }): Query<OfGame>,
) -> Result<axum::Json<StandingsView>, Problem> {
    let game = names::game(game.as_deref())?;
    let standing: std::sync::Arc<Standing> = app.service().standing(game);
    let edition = standing.edition.as_deref().map(EditionView::of);
    let playing = standing.playing.as_ref().map(PlayingView::from);
    let left_out = standing.left_out;
    Ok(axum::Json(StandingsView { game: game.ruleset, title: game.title, edition, playing, left_out }))
}
