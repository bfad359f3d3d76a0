//! Rooms that people find, join and play in once more.

use std::sync::Arc;
use std::time::Duration;

use arena_record::{Budgets, Hex};
use arena_rooms::{AnyRoom, Clock, Door, Event, Opened, PersonId, RoomCode, RoomId, Seated, Seating, Table};
use arena_rules::Seat;
use arena_runner::{build_id, semantics_id};
use arena_store::{PAGE_MAX, Page, RoomTerms, StoreError, UnixSeconds, random_bytes};
use arena_wire::Game;
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::{info, warn};

use super::live::{LiveRoom, State, read, short};
use super::{OpenRoomError, PlayError, RoomUnavailable, Rooms};
use crate::core::with_causes;
use crate::limits::{LOBBY_ROWS_MAX, ROOM_SILENCE_SECONDS_MAX, WAITING_OF_HOST_MAX};
use crate::people::account_of_person;

/// How long the page of a new room may take until it listens.
const PAGE_LOADS: Duration = Duration::from_secs(15);

/// The time that people have who are paired: a game of some minutes.
const PAIRED: Clock = Clock::Game { ms: 600_000, increment_ms: 5_000 };

/// A room to be opened, for others to join.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Who opens it, and sits in it.
    pub host: PersonId,
    /// Whether the host's own program plays.
    pub program: bool,
    /// What is played: a game that suits rooms ([`Game::suits_rooms`]).
    pub game: &'static Game,
    /// The host's seat; `None` lets the seats be drawn.
    pub seat: Option<Seat>,
    /// The time that people have; `None` for as much as they like.
    pub clock: Option<Clock>,
    /// Whether the lobby lists it.
    pub door: Door,
    /// Whether the game may count for people.
    pub rated: bool,
    /// Whether people chat.
    pub chat: bool,
}

impl LiveRoom {
    /// Whether everybody may know of it.
    pub(super) fn is_public(&self) -> bool {
        self.snapshot().view.table.as_ref().is_none_or(|table| table.door == Door::Public)
    }
}

impl Rooms {
    /// Reads the rooms again in which people wait or a clock runs: nobody has to look at them for that.
    pub(crate) async fn resume(&self) -> Result<(), StoreError> {
        let mut page = Page::first(PAGE_MAX);
        loop {
            let open = self.desk.core.store.open_rooms(page).await?;
            let Some(last) = open.last() else { return Ok(()) };
            page = Page::after(*last, PAGE_MAX);
            for id in &open {
                match read(&self.desk.core, id).await {
                    Ok(Some(state)) if state.room.opened().table.is_some() => {
                        if self.keep(id, state).is_err() {
                            return Ok(());
                        }
                    }
                    Ok(_) => {}
                    Err(error) => warn!(room = short(id), cause = with_causes(&error), "a room is not resumed"),
                }
            }
        }
    }

    /// Opens a room that others may join.
    pub(crate) async fn open_table(&self, new: NewTable, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let NewTable { host, program, game, seat, clock, door, rated, chat } = new;
        if !game.suits_rooms() {
            return Err(OpenRoomError::NoRooms(game.title));
        }
        let count = game.shape(game.casual).map_or(2, |shape| usize::from(shape.seats));
        let own = seat.unwrap_or(Seat(0));
        if own.index() >= count {
            return Err(OpenRoomError::NoSuchSeat);
        }
        if clock.is_some_and(|clock| !clock.is_sound()) {
            return Err(OpenRoomError::Clock);
        }
        if rated && (program || account_of_person(host).is_none()) {
            return Err(OpenRoomError::Unrated);
        }
        let hosted =
            |room: &&Arc<LiveRoom>| room.snapshot().view.table.as_ref().is_some_and(|table| table.host == host);
        if self.all_waiting().iter().filter(hosted).count() >= WAITING_OF_HOST_MAX {
            return Err(OpenRoomError::TooManyWaiting(WAITING_OF_HOST_MAX));
        }
        let mut seats = vec![Seated::Open; count];
        seats[own.index()] = Seated::Person(host);
        let seating = if seat.is_some() { Seating::Chosen } else { Seating::Drawn };
        let table = Table { host, program, door, code: self.new_code()?, seating, clock, rated, chat };
        let options = game.casual_number(u32::from_le_bytes(random_bytes()?));
        self.open_seats(game.ruleset, options, game.allowance, seats, table, now).await
    }

    async fn open_seats(
        &self,
        ruleset: &str,
        options: String,
        allowance: arena_wire::Allowance,
        seats: Vec<Seated>,
        table: Table,
        now: UnixSeconds,
    ) -> Result<RoomId, OpenRoomError> {
        let id = RoomId(Hex(random_bytes()?));
        let owner = table.host;
        let opened = Opened {
            format: Default::default(),
            room: id,
            semantics: semantics_id(ruleset),
            build: build_id(),
            ruleset: ruleset.into(),
            options,
            budgets: Budgets::of(allowance),
            seed: Hex(random_bytes()?),
            opponents: Default::default(),
            starts: vec![None; seats.len()],
            seats,
            table: Some(table),
        };
        let first = Event::Opened(Box::new(opened.clone())).to_line();
        let room = <dyn AnyRoom>::open(opened).map_err(|error| StoreError::Damaged(Box::new(error)))?;
        // A guest's too: who waits for an opponent or thinks by a clock is not gone.
        let terms = RoomTerms { owner, silence_seconds_max: ROOM_SILENCE_SECONDS_MAX };
        self.create_on(&id, &first, &terms, now).await?;
        info!(room = short(&id), game = ruleset, "a room is opened for people");
        match self.keep(&id, State::new(room, false, now, Instant::now())) {
            Ok(_) => {
                self.desk.lobby.send_modify(|count| *count += 1);
                Ok(id)
            }
            Err(RoomUnavailable::Full) => Err(OpenRoomError::Full),
            Err(RoomUnavailable::Store(error)) => Err(error.into()),
        }
    }

