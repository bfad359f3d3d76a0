//! The games of who asks, on `/account`: those that go on, to come back to, and those that are over. A guest who claimed a name has both.

use std::collections::{BTreeMap, BTreeSet};

use arena_rooms::{Event, PersonId, RoomId, Seated};
use arena_store::{RoomState, UnixSeconds};
use arena_wire::Game;

use super::date;
use crate::app::{App, now};
use crate::identity::Visitor;
use crate::language::say;
use crate::names::Names;
use crate::problem::Problem;

/// Games that are listed.
const GAMES_SHOWN: u32 = 12;

/// A game of the visitor's.
pub(super) struct OwnGame {
    pub(super) room: RoomId,
    /// What its game is called.
    pub(super) title: String,
    /// Whom it is against.
    pub(super) against: String,
    pub(super) over: bool,
    /// When something happened in it last.
    pub(super) at: String,
}

/// A game before its players have names.
struct Found {
    ruleset: String,
    seats: Vec<Seated>,
    over: bool,
    at: UnixSeconds,
}

/// Those that go on first, the latest before the others.
pub(super) async fn of(app: &App, visitor: &Visitor) -> Result<Vec<OwnGame>, Problem> {
    let persons: Vec<PersonId> = visitor.persons().collect();
    let mut found = BTreeMap::new();
    for person in &persons {
        for room in app.store().latest_rooms_of(*person, GAMES_SHOWN).await? {
            // What another release wrote is none to come back to.
            let Ok(Event::Opened(opened)) = Event::parse(&room.start) else { continue };
            let over = room.state != RoomState::Open;
            found.insert(room.id, Found { ruleset: opened.ruleset, seats: opened.seats, over, at: room.heard_at });
        }
        // Those that somebody else opened and that are not over are in memory.
        for room in app.service().rooms_with(*person) {
            let (ruleset, seats) = (room.ruleset().to_owned(), room.seats());
            found.entry(*room.id()).or_insert_with(|| Found { ruleset, seats, over: false, at: now() });
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
            against: bot.map_or_else(|| say("a person").into(), |bot| names.who(&bot).name),
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
