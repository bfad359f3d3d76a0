//! `/lobby`, and waiting rooms.

use arena_people::PRACTICE_GAMES_MIN;
use arena_rooms::{Door, Rejected, Seating};
use arena_rules::Seat;
use arena_runner::Contender;
use arena_service::{LiveRoom, NewTable, OpenRoomError, PlayError, person_of_account};
use arena_wire::{GAMES, Game, RoomWish};
use askama::Template;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Form, Shell, opponents, page, seat_title};
use crate::api::lobby::{LobbyView, by_code, invited, lobby};
use crate::app::App;
use crate::clocks;
use crate::identity::{Reader, Visitor};
use crate::limit_kind::LimitKind;
use crate::names::{self, Who};
use crate::problem::{Problem, Result};
use crate::text;
use crate::visitors::Taker;
use crate::words;

/// A clock to choose.
pub(crate) struct ClockChoice {
    pub(crate) value: &'static str,
    pub(crate) words: String,
}

/// The clocks that forms offer.
pub(crate) fn clock_choices() -> Vec<ClockChoice> {
    let choice = |value| {
        let clock = clocks::parse(value).ok().flatten();
        ClockChoice { value, words: clocks::words(clock) }
    };
    clocks::OFFERED.into_iter().map(choice).collect()
}

/// The seats to choose from when opening a room: their numbers, or `draw`, with their names.
pub(crate) struct OwnSeats {
    pub(crate) label: String,
    pub(crate) choices: Vec<(String, String)>,
}

impl OwnSeats {
    /// The seats for the games of a form. Seats have letters if no game is played in turns, or if there are several
    /// games.
    pub(crate) fn of(games: &[&'static Game]) -> OwnSeats {
        let in_turns = |game: &&Game| !game.plays_at_once();
        let mut choices = vec![("draw".to_owned(), text::common_by_lot().into())];
        if let [game] = games
            && in_turns(game)
        {
            choices.extend([
                ("0".to_owned(), text::lobby_i_do().into()),
                ("1".to_owned(), text::lobby_the_other().into()),
            ]);
            return OwnSeats { label: text::lobby_who_moves_first().into(), choices };
        }
        let most = games.iter().map(|game| game.room_seats.1).max().unwrap_or_default();
        choices.extend((0..most).map(|seat| {
            let letter = char::from(b'A' + seat % 26);
            let first = seat == 0 && games.iter().any(&in_turns);
            let words = if first { text::lobby_who_moves_first_in_turns(letter).into() } else { letter.to_string() };
            (seat.to_string(), words)
        }));
        OwnSeats { label: text::common_your_seat().into(), choices }
    }
}

/// The kinds of games to choose from when opening a room.
pub(crate) struct Kinds {
    /// The default kind.
    pub(crate) usual: String,
    /// The others, by game.
    pub(crate) groups: Vec<KindGroup>,
    /// The games whose starts are numbered.
    pub(crate) numbered: Vec<&'static Game>,
}

/// A game's kinds, by name and in words.
pub(crate) struct KindGroup {
    pub(crate) game: &'static Game,
    /// The default kind.
    pub(crate) usual: String,
    pub(crate) kinds: Vec<(&'static str, String)>,
}

impl Kinds {
    /// The kinds of all games of a form.
    pub(crate) fn of(games: &[&'static Game]) -> Kinds {
        let usual = match games {
            [game] => game.room_kinds.first().map_or_else(String::new, |kind| words::kind(kind).into()),
            _ => text::lobby_the_usual().into(),
        };
        let group = |game: &'static Game| {
            let (usual, others) = game.room_kinds.split_first()?;
            let kinds = others.iter().map(|kind| (kind.name, words::kind(kind).into())).collect();
            Some(KindGroup { game, usual: words::kind(usual).into(), kinds })
        };
        let numbered = games.iter().copied().filter(|game| game.has_numbers());
        Kinds { usual, groups: games.iter().copied().filter_map(group).collect(), numbered: numbered.collect() }
    }

    /// Whether a game has kinds to choose from.
    pub(crate) fn has_kinds(&self, game: &Game) -> bool {
        self.groups.iter().any(|group| group.game.ruleset == game.ruleset)
    }

