//! `/people`: the leaderboard of people, by game, for this month, the last one and all time.

use arena_people::{GAINS, Gain, Month, Span};
use arena_service::{Board, Leader};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::response::Response;
use serde::Deserialize;

use super::{Shell, page};
use crate::api::Query;
use crate::api::people::month;
use crate::app::App;
use crate::identity::Reader;
use crate::names::{self, GameLink};
use crate::problem::Result;
use crate::text;

/// The word for all time in an address.
const ALL: &str = "all";

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    /// The tables to choose from.
    spans: Vec<SpanLink>,
    /// The month as in the address.
    month: String,
    board: Board,
    gains: [Gain; 9],
}

/// A link to a table of another time.
struct SpanLink {
    /// The month as in an address.
    month: String,
    title: String,
    here: bool,
}

/// The parameters of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: Option<String>,
    /// A month, or [`ALL`]; the current month by default.
    month: Option<String>,
}

impl PeoplePage {
    /// A rating with its interval.
    fn rating(leader: &Leader) -> Option<(i64, i64)> {
        leader.strength.map(|strength| (strength.rating(), strength.half_interval()))
    }
}

pub(crate) async fn show(app: App, Query(wanted): Query<Wanted>, Reader(visitor): Reader) -> Result<Response> {
    let game = names::game(wanted.game.as_deref())?;
    let this = Month::of(app.now().0);
    let span = match wanted.month.as_deref() {
        None => Span::Month(this),
        Some(ALL) => Span::AllTime,
        Some(text) => Span::Month(month(text)?),
    };
    let said = |span: Span| match span {
        Span::AllTime => ALL.to_owned(),
        Span::Month(month) => month.to_string(),
    };
    let link = |(of, title): (Span, String)| SpanLink { month: said(of), title, here: of == span };
    let mut spans = vec![
        (Span::Month(this), text::people_this_month().to_string()),
        (Span::Month(this.before()), text::people_last_month().to_string()),
        (Span::AllTime, text::people_all_time().to_string()),
    ];
    if !spans.iter().any(|(at_hand, _)| *at_hand == span) {
        spans.push((span, said(span)));
    }
    let board = app.service().leaderboard().board(game.name(), span, visitor.account_id(), app.now()).await?;
    page(&PeoplePage {
        shell: Shell::new(&visitor, "standings"),
        game,
        games: GameLink::all(GAMES.iter().filter(|game| game.suits_rooms()), game),
        spans: spans.into_iter().map(link).collect(),
        month: said(span),
        board,
        gains: GAINS,
    })
}
