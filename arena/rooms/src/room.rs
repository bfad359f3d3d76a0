//! The room: the state that its events lead to.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::sync::Arc;

use arena_record::{EntrantId, Forfeit, ForfeitCode, Hex, Record, TurnRecord};
use arena_referee::{Fault, Referee, Refused, Reply, Step, seat_seeds};
use arena_rules::{BySeat, Outcome, Seat, Seats, Seed};
use arena_wire::Protocol;

use crate::game::{self, Game};
use crate::table::{check_table, programs_of};
use crate::{
    ACTION_BYTES_MAX, BadLog, Bot, DETAIL_BYTES_MAX, EVENTS_MAX, Event, IllegalEvent, Logged, NOTE_BYTES_MAX, Newcomer,
    Opened, PersonId, Seated, Stamp,
};

/// A live game of any ruleset, as recorded so far. Rooms with equal logs are equal.
#[derive(Clone)]
pub struct Room {
    opened: Arc<Opened>,
    /// How many events after the first are not here: none except in [`Next`].
    before: usize,
    /// The events after the first; shared by copies until one of them changes.
    later: Arc<Vec<Event>>,
    /// Whether nothing has happened but that contenders did not start.
    only_starts: bool,
    /// The current occupants.
    pub(crate) seats: Vec<Seated>,
    /// The digest of each built-in opponent among them, as in records.
    pub(crate) opponents: BTreeMap<EntrantId, Hex<32>>,
    /// Fuel of each seat's start.
    pub(crate) starts: Vec<Option<u64>>,
    /// The seats that accounts' programs have.
    pub(crate) programs: Vec<Seat>,
    /// The browsers of the people in the seats, by seat.
    pub(crate) browsers: Vec<Option<Hex<32>>>,
    /// The seats that offer a draw.
    pub(crate) offers: Vec<Seat>,
    /// The offers of this turn, those that have lapsed among them: each with the turn.
    pub(crate) offered: Vec<(u16, Seat)>,
    /// How long the game has lasted, in milliseconds.
    pub(crate) elapsed_ms: u64,
    /// The time left on each seat's clock, in milliseconds; empty in rooms without clocks.
    pub(crate) left_ms: Vec<Option<u64>>,
    seeds: BySeat<Seed>,
    game: Box<dyn Game>,
}

/// What one more event leads to: the room after it, without what the room has already. Its holder writes
/// [`logged`](Next::logged) to the log, and then lets the room [`advance`](Room::advance).
#[derive(Debug)]
pub struct Next(Room);

impl Next {
    /// The event's line in the log.
    pub fn logged(&self) -> Logged {
        // It has this one event.
        Logged { event: self.0.later[0].clone(), stamp: Some(self.0.stamp()) }
    }
}

/// A seat's observation in a turn, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The observation's bytes.
    pub observation: Vec<u8>,
    /// Fuel it had for its answer.
    pub fuel: u64,
    /// Fuel of its answer; `None` for people and for players that are not metered.
    pub used: Option<u64>,
    /// The action's bytes.
    pub action: Vec<u8>,
}

impl Room {
    /// Creates a room from its first event, in which nobody has played.
    ///
    /// # Errors
    /// When this release lacks its game, or the event contradicts itself.
    pub fn open(opened: Opened) -> Result<Room, IllegalEvent> {
        Room::start_with(opened, game::start_named)
    }

    /// The same for a game of ruleset `P`, which this release may lack.
    ///
    /// # Errors
    /// When the event is for another game, or contradicts itself.
    pub fn open_as<P: Protocol>(opened: Opened) -> Result<Room, IllegalEvent> {
        Room::start_with(opened, game::start::<P>)
    }

