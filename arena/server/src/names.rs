//! Names of games, players and seats, for people.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use arena_clock::Instant;
use arena_record::EntrantId;
use arena_rooms::{PersonId, Seated};
use arena_rules::Seat;
use arena_runner::{Contender, Named};
use arena_service::{Edition, LiveRoom, OpenRoomError, Opponent, Service, account_of_person};
use arena_store::{BotName, DELETED, Store, StoreError};
use arena_wire::{GAMES, Game, Input, Protocol, RoomKind, RoomWish, Visitor, Zone};
use axum::http::StatusCode;
use parking_lot::Mutex;
use serde::Serialize;
use utoipa::ToSchema;

use crate::language::Text;
use crate::limits::{RECOGNISED_FOR, RECOGNISED_MAX};
use crate::problem::{Code, Problem, Result};
use crate::words;

/// The game of a name in an address; the first game by default.
pub(crate) fn game(name: Option<&str>) -> Result<&'static Game> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(&GAMES[0]) };
    let names = || GAMES.iter().map(Game::name).collect::<Vec<_>>().join(", ");
    Game::named(name)
        .map_err(|_| Problem::new(Code::NoSuchGame, "there is no such game", format!("there are {}", names())))
}

/// The names of the gallery's bots by their ids, hashed once.
static GALLERY: LazyLock<BTreeMap<EntrantId, &'static str>> =
    LazyLock::new(|| GAMES.iter().flat_map(gallery).map(|named| (named.id(), named.name())).collect());

/// The gallery's bots that play a game.
pub(crate) fn gallery(game: &Game) -> impl Iterator<Item = Named> + use<> {
    Named::all(game.ruleset).filter(|named| matches!(named, Named::Gallery(_)))
}

/// The bytes of the gallery's bot with this id.
pub(crate) fn gallery_bytes(id: &EntrantId) -> Option<Vec<u8>> {
    GAMES.iter().find_map(|game| match Named::of_id(game.ruleset, id)? {
        Named::Gallery(bot) => Some(bot.bytes.to_vec()),
        Named::BuiltIn(_) => None,
    })
}

/// The opponent of this name. One that is not built in is looked for among the site's bots, then in the gallery.
pub(crate) fn opponent(game: &Game, name: &str) -> Result<Opponent> {
    if Contender::baseline(game.ruleset, name).is_ok() {
        return Ok(Opponent::Baseline(name.into()));
    }
    BotName::parse(name).map(Opponent::Bot).map_err(|_| Problem::from(OpenRoomError::NoSuchOpponent))
}

/// The seat of this number, in a room of this game with this many seats; by default the fewest.
pub(crate) fn seat_of(game: &Game, seats: Option<u8>, number: u8) -> Result<Seat> {
    let seats = seats.unwrap_or(game.room_seats.0);
    (number < seats).then_some(Seat(number)).ok_or_else(|| {
        let detail = format!("there is no seat {number}: the {seats} seats are numbered from 0");
        let hint = format!("seat 0 is {}", game.seat_name(Seat(0)));
        Problem::new(Code::BadRequest, detail, hint).with_status(StatusCode::UNPROCESSABLE_ENTITY)
    })
}

/// The most turns of a game with these options, if people can choose them.
pub(crate) fn turns_of(ruleset: &str, options: &str) -> Option<u16> {
    let game = Game::named(ruleset).ok()?;
    let seats = game.shape(options).ok()?.seats;
    let is = |turns: &&u16| {
        let wish = RoomWish { seats: Some(seats), turns: Some(**turns), ..RoomWish::default() };
        game.room_options(&wish, 0).as_deref() == Some(options)
    };
    game.room_turns.iter().find(is).copied()
}

/// The kind of games that these options make, if people can choose it, and the number of the start, if there are many.
pub(crate) fn kind_of(ruleset: &str, options: &str) -> Option<(&'static RoomKind, Option<u32>)> {
    let game = Game::named(ruleset).ok()?;
    Some((game.room_kind(options)?, game.number_of(options)))
}

/// The kind in words, unless it is the usual one.
pub(crate) fn kind_words(ruleset: &str, options: &str) -> Option<String> {
    match kind_of(ruleset, options)? {
        (kind, Some(number)) => Some(format!("{} {number}", words::kind(kind))),
        (kind, None) => kind.options.map(|_| words::kind(kind).into()),
    }
}

