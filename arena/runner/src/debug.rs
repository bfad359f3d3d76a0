//! A bot in the middle of a recorded game: what does it see there, and what would it do?

use std::sync::Arc;

use arena_record::{Play, Record};
use arena_referee::{Failure, Fault, PlatformFault, PlayError, Player, Reply, Started, endings, play_with};
use arena_rules::{BySeat, Seat};
use arena_sandbox::Wall;

use crate::recorded::plays_of;
use crate::{Contender, ContenderPlayer};

/// What a bot did in the turn it was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What it answered, or how it failed.
    pub reply: Result<Reply, Fault>,
    /// What it logged before this turn. Hostile text: escape it wherever it is shown.
    pub log_before: Vec<String>,
    /// What it logged in this turn. Hostile text.
    pub log: Vec<String>,
}

/// A contender that was taken through the turns before, in somebody's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Before {
    /// The first turn, from 0, in which it answered something else than the record has.
    pub first_other: Option<usize>,
    /// The turn, from 0, in which it failed: it cannot be asked any more. None for its start.
    pub failed: Option<(Option<usize>, Fault)>,
}

/// What came of asking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// How the bot came through the turns before.
    pub before: Before,
    /// What it was shown, turn by turn, each with the turn's number from 0; the last is the turn it was asked about, or the
    /// one in which it failed.
    pub shown: Vec<(usize, Vec<u8>)>,
    /// Its answer; none when it had failed before.
    pub answer: Option<Answer>,
}

/// A game that went on from a recorded position.
pub struct PlayedOn {
    /// How the bot did until then, and what it answered.
    pub asked: Asked,
    /// How its opponent came through the turns before; none where the record itself answered for it.
    pub opponent: Option<Before>,
    /// The game: up to the turn as recorded, from there as these two play it. No record: its header names who played first.
    pub game: Option<Record>,
}

/// Asks `bot` about turn `turn` (from 0) of a recorded game, in the place of `seat`. A bot may keep what it saw: so it is
/// shown all its earlier observations first, and the record's answers are played whatever it says. The seat's seed is the
/// recorded one. The record must be one by the rules.
///
/// # Errors
/// When the machine failed.
pub fn ask(record: &Arc<Record>, bot: &Contender, seat: Seat, turn: usize) -> Result<Asked, PlayError> {
    let mut probe = Probe::new(record, bot, seat, turn, Then::Stop);
    let mut others = others(record, seat, |other| Contender::Recorded(record.clone(), other).player(Wall::None));
    match run(record, seat, &mut probe, &mut others) {
        Err(PlayError::Platform(_)) if probe.is_done => Ok(probe.asked()),
        Ok(_) => Ok(probe.asked()),
        Err(error) => Err(error),
    }
}

/// The same, and then lets `bot` and `opponent` play the rest. The opponent, too, is shown its earlier observations first.
/// A game of two seats.
///
/// # Errors
/// When the machine failed.
pub fn play_on(
    record: &Arc<Record>,
    bot: &Contender,
    seat: Seat,
    turn: usize,
    opponent: &Contender,
) -> Result<PlayedOn, PlayError> {
    let mut probe = Probe::new(record, bot, seat, turn, Then::PlayOn);
    let mut others = others(record, seat, |other| Probe::new(record, opponent, other, turn, Then::PlayOn));
    let played = run(record, seat, &mut probe, &mut others);
    let opponent = others.first().map(|other| other.before.clone());
    match played {
        Ok(game) => Ok(PlayedOn { asked: probe.asked(), opponent, game: Some(game) }),
        Err(PlayError::Platform(_)) if probe.is_done || others.iter().any(|other| other.is_done) => {
            Ok(PlayedOn { asked: probe.asked(), opponent, game: None })
        }
        Err(error) => Err(error),
    }
}

fn others<T>(record: &Record, seat: Seat, make: impl FnMut(Seat) -> T) -> Vec<T> {
    (0..record.header.entrants.len() as u8).map(Seat).filter(|other| *other != seat).map(make).collect()
}

fn run(record: &Record, seat: Seat, probe: &mut Probe, others: &mut [impl Player]) -> Result<Record, PlayError> {
    let mut players: Vec<&mut dyn Player> = others.iter_mut().map(|other| other as _).collect();
    players.insert(seat.index().min(players.len()), probe);
    play_with(record.header.clone(), BySeat::from(players), &endings(record))
}

/// What a probe does once it was asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Stop,
    PlayOn,
}

/// A player that is shown a recorded game up to a turn while the record answers, and answers from there.
struct Probe {
    player: ContenderPlayer,
    /// The seat's recorded answers before the turn.
    recorded: Vec<(usize, Play)>,
    turn: usize,
    then: Then,
    answered: usize,
    before: Before,
    shown: Vec<(usize, Vec<u8>)>,
    answer: Option<Answer>,
    /// Whether it ended the game because there is no more to see.
    is_done: bool,
}

impl Probe {
    fn new(record: &Record, contender: &Contender, seat: Seat, turn: usize, then: Then) -> Probe {
        let recorded = plays_of(record, seat).filter(|(at, _)| *at < turn);
        Probe {
            player: contender.player(Wall::None),
            recorded: recorded.map(|(at, play)| (at, play.clone())).collect(),
            turn,
            then,
            answered: 0,
            before: Before { first_other: None, failed: None },
            shown: Vec::new(),
            answer: None,
            is_done: false,
        }
    }

    fn asked(self) -> Asked {
        Asked { before: self.before, shown: self.shown, answer: self.answer }
    }

    /// Ends the game: there is no more to see.
    fn done(&mut self) -> Failure {
        self.is_done = true;
        Failure::Platform(PlatformFault(format!("stopped at turn {}", self.turn + 1)))
    }

    fn failed_before(&mut self, turn: Option<usize>, fault: Fault) -> Failure {
        self.before.failed = Some((turn, fault));
        self.done()
    }
}

impl Player for Probe {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player.start(observation_len, fuel).map_err(|failure| match failure {
            Failure::Own(fault) => self.failed_before(None, fault),
            failure => failure,
        })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let at = self.answered;
        self.answered += 1;
        if let Some((turn, play)) = self.recorded.get(at).cloned() {
            self.shown.push((turn, observation.to_vec()));
            return match self.player.turn(observation, fuel) {
                Ok(reply) => {
                    if reply.action != play.action.0 {
                        self.before.first_other.get_or_insert(turn);
                    }
                    Ok(Reply { action: play.action.0, fuel: play.fuel })
                }
                Err(Failure::Own(fault)) => Err(self.failed_before(Some(turn), fault)),
                Err(failure) => Err(failure),
            };
        }
        if at > self.recorded.len() {
            return self.player.turn(observation, fuel);
        }
        self.shown.push((self.turn, observation.to_vec()));
        let log_before = self.player.log();
        let reply = match self.player.turn(observation, fuel) {
            Ok(reply) => Ok(reply),
            Err(Failure::Own(fault)) => Err(fault),
            Err(failure) => return Err(failure),
        };
        let log = self.player.log().split_off(log_before.len());
        self.answer = Some(Answer { reply: reply.clone(), log_before, log });
        match self.then {
            Then::Stop => Err(self.done()),
            Then::PlayOn => reply.map_err(Failure::Own),
        }
    }
}