    fn start_with(
        opened: Opened,
        start: impl FnOnce(&Opened) -> Result<Box<dyn Game>, IllegalEvent>,
    ) -> Result<Room, IllegalEvent> {
        let notes = [
            ("semantics", &opened.semantics),
            ("build", &opened.build),
            ("ruleset", &opened.ruleset),
            ("options", &opened.options),
        ];
        notes.into_iter().try_for_each(|(what, text)| within(what, text.len(), NOTE_BYTES_MAX))?;
        let game = start(&opened)?;
        let seats = game.seats();
        for found in [opened.seats.len(), opened.starts.len()] {
            if found != usize::from(seats) {
                return Err(IllegalEvent::Seats { seats, found });
            }
        }
        for id in opened.seats.iter().filter_map(Seated::entrant) {
            within("an entrant's id", id.as_str().len(), NOTE_BYTES_MAX)?;
        }
        check_table(&opened)?;
        for (seat, (seated, start)) in (0..).map(Seat).zip(opened.seats.iter().zip(&opened.starts)) {
            match seated {
                Seated::Person(_) | Seated::Open if start.is_some() => {
                    return Err(IllegalEvent::Role { seat, why: "is a person's: it has no start" });
                }
                Seated::Contender(id) if id.person().is_some() => {
                    return Err(IllegalEvent::Role { seat, why: "has a contender with a person's id" });
                }
                _ => {}
            }
        }
        let mut room = Room {
            before: 0,
            later: Arc::default(),
            only_starts: true,
            seats: opened.seats.clone(),
            opponents: opened.opponents.clone(),
            starts: opened.starts.clone(),
            programs: programs_of(&opened),
            browsers: if opened.browsers.is_empty() { vec![None; opened.seats.len()] } else { opened.browsers.clone() },
            offers: Vec::new(),
            offered: Vec::new(),
            elapsed_ms: 0,
            left_ms: Vec::new(),
            seeds: BySeat::new(seats, |_| [0; 32]),
            game,
            opened: Arc::new(opened),
        };
        room.start();
        Ok(room)
    }

    /// The room at the end of a log.
    ///
    /// # Errors
    /// The first event that is illegal in its place.
    pub fn from_log<L: Into<Logged>>(log: impl IntoIterator<Item = L>) -> Result<Room, BadLog> {
        Room::fold(log, Room::open)
    }

    /// The same for a game of ruleset `P`, which this release may lack.
    ///
    /// # Errors
    /// As [`from_log`](Room::from_log).
    pub fn from_log_as<P: Protocol>(log: impl IntoIterator<Item = impl Into<Logged>>) -> Result<Room, BadLog> {
        Room::fold(log, Room::open_as::<P>)
    }

    fn fold<L: Into<Logged>>(
        log: impl IntoIterator<Item = L>,
        open: impl FnOnce(Opened) -> Result<Room, IllegalEvent>,
    ) -> Result<Room, BadLog> {
        let mut log = log.into_iter().map(Into::into);
        let Some(Logged { event: Event::Opened(opened), stamp: None }) = log.next() else {
            return Err(BadLog { at: 0, why: IllegalEvent::NotOpened });
        };
        let mut room = open(*opened).map_err(|why| BadLog { at: 0, why })?;
        log.zip(1..).try_for_each(|(logged, at)| room.take(logged).map_err(|why| BadLog { at, why }))?;
        Ok(room)
    }

    /// Applies the next line of a log, and checks its stamp.
    fn take(&mut self, Logged { event, stamp }: Logged) -> Result<(), IllegalEvent> {
        let spent_ms = match &stamp {
            Some(stamp) => stamp.elapsed_ms.checked_sub(self.elapsed_ms).ok_or(IllegalEvent::Stamp)?,
            None if self.opened.table.is_some() => return Err(IllegalEvent::Stamp),
            None => 0,
        };
        self.pass_time(spent_ms);
        self.apply(event)?;
        if stamp.is_some_and(|stamp| stamp != self.stamp()) { Err(IllegalEvent::Stamp) } else { Ok(()) }
    }

    /// What one more event leads to that comes `spent_ms` milliseconds after the one before, or after the clocks were
    /// started again. This room is unchanged. The cost does not grow with the log.
    ///
    /// # Errors
    /// As [`apply`](Room::apply).
    pub fn next(&self, event: Event, spent_ms: u64) -> Result<Next, IllegalEvent> {
        // Without the events and turns that this room has, which are shared until then.
        let mut next = Room { before: self.later.len(), later: Arc::default(), ..self.clone() };
        drop(next.game.take_turns());
        next.pass_time(spent_ms);
        next.apply(event)?;
        Ok(Next(next))
    }

    /// Becomes what an event leads to.
    ///
    /// # Panics
    /// If `next` is not of this room as it is.
    pub fn advance(&mut self, Next(mut next): Next) {
        assert_eq!(next.before, self.later.len(), "the room has changed since");
        Arc::make_mut(&mut self.later).append(Arc::make_mut(&mut next.later));
        (next.before, next.later) = (0, mem::take(&mut self.later));
        next.game.follow(self.game.take_turns());
        *self = next;
    }

    /// The state of the game, for the log.
    pub fn stamp(&self) -> Stamp {
        Stamp { digest: self.digest(), elapsed_ms: self.elapsed_ms, left_ms: self.left_ms.clone() }
    }