/// The properties of a game that templates use. They come from its declarations, so templates never compare names.
#[derive(Clone, Copy, Default)]
pub(crate) struct Face {
    game: Option<&'static Game>,
    /// Strips of the board, from the left.
    pub(crate) zones: &'static [Zone],
    /// Whether there are two seats with names, which are shown on either side of the score.
    pub(crate) sides: bool,
    /// The size of the board.
    pub(crate) rows: u16,
    pub(crate) cols: u16,
    /// Rows and columns of cells behind each square of the board.
    pub(crate) block: u16,
    /// The usual tool of a turn.
    pub(crate) tool: &'static str,
    /// Whether that tool takes a piece and its target.
    pub(crate) pieces: bool,
    /// Whether a turn consists of several cells, each of which can be checked before the next.
    pub(crate) guided: bool,
}

impl Face {
    /// The properties of a ruleset with the board of these options; the defaults if this release lacks the ruleset.
    pub(crate) fn with(ruleset: &str, options: &str) -> Face {
        let Ok(game) = Game::named(ruleset) else { return Face::default() };
        let (rows, cols) = size_of(game, options);
        Face { rows, cols, ..Face::from(game) }
    }
}

impl Face {
    /// The rules in short, a paragraph each.
    pub(crate) fn rules(&self) -> Vec<Text> {
        self.game.map_or_else(Vec::new, words::rules)
    }
}

/// Rows and columns of a game's board; a single cell if there is no such game.
fn size_of(game: &Game, options: &str) -> (u16, u16) {
    struct Size;
    impl Visitor for Size {
        type Out = (u16, u16);
        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            let picture = start.picture();
            (picture.rows, picture.cols)
        }
    }
    // No seed changes the size.
    arena_wire::start(game.ruleset, options, &[0; 32], Size).unwrap_or((1, 1))
}

impl From<&Game> for Face {
    fn from(game: &Game) -> Face {
        let usual = game.tools.first();
        let (rows, cols) = size_of(game, game.casual);
        Face {
            rows,
            cols,
            block: game.picture_block,
            game: Game::named(game.ruleset).ok(),
            zones: game.zones,
            sides: game.seat_names.len() == 2,
            tool: usual.map_or("", |tool| tool.name),
            pieces: usual.is_some_and(|tool| tool.input == Input::Piece),
            guided: game.tools.iter().any(|tool| matches!(tool.input, Input::Cells { .. })),
        }
    }
}

/// A link to a game, in a list of games.
#[derive(Clone, Copy)]
pub(crate) struct GameLink {
    /// Its name in addresses.
    pub(crate) name: &'static str,
    /// Its title.
    pub(crate) title: &'static str,
    /// Whether it is the game that is shown.
    pub(crate) here: bool,
}

impl GameLink {
    /// Links to games; `here` is the one that is shown.
    pub(crate) fn all(games: impl Iterator<Item = &'static Game>, here: &Game) -> Vec<GameLink> {
        let link =
            |game: &'static Game| GameLink { name: game.name(), title: game.title, here: game.ruleset == here.ruleset };
        games.map(link).collect()
    }
}

/// The name of a bot or player, and its page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Who {
    /// The name.
    pub(crate) name: String,
    /// The address of the page; `null` for people.
    pub(crate) page: Option<String>,
    /// Whether the account's own program plays for this person; absent if none does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) program: bool,
}

impl Who {
    /// A player without a page.
    pub(crate) fn called(name: impl Into<String>) -> Who {
        Who { name: name.into(), page: None, program: false }
    }

    /// A bot of this name.
    pub(crate) fn bot(name: &str) -> Who {
        Who { page: Some(format!("/bots/{name}")), ..Who::called(name) }
    }

    /// A bot of the gallery. Its page is the guide's chapter about all of them.
    fn of_gallery(name: &str) -> Who {
        Who { page: Some("/guide/gallery".into()), ..Who::called(name) }
    }

    /// A built-in opponent of a game. Several games may have one of this name; without the game, its page shows the
    /// first one's.
    pub(crate) fn built_in(game: Option<&Game>, name: &str) -> Who {
        match game.filter(|game| game.ruleset != GAMES[0].ruleset) {
            Some(game) => Who { page: Some(format!("/bots/{name}?game={}", game.name())), ..Who::called(name) },
            None => Who::bot(name),
        }
    }
}

/// The players behind ids in a game: the same bytes may play another game under another name.
pub(crate) struct Names(BTreeMap<EntrantId, Who>);