    /// Whether a game's starts are numbered.
    pub(crate) fn has_numbers(&self, game: &Game) -> bool {
        self.numbered.iter().any(|numbered| numbered.ruleset == game.ruleset)
    }
}

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    shell: Shell,
    games: Vec<&'static Game>,
    own_seats: OwnSeats,
    kinds: Kinds,
    clocks: Vec<ClockChoice>,
    lobby: LobbyView,
    /// The code from a link.
    code: String,
    rated: Rated,
}

/// Whether a visitor may open rated rooms.
pub(crate) struct Rated {
    /// The reason, if not.
    pub(crate) why_not: Option<String>,
}

impl Rated {
    pub(crate) async fn of(app: &App, visitor: &Visitor) -> Result<Rated> {
        let Some(account) = visitor.account_id() else {
            return Ok(Rated { why_not: Some(text::lobby_rated_games_are_for_people().into()) });
        };
        let finished = app.service().leaderboard().practice_games(account, app.now()).await?;
        let lacks = || text::lobby_rated_games_need_finished_games(finished, PRACTICE_GAMES_MIN);
        let why_not = (finished < PRACTICE_GAMES_MIN).then(|| lacks().into());
        Ok(Rated { why_not })
    }
}

/// The parameters of a link.
#[derive(Deserialize)]
pub(crate) struct Link {
    room: Option<String>,
}

pub(crate) async fn show(app: App, Query(Link { room }): Query<Link>, Reader(visitor): Reader) -> Result<Response> {
    let games: Vec<&Game> = GAMES.iter().filter(|game| game.suits_rooms()).collect();
    page(&LobbyPage {
        shell: Shell::new(&visitor, "play"),
        own_seats: OwnSeats::of(&games),
        kinds: Kinds::of(&games),
        games,
        clocks: clock_choices(),
        lobby: lobby(&app, visitor.account_id()).await?,
        code: room.unwrap_or_default(),
        rated: Rated::of(&app, &visitor).await?,
    })
}

/// The number of waiting rooms to which a visitor is invited.
pub(super) fn invitations(app: &App, visitor: &Visitor) -> usize {
    let person = visitor.account_id().map(person_of_account);
    person.map_or(0, |person| app.service().rooms().invitations(person).len())
}

fn to_room(jar: CookieJar, id: impl std::fmt::Display) -> Response {
    (jar, Redirect::to(&format!("/rooms/{id}"))).into_response()
}

/// The form that opens a room.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    game: Option<String>,
    /// Used only for a game whose number of seats can be chosen; the form sends it with any game.
    seats: Option<u8>,
    turns: Option<u16>,
    /// The name of a kind of games, and a number; empty by default.
    kind: Option<String>,
    number: Option<String>,
    /// A seat's number, or `draw`.
    seat: Option<String>,
    clock: Option<String>,
    door: Option<String>,
    /// The name of the only account that may join.
    invite: Option<String>,
    rated: Option<String>,
    chat: Option<String>,
}

pub(crate) async fn open(
    app: App,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(wanted): Form<Wanted>,
) -> Result<Response> {
    let (host, jar) = visitor.seated_in(&app, jar)?;
    let game = names::game(wanted.game.as_deref())?;
    let number = wanted.seat.as_deref().and_then(|seat| seat.parse().ok());
    let seats = wanted.seats.filter(|_| game.room_seats.0 < game.room_seats.1);
    let turns = wanted.turns.filter(|_| !game.room_turns.is_empty());
    let kind = wanted.kind.filter(|kind| !kind.is_empty());
    let start = wanted.number.as_deref().map(str::trim).filter(|number| !number.is_empty());
    let start = start.map(str::parse::<u32>).transpose().map_err(|_| OpenRoomError::NoSuchGame(game))?;
    let seat = number.map(|number| names::seat_of(game, seats, number)).transpose()?;
    let clock = clocks::parse(wanted.clock.as_deref().unwrap_or("none"))?;
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    let (rated, chat) = (wanted.rated.is_some(), wanted.chat.is_some());
    // A rated game is public, as the form says.
    let private = wanted.door.as_deref() == Some("private") && !rated;
    let door = if private { Door::Private } else { Door::Public };
    let invited = invited(&app, wanted.invite.as_deref()).await?;
    let wish = RoomWish { seats, turns, kind, number: start };
    let new = NewTable { host, game, wish, seat, clock, door, invited, rated, chat };
    Ok(to_room(jar, app.waiting_rooms.open(app.service(), &taker, visitor.account_id(), new).await?))
}

