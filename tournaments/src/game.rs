//! Games of a tournament, and their results.

use arena_record::{Digest, EntrantId, ForfeitCode, Record};
use arena_rules::{BySeat, Outcome, Reason, Seat, Seed};
use serde::Serialize;

/// An entrant with its bytes known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name in files.
    pub name: String,
    /// Its name in tables for people, if different.
    pub display: Option<String>,
    /// The hash of its bytes, or its built-in opponent.
    pub id: EntrantId,
}

impl Entrant {
    /// An entrant with the same name everywhere.
    pub fn new(name: impl Into<String>, id: EntrantId) -> Entrant {
        Entrant { name: name.into(), display: None, id }
    }

    /// Its name for people.
    pub fn shown(&self) -> &str {
        self.display.as_ref().unwrap_or(&self.name)
    }
}

/// A game's purpose, which decides its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// For the standings: played with the definition's options.
    Main,
    /// Only to break ties: a two-seat game of the same kind (`Protocol::duel`).
    Cage,
}

/// A game of the schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its place in the schedule, from 0.
    pub number: usize,
    /// The round of the tournament, from 0.
    pub round: usize,
    /// The pairing it belongs to, from 0 over the whole tournament.
    pub pairing: usize,
    /// The pair within the pairing, from 0. Both games of a pair have the same seed.
    pub pair: u32,
    /// Its purpose.
    pub stage: Stage,
    /// The entrants' indices, by seat.
    pub seats: BySeat<usize>,
    /// The game's seed.
    pub seed: Seed,
}

/// The fate of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The game is still to be played.
    Open,
    /// The game counts, with its result.
    Counted,
    /// The game does not count, even if it has a result.
    Void,
    /// The game is not played: one of its entrants had left before.
    Cancelled,
}

/// The counted result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The seat that won; `None` is a draw.
    pub winner: Option<Seat>,
    /// The forfeits, by seat.
    pub forfeits: Vec<(Seat, ForfeitCode)>,
    /// The numbers by which the ruleset ranks seats at the end.
    pub tally: BySeat<u32>,
    /// The game's digest.
    pub digest: Digest,
    /// The rule that ended it.
    pub reason: Reason,
    /// Turns that were played.
    pub turns: u16,
}

impl GameResult {
    /// The result in a record.
    pub fn of(record: &Record) -> GameResult {
        let forfeits = record.forfeits.iter().map(|forfeit| (Seat(forfeit.seat), forfeit.code));
        let Outcome { winner, tally, reason } = record.outcome();
        // No ruleset has longer games.
        let turns = u16::try_from(record.turns.len()).unwrap_or(u16::MAX);
        GameResult { winner, forfeits: forfeits.collect(), tally, digest: record.digest.0, reason, turns }
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Half points: two for a win, one for a draw.
    pub fn half_points(self) -> u32 {
        2 * self.wins + self.draws
    }

    pub(crate) fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

/// A tally per seat of a two-seat game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct SeatTally {
    /// Games in the seat that moves first.
    pub first: Tally,
    /// Games in the other seat.
    pub second: Tally,
}
