//! `/play` and the rooms it opens.

use std::time::Duration;

use arena_rooms::{RoomId, Seated};
use arena_rules::Seat;
use arena_runner::Contender;
use arena_service::{NewRoom, OpenRoomError};
use arena_store::BotName;
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::lobby::{ClockChoice, Kinds, OwnSeats, Rated, clock_choices, waiting};
use super::room::{Rematch, RoomPage};
use super::{Form, Shell, opponents, page, seat_title};
use crate::api::bots::game_of;
use crate::api::standings::row;
use crate::app::App;
use crate::games::room_of;
use crate::identity::{Reader, Visitor};
use crate::language::part;
use crate::limit_kind::LimitKind;
use crate::names::{self, Face, GameLink};
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::visitors::Taker;
use crate::words;

/// How old a room is at most when the page of the person who opened it is loaded.
const JUST_OPENED: Duration = Duration::from_secs(60);

/// An opponent to choose.
struct Choice {
    name: String,
    what: String,
    chosen: bool,
}

/// A seat to choose.
struct SeatChoice {
    number: u8,
    title: String,
    what: String,
}

/// The games that people play here.
fn games() -> impl Iterator<Item = &'static Game> {
    GAMES.iter().filter(|game| game.suits_rooms())
}

#[derive(Template)]
#[template(path = "play.html")]
struct Play {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    seats: Vec<SeatChoice>,
    choices: Vec<Choice>,
    /// Players of older releases, listed separately.
    older: Vec<Choice>,
    /// Bots of the gallery, listed separately, too.
    gallery: Vec<Choice>,
    own_seats: OwnSeats,
    kinds: Kinds,
    clocks: Vec<ClockChoice>,
    rated: Rated,
    /// Whether the visitor was here before, and may have games.
    returns: bool,
    /// Whether the site has a world.
    worlds: bool,
    face: Face,
}

/// The parameters of a link.
#[derive(Deserialize)]
pub(crate) struct Wish {
    game: Option<String>,
    opponent: Option<String>,
}

pub(crate) async fn show(
    app: App,
    Query(Wish { game, opponent }): Query<Wish>,
    Reader(visitor): Reader,
) -> Result<Response> {
    let game = match (game, &opponent) {
        (Some(game), _) => names::game(Some(&game))?,
        // The game of the chosen opponent.
        (None, Some(opponent)) => game_of_opponent(&app, opponent).await?,
        (None, None) => names::game(None)?,
    };
    if !game.suits_rooms() {
        return Err(OpenRoomError::NoRooms(game.title).into());
    }
    let built_in: Vec<&str> = Contender::built_in(game.ruleset).collect();
    let wish = opponent.unwrap_or_else(|| opponents::usual(game).into());
    let usual = Contender::usual(game.ruleset).count();
    let what = |place: usize, name: &str| {
        let about = Contender::baseline(game.ruleset, name).map_or("", |contender| contender.about());
        match place {
            // Players of older releases share one description.
            _ if about.is_empty() => String::new(),
            0 => text::play_built_in_the_gentlest(words::about(game, name, about)).into(),
            last if last + 1 == usual => text::play_built_in_the_strongest(words::about(game, name, about)).into(),
            _ => text::play_built_in(words::about(game, name, about)).into(),
        }
    };
    let choice =
        |(place, name): (usize, &&str)| Choice { name: (*name).into(), what: what(place, name), chosen: wish == *name };
    let mut choices: Vec<Choice> = built_in.iter().enumerate().map(choice).collect();
    let older = choices.split_off(usual.min(choices.len()));
    let edition = app.counted_edition(game);
    for active in opponents::of(&app, game, Some(&wish)).await? {
        let name = active.bot.name.to_string();
        let rating = edition.as_deref().and_then(|edition| edition.standings.value(row(edition, &name)?, "rating"));
        let rating = rating.map_or(String::new(), |rating| text::play_rated(rating).into());
        let by = active.bot.owner;
        choices.push(Choice { chosen: wish.eq_ignore_ascii_case(&name), what: text::play_by(by, rating).into(), name });
    }
    let gallery = opponents::gallery(&app, game).await?.into_iter();
    let gallery = gallery.map(|name| Choice { name: name.into(), what: String::new(), chosen: wish == name }).collect();
    let seat = |(seat, what): (Seat, String)| SeatChoice { number: seat.0, title: seat_title(game, seat), what };
    let (first, second) = if game.plays_at_once() {
        (text::play_everybody_plays_at_once(), text::play_everybody_plays_at_once())
    } else {
        (text::play_moves_first(), text::play_moves_second())
    };
    page(&Play {
        own_seats: OwnSeats::of(&[game]),
        kinds: Kinds::of(&[game]),
        clocks: clock_choices(),
        rated: Rated::of(&app, &visitor).await?,
        returns: visitor.person().is_some(),
        worlds: !app.service().worlds().all().is_empty(),
        shell: Shell::new(&visitor, "play"),
        game,
        games: GameLink::all(games(), game),
        seats: [(Seat(0), first.into()), (Seat(1), second.into())].map(seat).into(),
        choices,
        older,
        gallery,
        face: Face::from(game),
    })
}

