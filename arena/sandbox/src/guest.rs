//! The host's data for a guest.

use serde::{Deserialize, Serialize};
use wasmtime::{ResourceLimiter, Result};

use crate::{Frame, Log, Used};

/// The host's data for a guest.
#[derive(Default)]
pub struct Guest {
    /// The last memory request refused in this call.
    pub(crate) refused: Option<MemoryRefused>,
    pub(crate) log: Log,
}

/// A memory request of a bot that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemoryRefused {
    /// Its memory before, in bytes.
    pub had: u64,
    /// The memory that it wanted, in bytes.
    pub wanted: u64,
}

/// What a bot leaves behind in a game, for its author.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Left {
    /// What it logged.
    pub log: Log,
    /// The functions that were running when it failed, the innermost first, at most
    /// [`FRAMES_MAX`](crate::FRAMES_MAX); empty if it did not fail, or failed by what it returned. Where fuel was
    /// withheld from an interpreter that says so, the lines of its script.
    pub frames: Vec<Frame>,
    /// What each function used of its fuel, without those that used nothing, in a bot that is
    /// [profiled](crate::Bot::profiled). What the last could not pay for in a call that used its fuel up is not among
    /// it.
    pub used: Vec<Used>,
    /// The last memory request beyond the game's limit that was refused in the call in which it failed.
    pub memory_refused: Option<MemoryRefused>,
}

/// Memories and tables grow to the maxima in their types, which are the game's. If the engine cannot let one grow so
/// far, it has failed: a bot that got -1 for that would play another game on another machine.
impl ResourceLimiter for Guest {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        let granted = maximum.is_none_or(|most| desired <= most);
        if !granted {
            self.refused = Some(MemoryRefused { had: current as u64, wanted: desired as u64 });
        }
        Ok(granted)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        Err(error)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        Ok(maximum.is_none_or(|most| desired <= most))
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        Err(error)
    }
}
