//! The host's data for a guest.

use wasmtime::{ResourceLimiter, Result, StoreLimits};

use crate::Log;

/// The host's data for a guest.
pub(crate) struct Guest {
    pub(crate) limits: Limits,
    pub(crate) log: Log,
}

/// A memory request of a bot that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryRefused {
    /// Its memory before, in bytes.
    pub had: u64,
    /// The memory that it wanted, in bytes.
    pub wanted: u64,
}

/// The limits of a guest, and the last memory request refused in this call.
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
