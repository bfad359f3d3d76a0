//! The leaderboard of people.

use arena_people::{Month, Span, Strength};
use arena_service::Leader;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::identity::Reader;
use crate::names;
use crate::problem::{Code, Problem, Result};

/// Which table.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The game's name, with or without its version; default: the first one.
    #[param(required = false)]
    game: Option<String>,
    /// A month in UTC, such as 2026-11; default: all time.
    #[param(required = false, pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$")]
    month: Option<String>,
}

/// A leaderboard of people.
#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleView {
    /// The name of the game. Its versions share a table.
    game: &'static str,
    /// The game's title.
    title: &'static str,
    /// The month, such as 2026-11; `null` for all time.
    month: Option<String>,
    /// The number of people in the table.
    people: usize,
    /// The best of them, in order.
    rows: Vec<PersonView>,
    /// Your own line; `null` without an account, and while none of your games counts.
    own: Option<PersonView>,
}

/// A line of the leaderboard.
#[derive(Serialize, ToSchema)]
pub(crate) struct PersonView {
    /// The rank, from 1. Equals share one.
    rank: u32,
    /// The account's name.
    name: String,
    /// Points that count.
    points: u64,
    /// Points won that do not count yet, because at most a tenth of all can come from one person.
    held_back: u64,
    /// Games that count.
    games: u32,
    /// Won games.
    won: u32,
    /// Drawn games.
    drawn: u32,
    /// Lost games.
    lost: u32,
    /// The Glicko-2 rating, in points; `null` without a rated game against people.
    rating: Option<RatingView>,
}

/// A rating.
#[derive(Serialize, ToSchema)]
pub(crate) struct RatingView {
    /// The rating.
    value: i64,
    /// The lower end of its 95 % interval.
    low: i64,
    /// The upper end.
    high: i64,
}

impl From<Strength> for RatingView {
    fn from(strength: Strength) -> RatingView {
        let (value, half) = (strength.rating(), strength.half_interval());
        RatingView { value, low: value - half, high: value + half }
    }
}

impl From<&Leader> for PersonView {
    fn from(Leader { name, row, strength }: &Leader) -> PersonView {
        PersonView {
            rank: row.rank,
            name: name.to_string(),
            points: row.points,
            held_back: row.held_back,
            games: row.games,
            won: row.won,
            drawn: row.drawn,
            lost: row.lost,
            rating: strength.map(RatingView::from),
        }
    }
}

/// Parses a month.
pub(crate) fn month(text: &str) -> Result<Month> {
    text.parse().map_err(|error: arena_people::ParseMonthError| {
        let hint = "leave it out for the table of all time";
        Problem::new(Code::BadRequest, error.to_string(), hint)
    })
}

/// The leaderboard of people: points and ratings from games with each other and with built-in opponents.
#[utoipa::path(get, path = "/api/v1/people", params(Wanted), security((), ("player_code" = [])),
    responses((status = 200, body = PeopleView), (status = 400), (status = 404)))]
pub(crate) async fn show(
    app: App,
    Query(Wanted { game, month: wanted }): Query<Wanted>,
    Reader(visitor): Reader,
) -> Result<axum::Json<PeopleView>> {
    let game = names::game(game.as_deref())?;
    let wanted = wanted.as_deref().map(month).transpose()?;
    let own = visitor.account_id();
    let span = wanted.map_or(Span::AllTime, Span::Month);
    let board = app.service().leaderboard().board(game.name(), span, own, app.now()).await?;
    Ok(axum::Json(PeopleView {
        game: game.name(),
        title: game.title,
        month: wanted.map(|month| month.to_string()),
        people: board.people,
        rows: board.leaders.iter().map(PersonView::from).collect(),
        own: board.own.as_ref().map(PersonView::from),
    }))
}
