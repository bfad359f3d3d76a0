//! `/lobby`, and rooms that wait: who plays whom.

use std::sync::Arc;

use arena_rooms::{Door, PersonId, Seating};
use arena_rules::Seat;
use arena_service::{GuestSecret, LiveRoom, NewTable};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Shell, capital, page};
use crate::api::lobby::{LobbyView, by_code, lobby};
use crate::app::{App, now};
use crate::clocks;
use crate::games::room_of;
use crate::identity::{Cookies, Visitor};
use crate::language::retold;
use crate::names::{self, Who};
use crate::problem::Problem;
use crate::share::What;
use crate::visitors::Taker;

/// A clock to choose.
pub(crate) struct ClockChoice {
    pub(crate) value: &'static str,
    pub(crate) words: String,
}

/// The clocks of forms.
pub(crate) fn clock_choices() -> Vec<ClockChoice> {
    let choice = |value| {
        let clock = clocks::parse(value).ok().flatten();
        ClockChoice { value, words: clocks::words(clock) }
    };
    clocks::OFFERED.into_iter().map(choice).collect()
}

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    shell: Shell,
    games: Vec<&'static Game>,
    clocks: Vec<ClockChoice>,
    lobby: LobbyView,
    /// A code from a link.
    code: String,
    /// Whether games of the visitor may count.
    signed: bool,
}

/// What a link asks for.
#[derive(Deserialize)]
pub(crate) struct Link {
    room: Option<String>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Query(Link { room }): Query<Link>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let visitor = visitor.unwrap_or_default();
    page(&LobbyPage {
        shell: Shell::new(&visitor, "play"),
        games: GAMES.iter().filter(|game| game.suits_rooms()).collect(),
        clocks: clock_choices(),
        lobby: lobby(&app).await?,
        code: room.unwrap_or_default(),
        signed: visitor.account.is_some(),
    })
}

/// Who plays: the account, the guest, or a new guest whose cookie goes with the answer.
pub(crate) fn person_of(app: &App, visitor: &Visitor, jar: CookieJar) -> Result<(PersonId, CookieJar), Problem> {
    Ok(match visitor.person() {
        Some(person) => (person, jar),
        None => {
            let secret = GuestSecret::random()?;
            (secret.person(), jar.add(Cookies::of(app).guest(&secret)))
        }
    })
}

fn to_room(jar: CookieJar, id: impl std::fmt::Display) -> Response {
    (jar, Redirect::to(&format!("/rooms/{id}"))).into_response()
}

/// The form that opens a room.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    game: Option<String>,
    /// A number, or `draw`.
    seat: Option<String>,
    clock: Option<String>,
    door: Option<String>,
    rated: Option<String>,
    chat: Option<String>,
}