/// The form for a code.
#[derive(Deserialize)]
pub(crate) struct Typed {
    code: String,
}

/// Redirects to the room of a code. Its page names the terms before the visitor sits down; who comes late watches the
/// game.
pub(crate) async fn find(
    app: App,
    taker: Taker,
    visitor: Visitor,
    Form(Typed { code }): Form<Typed>,
) -> Result<Redirect> {
    taker.take(LimitKind::Joins, visitor.account_id())?;
    Ok(Redirect::to(&format!("/rooms/{}", by_code(&app, &code)?)))
}

/// The form of quick pairing.
#[derive(Deserialize)]
pub(crate) struct Quick {
    game: Option<String>,
}

pub(crate) async fn pair(
    app: App,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(Quick { game }): Form<Quick>,
) -> Result<Response> {
    let (newcomer, jar) = visitor.seated_in(&app, jar)?;
    let game = names::game(game.as_deref())?;
    Ok(to_room(jar, app.waiting_rooms.pair(app.service(), &taker, visitor.account_id(), (newcomer, game)).await?))
}

/// The form of a seat.
#[derive(Deserialize)]
pub(crate) struct SeatWanted {
    seat: Option<u8>,
}

pub(crate) async fn sit(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    jar: CookieJar,
    Form(SeatWanted { seat }): Form<SeatWanted>,
) -> Result<Response> {
    let room = crate::api::rooms::find(&app, &id).await?;
    taker.take(LimitKind::Joins, visitor.account_id())?;
    let (newcomer, jar) = visitor.seated_in(&app, jar)?;
    app.service().rooms().join(&room, newcomer, seat.map(Seat), app.now()).await?;
    Ok(to_room(jar, id))
}

/// The form that puts a bot into seats.
#[derive(Deserialize)]
pub(crate) struct BotWanted {
    opponent: String,
    /// A number; anything else means every open seat.
    seat: Option<String>,
}

pub(crate) async fn seat_bot(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Form(BotWanted { opponent, seat }): Form<BotWanted>,
) -> Result<Redirect> {
    let room = crate::api::rooms::find(&app, &id).await?;
    let person = visitor.person_in(&room).ok_or(Rejected::NotYourSeat)?;
    let opponent = names::opponent(names::game(Some(room.ruleset()))?, &opponent)?;
    let seat = seat.and_then(|seat| seat.parse().ok()).map(Seat);
    taker.take(LimitKind::Rooms, visitor.account_id())?;
    app.service().rooms().fill(&room, person, &opponent, seat, app.now()).await?;
    Ok(Redirect::to(&format!("/rooms/{id}")))
}

pub(crate) async fn leave(app: App, Path(id): Path<String>, taker: Taker, visitor: Visitor) -> Result<Redirect> {
    let room = crate::api::rooms::find(&app, &id).await?;
    taker.take(LimitKind::Plies, visitor.account_id())?;
    let person = visitor.person_in(&room).ok_or(arena_rooms::Rejected::NotYourSeat)?;
    room.leave(person, app.now()).await?;
    Ok(Redirect::to("/lobby"))
}

/// A seat of a waiting room.
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
    /// The only account that may join.
    invited: Option<Who>,
    clock: String,
    /// The most turns, if people can choose them.
    turns: Option<u16>,
    /// The kind of games in words; `None` for the usual one.
    kind: Option<String>,
    rated: bool,
    chat: bool,
    /// Why the visitor cannot sit down, although a seat is open.
    why_not: Option<String>,
    drawn: bool,
    seats: Vec<SeatLine>,
    /// The bots that the visitor can put into an open seat, and the open seats: value and name of each.
    bots: Vec<String>,
    /// The strongest built-in opponent, which is chosen at first.
    usual: &'static str,
    places: Vec<(String, String)>,
    /// Whether the visitor sits there, and whether the visitor opened the room.
    seated: bool,
    host: bool,
    /// Whether the room was closed.
    closed: bool,
}

