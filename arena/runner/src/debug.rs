//! Asks a bot in the middle of a recorded game what it sees and what it would do.

use std::sync::Arc;

use arena_record::{Play, Record};
use arena_referee::{Failure, Fault, PlatformFault, PlayError, Player, Reply, Started, endings, play_with, plays_of};
use arena_rules::{BySeat, Seat};
use arena_worker::Wall;

use crate::{Contender, ContenderPlayer};

/// A bot's answer in the turn in question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What it answered, or how it failed.
    pub reply: Result<Reply, Fault>,
    /// What it logged before this turn. Hostile text: escape it wherever it is shown.
    pub log_before: Vec<String>,
    /// What it logged in this turn. Hostile text.
    pub log: Vec<String>,
}

/// How a contender came through the earlier turns of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Before {
    /// The first turn, from 0, in which its answer differs from the record.
    pub first_other: Option<usize>,
    /// The turn, from 0, in which it failed, so that it cannot be asked further; `None` inside for its start.
    pub failed: Option<(Option<usize>, Fault)>,
}

/// The result of asking.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// How the bot came through the turns before.
    pub before: Before,
    /// Its observations, each with the turn's number from 0. The last is for the turn in question, or for the turn in
    /// which it failed.
    pub shown: Vec<(usize, Vec<u8>)>,
    /// Its answer; `None` if it failed earlier.
    pub answer: Option<Answer>,
}

/// A game continued from a recorded position.
pub struct PlayedOn {
    /// How the bot did up to that position, and its answer there.
    pub asked: Asked,
    /// How its opponent came through the earlier turns; `None` if the record answered for it.
    pub opponent: Option<Before>,
    /// The game: as recorded up to the turn, then as these two play it. It is not a record: its header names the
    /// original players.
    pub game: Option<Record>,
}

/// Asks `bot` about turn `turn` (from 0) of a recorded game, in `seat`. Bots may remember what they saw, so it is first
/// shown all earlier observations; whatever it answers, the recorded actions are played. The seat's seed is the
/// recorded one. The record must follow the rules.
///
/// # Errors
/// When the machine failed.
pub fn ask(record: &Arc<Record>, bot: &Contender, seat: Seat, turn: usize) -> Result<Asked, PlayError> {
    let mut probe = Probe::new(record, bot, seat, turn, Then::Stop);
    let mut others = others(record, seat, |other| Contender::Recorded(record.clone(), other).player(Wall::None));
    match run(record, seat, &mut probe, &mut others) {
        Err(PlayError::Platform(_)) if probe.is_done => Ok(probe.asked),
        Ok(_) => Ok(probe.asked),
        Err(error) => Err(error),
    }
}

/// The same, and then lets `bot` and `opponent` play on to the end. The opponent, too, is first shown its earlier
/// observations. For games of two seats.
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
    let opponent = others.first().map(|other| other.asked.before.clone());
    match played {
        Ok(game) => Ok(PlayedOn { asked: probe.asked, opponent, game: Some(game) }),
        Err(PlayError::Platform(_)) if probe.is_done || others.iter().any(|other| other.is_done) => {
            Ok(PlayedOn { asked: probe.asked, opponent, game: None })
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

/// What a probe does after the turn in question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Stop,
    PlayOn,
}

/// A player that is shown a recorded game up to a turn, while the record answers, and answers itself from then on.
struct Probe {
    player: ContenderPlayer,
    /// The seat's recorded answers before the turn.
    recorded: Vec<(usize, Play)>,
    turn: usize,
    then: Then,
    answered: usize,
    asked: Asked,
    /// Whether it ended the game because nothing more is needed.
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
            asked: Asked::default(),
            is_done: false,
        }
    }

    /// Ends the game, because nothing more is needed.
    fn done(&mut self) -> Failure {
        self.is_done = true;
        Failure::Platform(PlatformFault(format!("stopped at turn {}", self.turn + 1)))
    }

    fn failed_before(&mut self, turn: Option<usize>, fault: Fault) -> Failure {
        self.asked.before.failed = Some((turn, fault));
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
            self.asked.shown.push((turn, observation.to_vec()));
            return match self.player.turn(observation, fuel) {
                Ok(reply) => {
                    if reply.action != play.action.0 {
                        self.asked.before.first_other.get_or_insert(turn);
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
        self.asked.shown.push((self.turn, observation.to_vec()));
        let log_before = self.player.left().log.lines().to_vec();
        let reply = match self.player.turn(observation, fuel) {
            Ok(reply) => Ok(reply),
            Err(Failure::Own(fault)) => Err(fault),
            Err(failure) => return Err(failure),
        };
        let log = self.player.left().log.lines().iter().skip(log_before.len()).cloned().collect();
        self.asked.answer = Some(Answer { reply: reply.clone(), log_before, log });
        match self.then {
            Then::Stop => Err(self.done()),
            Then::PlayOn => reply.map_err(Failure::Own),
        }
    }
}