    /// Applies one more event, with no time passing. If the event is refused, the room is unchanged.
    ///
    /// # Errors
    /// When the event is illegal now.
    pub fn apply(&mut self, event: Event) -> Result<(), IllegalEvent> {
        if self.is_full() {
            return Err(IllegalEvent::TooMany);
        }
        let waits =
            matches!(event, Event::Opened(_) | Event::Joined { .. } | Event::Filled { .. } | Event::Left { .. });
        if !waits && !self.has_started() {
            return Err(IllegalEvent::NotStarted);
        }
        match &event {
            Event::Opened(_) => return Err(IllegalEvent::OpenedTwice),
            Event::Played { ply, seat, action, fuel, client_seq } => {
                let seat = self.asked(*ply, *seat)?;
                self.played(seat, Reply { action: action.0.clone(), fuel: *fuel }, client_seq.is_some())?;
            }
            Event::Forfeited { ply, seat, code, detail } => {
                within("a detail", detail.len(), DETAIL_BYTES_MAX)?;
                let seat = match ply {
                    Some(ply) => self.asked(*ply, *seat)?,
                    None if self.outcome().is_some() => return Err(IllegalEvent::Over),
                    None if self.can_fail_to_start(Seat(*seat)) => Seat(*seat),
                    None => return Err(IllegalEvent::Ply { current: self.ply() }),
                };
                if matches!(self.seats[seat.index()], Seated::Person(_)) || code.is_a_persons() {
                    return Err(IllegalEvent::Role { seat, why: "resigns if it is a person's, and only then" });
                }
                let fault = Fault { code: *code, detail: detail.clone() };
                match ply {
                    Some(_) => self.game.forfeit(seat, fault).map(drop),
                    None => self.game.fail_to_start(seat, fault),
                }
                .map_err(|refused| self.illegal(seat, refused))?;
            }
            Event::Resigned { ply, seat } => {
                let seat = self.persons(*ply, *seat)?;
                let fault = Fault { code: ForfeitCode::Resigned, detail: "gave up".into() };
                self.game.forfeit(seat, fault).map_err(|refused| self.illegal(seat, refused))?;
            }
            Event::Flagged { ply, seat } => {
                let seat = self.persons(*ply, *seat)?;
                if self.flagged(0) != Some(seat) {
                    return Err(IllegalEvent::Role { seat, why: "has time left" });
                }
                let fault = Fault { code: ForfeitCode::OutOfTime, detail: "ran out of time".into() };
                self.game.forfeit(seat, fault).map_err(|refused| self.illegal(seat, refused))?;
            }
            Event::DrawOffered { ply, seat } => {
                let seat = self.persons(*ply, *seat)?;
                self.offer(seat)?;
            }
            Event::DrawDeclined { ply, seat } => {
                let seat = self.persons(*ply, *seat)?;
                self.decline(seat)?;
            }
            Event::Drawn { ply, seat } => {
                let seat = self.persons(*ply, *seat)?;
                self.agree(seat)?;
            }
            Event::Joined { seat, person, program, browser, lot } => {
                let newcomer = Newcomer { person: *person, program: *program, browser: *browser };
                self.sit_down(Seat(*seat), newcomer, lot.as_ref())?
            }
            Event::Filled { seat, entrant, opponent, start, lot } => {
                within("an entrant's id", entrant.as_str().len(), NOTE_BYTES_MAX)?;
                let bot = Bot { entrant: entrant.clone(), opponent: *opponent, start: *start };
                self.fill(Seat(*seat), bot, lot.as_ref())?;
            }
            Event::Left { seat } => self.stand_up(Seat(*seat))?,
        }
        self.pass();
        self.only_starts &= matches!(event, Event::Forfeited { ply: None, .. });
        Arc::make_mut(&mut self.later).push(event);
        Ok(())
    }