pub(crate) async fn open(
    State(app): State<App>,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Problem> {
    let (host, jar) = person_of(&app, &visitor, jar)?;
    let game = names::game(wanted.game.as_deref())?;
    let number = wanted.seat.as_deref().and_then(|seat| seat.parse().ok());
    let seat = number.map(|number| names::seat_of(game, number)).transpose()?;
    let clock = clocks::parse(wanted.clock.as_deref().unwrap_or("none"))?;
    taker.take(What::Rooms, visitor.account_id())?;
    let door = if wanted.door.as_deref() == Some("private") { Door::Private } else { Door::Public };
    let (program, rated) = (visitor.is_program(), wanted.rated.is_some());
    let chat = wanted.chat.is_some();
    let new = NewTable { host, program, game, seat, clock, door, rated, chat };
    Ok(to_room(jar, app.service().open_table(new, now()).await?))
}

/// The form of a code.
#[derive(Deserialize)]
pub(crate) struct Typed {
    code: String,
}

/// Goes to the page of the room with a code, where one sits down.
pub(crate) async fn find(
    State(app): State<App>,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(Typed { code }): Form<Typed>,
) -> Result<Response, Problem> {
    taker.take(What::Joins, visitor.account_id())?;
    let id = by_code(&app, &code)?;
    let (person, jar) = person_of(&app, &visitor, jar)?;
    let room = room_of(app.service(), &id).await?;
    join_anywhere(&room, person, visitor.is_program()).await?;
    Ok(to_room(jar, id))
}

/// Sits down; who sits there already is let in.
async fn join_anywhere(room: &Arc<LiveRoom>, person: PersonId, program: bool) -> Result<(), Problem> {
    match room.join(person, None, program, now()).await {
        Err(error) if error.code() == "already_seated" => Ok(()),
        joined => Ok(joined?),
    }
}

/// The form of quick pairing.
#[derive(Deserialize)]
pub(crate) struct Quick {
    game: Option<String>,
}

pub(crate) async fn pair(
    State(app): State<App>,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(Quick { game }): Form<Quick>,
) -> Result<Response, Problem> {
    let (person, jar) = person_of(&app, &visitor, jar)?;
    let game = names::game(game.as_deref())?;
    taker.take(What::Joins, visitor.account_id())?;
    Ok(to_room(jar, app.service().pair(person, visitor.is_program(), game, now()).await?))
}

/// The form of a seat.
#[derive(Deserialize)]
pub(crate) struct SeatWanted {
    seat: Option<u8>,
}

pub(crate) async fn sit(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(SeatWanted { seat }): Form<SeatWanted>,
) -> Result<Response, Problem> {
    let room = crate::api::rooms::find(&app, &id).await?;
    taker.take(What::Joins, visitor.account_id())?;
    let (person, jar) = person_of(&app, &visitor, jar)?;
    room.join(person, seat.map(Seat), visitor.is_program(), now()).await?;
    Ok(to_room(jar, id))
}

pub(crate) async fn leave(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
) -> Result<Redirect, Problem> {
    let room = crate::api::rooms::find(&app, &id).await?;
    taker.take(What::Plies, visitor.account_id())?;
    let person = visitor.person_in(&room).ok_or(arena_rooms::Rejected::NotYourSeat)?;
    room.leave(person, now()).await?;
    Ok(Redirect::to("/lobby"))
}

/// A seat of a room that waits.
struct SeatLine {
    number: u8,
    title: String,
    who: Who,
    open: bool,
}

/// The page of a room whose game has not begun.
#[derive(Template)]
#[template(path = "waiting.html")]
struct WaitingPage {
    shell: Shell,
    room: String,
    game: &'static Game,
    code: String,
    public: bool,
    clock: String,
    rated: bool,
    drawn: bool,
    seats: Vec<SeatLine>,
    /// Whether the visitor sits there, and whether it opened the room.
    seated: bool,
    host: bool,
    /// Whether it was closed.
    closed: bool,
}

/// The page of a room that waits, or was closed before its game.
pub(super) async fn waiting(app: &App, room: &LiveRoom, visitor: &Visitor) -> Result<Response, Problem> {
    let snapshot = room.snapshot();
    let game = names::game(Some(room.ruleset()))?;
    let table = snapshot.view.table.clone().ok_or_else(Problem::no_such_page)?;
    let who = names::in_room(app.store(), room).await?;
    let open = |seat: u8| snapshot.view.seats.get(usize::from(seat)) == Some(&arena_rooms::Seated::Open);
    let seats = (0_u8..).zip(who).map(|(number, who)| SeatLine {
        number,
        title: capital(&retold(&game.seat_name(Seat(number)))),
        who,
        open: open(number),
    });
    let person = visitor.person_in(room);
    page(&WaitingPage {
        shell: Shell::new(visitor, "play"),
        room: room.id().to_string(),
        game,
        code: table.code.to_string(),
        public: table.door == Door::Public,
        clock: clocks::words(table.clock),
        rated: table.rated,
        drawn: table.seating == Seating::Drawn,
        seats: seats.collect(),
        seated: person.is_some_and(|person| !room.seats_of(person).is_empty()),
        host: person == Some(table.host),
        closed: snapshot.finished,
    })
}
