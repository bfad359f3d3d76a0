//! One bot in one seat of one game.

use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};

use crate::calls::{Broken, Calls};
use crate::guest::MemoryRefused;
use crate::{ACTION_BYTES_MAX, Bot, Frame, Log};

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    /// Its guest from its start on, until it fails.
    calls: Option<Box<Calls>>,
    log: Log,
    frames: Vec<Frame>,
    memory_refused: Option<MemoryRefused>,
    /// Fuel that its turns lack.
    withheld: u64,
}

impl SandboxPlayer {
    /// A player for `bot` in one game.
    pub fn new(bot: &Bot) -> SandboxPlayer {
        let (log, frames) = (Log::default(), Vec::new());
        SandboxPlayer { bot: bot.clone(), calls: None, log, frames, memory_refused: None, withheld: 0 }
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

    /// The last memory request beyond the game's limit that was refused in the call in which it failed.
    pub fn memory_refused(&self) -> Option<MemoryRefused> {
        self.memory_refused
    }

    /// Memory of the guest now, in bytes; 0 before its start and after a failure.
    pub fn memory_bytes(&self) -> usize {
        self.calls.as_ref().map_or(0, |calls| calls.memory().len())
    }

    /// Keeps the guest for its next call, or its remains if it failed.
    fn keep<T>(&mut self, calls: Box<Calls>, result: Result<T, Broken>) -> Result<T, Failure> {
        match result {
            Ok(value) => {
                self.calls = Some(calls);
                Ok(value)
            }
            Err(Broken { failure, frames }) => {
                if let Some(guest) = calls.guest() {
                    self.log = guest.log.clone();
                    self.memory_refused = guest.refused.filter(|refused| refused.wanted > self.bot.memory_bytes);
                }
                self.frames = frames;
                Err(failure)
            }
        }
    }
}

impl Player for SandboxPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut calls = Box::new(Calls::new(&self.bot));
        let started = start(&mut calls, observation_len, fuel);
        self.keep(calls, started)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let never_started = || Failure::Platform(PlatformFault("a player was asked that did not start".into()));
        // Taken out, so that a guest that fails is dropped and not called again.
        let mut calls = self.calls.take().ok_or_else(never_started)?;
        let reply = play(&mut calls, observation, fuel, self.withheld);
        self.keep(calls, reply)
    }
}

/// Starts the bot, all on the start's fuel, and looks whether its observations have a place.
fn start(calls: &mut Calls, observation_len: usize, fuel: u64) -> Result<Started, Broken> {
    let returned = calls.start(observation_len as u32, fuel)?;
    let observation_at = returned.value as usize;
    if observation_at + observation_len > calls.memory().len() {
        let detail = format!(
            "arena_observation returned address {observation_at}, but {observation_len} bytes from there are not all in \
             memory"
        );
        return Err(Fault::failure(ForfeitCode::BadPointer, detail).into());
    }
    Ok(Started { fuel: Some(returned.fuel) })
}

fn play(calls: &mut Calls, observation: &[u8], fuel: u64, withheld: u64) -> Result<Reply, Broken> {
    let returned = calls.turn_without(observation, fuel, withheld)?;
    let (address, length) = (returned.value as u32, (returned.value >> 32) as u32);
    if length > ACTION_BYTES_MAX {
        let detail = format!("arena_turn returned an action of {length} bytes; {ACTION_BYTES_MAX} are allowed");
        return Err(Fault::failure(ForfeitCode::BadOutput, detail).into());
    }
    let start = address as usize;
    let action = calls.memory().get(start..start + length as usize).ok_or_else(|| {
        let detail = format!("arena_turn returned {length} bytes at address {address}, which are not all in memory");
        Fault::failure(ForfeitCode::BadPointer, detail)
    })?;
    Ok(Reply { action: action.to_vec(), fuel: Some(returned.fuel) })
}
