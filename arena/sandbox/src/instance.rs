//! The seam between the sandbox and what runs code. A module has been metered before an engine gets it, so no engine
//! counts anything.

use std::sync::Arc;

pub use arena_check::calls::{BadLog, Entry, Stop, Trap};

use crate::{Frame, Guest};

/// What runs the code of metered modules. It has all of [`features`](arena_meter::features), and a stack for the units
/// that the code counts: [`NATIVE_STACK_BYTES`](crate::NATIVE_STACK_BYTES) are enough.
pub trait Engine: Send + Sync {
    /// Compiles a module.
    ///
    /// # Errors
    /// Why it does not, in words.
    fn compile(&self, module: &[u8]) -> Result<Arc<dyn Program>, String>;
}

/// A compiled module.
pub trait Program: Send + Sync {
    /// A guest with its memory as the module defines it, of which no code has run.
    ///
    /// # Errors
    /// When elements or data have no place, or the engine failed.
    fn instantiate(&self) -> Result<Box<dyn Instance>, Stopped>;
}

/// A guest in an engine.
pub trait Instance: Send + Sync {
    /// Calls a function with the length of an observation, in bytes; returns its result, or `None` if the module does
    /// not export it.
    ///
    /// # Errors
    /// When the code stopped before it returned.
    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stopped>;

    /// The fuel that its code has left, or why it stopped.
    fn fuel(&mut self) -> i64;

    /// Sets the fuel of the next call.
    ///
    /// # Errors
    /// When the engine failed.
    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stopped>;

    /// Says how much fuel is withheld from the next call, in a module that is profiled. An engine without profiles has
    /// nothing to do.
    ///
    /// # Errors
    /// When the engine failed.
    fn withhold(&mut self, _fuel: i64) -> Result<(), Stopped> {
        Ok(())
    }

    /// The lines of the script that were running when the code stopped, the innermost first, at most
    /// [`FRAMES_MAX`](crate::FRAMES_MAX); `None` if it is no interpreter that says so, in a module that is profiled. No
    /// calls follow. An engine without profiles has none.
    fn lines(&mut self) -> Option<Vec<u32>> {
        None
    }

    /// What a function has used of the fuel, alone and with all that it called, in a module that is profiled; `None`
    /// if that is not counted. An engine without profiles counts nothing.
    fn used(&mut self, _function: u32) -> Option<(u64, u64)> {
        None
    }

    /// Its memory.
    fn memory(&self) -> &[u8];

    /// Its memory, and the host's data for it.
    fn parts(&mut self) -> (&mut [u8], &mut Guest);
}

/// Code that stopped before it returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// Why.
    pub why: Stop,
    /// The functions that were running, the innermost first, as far as the engine knows them.
    pub frames: Vec<Frame>,
}

impl From<Stop> for Stopped {
    fn from(why: Stop) -> Stopped {
        Stopped { why, frames: Vec::new() }
    }
}

impl Guest {
    /// The import `arena.log`: copies. Its fuel is paid by the code that calls it.
    ///
    /// # Errors
    /// When the line is not in memory.
    pub fn keep(&mut self, memory: &[u8], address: u32, length: u32) -> Result<(), BadLog> {
        let start = address as usize;
        let line = memory.get(start..start + length as usize).ok_or(BadLog { address, length })?;
        self.log.push(line);
        Ok(())
    }
}
