//! One bot in one seat of one game.

use arena_referee::{Failure, PlatformFault, Player, Reply, Started};

use crate::call_by_call::Calls;
use crate::guest::MemoryRefused;
use crate::{Bot, Frame, Log, Used};

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    /// Its guest from its start on, until it fails.
    calls: Option<Box<Calls>>,
    log: Log,
    frames: Vec<Frame>,
    used: Vec<Used>,
    memory_refused: Option<MemoryRefused>,
    /// Fuel that its turns lack.
    withheld: u64,
}

impl SandboxPlayer {
    /// A player for `bot` in one game.
    pub fn new(bot: &Bot) -> SandboxPlayer {
        let (log, frames, used) = (Log::default(), Vec::new(), Vec::new());
        SandboxPlayer { bot: bot.clone(), calls: None, log, frames, used, memory_refused: None, withheld: 0 }
    }

    /// Withholds so much fuel from all turns to come: they end without it, and `arena.fuel` counts it as if it were
    /// there. For bots that are [profiled](Bot::profiled).
    pub fn withhold(&mut self, fuel: u64) {
        self.withheld = fuel;
    }

    /// What the bot logged so far.
    pub fn log(&self) -> &Log {
        self.calls.as_ref().and_then(|calls| calls.guest()).map_or(&self.log, |guest| &guest.log)
    }

    /// The functions that were running when the bot failed, the innermost first. Empty if it did not fail, or failed by
    /// what it returned.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What each function used so far of the fuel of a bot that is [profiled](Bot::profiled); until it failed, if it
    /// did.
    pub fn used(&mut self) -> Vec<Used> {
        self.calls.as_mut().map_or_else(|| self.used.clone(), |calls| calls.used())
    }

    /// The last memory request beyond the game's limit that was refused in the call in which it failed.
    pub fn memory_refused(&self) -> Option<MemoryRefused> {
        self.memory_refused
    }

    /// Memory of the guest now, in bytes; 0 before its start and after a failure.
    pub fn memory_bytes(&self) -> usize {
        self.calls.as_ref().map_or(0, |calls| calls.memory().len())
    }

    /// Keeps the guest for its next call, or its remains if it failed.
    fn keep<T>(&mut self, mut calls: Box<Calls>, result: Result<T, Failure>) -> Result<T, Failure> {
        if result.is_ok() {
            self.calls = Some(calls);
        } else {
            if let Some(guest) = calls.guest() {
                self.log = guest.log.clone();
                self.memory_refused = guest.refused.filter(|refused| refused.wanted > self.bot.memory_bytes);
            }
            self.frames = calls.frames().to_vec();
            self.used = calls.used();
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
