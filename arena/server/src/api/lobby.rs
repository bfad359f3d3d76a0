//! The lobby over plain requests: waiting rooms, games in progress, and the ways into them.

use std::sync::Arc;

use arena_rooms::{Door, PersonId, RoomCode, RoomId, Seated};
use arena_rules::Seat;
use arena_service::{LiveRoom, NewTable, OpenRoomError, person_of_account};
use arena_store::{AccountId, DisplayName};
use arena_wire::RoomWish;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::rooms::{OpenedRoom, find};
use super::{Json, Query};
use crate::admission::Admission;
use crate::app::App;
use crate::clocks;
use crate::identity::{Visitor, Waiter};
use crate::limit_kind::LimitKind;
use crate::limits::POLL_HELD;
use crate::names::{self, Who};
use crate::problem::Result;
use crate::visitors::Taker;

/// A room to open that others may join.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableToOpen {
    /// The game, with or without its version; default: the first one.
    game: Option<String>,
    /// The number of seats, where this can be chosen: 2 to 16 in Game of Game of Life; default: the fewest.
    #[schema(maximum = 255)]
    seats: Option<u8>,
    /// The most turns of the game, where this can be chosen: 50, 100 or 1,000 in Game of Game of Life; default: the
    /// usual number.
    #[schema(maximum = 65535)]
    turns: Option<u16>,
    /// The kind of game, where this can be chosen: `v2` or `v1` in Conway's Conquerors; `deal`, `pictured`, `cross`,
    /// `checkers` or `gliders` in War of Life; default: the first one.
    kind: Option<String>,
    /// The number of the deal, in War of Life; default: drawn.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    number: Option<u32>,
    /// Your seat, from 0; default: drawn when everyone is there.
    #[schema(maximum = 255)]
    seat: Option<u8>,
    /// Each person's time: `none`, `turn-SECONDS` or `game-SECONDS-INCREMENT`; default: `none`.
    clock: Option<String>,
    /// Whether the lobby lists it; default: false, and people find it only by its code.
    #[serde(default)]
    public: bool,
    /// The name of the only account that may join: it finds the room in its lobby.
    invite: Option<String>,
    /// Whether the game is rated: it must be public, between two accounts with 10 finished games each against built-in
    /// opponents that were not seen in one browser. No program plays such a game.
    #[serde(default)]
    rated: bool,
    /// Whether people can chat; default: true.
    chat: Option<bool>,
}

/// Opens a room that others may join, from the lobby or with its code.
#[utoipa::path(post, path = "/api/v1/lobby", request_body = TableToOpen, security(("player_code" = [])),
    responses((status = 201, body = OpenedRoom), (status = 401), (status = 404), (status = 409), (status = 422),
        (status = 429), (status = 503)))]
pub(crate) async fn open(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Json(wanted): Json<TableToOpen>,
) -> Result<(StatusCode, axum::Json<OpenedRoom>)> {
    let host = visitor.account_newcomer()?;
    let game = names::game(wanted.game.as_deref())?;
    let seat = wanted.seat.map(|seat| names::seat_of(game, wanted.seats, seat)).transpose()?;
    let wish = RoomWish { seats: wanted.seats, turns: wanted.turns, kind: wanted.kind, number: wanted.number };
    let clock = clocks::parse(wanted.clock.as_deref().unwrap_or("none"))?;
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    let door = if wanted.public { Door::Public } else { Door::Private };
    let invited = invited(&app, wanted.invite.as_deref()).await?;
    let (rated, chat) = (wanted.rated, wanted.chat.unwrap_or(true));
    let new = NewTable { host, game, wish, seat, clock, door, invited, rated, chat };
    let id = app.waiting_rooms.open(app.service(), &taker, visitor.account_id(), new).await?;
    opened(&app, id, host.person).await
}

/// The account that a name invites; `None` without a name.
pub(crate) async fn invited(app: &App, name: Option<&str>) -> Result<Option<PersonId>> {
    let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else { return Ok(None) };
    let account = app.store().account_by_name(&DisplayName::parse(name)?).await?;
    let account = account.ok_or(arena_store::ActError::NoSuchAccount)?;
    Ok(Some(person_of_account(account.id)))
}

