//! The room: what its events make of it.

use arena_record::{Chain, EntrantId, Forfeit, ForfeitCode, Header, Hex, Play, Record, TurnRecord};
use arena_rules::conquerors::Position;
use arena_rules::{BySeat, Outcome, Seat};
use arena_wire::{Protocol, UnknownGame, seat_seed};

use crate::{ACTION_BYTES_MAX, DETAIL_BYTES_MAX, EVENTS_MAX, Event, NOTE_BYTES_MAX, Opened, PersonId, Seated};

/// A live game, as far as its log goes. Rooms with equal logs are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room<P: Protocol = Position> {
    opened: Opened,
    /// The events after the first.
    later: Vec<Event>,
    /// The position before each turn that is over, as its seats saw it.
    past: Vec<P>,
    position: P,
    /// Who has answered in the turn being played; with alternating players a turn ends with its only answer.
    answers: BySeat<Option<Answer<P::Checked>>>,
    turns: Vec<TurnRecord>,
    forfeits: Vec<Forfeit>,
    chain: Chain,
}

/// What a seat did in a turn that others have not answered yet.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer<C> {
    Legal(Play, C),
    Failed(Forfeit),
}

/// Why an action is none, in words.
pub(crate) enum Bad {
    Bytes(String),
    Move(String),
}

/// What a seat was shown in a turn, and what it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The observation's bytes.
    pub observation: Vec<u8>,
    /// The action's bytes.
    pub action: Vec<u8>,
}

/// Why an event does not belong where it stands in a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalEvent {
    /// The log is empty, or its first event opens no room.
    #[error("a log starts with the room being opened")]
    NotOpened,
    /// A second opening.
    #[error("the room is open already")]
    OpenedTwice,
    /// A game this release does not have.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// Options that exist for a study alone.
    #[error("games with these options never count, and no room plays them")]
    MayNotCount,
    /// Options that let the set-up depend on the seed. Players are shown the game while the seed is secret.
    #[error("games with these options start from their seed, and no room plays them")]
    StartsFromSeed,
    /// Not as many seats as the game has.
    #[error("this game has {seats} seats, not {found}")]
    Seats {
        /// Seats of the game.
        seats: u8,
        /// Seats or starts there were.
        found: usize,
    },
    /// Something that a person cannot have or do, or a contender cannot.
    #[error("{seat} {why}")]
    Role {
        /// Whose seat.
        seat: Seat,
        /// What it cannot.
        why: &'static str,
    },
    /// Longer than it may be.
    #[error("{what} has {found} bytes; {max} are allowed")]
    TooLong {
        /// What.
        what: &'static str,
        /// The limit, in bytes.
        max: usize,
        /// What it had, in bytes.
        found: usize,
    },
    /// More events than a room may have.
    #[error("a room has at most {EVENTS_MAX} events")]
    TooMany,
    /// After the end.
    #[error("the game is over")]
    Over,
    /// Of another turn than the one being played.
    #[error("turn {current} is being played")]
    Ply {
        /// The turn being played, from 0.
        current: u16,
    },
    /// Of a seat that is not asked now.
    #[error("{0} is not asked")]
    NotAsked(Seat),
    /// An action the contract or the rules refuse; why.
    #[error("{seat} cannot have played this: {why}")]
    Action {
        /// Whose action.
        seat: Seat,
        /// Why not.
        why: String,
    },
}

/// A log that no room can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {at} of this log does not belong there")]
pub struct BadLog {
    /// The first event that is wrong, from 0.
    pub at: usize,
    /// What is wrong with it.
    #[source]
    pub why: IllegalEvent,
}

