//! One bot in one seat of one game.

use arena_referee::{Failure, PlatformFault, Player, Reply, Started};

use crate::call_by_call::Calls;
use crate::{Bot, Left};

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    /// Its guest from its start on, until it fails.
    calls: Option<Box<Calls>>,
    /// What it left behind when it failed.
    left: Left,
    /// Fuel that its turns lack.
    withheld: u64,
}

impl SandboxPlayer {
    /// A player for `bot` in one game.
    pub fn new(bot: &Bot) -> SandboxPlayer {
        SandboxPlayer { bot: bot.clone(), calls: None, left: Left::default(), withheld: 0 }
    }

    /// Withholds so much fuel from all turns to come: they end without it, and `arena.fuel` counts it as if it were
    /// there. For bots that are [profiled](Bot::profiled).
    pub fn withhold(&mut self, fuel: u64) {
        self.withheld = fuel;
    }

    /// What the bot has left behind so far; until it failed, if it did.
    pub fn left(&mut self) -> Left {
        match &mut self.calls {
            Some(calls) => Left { memory_refused: None, ..calls.left() },
            None => self.left.clone(),
        }
    }

    /// Memory of the guest now, in bytes; 0 before its start and after a failure.
    pub fn memory_bytes(&self) -> usize {
        self.calls.as_ref().map_or(0, |calls| calls.memory().len())
    }

    /// Keeps the guest for its next call, or what it leaves behind if it failed.
    fn keep<T>(&mut self, mut calls: Box<Calls>, result: Result<T, Failure>) -> Result<T, Failure> {
        match result {
            Ok(_) => self.calls = Some(calls),
            Err(_) => self.left = calls.left(),
        }
        result
    }
}

impl Player for SandboxPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut calls = Box::new(Calls::new(&self.bot));
        let started = calls.begin(observation_len, fuel);
        self.keep(calls, started)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let never_started = || Failure::Platform(PlatformFault("a player was asked that did not start".into()));
        // Taken out, so that a guest that fails is dropped and not called again.
        let mut calls = self.calls.take().ok_or_else(never_started)?;
        let reply = calls.play(observation, fuel, self.withheld);
        self.keep(calls, reply)
    }
}
