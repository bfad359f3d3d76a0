//! `/play` and the rooms it opens.

use arena_rules::Seat;
use arena_runner::Contender;
use arena_service::{GuestSecret, NewRoom, OpenRoomError, Opponent};
use arena_store::{BotName, Page, RoomId};
use arena_wire::GAMES;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Shell, page, whole};
use crate::api::standings::row;
use crate::app::{App, now};
use crate::games::room_of;
use crate::identity::{Cookies, Visitor};
use crate::limits::ROWS_MAX;
use crate::names;
use crate::problem::Problem;

/// Who can be played against.
struct Choice {
    name: String,
    what: String,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "play.html")]
struct Play {
    shell: Shell,
    choices: Vec<Choice>,
}

/// What may be asked for by a link.
#[derive(Deserialize)]
pub(crate) struct Wish {
    opponent: Option<String>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Query(Wish { opponent }): Query<Wish>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let wish = opponent.unwrap_or_else(|| "easy".into());
    let mut choices: Vec<Choice> = [
        ("easy", "built in; a gentle start"),
        ("normal", "built in; knows what it wants"),
        ("hard", "built in; the strongest of the three"),
    ]
    .into_iter()
    .map(|(name, what)| Choice { name: name.into(), what: what.into(), chosen: wish == name })
    .collect();
    let standing = app.service().standing();
    for active in app.store().active_bots(Page::first(ROWS_MAX)).await? {
        let name = active.bot.name.to_string();
        let owner = app.store().account(active.bot.account).await?;
        let rating = standing.edition.as_deref().and_then(|edition| row(edition, &name));
        let rating = rating.map_or(String::new(), |row| format!(", rated {}", whole(row.rating.tenths)));
        let by = owner.map(|account| account.name.to_string()).unwrap_or_default();
        choices.push(Choice { chosen: wish.eq_ignore_ascii_case(&name), what: format!("by {by}{rating}"), name });
    }
    page(&Play { shell: Shell::new(&visitor.unwrap_or_default(), "play"), choices })
}

/// The form of `/play`.
#[derive(Deserialize)]
pub(crate) struct Chosen {
    opponent: String,
    colour: String,
    guided: Option<String>,
}

pub(crate) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    jar: CookieJar,
    Form(chosen): Form<Chosen>,
) -> Result<Response, Problem> {
    let (person, jar) = match visitor.person() {
        Some(person) => (person, jar),
        None => {
            let secret = GuestSecret::random()?;
            (secret.person(), jar.add(Cookies::of(&app).guest(&secret)))
        }
    };
    let new = NewRoom { person, colour: colour(&chosen.colour)?, opponent: opponent(&chosen.opponent)? };
    let room = app.service().open_room(new, now()).await?;
    let guided = if chosen.guided.is_some() { "?guided=on" } else { "" };
    Ok((jar, Redirect::to(&format!("/rooms/{room}{guided}"))).into_response())
}

/// The opponent with a name.
pub(crate) fn opponent(name: &str) -> Result<Opponent, Problem> {
    if Contender::baseline(GAMES[0].ruleset, name).is_ok() {
        return Ok(Opponent::Baseline(name.into()));
    }
    BotName::parse(name).map(Opponent::Bot).map_err(|_| no_such_opponent())
}

/// The seat of a colour.
pub(crate) fn colour(name: &str) -> Result<Seat, Problem> {
    match name {
        "blue" => Ok(Seat(0)),
        "red" => Ok(Seat(1)),
        _ => Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad_request",
            "a colour is blue or red",
            "blue moves first",
        )),
    }
}

fn no_such_opponent() -> Problem {
    Problem::not_found("opponent", "there is no such opponent", "choose easy, normal, hard, or a bot that plays")
}

impl From<OpenRoomError> for Problem {
    fn from(error: OpenRoomError) -> Problem {
        match error {
            OpenRoomError::NoSuchOpponent => no_such_opponent(),
            OpenRoomError::Full => {
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "full", error, "try again when other games are over")
            }
            OpenRoomError::Store(error) => error.into(),
            error => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                error,
                "no room was opened; the same request may succeed in a moment",
            ),
        }
    }
}

#[derive(Template)]
#[template(path = "room.html")]
struct RoomPage {
    shell: Shell,
    room: String,
    title: String,
}

pub(crate) async fn room(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("room", "there is no such room", "open one at /play");
    let id = RoomId::parse(&id).ok_or_else(missing)?;
    let room = room_of(app.service(), &id).await?;
    let ids: Vec<arena_record::EntrantId> = room.seats().into_iter().map(Into::into).collect();
    let who = names::all(app.store(), &ids).await?;
    let names: Vec<&str> = who.iter().map(|who| who.name.as_str()).collect();
    page(&RoomPage {
        shell: Shell::new(&visitor.unwrap_or_default(), "play"),
        room: id.to_string(),
        title: names.join(" – "),
    })
}
