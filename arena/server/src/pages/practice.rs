//! `/practice`: a game in the page alone, from its start or from any replay. None of it reaches the server.

use arena_record::{EntrantId, Hex, Record};
use arena_rules::Seat;
use arena_runner::Contender;
use arena_service::OpenRoomError;
use arena_store::{Bot, BotName};
use arena_wire::{Game, RoomWish};
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::room::{From, Practice, RoomPage};
use super::{Shell, opponents, page};
use crate::api::bots::game_of;
use crate::app::App;
use crate::games;
use crate::identity::Reader;
use crate::limits::ROWS_MAX;
use crate::names::{self, Who};
use crate::problem::{Code, Problem, Result};
use crate::text;

/// The parameters of a link.
#[derive(Deserialize)]
pub(crate) struct Wish {
    game: Option<String>,
    /// The opponent, in all other seats; empty for two people at one device, where seats answer one after the other.
    opponent: Option<String>,
    /// The opponent by its name, typed instead of chosen.
    named: Option<String>,
    /// The visitor's seat; where seats answer one after the other, only in a game from its start.
    seat: Option<u8>,
    /// How many seats a game from its start has.
    seats: Option<u8>,
    /// The game to continue, and the turn after which.
    from: Option<String>,
    turn: Option<usize>,
}

pub(crate) async fn show(app: App, Query(wish): Query<Wish>, Reader(visitor): Reader) -> Result<Response> {
    let record = match &wish.from {
        Some(id) => Some(games::record(app.service(), id).await?.0),
        None => None,
    };
    let of_record = record.as_ref().map(|record| record.header.ruleset.as_str());
    let game = names::game(of_record.or(wish.game.as_deref()))?;
    if !game.suits_rooms() {
        return Err(Problem::new(
            Code::NoPractice,
            format!("{} cannot be played in a page alone", game.title),
            "choose another; /play has them all",
        )
        .saying(text::refused_no_practice_of(game.title))
        .advising(text::hint_room_no_rooms()));
    }
    let options = match &record {
        Some(record) => record.header.options.clone(),
        None => from_start(game, wish.seats)?,
    };
    let seats = game.shape(&options).map_or(game.room_seats.0, |shape| shape.seats);
    let (turn, mover) =
        record.as_ref().map_or(Ok((0, wish.seat.unwrap_or(0))), |record| whose(record, wish.turn, wish.seat))?;
    let seat = names::seat_of(game, Some(seats), mover)?.0;
    let named = wish.named.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let asked = named.or(wish.opponent.as_deref()).filter(|name| !(name.is_empty() && game.plays_at_once()));
    let (name, id) = opponent(&app, game, asked, record.as_ref(), (seat + 1) % seats).await?;
    let built_in = Contender::built_in(game.ruleset).map(str::to_owned);
    let bots = opponents::of(&app, game, Some(&name)).await?;
    let more = bots.len() >= ROWS_MAX as usize;
    let gallery = opponents::gallery(&app, game).await?.into_iter().map(str::to_owned);
    let choices = built_in.chain(bots.into_iter().map(|active| active.bot.name.to_string())).chain(gallery);
    let bot = match &id {
        Some(id) => {
            let Who { page, .. } = names::all(app.store(), Some(game), std::slice::from_ref(id)).await?.remove(0);
            Some(Who { page, ..Who::called(name.clone()) })
        }
        None => None,
    };
    let sits = |one: u8| match &bot {
        Some(_) if one == seat => Who::called(text::common_you()),
        Some(bot) => bot.clone(),
        None => Who::called(player(one)),
    };
    let seats: Vec<Who> = (0..seats).map(sits).collect();
    let texts = |texts: Vec<Option<&str>>| serde_json::to_string(&texts).unwrap_or_default();
    let (fewest, most) = game.room_seats;
    let of = |many: u8| Ok::<_, Problem>((many, from_start(game, Some(many))?, seats.len() == usize::from(many)));
    let many = (fewest..=most).map(of).collect::<Result<Vec<_>>>()?;
    let practice = Practice {
        game: game.name(),
        seed: record.as_ref().map_or(Hex([0; 32]), |record| record.header.seed).to_string(),
        seat: id.is_some().then_some(seat),
        opponent: id.map(|id| id.to_string()).unwrap_or_default(),
        many,
        at_once: game.plays_at_once(),
        choices: choices.map(|choice| (choice.clone(), choice == name)).collect(),
        more,
        lesson: None,
        from: wish.from.map(|id| From { id, turn }),
        names: texts(seats.iter().map(|who| Some(who.name.as_str())).collect()),
        pages: texts(seats.iter().map(|who| who.page.as_deref()).collect()),
        options,
    };
    let shell = Shell::new(&visitor, "play");
    page(&RoomPage::alone(shell, game.ruleset, text::room_practice(game.title).into(), seats, practice))
}