/// A code to join a room with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeToJoin {
    /// Six letters and digits.
    code: String,
    /// The seat you want, where seats can be chosen.
    #[schema(maximum = 255)]
    seat: Option<u8>,
}

/// Joins the room with a code. An unknown code opens no room.
#[utoipa::path(post, path = "/api/v1/lobby/joins", request_body = CodeToJoin, security(("player_code" = [])),
    responses((status = 201, body = OpenedRoom), (status = 401), (status = 404), (status = 409), (status = 422),
        (status = 429)))]
pub(crate) async fn join(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Json(CodeToJoin { code, seat }): Json<CodeToJoin>,
) -> Result<(StatusCode, axum::Json<OpenedRoom>)> {
    let newcomer = visitor.account_newcomer()?;
    taker.take(LimitKind::Joins, visitor.account_id())?;
    let id = by_code(&app, &code)?;
    let room = find(&app, &id.to_string()).await?;
    app.service().rooms().join(&room, newcomer, seat.map(Seat), app.now()).await?;
    opened(&app, id, newcomer.person).await
}

/// The game to find an opponent for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameToPair {
    /// The game, with or without its version; default: the first one.
    game: Option<String>,
}

/// Finds an opponent: someone waiting in public, or the next to arrive.
#[utoipa::path(post, path = "/api/v1/lobby/pairings", request_body = GameToPair, security(("player_code" = [])),
    responses((status = 201, body = OpenedRoom), (status = 401), (status = 404), (status = 409), (status = 422),
        (status = 429), (status = 503)))]
pub(crate) async fn pair(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Json(GameToPair { game }): Json<GameToPair>,
) -> Result<(StatusCode, axum::Json<OpenedRoom>)> {
    let newcomer = visitor.account_newcomer()?;
    let game = names::game(game.as_deref())?;
    let id = app.waiting_rooms.pair(app.service(), &taker, visitor.account_id(), (newcomer, game)).await?;
    opened(&app, id, newcomer.person).await
}

/// The room that a typed code belongs to.
pub(crate) fn by_code(app: &App, code: &str) -> Result<RoomId> {
    let code = RoomCode::typed(code).map_err(|_| OpenRoomError::NoSuchCode)?;
    Ok(app.service().rooms().by_code(&code)?)
}

async fn opened(app: &App, id: RoomId, person: PersonId) -> Result<(StatusCode, axum::Json<OpenedRoom>)> {
    let room = find(app, &id.to_string()).await?;
    Ok((StatusCode::CREATED, axum::Json(OpenedRoom::of(&room, person))))
}

/// The current state of the lobby.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyView {
    /// Changes whenever the lobby does.
    pub(crate) version: u64,
    /// Rooms to which you are invited, oldest first.
    pub(crate) invitations: Vec<WaitingView>,
    /// Public rooms with an open seat and somebody in them: one of each network, oldest first, then a second of each.
    pub(crate) waiting: Vec<WaitingView>,
    /// Games between people that have spectators, the most watched first.
    pub(crate) playing: Vec<InPlayView>,
}

/// What is played in a room, and by which terms.
#[derive(Serialize, ToSchema)]
pub(crate) struct TermsView {
    /// The room's id.
    pub(crate) room: String,
    /// The game.
    pub(crate) game: &'static str,
    /// The most turns of the game, where this can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turns: Option<u16>,
    /// The kind of game, where this can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'static str>,
    /// The number of its start, where the start is drawn from many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    pub(crate) number: Option<u32>,
    /// Both in words; none of the usual.
    #[serde(skip)]
    pub(crate) kind_words: Option<String>,
    /// Whether the game is rated.
    pub(crate) rated: bool,
}

impl TermsView {
    fn of(room: &LiveRoom, options: &str, rated: bool) -> TermsView {
        let kind = names::kind_of(room.ruleset(), options);
        TermsView {
            room: room.id().to_string(),
            game: title_of(room),
            turns: names::turns_of(room.ruleset(), options),
            kind: kind.map(|(kind, _)| kind.name),
            number: kind.and_then(|(_, number)| number),
            kind_words: names::kind_words(room.ruleset(), options),
            rated,
        }
    }
}

