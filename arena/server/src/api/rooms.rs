//! Live rooms over plain requests. The socket sends the same, sooner.

use std::sync::Arc;

use arena_record::Bytes;
use arena_rooms::{Command, PersonId, RoomId};
use arena_rules::Seat;
use arena_service::{LiveRoom, NewRoom};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Json, Query};
use crate::admission::Admission;
use crate::app::App;
use crate::games::room_of;
use crate::identity::{Visitor, Waiter};
use crate::limit_kind::LimitKind;
use crate::limits::POLL_HELD;
use crate::names;
use crate::problem::{Code, Problem, Result};
use crate::room_protocol::{Answered, Known, RoomMessage, Speaker};
use crate::room_state::{Turns, room_state};
use crate::visitors::Taker;

/// A room to open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomToOpen {
    /// The game, with or without its version; default: the first one.
    game: Option<String>,
    /// The most turns of the game, where this can be chosen: 50, 100 or 1,000 in Game of Game of Life; default: the
    /// usual number.
    #[schema(maximum = 65535)]
    turns: Option<u16>,
    /// A built-in opponent of the game, such as `easy`, `normal` or `hard`, or the name of a bot that plays it.
    opponent: String,
    /// Your seat, from 0; seat 0 moves first.
    #[schema(maximum = 255)]
    seat: u8,
}

/// A room that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenedRoom {
    /// Its id. Anyone who has it may watch.
    room: String,
    /// The address of its page.
    url: String,
    /// The address of its socket.
    socket: String,
    /// Your seats.
    you: Vec<u8>,
    /// The code for others to join with, if they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

impl OpenedRoom {
    /// A room as one of its members sees it.
    pub(super) fn of(room: &LiveRoom, person: PersonId) -> OpenedRoom {
        let (id, table) = (room.id(), room.snapshot().view.table.clone());
        OpenedRoom {
            url: format!("/rooms/{id}"),
            socket: format!("/api/v1/rooms/{id}/socket"),
            room: id.to_string(),
            you: room.seats_of(person),
            code: table.map(|table| table.code.to_string()),
        }
    }
}

/// Opens a room against a bot.
#[utoipa::path(post, path = "/api/v1/rooms", request_body = RoomToOpen, security(("player_code" = [])),
    responses((status = 201, body = OpenedRoom), (status = 401), (status = 404), (status = 422), (status = 429),
        (status = 503)))]
pub(crate) async fn open(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Json(wanted): Json<RoomToOpen>,
) -> Result<(StatusCode, axum::Json<OpenedRoom>)> {
    let newcomer = visitor.account_newcomer()?;
    let game = names::game(wanted.game.as_deref())?;
    let (seat, opponent) = (names::seat_of(game, None, wanted.seat)?, names::opponent(game, &wanted.opponent)?);
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    let (person, browser, turns) = (newcomer.person, newcomer.browser, wanted.turns);
    let new = NewRoom { person, browser, game, turns, seat, opponent };
    let room = app.service().open_room(new, app.now()).await?;
    let opened = OpenedRoom {
        url: format!("/rooms/{room}"),
        socket: format!("/api/v1/rooms/{room}/socket"),
        room: room.to_string(),
        you: vec![seat.0],
        code: None,
    };
    Ok((StatusCode::CREATED, axum::Json(opened)))
}

/// The state of a room: what its socket sends after every change.
#[utoipa::path(get, path = "/api/v1/rooms/{id}", params(("id" = String, Path)),
    responses((status = 200, body = RoomMessage), (status = 404), (status = 410)))]
pub(crate) async fn show(app: App, Path(id): Path<String>) -> Result<Response> {
    let room = find(&app, &id).await?;
    Ok(state(&room))
}

/// A turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    /// The turn that it is for, from 0.
    #[schema(maximum = 65535)]
    ply: u16,
    /// A number of your choice. The same turn with the same number is applied once, however often it is sent.
    client_seq: u64,
    /// The action's bytes in hex, in the format of `sdk/ABI.md`.
    #[schema(value_type = String, pattern = "^([0-9a-f]{2})*$")]
    action: Bytes,
}

/// Plays a turn. The answer is the room's state; a refused turn changes nothing.
#[utoipa::path(post, path = "/api/v1/rooms/{id}/turns", params(("id" = String, Path)), request_body = Turn,
    security(("player_code" = [])),
    responses((status = 200, body = Value), (status = 403), (status = 404), (status = 409), (status = 410),
        (status = 422), (status = 429)))]
pub(crate) async fn play(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Json(Turn { ply, client_seq, action }): Json<Turn>,
) -> Result<Response> {
    let room = find(&app, &id).await?;
    let person = visitor.person_in(&room).ok_or(arena_rooms::Rejected::NotYourSeat)?;
    taker.take(LimitKind::Plies, visitor.account_id())?;
    room.play(person, Command { ply, client_seq, action }, app.now()).await?;
    Ok(state(&room))
}

/// A bot for open seats of a waiting room.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotToSeat {
    /// A built-in opponent of the game, or the name of a bot that plays it.
    opponent: String,
    /// The seat, from 0, where seats can be chosen; default: every open one.
    #[schema(maximum = 255)]
    seat: Option<u8>,
}

/// Puts a bot into open seats of a room that you opened. The game begins when the last seat is taken.
#[utoipa::path(post, path = "/api/v1/rooms/{id}/bots", params(("id" = String, Path)), request_body = BotToSeat,
    security(("player_code" = [])),
    responses((status = 200, body = Value), (status = 403), (status = 404), (status = 409), (status = 410),
        (status = 422), (status = 429), (status = 503)))]