    /// The room that waits under a code.
    pub(crate) fn by_code(&self, code: &RoomCode) -> Result<RoomId, OpenRoomError> {
        let has = |room: &&Arc<LiveRoom>| room.snapshot().view.table.as_ref().is_some_and(|table| table.code == *code);
        // One that began is found as well: who comes too late hears that its seats are taken.
        let live = self.all();
        let found = live.iter().filter(has).find(|room| !room.snapshot().finished);
        found.map(|room| *room.id()).ok_or(OpenRoomError::NoSuchCode)
    }

    /// The public rooms in which somebody may sit down, the oldest first.
    pub(crate) fn waiting(&self) -> Vec<Arc<LiveRoom>> {
        let mut waiting = self.all_waiting();
        waiting.retain(|room| room.is_public());
        waiting.sort_by_key(|room| room.opened_at());
        waiting
    }

    /// What the lobby lists: rooms that wait, with somebody there, and games that are played.
    pub(crate) fn lobby(&self) -> (Vec<Arc<LiveRoom>>, Vec<Arc<LiveRoom>>) {
        let mut waiting = self.waiting();
        waiting.truncate(LOBBY_ROWS_MAX);
        (waiting, self.going_on(LOBBY_ROWS_MAX))
    }

    /// Counts changes of the lobby.
    pub(crate) fn watch_lobby(&self) -> watch::Receiver<u64> {
        self.desk.lobby.subscribe()
    }

    /// A seat against someone who waits for an opponent in this game, or a room in which the person waits for one.
    pub(crate) async fn pair(
        &self,
        person: PersonId,
        program: bool,
        game: &'static Game,
        now: UnixSeconds,
    ) -> Result<RoomId, OpenRoomError> {
        let _pairing = self.pairing.lock().await;
        for room in self.waiting().into_iter().filter(|room| room.ruleset() == game.ruleset) {
            if !room.seats_of(person).is_empty() {
                return Ok(*room.id());
            }
            // Nobody is paired with a page that was closed; one that was just opened may still be loading.
            if room.watchers() == 0 && room.open_for() > PAGE_LOADS {
                continue;
            }
            match room.join(person, None, program, now).await {
                Ok(()) => return Ok(*room.id()),
                Err(PlayError::Rejected(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let table = NewTable {
            host: person,
            program,
            game,
            seat: None,
            clock: Some(PAIRED),
            door: Door::Public,
            rated: false,
            chat: true,
        };
        self.open_table(table, now).await
    }

    /// Takes a person's wish to play once more; when all at the board have it, they do, each in the next seat.
    pub(crate) async fn rematch(
        &self,
        room: &Arc<LiveRoom>,
        person: PersonId,
        now: UnixSeconds,
    ) -> Result<(), PlayError> {
        use arena_rooms::Rejected;
        let mut state = room.state.lock().await;
        let seats = state.room.seats().to_vec();
        let people: Vec<PersonId> = seats
            .iter()
            .filter_map(|seated| match seated {
                Seated::Person(person) => Some(*person),
                Seated::Contender(_) | Seated::Open => None,
            })
            .collect();
        if !people.contains(&person) {
            return Err(Rejected::NotYourSeat.into());
        }
        if people.len() < seats.len() {
            return Err(Rejected::BotsAgreeToNothing.into());
        }
        if state.room.outcome().is_none() {
            return Err(Rejected::NotOver.into());
        }
        if state.next.is_some() || state.rematch.contains(&person) {
            return Ok(());
        }
        state.rematch.push(person);
        if people.iter().all(|one| state.rematch.contains(one)) {
            let next = self.once_more(&*state.room, now).await;
            match next {
                Ok(next) => state.next = Some(next),
                Err(error) => {
                    state.rematch.retain(|one| *one != person);
                    room.show(&state);
                    return Err(PlayError::NoNext(Box::new(error)));
                }
            }
        }
        room.show(&state);
        Ok(())
    }

    async fn once_more(&self, room: &dyn AnyRoom, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let opened = room.opened();
        let game = Game::named(&opened.ruleset).map_err(|_| OpenRoomError::NoRooms("this game"))?;
        let mut seats = room.seats().to_vec();
        seats.rotate_right(1);
        let table = opened.table.clone().ok_or(OpenRoomError::NoRooms(game.title))?;
        let table = Table { code: self.new_code()?, seating: Seating::Chosen, ..table };
        self.open_seats(game.ruleset, opened.options.clone(), game.allowance, seats, table, now).await
    }

    /// A code that no room has.
    fn new_code(&self) -> Result<RoomCode, StoreError> {
        loop {
            let code = RoomCode::of(random_bytes()?);
            if self.by_code(&code).is_err() {
                return Ok(code);
            }
        }
    }

    fn all(&self) -> Vec<Arc<LiveRoom>> {
        self.live().values().map(|entry| entry.room.clone()).collect()
    }

    fn all_waiting(&self) -> Vec<Arc<LiveRoom>> {
        self.all().into_iter().filter(|room| room.snapshot().is_waiting()).collect()
    }
}