impl Play {
    /// Whether a link names a player of an older release.
    fn asks_for_older(&self) -> bool {
        self.older.iter().any(|choice| choice.chosen)
    }

    /// Whether a link names a bot of the gallery.
    fn asks_for_gallery(&self) -> bool {
        self.gallery.iter().any(|choice| choice.chosen)
    }
}

/// The game of an opponent that was named without it.
async fn game_of_opponent(app: &App, name: &str) -> Result<&'static Game> {
    let built_in = |game: &&Game| Contender::baseline(game.ruleset, name).is_ok();
    if let Some(game) = games().find(built_in) {
        return Ok(game);
    }
    let Ok(bot) = BotName::parse(name) else { return names::game(None) };
    let bot = app.store().bot_by_name(&bot).await?;
    let in_gallery = |game: &&Game| names::gallery(game).any(|named| named.name() == name);
    bot.and_then(|bot| game_of(&bot)).or_else(|| games().find(in_gallery)).map_or_else(|| names::game(None), Ok)
}

/// The form of `/play`.
#[derive(Deserialize)]
pub(crate) struct Chosen {
    game: Option<String>,
    opponent: String,
    seat: u8,
    turns: Option<u16>,
    guided: Option<String>,
}

pub(crate) async fn open(
    app: App,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(chosen): Form<Chosen>,
) -> Result<Response> {
    let (newcomer, jar) = visitor.seated_in(&app, jar)?;
    let game = names::game(chosen.game.as_deref())?;
    let (seat, opponent) = (names::seat_of(game, None, chosen.seat)?, names::opponent(game, &chosen.opponent)?);
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    let (person, browser, turns) = (newcomer.person, newcomer.browser, chosen.turns);
    let new = NewRoom { person, browser, game, turns, seat, opponent };
    let room = app.service().open_room(new, app.now()).await?;
    let guided = if chosen.guided.is_some() { "?guided=on" } else { "" };
    Ok((jar, Redirect::to(&format!("/rooms/{room}{guided}"))).into_response())
}

pub(crate) async fn room(app: App, Path(id): Path<String>, Reader(visitor): Reader) -> Result<Response> {
    let missing = || Problem::new(Code::NoSuchRoom, "there is no such room", "open one at /play");
    let id: RoomId = id.parse().map_err(|_| missing())?;
    let room = room_of(app.service(), &id).await?;
    if !room.snapshot().view.started {
        return waiting(&app, &room, &visitor).await;
    }
    let who = names::in_room(app.store(), &room).await?;
    let view = room.snapshot().view;
    let names: Vec<String> = who.iter().map(|who| part(&who.name)).collect();
    page(&RoomPage {
        shell: Shell::new(&visitor, "play"),
        room: id.to_string(),
        ruleset: room.ruleset().into(),
        face: Face::with(room.ruleset(), &view.options),
        title: names.join(" – "),
        rematch: if view.table.is_some() { None } else { Rematch::of(room.ruleset(), &view.options, &who) },
        table: view.table.is_some(),
        people: room.seats().iter().all(|seated| matches!(seated, Seated::Person(_))),
        seats: who,
        practice: None,
        cookieless: visitor.person().is_none() && room.open_for() < JUST_OPENED,
        kind: names::kind_words(room.ruleset(), &view.options),
        chat: view.table.as_ref().is_some_and(|table| table.chat),
        rated: view.table.as_ref().is_some_and(|table| table.rated),
        over: view.outcome.is_some(),
    })
}