impl Names {
    /// The names of any number of ids, with at most one query for bots and one for each person, of whom a game has one.
    /// The names of `edition` are in memory.
    pub(crate) async fn of(
        store: &Store,
        game: Option<&Game>,
        edition: Option<&Edition>,
        ids: impl IntoIterator<Item = &EntrantId>,
    ) -> Result<Names, StoreError> {
        let mut names = BTreeMap::new();
        let mut bots = Vec::new();
        for id in ids.into_iter().collect::<BTreeSet<_>>() {
            if let Some((tier, _)) = id.baseline() {
                names.insert(id.clone(), Who::built_in(game, tier));
            } else if let Some(name) = edition.and_then(|edition| edition.name(id)) {
                names.insert(id.clone(), Who::bot(name));
            } else if let Some(number) = id.person() {
                names.insert(id.clone(), person(store, PersonId(number)).await?);
            } else {
                bots.push(id.clone());
            }
        }
        if !bots.is_empty() {
            let named = store.named(game.map(|game| game.ruleset), &bots).await?;
            names.extend(bots.into_iter().filter_map(|id| GALLERY.get(&id).map(|name| (id, Who::of_gallery(name)))));
            // Bytes that somebody submitted have the name that they were submitted under.
            let is_left = |id: &EntrantId, name: &str| name == DELETED && GALLERY.contains_key(id);
            let named = named.into_iter().filter(|(id, bot)| !is_left(id, bot.name.as_str()));
            names.extend(named.map(|(id, bot)| (id, Who::bot(bot.name.as_str()))));
        }
        Ok(Names(names))
    }

    /// The players of a room by seat; a dash for an empty seat.
    fn by_seat(&self, room: &LiveRoom, seats: &[Option<EntrantId>]) -> Vec<Who> {
        let sits = |id: &Option<EntrantId>| id.as_ref().map_or_else(|| Who::called("–"), |id| self.who(id));
        marked(seats.iter().map(sits), &room.snapshot().view.programs)
    }

    /// The player behind one of these ids.
    pub(crate) fn who(&self, id: &EntrantId) -> Who {
        self.0.get(id).cloned().unwrap_or_else(|| Who::called(id.short()))
    }
}

/// The players of a game by seat, marked if an account's own program plays for them.
pub(crate) fn marked(seats: impl IntoIterator<Item = Who>, programs: &[Seat]) -> Vec<Who> {
    let mark = |(seat, who)| Who { program: programs.contains(&Seat(seat)), ..who };
    (0..).zip(seats).map(mark).collect()
}

/// A person by its account's name. All guests share one name, and so do all deleted accounts.
pub(crate) async fn person(store: &Store, id: PersonId) -> Result<Who, StoreError> {
    let name = match account_of_person(id) {
        // Every number was once an account's, so one without an account was deleted.
        Some(id) => store.account(id).await?.map_or_else(|| DELETED.into(), |account| account.name.to_string()),
        None => "guest".into(),
    };
    Ok(Who::called(name))
}

/// The players of a room by seat; a dash for an empty seat.
pub(crate) async fn in_room(store: &Store, room: &LiveRoom) -> Result<Vec<Who>, StoreError> {
    let seats: Vec<Option<EntrantId>> = room.seats().iter().map(Seated::entrant).collect();
    let names = Names::of(store, Game::named(room.ruleset()).ok(), None, seats.iter().flatten()).await?;
    Ok(names.by_seat(room, &seats))
}

/// The players of rooms that are listed repeatedly, looked up once and then cached for a while.
#[derive(Default)]
pub(crate) struct Known(Mutex<BTreeMap<(String, EntrantId), (Who, Instant)>>);

impl Known {
    /// As [`in_room`].
    pub(crate) async fn in_room(&self, service: &Service, room: &LiveRoom) -> Result<Vec<Who>, StoreError> {
        let seats: Vec<Option<EntrantId>> = room.seats().iter().map(Seated::entrant).collect();
        let (store, now) = (service.store(), service.clock().now());
        let key = |id: &EntrantId| (room.ruleset().to_owned(), id.clone());
        let mut names = Names(BTreeMap::new());
        for id in seats.iter().flatten() {
            let known = self
                .0
                .lock()
                .get(&key(id))
                .filter(|(_, at)| now.saturating_duration_since(*at) < RECOGNISED_FOR)
                .cloned();
            names.0.extend(known.map(|(who, _)| (id.clone(), who)));
        }
        let strangers: Vec<&EntrantId> = seats.iter().flatten().filter(|id| !names.0.contains_key(*id)).collect();
        let named = Names::of(store, Game::named(room.ruleset()).ok(), None, strangers).await?;
        let mut known = self.0.lock();
        if known.len() >= RECOGNISED_MAX {
            known.clear();
        }
        known.extend(named.0.iter().map(|(id, who)| (key(id), (who.clone(), now))));
        names.0.extend(named.0);
        Ok(names.by_seat(room, &seats))
    }

    /// Clears the cache, because somebody was renamed.
    pub(crate) fn forget(&self) {
        self.0.lock().clear();
    }
}

/// The players behind ids in a game, without an edition.
pub(crate) async fn all(store: &Store, game: Option<&Game>, ids: &[EntrantId]) -> Result<Vec<Who>, StoreError> {
    let names = Names::of(store, game, None, ids).await?;
    Ok(ids.iter().map(|id| names.who(id)).collect())
}
