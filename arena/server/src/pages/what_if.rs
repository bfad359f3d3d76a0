//! `/games/ID/again`: what another version of a bot would have done, for the bot's owner.

use askama::Template;
use axum::extract::Path;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::games::ended;
use super::{Shell, page};
use crate::api::Query;
use crate::api::logs::seat_name;
use crate::api::what_if::{AgainView, Mine, mine, played};
use crate::app::App;
use crate::games;
use crate::identity::Visitor;
use crate::names;
use crate::problem::{Problem, Result};
use crate::visitors::Taker;

/// Which version, in whose place; without a version the page asks for one.
#[derive(Deserialize)]
pub(crate) struct Wish {
    version: Option<u32>,
    seat: Option<u8>,
}

#[derive(Template)]
#[template(path = "again.html")]
struct AgainPage {
    shell: Shell,
    game: String,
    mine: Mine,
    /// Its game, by ruleset.
    ruleset: String,
    /// The name of the bot's seat.
    seat: String,
    /// The outcome of the game as it was played.
    before: String,
    /// The result of replaying it, and its outcome.
    again: Option<(AgainView, String)>,
}

impl AgainPage {
    /// Whether the result is that of the version with this number.
    fn is_chosen(&self, number: &u32) -> bool {
        self.again.as_ref().is_some_and(|(again, _)| again.version == *number)
    }
}

pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    Query(Wish { version, seat }): Query<Wish>,
    taker: Taker,
    visitor: Visitor,
) -> Result<Response> {
    let account = visitor.account.clone().ok_or_else(Problem::sign_in)?;
    let (record, _) = games::record(app.service(), &id).await?;
    let mine = mine(&app, &record, &account, seat).await?;
    let header = record.header.clone();
    let seats = names::all(app.store(), arena_wire::Game::named(&header.ruleset).ok(), &header.entrants).await?;
    let end =
        |outcome: &arena_record::OutcomeRecord, forfeit: Option<&str>| ended(&header.ruleset, outcome, forfeit, &seats);
    let before = end(&record.outcome, record.forfeits.first().map(|forfeit| forfeit.code.as_str()));
    let again = match version {
        Some(_) => {
            let view = played(&app, record, &mine, version, &taker, &account).await?;
            let words = end(&view.outcome(), view.forfeit.as_deref());
            Some((view, words))
        }
        None => None,
    };
    let shell = Shell::new(&visitor, "games");
    let seat = seat_name(&header.ruleset, mine.seat.0);
    let shown = page(&AgainPage { shell, game: id, ruleset: header.ruleset, seat, mine, before, again })?;
    Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
}
