//! Opening a room: a person against a bot or a built-in opponent.

use arena_record::{EntrantId, Hex};
use arena_referee::{Fault, PlatformFault};
use arena_rooms::{Opened, PersonId, Room, Seated};
use arena_rules::conquerors::{Position, Start};
use arena_rules::{Ruleset, Seat, Seed};
use arena_runner::{Contender, build_id, semantics_id};
use arena_store::{BotName, RoomError, RoomId, StoreError, UnixSeconds, VersionState};
use arena_wire::Protocol;

use super::desk::{Unseated, blocking};
use super::live::State;
use super::player::{Waiting, start};
use super::{OpenRoomError, RoomUnavailable, Rooms};
use crate::core::{BUDGETS, RULESET, room_options, with_causes};
use crate::limits::QUICK_TRIES;
use crate::people::random_bytes;

/// A room to be opened.
#[derive(Clone, Debug)]
pub struct NewRoom {
    /// Who plays.
    pub person: PersonId,
    /// The person's seat: 0 is blue, who moves first, and 1 is red.
    pub colour: Seat,
    /// Against whom.
    pub opponent: Opponent,
}

/// Against whom a person plays.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// The built-in opponent with this name.
    Baseline(String),
    /// The active version of the bot with this name.
    Bot(BotName),
}

/// The opponent after its start.
struct Started {
    /// It waits for its first turn, if there is place.
    waiting: Option<Waiting>,
    fuel: Option<u64>,
    fault: Option<Fault>,
}

impl Rooms {
    /// Opens a room. Its opponent is started first, because the log begins with what that took.
    pub(crate) async fn open(&self, new: NewRoom, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let NewRoom { person, colour, opponent } = new;
        if colour.0 > 1 {
            return Err(OpenRoomError::NoSuchSeat);
        }
        let entrant = self.entrant(&opponent).await?;
        let Started { waiting, fuel, fault } = self.started(&entrant).await?;
        let id = RoomId::random()?;
        let theirs = colour.opponent();
        let mut seats = vec![Seated::Person(person), Seated::Contender(entrant)];
        let mut starts = vec![None, fuel];
        if colour == Seat(1) {
            seats.reverse();
            starts.reverse();
        }
        let damaged = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Damaged(error);
        let opened = Opened {
            format: Default::default(),
            room: id.as_str().parse().map_err(|error| damaged(Box::new(error)))?,
            semantics: semantics_id(RULESET),
            build: build_id(),
            ruleset: RULESET.into(),
            options: room_options(),
            budgets: BUDGETS,
            seed: Hex(random_bytes()?),
            seats,
            starts,
        };
        let mut room: Room = Room::open(opened).map_err(|error| damaged(Box::new(error)))?;
        let first = room.log().next().map(|event| event.to_line()).unwrap_or_default();
        self.desk.core.store.create_room(&id, &first, now).await.map_err(not_opened)?;
        if let Some(fault) = fault {
            let event = room.failed_to_start(theirs, fault).map_err(|error| damaged(Box::new(error)))?;
            self.desk.core.store.append(&id, 1, &event.to_line()).await.map_err(not_opened)?;
            room = room.apply(event).map_err(|error| damaged(Box::new(error)))?;
        }
        let mut state = State::new(room, false);
        state.players.extend(waiting.map(|waiting| (theirs.0, waiting)));
        match self.keep(&id, state) {
            Ok(_) => Ok(id),
            Err(RoomUnavailable::Full) => Err(OpenRoomError::Full),
            Err(RoomUnavailable::Store(error)) => Err(error.into()),
        }
    }

    async fn entrant(&self, opponent: &Opponent) -> Result<EntrantId, OpenRoomError> {
        let store = &self.desk.core.store;
        let name = match opponent {
            Opponent::Baseline(name) => {
                let contender = Contender::baseline(RULESET, name).map_err(|_| OpenRoomError::NoSuchOpponent)?;
                return Ok(contender.id());
            }
            Opponent::Bot(name) => name,
        };
        let bot = store.bot_by_name(name).await?.ok_or(OpenRoomError::NoSuchOpponent)?;
        let active = bot.active.ok_or(OpenRoomError::NoSuchOpponent)?;
        let version = store.version(active).await?.filter(|version| version.state == VersionState::Accepted);
        Ok(version.ok_or(OpenRoomError::NoSuchOpponent)?.entrant)
    }

    /// Starts the opponent, more than once if the machine fails.
    async fn started(&self, id: &EntrantId) -> Result<Started, OpenRoomError> {
        let mut why = String::new();
        for _ in 0..QUICK_TRIES {
            match self.try_start(id).await {
                Ok(started) => return Ok(started),
                Err(Unseated::Store(error)) => return Err(error.into()),
                Err(error) => why = with_causes(&error),
            }
        }
        Err(OpenRoomError::Machine(why))
    }

    async fn try_start(&self, id: &EntrantId) -> Result<Started, Unseated> {
        // Never closed.
        let _thinking = self.desk.thinking.acquire().await;
        let contender = self.desk.contender(id, BUDGETS).await?;
        let needs_seat = !matches!(contender, Contender::Baseline(_));
        let begin = move || {
            let observation_len = Position::start(&Start::default(), &Seed::default()).observation_len();
            start(&contender, observation_len, &BUDGETS).map_err(|fault: PlatformFault| fault.into())
        };
        let (player, started) = match blocking(begin).await? {
            Ok(started) => started,
            Err(fault) => return Ok(Started { waiting: None, fuel: None, fault: Some(fault) }),
        };
        let seat = if needs_seat { self.desk.seat() } else { None };
        let waits = seat.is_some() || !needs_seat;
        let waiting = waits.then_some(Waiting { player, answered: 0, _seat: seat });
        Ok(Started { waiting, fuel: started.fuel, fault: None })
    }
}

fn not_opened(error: RoomError) -> OpenRoomError {
    match error {
        RoomError::TooManyRooms => OpenRoomError::Full,
        RoomError::Store(error) => error.into(),
        error => StoreError::Damaged(Box::new(error)).into(),
    }
}