impl<P: Protocol> Room<P> {
    /// The room with this first event.
    ///
    /// # Errors
    /// When the event makes no game of ruleset `P`, or contradicts itself.
    pub fn open(opened: Opened) -> Result<Room<P>, IllegalEvent> {
        let notes = [
            ("semantics", &opened.semantics),
            ("build", &opened.build),
            ("ruleset", &opened.ruleset),
            ("options", &opened.options),
        ];
        notes.into_iter().try_for_each(|(what, text)| within(what, text.len(), NOTE_BYTES_MAX))?;
        if opened.ruleset != P::ID {
            return Err(UnknownGame::Ruleset(opened.ruleset).into());
        }
        let options = arena_wire::options_of::<P>(&opened.options)?;
        if P::starts_from_seed(&options) {
            return Err(IllegalEvent::StartsFromSeed);
        }
        let position = P::start(&options, &opened.seed.0);
        if !position.may_count() {
            return Err(IllegalEvent::MayNotCount);
        }
        let seats = position.seats();
        for found in [opened.seats.len(), opened.starts.len()] {
            if found != usize::from(seats) {
                return Err(IllegalEvent::Seats { seats, found });
            }
        }
        for seated in &opened.seats {
            within("an entrant's id", EntrantId::from(seated.clone()).as_str().len(), NOTE_BYTES_MAX)?;
        }
        for (seat, (seated, start)) in (0..).map(Seat).zip(opened.seats.iter().zip(&opened.starts)) {
            match seated {
                Seated::Person(_) if start.is_some() => {
                    return Err(IllegalEvent::Role { seat, why: "is a person's: it has no start" });
                }
                Seated::Contender(id) if id.person().is_some() => {
                    return Err(IllegalEvent::Role { seat, why: "has a contender with a person's id" });
                }
                _ => {}
            }
        }
        let chain = Chain::start(&opened.ruleset, &opened.options, &position.state());
        Ok(Room {
            opened,
            later: Vec::new(),
            past: Vec::new(),
            answers: BySeat::new(seats, |_| None),
            position,
            turns: Vec::new(),
            forfeits: Vec::new(),
            chain,
        })
    }

    /// The room that a log describes.
    ///
    /// # Errors
    /// The first event that does not belong where it stands.
    pub fn from_log(log: impl IntoIterator<Item = Event>) -> Result<Room<P>, BadLog> {
        let mut log = log.into_iter();
        let Some(Event::Opened(opened)) = log.next() else {
            return Err(BadLog { at: 0, why: IllegalEvent::NotOpened });
        };
        let open = Room::open(*opened).map_err(|why| BadLog { at: 0, why })?;
        log.zip(1..).try_fold(open, |room, (event, at)| room.apply(event).map_err(|why| BadLog { at, why }))
    }

