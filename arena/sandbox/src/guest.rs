//! What the host keeps for a guest.

use wasmtime::{ResourceLimiter, Result, StoreLimits};

use crate::Log;

/// What the host keeps for a guest.
pub(crate) struct Guest {
    pub(crate) limits: Limits,
    pub(crate) log: Log,
}

/// Memory that a bot asked for and did not get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryRefused {
    /// What it had, in bytes.
    pub had: u64,
    /// What it would have had, in bytes.
    pub wanted: u64,
}

/// The limits of a guest, with the last memory that was refused in this call.
pub(crate) struct Limits {
    limits: StoreLimits,
    pub(crate) refused: Option<MemoryRefused>,
}

impl Limits {
    pub(crate) fn new(limits: StoreLimits) -> Limits {
        Limits { limits, refused: None }
    }
}

impl ResourceLimiter for Limits {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        let granted = self.limits.memory_growing(current, desired, maximum)?;
        if !granted {
            self.refused = Some(MemoryRefused { had: current as u64, wanted: desired as u64 });
        }
        Ok(granted)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        self.limits.memory_grow_failed(error)
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        self.limits.table_growing(current, desired, maximum)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        self.limits.table_grow_failed(error)
    }

    fn instances(&self) -> usize {
        self.limits.instances()
    }

    fn tables(&self) -> usize {
        self.limits.tables()
    }

    fn memories(&self) -> usize {
        self.limits.memories()
    }
}