/// Why a visitor cannot sit down in a waiting room: it is for somebody else, or rated. An unknown browser becomes known
/// by sitting down.
async fn why_not(app: &App, room: &LiveRoom, visitor: &Visitor) -> Result<Option<String>> {
    let table = room.snapshot().view.table.clone();
    if table.as_ref().and_then(|table| table.invited).is_some_and(|invited| Some(invited) != visitor.person()) {
        return Ok(Some(Problem::from(Rejected::NotInvited).sentence()));
    }
    let Some(person) = visitor.person() else {
        let is_rated = table.is_some_and(|table| table.rated);
        return Ok(is_rated.then(|| text::lobby_rated_games_are_for_people().into()));
    };
    match app.service().rooms().admits(room, &visitor.newcomer(person), app.now()).await {
        Ok(()) | Err(PlayError::Rejected(_)) => Ok(None),
        Err(PlayError::Unrated(unrated)) => Ok(Some(Problem::from(unrated).sentence())),
        Err(error) => Err(error.into()),
    }
}

/// The built-in opponents of a game with these options, the bots that play it, and those of the gallery.
async fn bots_of(app: &App, game: &'static Game, options: &str) -> Result<Vec<String>> {
    let bots = opponents::of(app, game, None).await?;
    let plays = |name: &&str| {
        let made_for = Contender::baseline(game.ruleset, name).ok().and_then(|contender| contender.made_for());
        made_for.is_none_or(|made_for| made_for == options)
    };
    let built_in = Contender::built_in(game.ruleset).filter(plays).map(str::to_owned);
    let bots = bots.into_iter().map(|active| active.bot.name.to_string());
    let gallery = opponents::gallery(app, game).await?.into_iter().map(str::to_owned);
    Ok(built_in.chain(bots).chain(gallery).collect())
}

/// The page of a room that waits, or was closed before its game.
pub(super) async fn waiting(app: &App, room: &LiveRoom, visitor: &Visitor) -> Result<Response> {
    let snapshot = room.snapshot();
    let game = names::game(Some(room.ruleset()))?;
    let table = snapshot.view.table.clone().ok_or_else(Problem::no_such_page)?;
    let who = names::in_room(app.store(), room).await?;
    let open = |seat: u8| snapshot.view.seats.get(usize::from(seat)) == Some(&arena_rooms::Seated::Open);
    let seats = (0_u8..).zip(who).map(|(number, who)| SeatLine {
        number,
        title: seat_title(game, Seat(number)),
        who,
        open: open(number),
    });
    let seats: Vec<SeatLine> = seats.collect();
    let drawn = table.seating == Seating::Drawn;
    let fills = visitor.person_in(room) == Some(table.host) && !table.rated && !snapshot.finished;
    let mut places = vec![("all".to_owned(), text::lobby_every_empty_seat().into())];
    let open_seats = seats.iter().filter(|seat| seat.open && fills && !drawn);
    places.extend(open_seats.map(|seat| (seat.number.to_string(), seat.title.clone())));
    let bots = if fills { bots_of(app, game, &snapshot.view.options).await? } else { Vec::new() };
    let usual = opponents::usual(game);
    let person = visitor.person_in(room);
    let why_not = why_not(app, room, visitor).await?;
    let invited = match table.invited {
        Some(invited) => Some(names::person(app.store(), invited).await?),
        None => None,
    };
    page(&WaitingPage {
        shell: Shell::new(visitor, "play"),
        room: room.id().to_string(),
        game,
        code: table.code.to_string(),
        public: table.door == Door::Public,
        invited,
        clock: clocks::words(table.clock),
        turns: names::turns_of(room.ruleset(), &snapshot.view.options),
        kind: names::kind_words(room.ruleset(), &snapshot.view.options),
        rated: table.rated,
        chat: table.chat,
        why_not,
        drawn,
        seats,
        bots,
        usual,
        places,
        seated: person.is_some_and(|person| !room.seats_of(person).is_empty()),
        host: person == Some(table.host),
        closed: snapshot.finished,
    })
}