    /// The room after one more event. Clone it first to keep the one before.
    ///
    /// # Errors
    /// When the event does not belong here.
    pub fn apply(mut self, event: Event) -> Result<Room<P>, IllegalEvent> {
        if self.is_full() {
            return Err(IllegalEvent::TooMany);
        }
        match &event {
            Event::Opened(_) => return Err(IllegalEvent::OpenedTwice),
            Event::Played { ply, seat, action, fuel, client_seq } => {
                let seat = self.asked(*ply, *seat)?;
                let why = match (&self.opened.seats[seat.index()], client_seq, fuel) {
                    (Seated::Person(_), None, _) => Some("is a person's: its commands have numbers"),
                    (Seated::Person(_), _, Some(_)) => Some("is a person's: it uses no fuel"),
                    (Seated::Contender(_), Some(_), _) => Some("is a contender's: it sends no commands"),
                    _ => None,
                };
                if let Some(why) = why {
                    return Err(IllegalEvent::Role { seat, why });
                }
                within("an action", action.0.len(), ACTION_BYTES_MAX)?;
                let checked = self.check(seat, &action.0);
                let checked =
                    checked.map_err(|(Bad::Bytes(why) | Bad::Move(why))| IllegalEvent::Action { seat, why })?;
                let play = Play { seat: seat.0, action: action.clone(), fuel: *fuel };
                self.answers[seat] = Some(Answer::Legal(play, checked));
                self.end_turn();
            }
            Event::Forfeited { ply, seat, code, detail } => {
                within("a detail", detail.len(), DETAIL_BYTES_MAX)?;
                let forfeit = Forfeit { seat: *seat, turn: *ply, code: *code, detail: detail.clone() };
                let seat = match ply {
                    Some(ply) => self.asked(*ply, *seat)?,
                    None if self.outcome().is_some() => return Err(IllegalEvent::Over),
                    None if self.can_fail_to_start(Seat(*seat)) => Seat(*seat),
                    None => return Err(IllegalEvent::Ply { current: self.ply() }),
                };
                let is_person = matches!(self.opened.seats[seat.index()], Seated::Person(_));
                if is_person || *code == ForfeitCode::Resigned {
                    return Err(IllegalEvent::Role { seat, why: "resigns if it is a person's, and only then" });
                }
                match ply {
                    Some(_) => self.fail(seat, forfeit),
                    None => self.fail_at_start(seat, forfeit),
                }
            }
            Event::Resigned { ply, seat } => {
                let seat = self.asked(*ply, *seat)?;
                if !matches!(self.opened.seats[seat.index()], Seated::Person(_)) {
                    return Err(IllegalEvent::Role { seat, why: "is a contender's: it never resigns" });
                }
                let code = ForfeitCode::Resigned;
                self.fail(seat, Forfeit { seat: seat.0, turn: Some(*ply), code, detail: "gave up".into() });
            }
        }
        self.later.push(event);
        Ok(self)
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
        [Event::Opened(Box::new(self.opened.clone()))].into_iter().chain(self.later.iter().cloned())
    }

    /// The turn being played, from 0; in a finished game, how many were played to their end.
    pub fn ply(&self) -> u16 {
        self.turns.len() as u16
    }

    /// The position being played, or the last one.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The turns that are over.
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    /// Who could not go on, in the order in which it happened.
    pub fn forfeits(&self) -> &[Forfeit] {
        &self.forfeits
    }

    /// How the game ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The seats that have yet to answer in this turn, in seat order. Nobody, when the game is over.
    pub fn awaiting(&self) -> impl Iterator<Item = Seat> {
        self.position.awaiting().iter().filter(|seat| self.awaits(*seat))
    }

    /// The contenders among those that have yet to answer: show them [`observation`](Room::observation), and make their
    /// replies events by [`answer`](Room::answer).
    pub fn to_ask(&self) -> impl Iterator<Item = (Seat, &EntrantId)> {
        self.awaiting().filter_map(|seat| match &self.opened.seats[seat.index()] {
            Seated::Contender(id) => Some((seat, id)),
            Seated::Person(_) => None,
        })
    }

    /// What `seat` is shown in this turn; `None` when it is not asked.
    pub fn observation(&self, seat: Seat) -> Option<Vec<u8>> {
        self.awaits(seat).then(|| self.seen(&self.position, seat))
    }

    /// All turns that `seat` has answered before this one. A contender whose process died is brought back by a fresh one
    /// that is shown these observations in order, and must give these actions.
    pub fn exchanges(&self, seat: Seat) -> Vec<Exchange> {
        let answered = self.past.iter().zip(&self.turns).filter_map(|(position, turn)| {
            let play = turn.plays.iter().find(|play| play.seat == seat.0)?;
            Some(Exchange { observation: self.seen(position, seat), action: play.action.0.clone() })
        });
        answered.collect()
    }

    /// The seats of a person.
    pub fn seats_of(&self, person: PersonId) -> impl Iterator<Item = Seat> {
        let seats = (0..).map(Seat).zip(&self.opened.seats);
        seats.filter_map(move |(seat, seated)| (*seated == Seated::Person(person)).then_some(seat))
    }

