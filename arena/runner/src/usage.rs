//! What a bot uses, call by call.

use std::time::{Duration, Instant};

use arena_record::{Forfeit, ForfeitCode, Record};
use arena_referee::{Failure, Player, Reply, Started};
use arena_rules::Seat;
use arena_sandbox::{Frame, MemoryRefused};
use serde::Serialize;

use crate::ContenderPlayer;

/// One turn that a bot was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What it was shown.
    pub observation: Vec<u8>,
    /// The fuel it was given.
    pub fuel: u64,
    /// What it returned, whatever the bytes are worth, or why it did not return.
    pub reply: Result<Reply, Failure>,
    /// Memory it had then, in bytes; `None` when there is no reply.
    pub memory_bytes: Option<u64>,
    /// How long the answer took on this machine, the way to the bot's process included. For people only: nothing is decided by
    /// it.
    pub wall: Duration,
}

impl Call {
    /// Fuel that it used, where that is known: of a call without a reply it is only if all that it was given was used up.
    pub fn fuel_used(&self) -> Option<u64> {
        match &self.reply {
            Ok(reply) => reply.fuel,
            Err(Failure::Own(fault)) => (fault.code == ForfeitCode::FuelExhausted).then_some(self.fuel),
            Err(Failure::Platform(_)) => None,
        }
    }
}

/// The median, the 99th percentile and the most of what was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Spread {
    /// The least value that half of all values do not exceed.
    pub p50: u64,
    /// The least value that 99 of 100 values do not exceed.
    pub p99: u64,
    /// The greatest value.
    pub max: u64,
}

impl Spread {
    /// The spread of `values`, in whatever unit they have; `None` when there are none.
    pub fn of(values: &[u64]) -> Option<Spread> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let at = |percent: usize| sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        Some(Spread { p50: at(50)?, p99: at(99)?, max: at(100)? })
    }
}

/// One sample game, or a recorded one that was [played once more](crate::play_once_more).
pub struct SampleGame {
    /// Where the bot sat.
    pub seat: Seat,
    /// The whole game.
    pub record: Record,
    /// Every turn the bot was asked for. It is not asked once its bank of fuel is empty, so there may be fewer than it has
    /// turns in the record; a last one that was no legal action is not in the record.
    pub calls: Vec<Call>,
    /// The functions that were running when the bot failed, the innermost first; none where it did not fail within a call. Their
    /// names are hostile text.
    pub frames: Vec<Frame>,
    /// The last memory that was refused to the bot in the call in which it failed.
    pub memory_refused: Option<MemoryRefused>,
    /// Memory the bot had after its start, in bytes; 0 when it did not start.
    pub start_memory_bytes: u64,
    /// Lines of the bot's log, as it wrote them: hostile text, and for its author only.
    pub log: Vec<String>,
    /// Lines beyond the log's limits, which were dropped.
    pub log_dropped: u64,
}

impl SampleGame {
    /// The bot's forfeit in this game.
    pub fn forfeit(&self) -> Option<&Forfeit> {
        self.record.forfeits.iter().find(|forfeit| forfeit.seat == self.seat.0)
    }

    /// Fuel of each turn that the bot was asked for, where it is known. Also of a last one that was a forfeit, or that emptied
    /// the game's bank; none of those it then passed unasked.
    pub fn turn_fuel(&self) -> Vec<u64> {
        self.calls.iter().filter_map(Call::fuel_used).collect()
    }

    /// Fuel that the bot used in all, its start included, or that it may have used: of a call that failed all that it was given.
    pub fn fuel_charged(&self) -> u64 {
        let start = self.record.starts[self.seat.index()].unwrap_or(self.record.header.budgets.fuel_at_start);
        let turns = self.calls.iter().map(|call| call.fuel_used().unwrap_or(call.fuel));
        turns.fold(start, u64::saturating_add)
    }

    /// Memory the bot had after each turn that it replied to, in bytes. The last reply may be no legal action.
    pub fn turn_memory(&self) -> Vec<u64> {
        self.calls.iter().filter_map(|call| call.memory_bytes).collect()
    }

    /// Most memory the bot had after its start or a turn, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.turn_memory().into_iter().fold(self.start_memory_bytes, u64::max)
    }
}

/// A player whose calls are remembered: at most those of one game.
pub(crate) struct Metered {
    pub(crate) player: ContenderPlayer,
    pub(crate) calls: Vec<Call>,
    /// Memory it had after its start, in bytes; 0 when it did not start.
    pub(crate) start_memory_bytes: u64,
}

impl Metered {
    pub(crate) fn new(player: ContenderPlayer) -> Metered {
        Metered { player, calls: Vec::new(), start_memory_bytes: 0 }
    }

    /// What is known of a game that it played in this seat.
    pub(crate) fn into_game(self, seat: Seat, record: Record) -> SampleGame {
        let Metered { mut player, calls, start_memory_bytes } = self;
        let (log, log_dropped) = (player.log(), player.log_dropped());
        let (frames, memory_refused) = (player.frames(), player.memory_refused());
        SampleGame { seat, record, calls, frames, memory_refused, start_memory_bytes, log, log_dropped }
    }
}

impl Player for Metered {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let started = self.player.start(observation_len, fuel)?;
        self.start_memory_bytes = self.player.memory_bytes() as u64;
        Ok(started)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let asked = Instant::now();
        let reply = self.player.turn(observation, fuel);
        let wall = asked.elapsed();
        let memory_bytes = reply.is_ok().then(|| self.player.memory_bytes() as u64);
        self.calls.push(Call { observation: observation.to_vec(), fuel, reply: reply.clone(), memory_bytes, wall });
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_of_values_that_were_there() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[7]), Some(Spread { p50: 7, p99: 7, max: 7 }));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!(Spread::of(&hundred), Some(Spread { p50: 50, p99: 99, max: 100 }));
        assert_eq!(Spread::of(&[1, 2, 3, 4]), Some(Spread { p50: 2, p99: 4, max: 4 }));
    }
}
