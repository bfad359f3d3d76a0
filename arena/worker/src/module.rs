//! What a worker loads.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_sandbox::Checks;

/// A module that has passed the check. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) loaded: Loaded,
}

/// What a worker has compiled: a module by its hash, for a memory limit, and where it checks its fuel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Loaded {
    pub(crate) id: EntrantId,
    pub(crate) memory_bytes: u64,
    pub(crate) checks: Checks,
}

impl Module {
    pub(crate) fn new(bytes: &[u8], memory_bytes: u64) -> Module {
        let loaded = Loaded { id: EntrantId::of_bytes(bytes), memory_bytes, checks: Checks::ByRule };
        Module { bytes: bytes.into(), loaded }
    }
}