    /// Plays the turn of a seat that is asked, by a command or without one.
    fn played(&mut self, seat: Seat, reply: Reply, is_command: bool) -> Result<(), IllegalEvent> {
        let why = match (&self.seats[seat.index()], is_command, reply.fuel) {
            (Seated::Person(_), false, _) => Some("is a person's: its commands need a client_seq"),
            (Seated::Person(_), _, Some(_)) => Some("is a person's: it uses no fuel"),
            (Seated::Contender(_), true, _) => Some("is a contender's: it sends no commands"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(IllegalEvent::Role { seat, why });
        }
        within("an action", reply.action.len(), ACTION_BYTES_MAX)?;
        if self.left_ms.get(seat.index()) == Some(&Some(0)) {
            return Err(IllegalEvent::Role { seat, why: "has no time left" });
        }
        self.game.submit(seat, reply).map_err(|refused| self.illegal(seat, refused))?;
        self.after_turn(seat);
        Ok(())
    }

    /// The first event.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The events after the first.
    pub fn later(&self) -> &[Event] {
        &self.later
    }

    /// The whole log.
    pub fn log(&self) -> impl Iterator<Item = Event> {
        [Event::Opened(Box::new(self.opened().clone()))].into_iter().chain(self.later.iter().cloned())
    }

    /// The turn being played, from 0; in a finished game, the number of completed turns.
    pub fn ply(&self) -> u16 {
        self.game.turn()
    }

    /// The position being played, or the last one, if it is one of ruleset `P`.
    pub fn position<P: Protocol>(&self) -> Option<&P> {
        let game: &dyn Any = &*self.game;
        game.downcast_ref().map(Referee::position)
    }

    /// The completed turns.
    pub fn turns(&self) -> &[Arc<TurnRecord>] {
        self.game.turns()
    }

    /// The seats that dropped out, in order.
    pub fn forfeits(&self) -> &[Forfeit] {
        self.game.forfeits()
    }

    /// How the game ended; `None` while it is in progress.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.game.outcome()
    }

    /// The digest of the game so far: that of the last completed turn, or of the start.
    pub fn digest(&self) -> Hex<8> {
        self.game.digest()
    }

    /// The seats that have yet to answer in this turn, in seat order; none once the game is over.
    pub fn awaiting(&self) -> impl Iterator<Item = Seat> {
        let awaiting = if self.has_started() { self.game.awaiting() } else { Seats::NONE };
        awaiting.iter()
    }

    /// The contenders that have yet to answer. Show them their [`observation`](Room::observation), and turn their
    /// replies into events with [`answer`](Room::answer).
    pub fn to_ask(&self) -> impl Iterator<Item = (Seat, &EntrantId)> {
        self.awaiting().filter_map(|seat| match &self.seats[seat.index()] {
            Seated::Contender(id) => Some((seat, id)),
            Seated::Person(_) | Seated::Open => None,
        })
    }

    /// The observation of `seat` in this turn; `None` if it is not asked.
    pub fn observation(&self, seat: Seat) -> Option<Vec<u8>> {
        self.awaits(seat).then(|| self.game.observation(seat, &self.seeds[seat]))
    }

    /// Length of every observation of this game, in bytes.
    pub fn observation_len(&self) -> usize {
        self.game.observation_len()
    }

    /// Fuel of the start of the player in `seat`; `None` for people and for players that are not metered.
    pub fn start_fuel(&self, seat: Seat) -> Option<u64> {
        self.starts.get(seat.index()).copied().flatten()
    }

    /// Fuel that `seat` may use for its next answer.
    pub fn fuel(&self, seat: Seat) -> u64 {
        self.game.fuel(seat)
    }

    /// How many answers of `seat` the log has.
    pub fn answers(&self, seat: Seat) -> usize {
        let is_its = |event: &&Event| matches!(event, Event::Played { seat: own, .. } if *own == seat.0);
        self.later.iter().filter(is_its).count()
    }

    /// The observations and answers of `seat`. If a contender's process dies, a fresh one is shown these observations
    /// in order, and must give these answers. Replays the game, only for this call.
    pub fn exchanges(&self, seat: Seat) -> Vec<Exchange> {
        let again = Room::start_with(self.opened().clone(), |opened| self.game.restarted(opened));
        let Ok(mut room) = again else { return Vec::new() };
        let mut exchanges = Vec::new();
        for event in self.later() {
            match event {
                Event::Played { seat: own, action, fuel: used, .. } if *own == seat.0 => {
                    let (observation, fuel) = (room.observation(seat).unwrap_or_default(), room.fuel(seat));
                    exchanges.push(Exchange { observation, fuel, used: *used, action: action.0.clone() });
                }
                _ => {}
            }
            // Stamps are not needed. Running out of time is like resigning here, and bots see neither.
            room.left_ms.clear();
            let replayed = match event {
                Event::Flagged { ply, seat } => Event::Resigned { ply: *ply, seat: *seat },
                event => event.clone(),
            };
            if room.apply(replayed).is_err() {
                break;
            }
        }
        exchanges
    }

    /// The seats of a person.
    pub fn seats_of(&self, person: PersonId) -> impl Iterator<Item = Seat> {
        let seats = (0..).map(Seat).zip(&self.seats);
        seats.filter_map(move |(seat, seated)| (*seated == Seated::Person(person)).then_some(seat))
    }

    /// The record of the game, once it is over.
    pub fn record(&self) -> Option<Record> {
        self.game.record(self.opened.header(&self.seats, &self.opponents), self.starts.clone())
    }

