//! What a worker loads.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_sandbox::Checks;

/// A module that has passed the check, and its memory limit. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) id: EntrantId,
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) memory_bytes: u64,
    pub(crate) checks: Checks,
}

/// What a worker has compiled: a module by its hash, for a memory limit, and where it checks its fuel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Loaded {
    id: EntrantId,
    memory_bytes: u64,
    checks: Checks,
}

impl Module {
    pub(crate) fn new(bytes: &[u8], memory_bytes: u64) -> Module {
        Module { id: EntrantId::of_bytes(bytes), bytes: bytes.into(), memory_bytes, checks: Checks::ByRule }
    }

    /// The state of a worker that has compiled it.
    pub(crate) fn loaded(&self) -> Loaded {
        Loaded { id: self.id.clone(), memory_bytes: self.memory_bytes, checks: self.checks }
    }
}
