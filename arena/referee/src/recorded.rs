//! A player that answers from a record.

use std::sync::Arc;

use arena_record::{Forfeit, Play, Record};
use arena_rules::Seat;

use crate::{Failure, Fault, PlatformFault, Player, Reply, Started};

/// The player of a seat in a recorded game, with the recorded answers.
pub struct RecordedPlayer {
    record: Arc<Record>,
    seat: Seat,
    /// Answers given so far.
    answered: usize,
}

impl RecordedPlayer {
    /// A player for this seat.
    pub fn new(record: Arc<Record>, seat: Seat) -> RecordedPlayer {
        RecordedPlayer { record, seat, answered: 0 }
    }

    /// The forfeit of a bot in this seat. Forfeits by people are not answers, but endings of the record.
    fn fault(&self) -> Option<&Forfeit> {
        self.record.forfeits.iter().find(|forfeit| forfeit.seat == self.seat.0 && !forfeit.code.is_a_persons())
    }
}

/// The plays of a seat in a recorded game, each with its turn from 0.
pub fn plays_of(record: &Record, seat: Seat) -> impl Iterator<Item = (usize, &Play)> {
    let turns = record.turns.iter().enumerate();
    turns.filter_map(move |(turn, all)| Some((turn, all.plays.iter().find(|play| play.seat == seat.0)?)))
}

impl Player for RecordedPlayer {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        match self.fault() {
            Some(Forfeit { turn: None, code, detail, .. }) => Err(Fault::failure(*code, detail.clone())),
            _ => Ok(Started { fuel: self.record.starts.get(self.seat.index()).copied().flatten() }),
        }
    }

    fn turn(&mut self, _observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        let play = plays_of(&self.record, self.seat).nth(self.answered);
        self.answered += 1;
        match (play, self.fault()) {
            (Some((_, play)), _) => Ok(Reply { action: play.action.0.clone(), fuel: play.fuel }),
            (None, Some(Forfeit { code, detail, .. })) => Err(Fault::failure(*code, detail.clone())),
            (None, None) => Err(Failure::Platform(PlatformFault("the record goes no further".into()))),
        }
    }
}