/// The options of a game from its start: the casual ones, or those of a room with this many seats.
fn from_start(game: &Game, seats: Option<u8>) -> Result<String> {
    if game.room_turns.is_empty() {
        return Ok(game.casual.to_owned());
    }
    let (fewest, most) = game.room_seats;
    game.room_options(&RoomWish { seats, ..RoomWish::default() }, 0).ok_or_else(|| {
        let detail = format!("{} has from {fewest} to {most} seats", game.title);
        Problem::new(Code::BadRequest, detail, "leave `seats` out for the fewest")
            .with_status(StatusCode::UNPROCESSABLE_ENTITY)
    })
}

/// The turn of a record after which to continue, at the latest the last one, and the seat that the visitor takes then:
/// the wished one if it plays in that turn, or else the first that does.
fn whose(record: &Record, asked: Option<usize>, wished: Option<u8>) -> Result<(usize, u8)> {
    let last = record.turns.len().checked_sub(1).ok_or_else(|| {
        Problem::new(Code::NoTurns, "nobody made a turn in this game", "practise from the start at /practice")
    })?;
    let turn = asked.unwrap_or(0).min(last);
    let plays = &record.turns[turn].plays;
    let chosen = plays.iter().find(|play| Some(play.seat) == wished).or_else(|| plays.first());
    Ok((turn, chosen.map_or(0, |play| play.seat)))
}

/// The player of the other seats: the given opponent, or else the one that the record has in this seat unless that is a
/// person, or else the usual opponent.
async fn opponent(
    app: &App,
    game: &'static Game,
    asked: Option<&str>,
    record: Option<&Record>,
    seat: u8,
) -> Result<(String, Option<EntrantId>)> {
    let usual = opponents::usual(game);
    let built_in = |name: &str| Some((name.to_owned(), Some(Contender::baseline(game.ruleset, name).ok()?.id())));
    let asked = match (asked, record) {
        (Some(""), _) => return Ok((String::new(), None)),
        (Some(name), _) => name,
        (None, None) => usual,
        (None, Some(record)) => {
            let id = &record.header.entrants[Seat(seat).index()];
            if id.hash().is_none() {
                let tier = id.baseline().map_or(usual, |(tier, _)| tier);
                return built_in(tier).or_else(|| built_in(usual)).ok_or_else(|| OpenRoomError::NoSuchOpponent.into());
            }
            let who = names::all(app.store(), Some(game), std::slice::from_ref(id)).await?.remove(0);
            return Ok((who.name, Some(id.clone())));
        }
    };
    if let Some(found) = built_in(asked) {
        return Ok(found);
    }
    let name = BotName::parse(asked).map_err(|_| OpenRoomError::NoSuchOpponent)?;
    let plays = |bot: &Bot| game_of(bot).is_some_and(|plays| plays.ruleset == game.ruleset);
    let bot = app.store().bot_by_name(&name).await?.filter(plays);
    let Some((bot, active)) = bot.and_then(|bot| bot.active.map(|active| (bot, active))) else {
        let mut gallery = names::gallery(game);
        let named =
            gallery.find(|named| named.name().eq_ignore_ascii_case(asked)).ok_or(OpenRoomError::NoSuchOpponent)?;
        return Ok((named.name().to_owned(), Some(named.id())));
    };
    let version = app.store().version(active).await?.ok_or(OpenRoomError::NoSuchOpponent)?;
    Ok((bot.name.to_string(), Some(version.entrant)))
}

/// A person at this device, if two play.
fn player(seat: u8) -> String {
    text::room_player(seat + 1).into()
}