/// A room that waits for players.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingView {
    #[serde(flatten)]
    pub(crate) terms: TermsView,
    /// The number of seats, and how many are taken.
    pub(crate) seats: usize,
    pub(crate) taken: usize,
    /// The player who waits.
    pub(crate) host: String,
    /// Whether a program plays for that account.
    pub(crate) program: bool,
    /// Each person's time, in the form of the request.
    pub(crate) clock: String,
    /// The same in words.
    #[serde(skip)]
    pub(crate) clock_words: String,
    /// Seconds since it was opened.
    pub(crate) seconds: u64,
}

/// A game in progress.
#[derive(Serialize, ToSchema)]
pub(crate) struct InPlayView {
    #[serde(flatten)]
    pub(crate) terms: TermsView,
    /// The players.
    pub(crate) seats: Vec<Who>,
    /// Turns played so far.
    pub(crate) turn: u32,
    /// The number of spectators.
    pub(crate) watching: usize,
}

/// The version of the lobby that is known.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    /// The `version` of the last answer: the next one comes after a change, or after 25 seconds.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    after: Option<u64>,
}

/// Rooms that wait for players, and games in progress.
#[utoipa::path(get, path = "/api/v1/lobby", params(After), security((), ("player_code" = [])),
    responses((status = 200, body = LobbyView), (status = 429)))]
pub(crate) async fn show(
    app: App,
    Query(After { after }): Query<After>,
    taker: Taker,
    Waiter { visitor, endings }: Waiter,
) -> Result<Response> {
    let _held = after.is_some().then(|| taker.poll(visitor.account_id())).transpose()?;
    let mut changes = app.service().rooms().watch_lobby();
    let news = changes.wait_for(|version| Some(*version) != after);
    if after.is_some() {
        Admission::new(&app, &visitor, endings, &taker).wait(&app, POLL_HELD, news).await?;
    }
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(lobby(&app, visitor.account_id()).await?)).into_response())
}

/// The lobby as it is now.
pub(crate) async fn lobby(app: &App, asks: Option<AccountId>) -> Result<LobbyView> {
    let version = *app.service().rooms().watch_lobby().borrow();
    let (waiting, playing) = app.service().rooms().lobby();
    let waiting = app.waiting_rooms.listed(waiting);
    let invitations =
        asks.map(|account| app.service().rooms().invitations(person_of_account(account))).unwrap_or_default();
    let (invitations, waiting) = (listed(app, invitations).await?, listed(app, waiting).await?);
    let mut view = LobbyView { version, invitations, waiting, playing: Vec::new() };
    for room in playing {
        let shown = room.snapshot().view;
        let Some(table) = &shown.table else { continue };
        view.playing.push(InPlayView {
            terms: TermsView::of(&room, &shown.options, table.rated),
            seats: app.known.in_room(app.service(), &room).await?,
            turn: shown.ply.into(),
            watching: room.spectators(),
        });
    }
    Ok(view)
}

/// Waiting rooms as a list shows them.
async fn listed(app: &App, rooms: Vec<Arc<LiveRoom>>) -> Result<Vec<WaitingView>> {
    let mut views = Vec::new();
    for room in rooms {
        let view = room.snapshot().view;
        let Some(table) = view.table.clone() else { continue };
        let who = app.known.in_room(app.service(), &room).await?;
        let host = room.seats_of(table.host).first().and_then(|seat| who.get(usize::from(*seat)).cloned());
        views.push(WaitingView {
            terms: TermsView::of(&room, &view.options, table.rated),
            seats: who.len(),
            taken: room.seats().iter().filter(|seated| **seated != Seated::Open).count(),
            program: host.as_ref().is_some_and(|who| who.program),
            host: host.map_or_else(String::new, |who| who.name),
            clock: clocks::text(table.clock),
            clock_words: clocks::words(table.clock),
            seconds: room.open_for().as_secs(),
        });
    }
    Ok(views)
}

fn title_of(room: &LiveRoom) -> &'static str {
    arena_wire::Game::named(room.ruleset()).map_or("", |game| game.title)
}