    /// The current occupants of the seats.
    pub fn seats(&self) -> &[Seated] {
        &self.seats
    }

    /// The game of the room.
    pub(crate) fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// Whether `seat` has yet to answer in this turn.
    pub(crate) fn awaits(&self, seat: Seat) -> bool {
        self.has_started() && self.game.awaiting().contains(seat)
    }

    pub(crate) fn game_mut(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    /// Begins the game once all seats are taken.
    pub(crate) fn start(&mut self) {
        if !self.has_started() {
            return;
        }
        self.seeds = seat_seeds(&self.opened.header(&self.seats, &self.opponents));
        let full = self.opened.table.as_ref().and_then(|table| table.clock).map(crate::Clock::full_ms);
        let full_of = |seated: &Seated| full.filter(|_| matches!(seated, Seated::Person(_)));
        self.left_ms = full.map_or_else(Vec::new, |_| self.seats.iter().map(full_of).collect());
        self.pass();
    }

    pub(crate) fn is_full(&self) -> bool {
        1 + self.before + self.later.len() >= EVENTS_MAX
    }

    /// Whether `seat` may still be reported as not having started: nobody has played, and seats fail in order.
    pub(crate) fn can_fail_to_start(&self, seat: Seat) -> bool {
        self.only_starts
            && self.has_started()
            && seat.0 < self.game.seats()
            && self.forfeits().last().is_none_or(|last| last.seat < seat.0)
    }

    /// Checks that turn `ply` is being played.
    fn at(&self, ply: u16) -> Result<(), IllegalEvent> {
        if self.outcome().is_some() {
            return Err(IllegalEvent::Over);
        }
        if ply == self.ply() { Ok(()) } else { Err(IllegalEvent::Ply { current: self.ply() }) }
    }

    /// The seat, if it is asked in turn `ply` and the game is not over.
    fn asked(&self, ply: u16, seat: u8) -> Result<Seat, IllegalEvent> {
        self.at(ply)?;
        if self.awaits(Seat(seat)) { Ok(Seat(seat)) } else { Err(IllegalEvent::NotAsked(Seat(seat))) }
    }

    /// The seat, if it is a person's, turn `ply` is being played and the game is not over.
    fn persons(&self, ply: u16, seat: u8) -> Result<Seat, IllegalEvent> {
        self.at(ply)?;
        let seat = Seat(seat);
        match self.seats.get(seat.index()) {
            Some(Seated::Person(_)) => Ok(seat),
            Some(Seated::Contender(_) | Seated::Open) => {
                Err(IllegalEvent::Role { seat, why: "is no person's: only people give up, agree or run out of time" })
            }
            None => Err(IllegalEvent::NotAsked(seat)),
        }
    }

    fn illegal(&self, seat: Seat, refused: Refused) -> IllegalEvent {
        match refused {
            Refused::Over => IllegalEvent::Over,
            Refused::NotAsked(seat) => IllegalEvent::NotAsked(seat),
            Refused::Started => IllegalEvent::Ply { current: self.ply() },
            Refused::Action(..) | Refused::Fuel { .. } => IllegalEvent::Action { seat, why: refused },
        }
    }

    /// Plays the turns in which no seat is asked.
    fn pass(&mut self) {
        while self.has_started() && self.game.awaiting().is_empty() && self.game.pass() == Step::Turned {}
    }
}

impl PartialEq for Room {
    fn eq(&self, other: &Room) -> bool {
        // The digest stands for the position, and the log for answers in a turn that others have not answered yet.
        let now = |room: &Room| {
            let people = (room.seats.clone(), room.programs.clone(), room.browsers.clone(), room.offers.clone());
            let fuel: Vec<u64> = (0..room.game.seats()).map(|seat| room.fuel(Seat(seat))).collect();
            let awaiting: Vec<Seat> = room.awaiting().collect();
            (people, room.starts.clone(), fuel, awaiting, room.outcome().cloned(), room.stamp())
        };
        self.opened == other.opened
            && self.later == other.later
            && (self.turns(), self.forfeits()) == (other.turns(), other.forfeits())
            && now(self) == now(other)
    }
}

impl Eq for Room {}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut room = f.debug_struct("Room");
        room.field("opened", &self.opened).field("later", &self.later).field("stamp", &self.stamp());
        room.finish_non_exhaustive()
    }
}

fn within(what: &'static str, found: usize, max: usize) -> Result<(), IllegalEvent> {
    if found <= max { Ok(()) } else { Err(IllegalEvent::TooLong { what, max, found }) }
}