    /// The record of the game, once it is over.
    pub fn record(&self) -> Option<Record> {
        let outcome = self.outcome()?;
        let Opened { semantics, build, ruleset, options, budgets, seed, seats, starts, .. } = self.opened.clone();
        let entrants = seats.into_iter().map(EntrantId::from).collect();
        let header = Header { semantics, build, ruleset, options, budgets, seed, entrants };
        let digest = self.chain.clone().end(&outcome);
        Some(Record::new(header, starts, self.turns.clone(), self.forfeits.clone(), &outcome, digest))
    }

    /// Whether `seat` has yet to answer in this turn.
    pub(crate) fn awaits(&self, seat: Seat) -> bool {
        self.position.awaiting().contains(seat) && matches!(self.answers.get(seat), Some(None))
    }

    pub(crate) fn is_full(&self) -> bool {
        1 + self.later.len() >= EVENTS_MAX
    }

    /// Whether `seat` may still be said not to have started: nobody has played, and seats are told in order.
    pub(crate) fn can_fail_to_start(&self, seat: Seat) -> bool {
        let only_starts = self.later.iter().all(|event| matches!(event, Event::Forfeited { ply: None, .. }));
        only_starts && seat.0 < self.position.seats() && self.forfeits.last().is_none_or(|last| last.seat < seat.0)
    }

    /// The seat, if it is asked in this turn of a game that goes on.
    fn asked(&self, ply: u16, seat: u8) -> Result<Seat, IllegalEvent> {
        if self.outcome().is_some() {
            return Err(IllegalEvent::Over);
        }
        if ply != self.ply() {
            return Err(IllegalEvent::Ply { current: self.ply() });
        }
        if self.awaits(Seat(seat)) { Ok(Seat(seat)) } else { Err(IllegalEvent::NotAsked(Seat(seat))) }
    }

    fn seen(&self, position: &P, seat: Seat) -> Vec<u8> {
        let id = EntrantId::from(self.opened.seats[seat.index()].clone());
        position.observation(seat, &seat_seed(&self.opened.seed.0, seat, id.as_str()))
    }

    /// A seat that failed has answered, too.
    fn fail(&mut self, seat: Seat, forfeit: Forfeit) {
        self.answers[seat] = Some(Answer::Failed(forfeit));
        self.end_turn();
    }

    /// The digest chain starts with the position after forfeits at the start, as the referee has it.
    fn fail_at_start(&mut self, seat: Seat, forfeit: Forfeit) {
        self.position.forfeit(seat);
        self.forfeits.push(forfeit);
        self.chain = Chain::start(&self.opened.ruleset, &self.opened.options, &self.position.state());
    }

    /// Moves on, once all have answered. Forfeits come first; a turn that they ended is not recorded.
    fn end_turn(&mut self) {
        if self.awaiting().next().is_some() {
            return;
        }
        let seats = self.position.seats();
        let answers = core::mem::replace(&mut self.answers, BySeat::new(seats, |_| None));
        let before = self.position.clone();
        let (mut plays, mut checked) = (Vec::new(), BySeat::new(seats, |_| None));
        for (seat, answer) in (0..).map(Seat).zip(answers.into_values()) {
            match answer {
                Some(Answer::Legal(play, legal)) => {
                    plays.push(play);
                    checked[seat] = Some(legal);
                }
                Some(Answer::Failed(forfeit)) => {
                    self.forfeits.push(forfeit);
                    self.position.forfeit(seat);
                }
                None => {}
            }
        }
        if self.outcome().is_some() {
            return;
        }
        self.position.advance(checked);
        let actions = plays.iter().map(|play| (Seat(play.seat), &play.action.0[..]));
        self.chain = self.chain.clone().turn(actions, &self.position.state());
        self.past.push(before);
        self.turns.push(TurnRecord { plays, digest: Hex(self.chain.short()) });
    }
}

fn within(what: &'static str, found: usize, max: usize) -> Result<(), IllegalEvent> {
    if found <= max { Ok(()) } else { Err(IllegalEvent::TooLong { what, max, found }) }
}
