//! Rooms whose game is known only from their logs.

use arena_record::{EntrantId, Forfeit, Hex, Record, TurnRecord};
use arena_referee::{Fault, Reply};
use arena_rules::{Outcome, Seat};
use arena_wire::{Protocol, Visitor};

use crate::{
    BadLog, Bot, Command, Event, Exchange, Finished, IllegalEvent, Logged, Newcomer, Opened, PersonId, Proposal,
    Rejected, Room, RoomView, Seated, Stamp,
};

/// A [`Room`] whose game is known only at run time. All methods are the room's.
pub trait AnyRoom: Send + Sync {
    /// See [`Room::with`].
    ///
    /// # Errors
    /// As [`Room::with`].
    fn with(&self, event: Event) -> Result<Box<dyn AnyRoom>, IllegalEvent>;
    /// See [`Room::then`].
    ///
    /// # Errors
    /// As [`Room::then`].
    fn then(&self, event: Event, spent_ms: u64) -> Result<Box<dyn AnyRoom>, IllegalEvent>;
    /// See [`Room::stamp`].
    fn stamp(&self) -> Stamp;
    /// See [`Room::seats`].
    fn seats(&self) -> &[Seated];
    /// See [`Room::has_started`].
    fn has_started(&self) -> bool;
    /// See [`Room::is_hosted_by`].
    fn is_hosted_by(&self, person: PersonId) -> bool;
    /// See [`Room::flagged`].
    fn flagged(&self, spent_ms: u64) -> Option<Seat>;
    /// See [`Room::flag_in_ms`].
    fn flag_in_ms(&self) -> Option<u64>;
    /// See [`Room::flag`].
    fn flag(&self, seat: Seat) -> Event;
    /// See [`Room::browsers`].
    fn browsers(&self) -> &[Option<Hex<32>>];
    /// See [`Room::finished`].
    fn finished(&self) -> Option<Finished>;
    /// See [`Room::join`].
    ///
    /// # Errors
    /// As [`Room::join`].
    fn join(&self, newcomer: Newcomer, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected>;
    /// See [`Room::seat_bot`].
    ///
    /// # Errors
    /// As [`Room::seat_bot`].
    fn seat_bot(&self, host: PersonId, bot: Bot, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected>;
    /// See [`Room::leave`].
    ///
    /// # Errors
    /// As [`Room::leave`].
    fn leave(&self, person: PersonId) -> Result<Proposal, Rejected>;
    /// See [`Room::draw`].
    ///
    /// # Errors
    /// As [`Room::draw`].
    fn draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected>;
    /// See [`Room::decline_draw`].
    ///
    /// # Errors
    /// As [`Room::decline_draw`].
    fn decline_draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected>;
    /// See [`Room::opened`].
    fn opened(&self) -> &Opened;
    /// See [`Room::later`].
    fn later(&self) -> &[Event];
    /// See [`Room::ply`].
    fn ply(&self) -> u16;
    /// See [`Room::turns`].
    fn turns(&self) -> &[TurnRecord];
    /// See [`Room::forfeits`].
    fn forfeits(&self) -> &[Forfeit];
    /// See [`Room::outcome`].
    fn outcome(&self) -> Option<&Outcome>;
    /// Length of every observation of this game, in bytes.
    fn observation_len(&self) -> usize;
    /// The first contender of [`Room::to_ask`].
    fn to_ask(&self) -> Option<(Seat, EntrantId)>;
    /// See [`Room::observation`].
    fn observation(&self, seat: Seat) -> Option<Vec<u8>>;
    /// See [`Room::start_fuel`].
    fn start_fuel(&self, seat: Seat) -> Option<u64>;
    /// See [`Room::fuel`].
    fn fuel(&self, seat: Seat) -> u64;
    /// See [`Room::answers`].
    fn answers(&self, seat: Seat) -> usize;
    /// See [`Room::exchanges`].
    fn exchanges(&self, seat: Seat) -> Vec<Exchange>;
    /// See [`Room::record`].
    fn record(&self) -> Option<Record>;
    /// See [`Room::view`].
    fn view(&self) -> RoomView;
    /// See [`Room::propose`].
    ///
    /// # Errors
    /// As [`Room::propose`].
    fn propose(&self, person: PersonId, command: &Command) -> Result<Proposal, Rejected>;
    /// See [`Room::resign`].
    ///
    /// # Errors
    /// As [`Room::resign`].
    fn resign(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected>;
    /// See [`Room::answer`].
    ///
    /// # Errors
    /// As [`Room::answer`].
    fn answer(&self, ply: u16, seat: Seat, reply: Result<Reply, Fault>) -> Result<Event, Rejected>;
    /// See [`Room::failed_to_start`].
    ///
    /// # Errors
    /// As [`Room::failed_to_start`].
    fn failed_to_start(&self, seat: Seat, fault: Fault) -> Result<Event, Rejected>;
}

impl<P: Protocol> AnyRoom for Room<P> {
    fn with(&self, event: Event) -> Result<Box<dyn AnyRoom>, IllegalEvent> {
        Ok(Box::new(self.with(event)?))
    }

    fn then(&self, event: Event, spent_ms: u64) -> Result<Box<dyn AnyRoom>, IllegalEvent> {
        Ok(Box::new(self.then(event, spent_ms)?))
    }

    fn stamp(&self) -> Stamp {
        self.stamp()
    }

    fn seats(&self) -> &[Seated] {
        self.seats()
    }

    fn has_started(&self) -> bool {
        self.has_started()
    }

    fn is_hosted_by(&self, person: PersonId) -> bool {
        self.is_hosted_by(person)
    }

    fn flagged(&self, spent_ms: u64) -> Option<Seat> {
        self.flagged(spent_ms)
    }

    fn flag_in_ms(&self) -> Option<u64> {
        self.flag_in_ms()
    }

    fn flag(&self, seat: Seat) -> Event {
        self.flag(seat)
    }

    fn browsers(&self) -> &[Option<Hex<32>>] {
        self.browsers()
    }

    fn finished(&self) -> Option<Finished> {
        self.finished()
    }

    fn join(&self, newcomer: Newcomer, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected> {
        self.join(newcomer, seat, lot)
    }

    fn seat_bot(&self, host: PersonId, bot: Bot, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected> {
        self.seat_bot(host, bot, seat, lot)
    }

    fn leave(&self, person: PersonId) -> Result<Proposal, Rejected> {
        self.leave(person)
    }

    fn draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        self.draw(person, ply)
    }

    fn decline_draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        self.decline_draw(person, ply)
    }

    fn opened(&self) -> &Opened {
        self.opened()
    }

    fn later(&self) -> &[Event] {
        self.later()
    }

    fn ply(&self) -> u16 {
        self.ply()
    }

    fn turns(&self) -> &[TurnRecord] {
        self.turns()
    }

    fn forfeits(&self) -> &[Forfeit] {
        self.forfeits()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome()
    }

    fn observation_len(&self) -> usize {
        self.position().observation_len()
    }

    fn to_ask(&self) -> Option<(Seat, EntrantId)> {
        self.to_ask().next().map(|(seat, id)| (seat, id.clone()))
    }

    fn observation(&self, seat: Seat) -> Option<Vec<u8>> {
        self.observation(seat)
    }

    fn start_fuel(&self, seat: Seat) -> Option<u64> {
        self.start_fuel(seat)
    }

    fn fuel(&self, seat: Seat) -> u64 {
        self.fuel(seat)
    }

    fn answers(&self, seat: Seat) -> usize {
        self.answers(seat)
    }

    fn exchanges(&self, seat: Seat) -> Vec<Exchange> {
        self.exchanges(seat)
    }

    fn record(&self) -> Option<Record> {
        self.record()
    }

    fn view(&self) -> RoomView {
        self.view()
    }

    fn propose(&self, person: PersonId, command: &Command) -> Result<Proposal, Rejected> {
        self.propose(person, command)
    }

    fn resign(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        self.resign(person, ply)
    }

    fn answer(&self, ply: u16, seat: Seat, reply: Result<Reply, Fault>) -> Result<Event, Rejected> {
        self.answer(ply, seat, reply)
    }

    fn failed_to_start(&self, seat: Seat, fault: Fault) -> Result<Event, Rejected> {
        self.failed_to_start(seat, fault)
    }
}

impl dyn AnyRoom {
    /// A room in which nobody has played, of the game that its opening names.
    ///
    /// # Errors
    /// As [`Room::open`].
    pub fn open(opened: Opened) -> Result<Box<dyn AnyRoom>, IllegalEvent> {
        let (ruleset, options) = (opened.ruleset.clone(), opened.options.clone());
        arena_wire::start(&ruleset, &options, &[0; 32], Open(opened))?
    }

    /// The room that a log describes, of the game that its first event names.
    ///
    /// # Errors
    /// The first event that is illegal in its place.
    pub fn from_log<L: Into<Logged>>(log: Vec<L>) -> Result<Box<dyn AnyRoom>, BadLog> {
        let log: Vec<Logged> = log.into_iter().map(Into::into).collect();
        let Some(Logged { event: Event::Opened(opened), .. }) = log.first() else {
            return Err(BadLog { at: 0, why: IllegalEvent::NotOpened });
        };
        let (ruleset, options) = (opened.ruleset.clone(), opened.options.clone());
        arena_wire::start(&ruleset, &options, &[0; 32], FromLog(log))
            .unwrap_or_else(|unknown| Err(BadLog { at: 0, why: unknown.into() }))
    }
}

struct Open(Opened);

impl Visitor for Open {
    type Out = Result<Box<dyn AnyRoom>, IllegalEvent>;

    fn visit<P: Protocol>(self, _start: P) -> Self::Out {
        Ok(Box::new(Room::<P>::open(self.0)?))
    }
}

struct FromLog(Vec<Logged>);

impl Visitor for FromLog {
    type Out = Result<Box<dyn AnyRoom>, BadLog>;

    fn visit<P: Protocol>(self, _start: P) -> Self::Out {
        Ok(Box::new(Room::<P>::from_log(self.0)?))
    }
}
