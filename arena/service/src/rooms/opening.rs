//! Opening a room: a person against a bot or a built-in opponent.

use arena_record::{Budgets, EntrantId, Hex};
use arena_referee::{Fault, PlatformFault};
use arena_rooms::{Event, Opened, PersonId, Room, RoomId, Seated};
use arena_rules::Seat;
use arena_runner::{Contender, Named, build_id, opponent_digests, semantics_id};
use arena_store::{BotName, RoomError, RoomTerms, StoreError, UnixSeconds, VersionState};
use arena_wire::{Game, RoomWish};
use tracing::{info, warn};

use super::bot_slots::{Ready, Unseated, blocking};
use super::live::{LiveState, short};
use super::player::{Waiting, start};
use super::{OpenRoomError, RoomUnavailable, Rooms};
use crate::core::with_causes;
use crate::limits::{GUEST_ROOM_SILENCE_SECONDS_MAX, QUICK_TRIES, ROOM_SILENCE_SECONDS_MAX};
use crate::people::account_of_person;

/// A room to be opened.
#[derive(Clone, Debug)]
pub struct NewRoom {
    /// Who plays.
    pub person: PersonId,
    /// The browser in which the person plays; `None` for programs, whose games never count.
    pub browser: Option<Hex<32>>,
    /// What is played: a game that suits rooms ([`Game::suits_rooms`]).
    pub game: &'static Game,
    /// The maximum number of turns, in games that let people choose it; `None` for the usual number.
    pub turns: Option<u16>,
    /// The person's seat: 0 moves first, where seats take turns.
    pub seat: Seat,
    /// Against whom.
    pub opponent: Opponent,
}

/// Against whom a person plays.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// The built-in opponent of the game with this name.
    Baseline(String),
    /// The active version of the bot with this name, which plays the game. If no such bot plays, the gallery's bot of
    /// this name.
    Bot(BotName),
}

/// The opponent after its start.
pub(super) struct Started {
    /// The running opponent, waiting for its first turn, if a process could be kept.
    waiting: Option<Waiting>,
    /// The fuel of its start; `None` for players that are not metered.
    pub(super) fuel: Option<u64>,
    /// Why it did not start, if the fault is its own.
    pub(super) fault: Option<Fault>,
}

impl Rooms {
    /// Opens a room. Its opponent is started first, because the log begins with the fuel of that start.
    pub(crate) async fn open(&self, new: NewRoom, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let NewRoom { person, browser, game, turns, seat, opponent } = new;
        if !game.suits_rooms() {
            return Err(OpenRoomError::NoRooms(game.title));
        }
        if seat.0 > 1 {
            return Err(OpenRoomError::NoSuchSeat);
        }
        let entrant = self.entrant(game, &opponent).await?;
        let id = RoomId(Hex(self.slots.random()?));
        let theirs = seat.opponent();
        let mut seats = vec![Seated::Person(person), Seated::Contender(entrant.clone())];
        let mut browsers = vec![browser, None];
        if seat == Seat(1) {
            seats.reverse();
            browsers.reverse();
        }
        let damaged = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Damaged(error);
        let number = u32::from_le_bytes(self.slots.random()?);
        let opened = Opened {
            format: Default::default(),
            room: id,
            semantics: semantics_id(game.ruleset),
            build: build_id(),
            ruleset: game.ruleset.into(),
            options: options(game, turns, &entrant, number)?,
            budgets: Budgets::of(game.allowance),
            seed: Hex(self.slots.random()?),
            opponents: opponent_digests(game.ruleset, std::slice::from_ref(&entrant)),
            seats,
            starts: vec![None; 2],
            browsers: if browser.is_some() { browsers } else { Vec::new() },
            table: None,
        };
        let opening = Room::open(opened.clone()).map_err(|error| damaged(Box::new(error)))?;
        let Started { waiting, fuel, fault } = self.started(&opening, &entrant).await?;
        let mut starts = opened.starts.clone();
        starts[theirs.index()] = fuel;
        let opened = Opened { starts, ..opened };
        let first = Event::Opened(Box::new(opened.clone())).to_line();
        let mut room = Room::open(opened).map_err(|error| damaged(Box::new(error)))?;
        self.create(&id, &first, person, now).await?;
        if let Some(fault) = fault {
            let event = room.failed_to_start(theirs, fault).map_err(|error| damaged(Box::new(error)))?;
            let next = room.next(event, 0).map_err(|error| damaged(Box::new(error)))?;
            let line = next.logged().to_line();
            self.slots.core.store.append(&id, 1, &line, now).await.map_err(not_opened)?;
            room.advance(next);
        }
        info!(room = short(&id), game = game.ruleset, %entrant, "a room is opened");
        let mut state = LiveState::new(room, false, now, self.slots.core.room_time.now());
        state.players.extend(waiting.map(|waiting| (theirs.0, waiting)));
        match self.keep(&id, state) {
            Ok(_) => Ok(id),
            Err(RoomUnavailable::Full) => Err(OpenRoomError::Full),
            Err(RoomUnavailable::Store(error)) => Err(error.into()),
        }
    }

