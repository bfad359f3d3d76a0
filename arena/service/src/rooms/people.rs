//! Rooms that people find and join, and rematches.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use arena_clock::Instant;
use arena_people::{PRACTICE_GAMES_MIN, Unrated};
use arena_record::{Budgets, EntrantId, Hex};
use arena_rooms::{
    Clock, Door, Event, Newcomer, Opened, PersonId, Rejected, Room, RoomCode, RoomId, Seated, Seating, Table,
};
use arena_rules::Seat;
use arena_runner::{build_id, opponent_digests, semantics_id};
use arena_store::{PAGE_MAX, Page, RoomMessage, RoomTerms, StoreError, UnixSeconds};
use arena_wire::{Game, RoomWish};
use tokio::sync::watch;
use tracing::{info, warn};

use super::live::{LiveRoom, LiveState, people_of, read, short};
use super::{OpenRoomError, PlayError, RoomUnavailable, Rooms};
use crate::core::with_causes;
use crate::limits::{LOBBY_ROWS_MAX, ROOM_SILENCE_SECONDS_MAX, WAITING_SECONDS_MAX};
use crate::people::account_of_person;

/// How long the page of a new room may take to connect. Until then a room without watchers counts as attended.
pub(super) const PAGE_LOADS: Duration = Duration::from_secs(15);

/// The clock of people who are paired: a game of some minutes.
const PAIRED: Clock = Clock::Game { ms: 600_000, increment_ms: 5_000 };

/// Limits of a clock, per turn and per game in milliseconds, for pairing with people who did not choose it.
const ANYBODYS_TURN_MS: RangeInclusive<u32> = 20_000..=300_000;
const ANYBODYS_GAME_MS: RangeInclusive<u32> = 180_000..=1_800_000;

/// Whether a clock is neither too short nor too long for everybody.
fn suits_anybody(clock: &Clock) -> bool {
    match clock {
        Clock::Turn { ms } => ANYBODYS_TURN_MS.contains(ms),
        Clock::Game { ms, .. } => ANYBODYS_GAME_MS.contains(ms),
    }
}

/// A room to be opened, for others to join.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Who opens it, and sits in it.
    pub host: Newcomer,
    /// What is played: a game that suits rooms ([`Game::suits_rooms`]).
    pub game: &'static Game,
    /// Options that people choose.
    pub wish: RoomWish,
    /// The host's seat; `None` lets the seats be drawn.
    pub seat: Option<Seat>,
    /// The clock; `None` for unlimited time.
    pub clock: Option<Clock>,
    /// Whether the lobby lists it.
    pub door: Door,
    /// The only person who may join, and who finds it in the lobby; `None` for anybody.
    pub invited: Option<PersonId>,
    /// Whether the game counts for people: a public one, between accounts.
    pub rated: bool,
    /// Whether people chat.
    pub chat: bool,
}

/// The seats of a room that is opened, and the browsers of the people in them, by seat.
struct Sat {
    seats: Vec<Seated>,
    browsers: Vec<Option<Hex<32>>>,
}

impl LiveRoom {
    /// Whether a player of this room is present, or may be in a moment.
    fn is_attended(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.opened_at()) <= PAGE_LOADS || !self.here_at(at).is_empty()
    }

    /// Whether its host has been away for so long that nobody should be seated opposite.
    pub(super) fn is_forsaken(&self, at: Instant) -> bool {
        self.host()
            .is_some_and(|host| self.has_been_away(host, Duration::from_secs(WAITING_SECONDS_MAX.unsigned_abs()), at))
    }

    /// Who opened it for others to join.
    pub(super) fn host(&self) -> Option<PersonId> {
        self.snapshot().view.table.as_ref().map(|table| table.host)
    }

    /// Whether it may be listed publicly.
    pub(super) fn is_public(&self) -> bool {
        self.snapshot().view.table.as_ref().is_none_or(|table| table.door == Door::Public)
    }
}