pub(crate) async fn seat_bot(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Json(BotToSeat { opponent, seat }): Json<BotToSeat>,
) -> Result<Response> {
    let room = find(&app, &id).await?;
    let person = visitor.person_in(&room).ok_or(arena_rooms::Rejected::NotYourSeat)?;
    let opponent = names::opponent(names::game(Some(room.ruleset()))?, &opponent)?;
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    app.service().rooms().fill(&room, person, &opponent, seat.map(Seat), app.now()).await?;
    Ok(state(&room))
}

/// A resignation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resignation {
    /// The turn being played.
    #[schema(maximum = 65535)]
    ply: u16,
}

/// Resigns, in your turn or another's.
#[utoipa::path(post, path = "/api/v1/rooms/{id}/resignation", params(("id" = String, Path)),
    request_body = Resignation, security(("player_code" = [])),
    responses((status = 200, body = Value), (status = 403), (status = 404), (status = 409), (status = 410),
        (status = 422), (status = 429)))]
pub(crate) async fn resign(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Json(Resignation { ply }): Json<Resignation>,
) -> Result<Response> {
    let room = find(&app, &id).await?;
    let person = visitor.person_in(&room).ok_or(arena_rooms::Rejected::NotYourSeat)?;
    taker.take(LimitKind::Plies, visitor.account_id())?;
    room.resign(person, ply, app.now()).await?;
    Ok(state(&room))
}

/// Sends a command to a room, as its socket takes it: `{"type":"turn",..}`, `resign`, `draw`, `join`, `leave`,
/// `rematch`, `chat` or `report`. With `room`, the id of the room that it is meant for, it does nothing in another. The
/// answer is `applied`, `rejected` or `error`, as on the socket, with the status 200; what is no command at all is an
/// `error` with the status 422. A command that is worth sending again later is `rejected` with the status 429 or 503
/// and `Retry-After`: `too_many` if a share is used up, `chat_too_fast`, `unavailable`.
#[utoipa::path(post, path = "/api/v1/rooms/{id}/commands", params(("id" = String, Path)), request_body = Value,
    security(("player_code" = [])),
    responses((status = 200, body = RoomMessage), (status = 404), (status = 410), (status = 422, body = Value),
        (status = 429, body = Value), (status = 503, body = Value)))]
pub(crate) async fn command(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Json(said): Json<serde_json::Value>,
) -> Result<Answered> {
    let room = find(&app, &id).await?;
    let speaker = Speaker::new(&app, room, &visitor, taker);
    Ok(speaker.receive(&said.to_string()).await)
}

/// The last that was heard.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    /// The `version` of the last answer; without it, the answer also says who has which seat.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    after: Option<u64>,
    /// How many turns you know: states then hold only the later ones, and `first` is the number of the first of these.
    /// In a game with many answers they hold the latest; `GET /api/v1/rooms/ID` has all.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    turns: Option<usize>,
    /// The number of the last chat message that you know: only later ones are then sent.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    said: Option<u64>,
}

/// What happened since.
#[derive(ToSchema)]
#[expect(dead_code, reason = "put together from messages")]
struct RoomEvents {
    /// For `after` of the next request.
    version: u64,
    /// Spectators.
    watching: usize,
    /// The seats of the people who are here.
    here: Vec<u8>,
    messages: Vec<RoomMessage<'static>>,
}

/// What the socket of a room would send: its state, once it differs from that of `after`. Held for up to 25 seconds;
/// without news there are no messages.
#[utoipa::path(get, path = "/api/v1/rooms/{id}/events", params(("id" = String, Path), After),
    security((), ("player_code" = [])),
    responses((status = 200, body = RoomEvents), (status = 404), (status = 410), (status = 429)))]
pub(crate) async fn events(
    app: App,
    Path(id): Path<String>,
    Query(After { after, turns, said }): Query<After>,
    taker: Taker,
    Waiter { visitor, endings }: Waiter,
) -> Result<Response> {
    let room = find(&app, &id).await?;
    let _held = taker.poll(visitor.account_id())?;
    let mut admission = Admission::new(&app, &visitor, endings, &taker);
    let mut speaker = Speaker::new(&app, room, &visitor, taker).knowing(Known { turns, said });
    let _attending = speaker.attending();
    let mut states = speaker.room.watch();
    let news = states.wait_for(|shown| Some(shown.version) != after);
    // Without news the answer has no messages.
    admission.wait(&app, POLL_HELD, news).await?;
    let shown = states.borrow().clone();
    let mut messages = Vec::new();
    if after.is_none() {
        messages.push(speaker.hello(&app).await?);
    }
    if Some(shown.version) != after {
        messages.push(speaker.news(&shown));
        messages.extend(speaker.new_chat(&shown));
    }
    let (version, watching, here) = (shown.version, speaker.room.spectators(), speaker.room.here());
    let messages = messages.join(",");
    let text = format!("{{\"version\":{version},\"watching\":{watching},\"here\":{here:?},\"messages\":[{messages}]}}");
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], text).into_response())
}

pub(crate) async fn find(app: &App, id: &str) -> Result<Arc<LiveRoom>> {
    let missing = |_| Problem::new(Code::NoSuchRoom, "there is no such room", "open one");
    let id: RoomId = id.parse().map_err(missing)?;
    room_of(app.service(), &id).await
}

fn state(room: &LiveRoom) -> Response {
    let state = room.watch().borrow().clone();
    ([(CONTENT_TYPE, "application/json")], RoomMessage::State(Box::new(room_state(&state, Turns::All))).text())
        .into_response()
}