    /// Writes a room to the store. When no place is left, the room that has been silent for longest is closed.
    async fn create(&self, id: &RoomId, first: &str, owner: PersonId, now: UnixSeconds) -> Result<(), OpenRoomError> {
        let guest = account_of_person(owner).is_none();
        let silence_seconds_max = if guest { GUEST_ROOM_SILENCE_SECONDS_MAX } else { ROOM_SILENCE_SECONDS_MAX };
        self.create_on(id, first, &RoomTerms { owner, silence_seconds_max }, now).await
    }

    /// As [`create`](Rooms::create), on these terms.
    pub(super) async fn create_on(
        &self,
        id: &RoomId,
        first: &str,
        terms: &RoomTerms,
        now: UnixSeconds,
    ) -> Result<(), OpenRoomError> {
        let store = &self.slots.core.store;
        match store.create_room(id, first, terms, now).await {
            // Where the limit was lowered, one room less would make no place.
            Err(RoomError::TooManyRooms { beyond: 0 }) if self.make_place(now).await? => {
                store.create_room(id, first, terms, now).await.map_err(not_opened)
            }
            created => created.map_err(not_opened),
        }
    }

    pub(super) async fn entrant(&self, game: &Game, opponent: &Opponent) -> Result<EntrantId, OpenRoomError> {
        let store = &self.slots.core.store;
        let name = match opponent {
            Opponent::Baseline(name) => {
                let contender = Contender::baseline(game.ruleset, name);
                let contender = contender.map_err(|_| OpenRoomError::NoSuchOpponent)?;
                return Ok(contender.id());
            }
            Opponent::Bot(name) => name,
        };
        let bot = store.bot_by_name(name).await?.filter(|bot| bot.game == game.ruleset);
        let Some(active) = bot.and_then(|bot| bot.active) else {
            let named = Named::find(game.ruleset, name.as_str()).map_err(|_| OpenRoomError::NoSuchOpponent)?;
            return Ok(named.id());
        };
        let version = store.version(active).await?.filter(|version| version.state == VersionState::Accepted);
        Ok(version.ok_or(OpenRoomError::NoSuchOpponent)?.entrant)
    }

    /// Starts the opponent, with retries if the machine fails.
    pub(super) async fn started(&self, room: &Room, id: &EntrantId) -> Result<Started, OpenRoomError> {
        let mut failures = 0;
        loop {
            failures += 1;
            match self.try_start(room, id).await {
                Ok(started) => return Ok(started),
                Err(Unseated::Store(error)) => return Err(error.into()),
                Err(error) => {
                    warn!(entrant = %id, cause = with_causes(&error), "the opponent of a room could not be started");
                    if failures >= QUICK_TRIES {
                        return Err(OpenRoomError::Machine(error.into()));
                    }
                }
            }
        }
    }

    async fn try_start(&self, room: &Room, id: &EntrantId) -> Result<Started, Unseated> {
        let (Opened { ruleset, budgets, .. }, observation_len) = (room.opened(), room.observation_len());
        let budgets = *budgets;
        let most = budgets.fuel_at_start.saturating_add(self.slots.compiling(id, budgets));
        let request = self.slots.request(id, &room.opened().seats, most, false).await?;
        let mut thinking = self.slots.thinking.turn(request).await;
        let Ready { contender, compiling } = self.slots.contender(ruleset, id, budgets).await?;
        let needs_seat = !matches!(contender, Contender::Baseline(_));
        let begin = move || start(&contender, observation_len, &budgets).map_err(|fault: PlatformFault| fault.into());
        let (player, started) = match blocking(begin).await? {
            Ok(started) => started,
            Err(fault) => return Ok(Started { waiting: None, fuel: None, fault: Some(fault) }),
        };
        if let (Some(thinking), Some(fuel)) = (&mut thinking, started.fuel) {
            thinking.cost(compiling.saturating_add(fuel));
        }
        let seat = if needs_seat { self.slots.seat() } else { None };
        let waits = seat.is_some() || !needs_seat;
        let waiting = waits.then_some(Waiting { player, answered: 0, _seat: seat });
        Ok(Started { waiting, fuel: started.fuel, fault: None })
    }
}

/// Options of a room: those that its opponent was made for, otherwise those chosen by people. `number` draws what
/// nobody chose.
fn options(
    game: &'static Game,
    turns: Option<u16>,
    opponent: &EntrantId,
    number: u32,
) -> Result<String, OpenRoomError> {
    let made_for = Contender::of_baseline(game.ruleset, opponent).and_then(|contender| contender.made_for());
    let request = RoomWish { turns, ..RoomWish::default() };
    let chosen = || game.room_options(&request, number).ok_or(OpenRoomError::NoSuchGame(game));
    made_for.map_or_else(chosen, |options| Ok(options.into()))
}

fn not_opened(error: RoomError) -> OpenRoomError {
    match error {
        RoomError::Closed => OpenRoomError::Closed,
        RoomError::TooManyRooms { .. } => OpenRoomError::Full,
        RoomError::TooManyOfOwner { max, again_in } => OpenRoomError::TooMany { max, again_in },
        RoomError::Store(error) => error.into(),
        error => StoreError::Damaged(Box::new(error)).into(),
    }
}