impl Rooms {
    /// Loads the rooms in which people wait or a clock runs: these must be in memory even without watchers.
    pub(crate) async fn resume(&self) -> Result<(), StoreError> {
        let mut page = Page::first(PAGE_MAX);
        loop {
            let open = self.slots.core.store.open_rooms(page).await?;
            let Some(last) = open.last() else { return Ok(()) };
            page = Page::after(*last, PAGE_MAX);
            for id in &open {
                match read(&self.slots.core, id).await {
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

    /// Another server wrote an event into the log of a room; at this place, if it is known.
    pub(crate) async fn notified(&self, id: &RoomId, seq: Option<u32>) -> Result<(), StoreError> {
        if let Some(room) = self.in_memory_now(id) {
            return room.notified(seq).await;
        }
        // A room that people find is in the memory of all servers, so a new one is loaded.
        if seq.is_none_or(|seq| seq > 1) {
            return Ok(());
        }
        let Some(state) = read(&self.slots.core, id).await? else { return Ok(()) };
        if state.room.opened().table.is_some() && !state.finished && self.keep(id, state).is_ok() {
            self.slots.lobby.send_modify(|count| *count += 1);
        }
        Ok(())
    }

    /// Reads all rooms in memory again that have changed.
    pub(crate) async fn heard_all(&self) -> Result<(), StoreError> {
        for room in self.all().into_iter().filter(|room| !room.snapshot().finished) {
            room.notified(None).await?;
        }
        Ok(())
    }

    /// Rooms of people that can still change, or have a rematch, and have somebody present on this server.
    pub(super) fn attended(&self) -> Vec<Arc<LiveRoom>> {
        let mut rooms = self.all();
        let is_shared = |room: &LiveRoom| {
            let shown = room.snapshot();
            shown.view.table.is_some() && (!shown.finished || !shown.rematch.is_empty())
        };
        rooms.retain(|room| is_shared(room) && room.attending(self.slots.core.clock.now()) != (Vec::new(), 0));
        rooms
    }

    /// Opens a room that others may join.
    pub(crate) async fn open_table(&self, new: NewTable, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let NewTable { host, game, wish, seat, clock, door, invited, rated, chat } = new;
        if !game.suits_rooms() {
            return Err(OpenRoomError::NoRooms(game.title));
        }
        let number = u32::from_le_bytes(self.slots.random()?);
        let options = game.room_options(&wish, number).ok_or(OpenRoomError::NoSuchGame(game))?;
        let count = usize::from(wish.seats.unwrap_or(game.room_seats.0));
        let own = seat.unwrap_or(Seat(0));
        if own.index() >= count {
            return Err(OpenRoomError::NoSuchSeat);
        }
        if clock.is_some_and(|clock| !clock.is_sound()) {
            return Err(OpenRoomError::Clock);
        }
        if rated {
            if door == Door::Private {
                return Err(OpenRoomError::RatedIsPublic);
            }
            if count != 2 {
                return Err(PlayError::Unrated(Unrated::Seats).into());
            }
            // A chosen start may give away the winner, and other rules are another game.
            if wish.number.is_some() || game.room_kind(&options).is_some_and(|kind| kind.options.is_some()) {
                return Err(OpenRoomError::RatedIsUsual);
            }
            self.may_be_rated(&host, now).await?;
        }
        let person = host.person;
        if invited == Some(person) {
            return Err(PlayError::from(Rejected::AlreadySeated).into());
        }
        let mut seats = vec![Seated::Open; count];
        seats[own.index()] = Seated::Person(person);
        let mut browsers = vec![None; count];
        browsers[own.index()] = host.browser;
        let programs = host.program.then_some(own.0).into_iter().collect();
        let seating = if seat.is_some() { Seating::Chosen } else { Seating::Drawn };
        let code = self.new_code()?;
        let table = Table { host: person, programs, door, code, invited, seating, clock, rated, chat };
        self.open_seats(game.ruleset, options, game.allowance, Sat { seats, browsers }, table, now).await
    }

    /// Whether this person may open a rated room, before the opponent is known.
    async fn may_be_rated(&self, host: &Newcomer, now: UnixSeconds) -> Result<(), PlayError> {
        let account = account_of_person(host.person).ok_or(Unrated::Guest)?;
        if host.program || host.browser.is_none() {
            return Err(Rejected::ProgramInRated.into());
        }
        let finished = self.leaderboard.practice_games(account, now).await?;
        if finished < PRACTICE_GAMES_MIN {
            return Err(Unrated::Practice { seat: Seat(0), finished }.into());
        }
        Ok(())
    }

    /// Seats a person in a room: in the given seat, or in any.
    ///
    /// # Errors
    /// As [`LiveRoom::play`]; or the room is rated, and these two may not play a rated game.
    pub async fn join(
        &self,
        room: &Arc<LiveRoom>,
        newcomer: Newcomer,
        seat: Option<Seat>,
        now: UnixSeconds,
    ) -> Result<(), PlayError> {
        self.admits(room, &newcomer, now).await?;
        room.join(newcomer, seat, now).await
    }

    /// Whether rating rules let a person sit down in a room.
    ///
    /// # Errors
    /// Why not, as [`join`](Rooms::join) would say it.
    pub async fn admits(&self, room: &LiveRoom, newcomer: &Newcomer, now: UnixSeconds) -> Result<(), PlayError> {
        let snapshot = room.snapshot();
        let Some(table) = snapshot.view.table.as_ref().filter(|table| table.rated) else { return Ok(()) };
        if !snapshot.is_waiting() || table.host == newcomer.person {
            return Ok(());
        }
        let browser = room.state.lock().await.room.browsers().iter().find_map(|browser| *browser);
        let host = Newcomer { person: table.host, program: false, browser };
        self.leaderboard.admits([&host, newcomer], now).await??;
        if newcomer.browser.is_none() { Err(Rejected::ProgramInRated.into()) } else { Ok(()) }
    }

    async fn open_seats(
        &self,
        ruleset: &str,
        options: String,
        allowance: arena_wire::Allowance,
        Sat { seats, browsers }: Sat,
        table: Table,
        now: UnixSeconds,
    ) -> Result<RoomId, OpenRoomError> {
        let id = RoomId(Hex(self.slots.random()?));
        let owner = table.host;
        let bots: BTreeSet<EntrantId> =
            seats.iter().filter(|seated| matches!(seated, Seated::Contender(_))).filter_map(Seated::entrant).collect();
        let bots: Vec<EntrantId> = bots.into_iter().collect();
        let mut opened = Opened {
            format: Default::default(),
            room: id,
            semantics: semantics_id(ruleset),
            build: build_id(),
            ruleset: ruleset.into(),
            options,
            budgets: Budgets::of(allowance),
            seed: Hex(self.slots.random()?),
            opponents: opponent_digests(ruleset, &bots),
            starts: vec![None; seats.len()],
            seats,
            browsers: if browsers.iter().any(Option::is_some) { browsers } else { Vec::new() },
            table: Some(table),
        };
        let open = |opened: &Opened| Room::open(opened.clone()).map_err(|error| StoreError::Damaged(Box::new(error)));
        for bot in &bots {
            let fuel = self.starts(&open(&opened)?, bot).await?;
            for (start, seated) in opened.starts.iter_mut().zip(&opened.seats) {
                if *seated == Seated::Contender(bot.clone()) {
                    *start = fuel;
                }
            }
        }
        let room = open(&opened)?;
        let first = Event::Opened(Box::new(opened)).to_line();
        // A guest's room, too: a guest who waits for an opponent or thinks by a clock is still there.
        let terms = RoomTerms { owner, silence_seconds_max: ROOM_SILENCE_SECONDS_MAX };
        self.create_on(&id, &first, &terms, now).await?;
        info!(room = short(&id), game = ruleset, "a room is opened for people");
        match self.keep(&id, LiveState::new(room, false, now, self.slots.core.room_time.now())) {
            Ok(_) => {
                self.slots.lobby.send_modify(|count| *count += 1);
                Ok(id)
            }
            Err(RoomUnavailable::Full) => Err(OpenRoomError::Full),
            Err(RoomUnavailable::Store(error)) => Err(error.into()),
        }
    }

    /// The room that people join by a code.
    ///
    /// # Errors
    /// When there is none.
    pub fn by_code(&self, code: &RoomCode) -> Result<RoomId, OpenRoomError> {
        let has = |room: &&Arc<LiveRoom>| room.snapshot().view.table.as_ref().is_some_and(|table| table.code == *code);
        // A room that began or is over is found as well, so that latecomers see the game.
        let mut found: Vec<_> = self.all().into_iter().filter(|room| has(&room)).collect();
        found.sort_by_key(|room| room.snapshot().finished);
        found.first().map(|room| *room.id()).ok_or(OpenRoomError::NoSuchCode)
    }

    /// The public rooms in which everybody may sit down.
    pub(super) fn open_to_all(&self) -> Vec<Arc<LiveRoom>> {
        let is_open = |room: &LiveRoom| {
            room.is_public() && room.snapshot().view.table.as_ref().is_some_and(|table| table.invited.is_none())
        };
        let mut open = self.all_waiting();
        open.retain(|room| is_open(room));
        open
    }

    /// Those of them with somebody present, the oldest first: nobody should be seated opposite a closed page.
    pub(super) fn waiting(&self, at: Instant) -> Vec<Arc<LiveRoom>> {
        let mut waiting = self.open_to_all();
        waiting.retain(|room| room.is_attended(at));
        waiting.sort_by_key(|room| room.opened_at());
        waiting
    }

    /// Whether a room waits for players.
    pub fn is_waiting(&self, id: &RoomId) -> bool {
        self.in_memory_now(id).is_some_and(|room| room.snapshot().is_waiting())
    }

    /// Notifies watchers of the lobby when it lists other rooms than before, because people left or came back.
    pub(super) fn look_who_waits(&self, before: &mut BTreeSet<RoomId>, at: Instant) {
        let now: BTreeSet<RoomId> = self.waiting(at).iter().map(|room| *room.id()).collect();
        if now != *before {
            *before = now;
            self.slots.lobby.send_modify(|count| *count += 1);
        }
    }

    /// The rooms to which somebody is invited, the oldest first.
    pub fn invitations(&self, person: PersonId) -> Vec<Arc<LiveRoom>> {
        let invites = |room: &Arc<LiveRoom>| {
            room.snapshot().view.table.as_ref().is_some_and(|table| table.invited == Some(person))
        };
        let mut rooms: Vec<_> = self.all_waiting().into_iter().filter(invites).collect();
        rooms.sort_by_key(|room| room.opened_at());
        rooms.truncate(LOBBY_ROWS_MAX);
        rooms
    }

    /// The lists of the lobby: rooms that wait with somebody present, and games in progress in rooms that people
    /// joined.
    pub fn lobby(&self) -> (Vec<Arc<LiveRoom>>, Vec<Arc<LiveRoom>>) {
        let is_joined = |room: &LiveRoom| room.snapshot().view.table.is_some();
        (self.waiting(self.slots.core.clock.now()), self.going_on(LOBBY_ROWS_MAX, is_joined))
    }

    /// Counts the changes of the lobby.
    pub fn watch_lobby(&self) -> watch::Receiver<u64> {
        self.slots.lobby.subscribe()
    }

    /// Seats a person opposite somebody who waits for an opponent in this game: people prefer people, programs prefer
    /// programs. If nobody waits and `may_wait` is set, opens a room to wait in. Such games are not rated, and have the
    /// usual options and a clock that suits everybody.
    pub(crate) async fn pair(
        &self,
        newcomer: Newcomer,
        game: &'static Game,
        may_wait: bool,
        now: UnixSeconds,
    ) -> Result<Option<RoomId>, OpenRoomError> {
        let _pairing = self.pairing.lock().await;
        let suits = |room: &Arc<LiveRoom>| {
            let table = room.snapshot().view.table.clone();
            room.ruleset() == game.ruleset
                && game.is_usual(&room.snapshot().view.options)
                && table.is_some_and(|table| !table.rated && table.clock.is_some_and(|clock| suits_anybody(&clock)))
        };
        let mut rooms: Vec<_> = self.waiting(self.slots.core.clock.now()).into_iter().filter(suits).collect();
        rooms.sort_by_key(|room| room.snapshot().view.programs.is_empty() == newcomer.program);
        for room in rooms {
            if !room.seats_of(newcomer.person).is_empty() {
                return Ok(Some(*room.id()));
            }
            match room.join(newcomer, None, now).await {
                Ok(()) => return Ok(Some(*room.id())),
                Err(PlayError::Rejected(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !may_wait {
            return Ok(None);
        }
        let table = NewTable {
            host: newcomer,
            game,
            wish: RoomWish::default(),
            seat: None,
            clock: Some(PAIRED),
            door: Door::Public,
            invited: None,
            rated: false,
            chat: true,
        };
        self.open_table(table, now).await.map(Some)
    }

    /// Takes a person's wish for a rematch. When all people at the board want one, it begins, with each in the next
    /// seat; bots join without being asked. A room against a bot without a table has no rematch: the person opens a new
    /// room.
    pub async fn rematch(&self, room: &Arc<LiveRoom>, person: PersonId) -> Result<(), PlayError> {
        let mut state = room.state.lock().await;
        if !people_of(&state.room).contains(&person) {
            return Err(Rejected::NotYourSeat.into());
        }
        if state.room.opened().table.is_none() {
            return Err(Rejected::BotsAgreeToNothing.into());
        }
        if state.room.outcome().is_none() {
            return Err(Rejected::NotOver.into());
        }
        if state.next.is_some() || state.rematch.contains(&person) {
            return Ok(());
        }
        // What became of an earlier wish, if nobody was left to hear it.
        state.opening.take_if(|(last, _)| *last == person);
        drop(state);
        room.forget_the_gone(self.slots.core.clock.now()).await;
        room.send_to_servers(RoomMessage::Rematch(person)).await?;
        let opening = room.state.lock().await.opening.take_if(|(last, _)| *last == person);
        match opening {
            // The service closes.
            Some((_, opened)) => opened.await.unwrap_or(Ok(())),
            None => Ok(()),
        }
    }

    pub(super) async fn once_more(&self, room: &Room, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        let opened = room.opened();
        let game = Game::named(&opened.ruleset).map_err(|_| OpenRoomError::NoRooms("this game"))?;
        let (mut seats, mut browsers) = (room.seats().to_vec(), room.browsers().to_vec());
        seats.rotate_right(1);
        browsers.rotate_right(1);
        let table = opened.table.clone().ok_or(OpenRoomError::NoRooms(game.title))?;
        let count = u8::try_from(seats.len()).unwrap_or(u8::MAX);
        let mut programs: Vec<u8> = room.view().programs.iter().map(|seat| (seat.0 + 1) % count).collect();
        programs.sort_unstable();
        let sat = Sat { seats, browsers };
        let rated = table.rated && self.admits_again(&sat, now).await?;
        let table = Table { code: self.new_code()?, seating: Seating::Chosen, programs, rated, ..table };
        self.open_seats(game.ruleset, opened.options.clone(), game.allowance, sat, table, now).await
    }

    /// Whether two who have just played may play another rated game.
    async fn admits_again(&self, sat: &Sat, now: UnixSeconds) -> Result<bool, StoreError> {
        let players = sat.seats.iter().zip(&sat.browsers).filter_map(|(seated, browser)| match seated {
            Seated::Person(person) => Some(Newcomer { person: *person, program: false, browser: *browser }),
            Seated::Contender(_) | Seated::Open => None,
        });
        let players: Vec<Newcomer> = players.collect();
        let [first, second] = &players[..] else { return Ok(false) };
        Ok(self.leaderboard.admits([first, second], now).await?.is_ok())
    }

    /// A code that no other room has.
    fn new_code(&self) -> Result<RoomCode, StoreError> {
        loop {
            let code = RoomCode::of(self.slots.random()?);
            if self.by_code(&code).is_err() {
                return Ok(code);
            }
        }
    }

    pub(super) fn in_memory_now(&self, id: &RoomId) -> Option<Arc<LiveRoom>> {
        self.live.lock().get(id).map(|entry| entry.room.clone())
    }

    pub(super) fn all(&self) -> Vec<Arc<LiveRoom>> {
        self.live.lock().values().map(|entry| entry.room.clone()).collect()
    }

    pub(super) fn all_waiting(&self) -> Vec<Arc<LiveRoom>> {
        self.all().into_iter().filter(|room| room.snapshot().is_waiting()).collect()
    }
}
