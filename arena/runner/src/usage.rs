//! A bot's use of fuel and memory, call by call.

use std::time::{Duration, Instant};

use arena_record::{Forfeit, ForfeitCode, Record};
use arena_referee::{Failure, Player, Reply, Started};
use arena_rules::Seat;
use arena_sandbox::{Frame, Left, MemoryRefused};
use arena_wire::Game;
use arena_worker::Wall;
use serde::Serialize;

use crate::{Contender, ContenderPlayer};

/// One call of a bot, for a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The observation.
    pub observation: Vec<u8>,
    /// The fuel it was given.
    pub fuel: u64,
    /// Its reply, valid or not, or why it did not return.
    pub reply: Result<Reply, Failure>,
    /// Its memory afterwards, in bytes; `None` without a reply.
    pub memory_bytes: Option<u64>,
    /// How long the answer took on this machine, including the way to the bot's process. Only for display: nothing
    /// depends on it.
    pub wall: Duration,
}

impl Call {
    /// The fuel used, if known: without a reply it is known only if the whole budget was used up.
    pub fn fuel_used(&self) -> Option<u64> {
        match &self.reply {
            Ok(reply) => reply.fuel,
            Err(Failure::Own(fault)) => (fault.code == ForfeitCode::FuelExhausted).then_some(self.fuel),
            Err(Failure::Platform(_)) => None,
        }
    }
}

/// The median, the 99th percentile and the maximum of some values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Spread {
    /// The smallest value that at least half of all values do not exceed.
    pub p50: u64,
    /// The smallest value that at least 99 of 100 values do not exceed.
    pub p99: u64,
    /// The greatest value.
    pub max: u64,
}

impl Spread {
    /// The spread of `values`, in their unit; `None` without values.
    pub fn of(values: &[u64]) -> Option<Spread> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let at = |percent: usize| sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        Some(Spread { p50: at(50)?, p99: at(99)?, max: at(100)? })
    }
}

/// One sample game, or a recorded one that was [replayed](crate::play_once_more).
pub struct SampleGame {
    /// The bot's seat.
    pub seat: Seat,
    /// The whole game.
    pub record: Record,
    /// Every call of the bot. It is not called once its bank of fuel is empty, so there may be fewer calls than turns
    /// in the record; a last call without a legal action is not in the record.
    pub calls: Vec<Call>,
    /// The functions that were running when the bot failed, the innermost first; empty if it did not fail within a
    /// call. Their names are hostile text.
    pub frames: Vec<Frame>,
    /// The last memory request that was refused in the call in which the bot failed.
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

    /// Whether this sample game of `game` began from an opening.
    pub fn is_from_opening(&self, game: &Game) -> bool {
        self.record.header.options != game.casual
    }

    /// Fuel of each call where it is known, including a last one that was a forfeit or emptied the game's bank. Passes
    /// with an empty bank are not calls.
    pub fn turn_fuel(&self) -> Vec<u64> {
        self.calls.iter().filter_map(Call::fuel_used).collect()
    }

    /// Fuel that the bot used in total, including its start; for a call that failed, the whole budget if its use is not
    /// known.
    pub fn fuel_charged(&self) -> u64 {
        let start = self.record.starts[self.seat.index()].unwrap_or(self.record.header.budgets.fuel_at_start);
        let turns = self.calls.iter().map(|call| call.fuel_used().unwrap_or(call.fuel));
        turns.fold(start, u64::saturating_add)
    }

    /// The bot's memory after each call with a reply, in bytes. The last reply may be no legal action.
    pub fn turn_memory(&self) -> Vec<u64> {
        self.calls.iter().filter_map(|call| call.memory_bytes).collect()
    }

    /// Most memory the bot had after its start or a turn, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.turn_memory().into_iter().fold(self.start_memory_bytes, u64::max)
    }
}

/// A player that records its calls, at most those of one game.
pub(crate) struct Metered {
    pub(crate) player: ContenderPlayer,
    /// The length of its observations, and the fuel for its start, once asked to start.
    start: Option<(usize, u64)>,
    pub(crate) calls: Vec<Call>,
    /// Memory it had after its start, in bytes; 0 when it did not start.
    pub(crate) start_memory_bytes: u64,
}

impl Metered {
    pub(crate) fn new(player: ContenderPlayer) -> Metered {
        Metered { player, start: None, calls: Vec::new(), start_memory_bytes: 0 }
    }

    /// The data on a game that it played in this seat.
    pub(crate) fn into_game(self, seat: Seat, record: Record) -> SampleGame {
        let Metered { mut player, calls, start_memory_bytes, .. } = self;
        let Left { log, frames, memory_refused, .. } = player.left();
        let (log, log_dropped) = (log.lines().to_vec(), log.dropped());
        SampleGame { seat, record, calls, frames, memory_refused, start_memory_bytes, log, log_dropped }
    }

    /// Whether the process of `contender` dies when it is asked the same with no other player in the game.
    pub(crate) fn dies_again(&self, contender: &Contender) -> bool {
        let Some((observation_len, fuel)) = self.start else { return false };
        let mut player = contender.player(Wall::None);
        let mut failed = player.start(observation_len, fuel).is_err();
        for Call { observation, fuel, .. } in &self.calls {
            failed = failed || player.turn(observation, *fuel).is_err();
        }
        player.lost_worker()
    }
}

impl Player for Metered {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.start = Some((observation_len, fuel));
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
