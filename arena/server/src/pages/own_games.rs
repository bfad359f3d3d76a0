//! The visitor's own games, on `/account`: games in progress and finished ones. A guest who claimed a name keeps
//! earlier games.

use std::collections::{BTreeMap, BTreeSet};

use arena_rooms::{Event, PersonId, RoomId, Seated};
use arena_store::{RoomState, UnixSeconds};
use arena_wire::Game;

use super::date;
use crate::app::App;
use crate::identity::Visitor;
use crate::names::Names;
use crate::problem::Result;
use crate::text;

/// Games in the list.
const GAMES_SHOWN: u32 = 12;

/// One of the visitor's games.
pub(super) struct OwnGame {
    pub(super) room: RoomId,
    /// The title of its game.
    pub(super) title: String,
    /// The opponents.
    pub(super) against: String,
    pub(super) over: bool,
    /// Time of its latest event.
    pub(super) at: String,
}

/// A game whose players are not named yet.
struct Found {
    ruleset: String,
    seats: Vec<Seated>,
    over: bool,
    at: UnixSeconds,
}

/// The visitor's games, those in progress first, and of each the latest first.
pub(super) async fn of(app: &App, visitor: &Visitor) -> Result<Vec<OwnGame>> {
    let persons: Vec<PersonId> = visitor.persons().collect();
    let mut found = BTreeMap::new();
    for person in &persons {
        for room in app.store().latest_rooms_of(*person, GAMES_SHOWN).await? {
            // Another release's log cannot be resumed.
            let Ok(Event::Opened(opened)) = Event::parse(&room.start) else { continue };
            let over = room.state != RoomState::Open;
            found.insert(room.id, Found { ruleset: opened.ruleset, seats: opened.seats, over, at: room.heard_at });
        }
        // Unfinished games that others opened are in memory.
        for room in app.service().rooms().with(*person) {
            let (ruleset, seats) = (room.ruleset().to_owned(), room.seats());
            found.entry(*room.id()).or_insert_with(|| Found { ruleset, seats, over: false, at: app.now() });
        }
    }
    let mut found: Vec<(RoomId, Found)> = found.into_iter().collect();
    found.sort_by_key(|(_, game)| (game.over, -game.at.0));
    found.truncate(GAMES_SHOWN as usize);
    let bots: BTreeSet<_> = found.iter().flat_map(|(_, game)| game.seats.iter().filter_map(bot)).collect();
    let names = Names::of(app.store(), None, None, &bots).await?;
    let named = |(room, game): (RoomId, Found)| {
        let bot = game.seats.iter().find_map(bot);
        OwnGame {
            room,
            title: Game::named(&game.ruleset).map_or(game.ruleset, |game| game.title.into()),
            against: bot.map_or_else(|| text::own_a_person().into(), |bot| names.who(&bot).name),
            over: game.over,
            at: date(game.at),
        }
    };
    Ok(found.into_iter().map(named).collect())
}

/// The bot or built-in opponent in a seat.
fn bot(seat: &Seated) -> Option<arena_record::EntrantId> {
    match seat {
        Seated::Contender(id) => Some(id.clone()),
        Seated::Person(_) | Seated::Open => None,
    }
}
